/// Finds for each relationship of some item types its other end, its inverse and its place.
///
/// *Rule:* a pure function of the entities, used once when a ``StoreSchema`` is made.
struct GraphResolution {
    /// The item types, and after them one entity for each many-to-many relationship.
    private(set) var entities: [EntitySchema]
    /// For each entity its relationships: those with a column first, in the order of ``EntitySchema``.
    private(set) var relationships: [[StoreRelationship]]
    private let numbers: [ObjectIdentifier: Int]
    private let names: [UTF8Key: Int]
    /// The inverse of each relationship that is named as one, by the relationship: `nil` while unknown.
    private var inverses: [Place: Place] = [:]
    private var links: [Place: Int] = [:]

    /// A relationship by its owner's number and its own.
    private struct Place: Hashable {
        let entity: Int
        let number: Int
    }

    /// - Parameter numbers: The numbers of the app's types; none where the schema is the store's own.
    init(_ entities: [EntitySchema], numbers: [ObjectIdentifier: Int]) throws(DataStoreError) {
        self.entities = entities
        self.numbers = numbers
        names = Dictionary(
            entities.enumerated().map { (UTF8Key($1.name), $0) }, uniquingKeysWith: { first, _ in first })
        relationships = []
        if entities.allSatisfy(\.relationships.isEmpty) {
            relationships = entities.map { _ in [] }
            return
        }
        try findInverses()
        try addLinkEntities()
        for number in self.entities.indices {
            var resolved: [StoreRelationship] = []
            for position in self.entities[number].relationships.indices {
                resolved.append(try resolve(Place(entity: number, number: position)))
            }
            relationships.append(resolved)
        }
        // A store may be opened by tools after its types have changed under a type that is not declared.
        if !numbers.isEmpty { try requireRules() }
    }

    private func schema(_ place: Place) -> RelationshipSchema {
        entities[place.entity].relationships[place.number]
    }

    private func title(_ place: Place) -> String {
        "\(entities[place.entity].name).\(schema(place).name)"
    }

    private func target(of place: Place) throws(DataStoreError) -> Int {
        let name: String
        switch schema(place).target {
        case .type(let type):
            if let number = numbers[ObjectIdentifier(type)] { return number }
            name = "\(type)"
        case .named(let stored):
            if let number = names[UTF8Key(stored)] { return number }
            name = stored
        }
        throw invalid(
            place, "refers to \(name), which the store does not hold.",
            advice: "Add \(name).self to the types that the store is made with.")
    }
}

// MARK: Inverses

extension GraphResolution {
    private mutating func findInverses() throws(DataStoreError) {
        for entity in entities.indices {
            for number in entities[entity].relationships.indices {
                let place = Place(entity: entity, number: number)
                guard let inverse = try declaredInverse(of: place) else { continue }
                guard try target(of: inverse) == entity else {
                    throw invalid(
                        place, "names \(title(inverse)) as its inverse, which refers to another type.",
                        advice: "Name a relationship that refers to \(entities[entity].name).")
                }
                if let other = inverses[inverse] {
                    throw invalid(
                        place, "and \(title(other)) both name \(title(inverse)) as their inverse.",
                        advice: "Give each a relationship of its own.")
                }
                inverses[place] = inverse
                inverses[inverse] = place
            }
        }
    }

    private func declaredInverse(of place: Place) throws(DataStoreError) -> Place? {
        let other = try target(of: place)
        let relationships = entities[other].relationships
        let position: Int?
        switch schema(place).inverse {
        case .none: return nil
        case .declared(let reference):
            switch reference() {
            case .column(let column): position = relationships.firstIndex { $0.column == column }
            case .number(let number): position = entities[other].position(ofRelationship: number)
            }
        case .named(let name): position = relationships.firstIndex { UTF8Text.areEqual($0.name, name) }
        }
        guard let position else {
            throw invalid(
                place, "names an inverse that \(entities[other].name) does not have.",
                advice: "Name a ToOne, or a ToMany, of \(entities[other].name).")
        }
        return Place(entity: other, number: position)
    }
}

// MARK: Places

extension GraphResolution {
    /// Adds an entity for each many-to-many relationship, at the end that is not derived.
    private mutating func addLinkEntities() throws(DataStoreError) {
        for entity in entities.indices {
            for number in entities[entity].relationships.indices {
                let place = Place(entity: entity, number: number)
                let relationship = schema(place)
                guard relationship.kind.isToMany, case .none = relationship.inverse else { continue }
                let schema = LinkEntity.schema(
                    for: relationship.name, of: entities[entity], to: entities[try target(of: place)],
                    isOrdered: relationship.kind == .orderedToMany)
                // A store that describes itself lists it.
                if let known = names[UTF8Key(schema.name)] {
                    guard entities[known].isLink else {
                        throw invalid(
                            place, "keeps its links under the name of an item type.",
                            advice: "Give the item type another name: @StoredItem(\"OtherName\").")
                    }
                    links[place] = known
                } else {
                    links[place] = entities.count
                    entities.append(schema)
                }
            }
        }
    }

    private func resolve(_ place: Place) throws(DataStoreError) -> StoreRelationship {
        let relationship = schema(place)
        let target = try target(of: place)
        return StoreRelationship(
            owner: place.entity, number: place.number, name: relationship.name, target: target,
            targetSchema: entities[target], form: try form(of: place), kind: relationship.kind,
            deleteRule: relationship.deleteRule, inverse: inverses[place]?.number, ends: ends(of: place))
    }

    private func ends(of place: Place) -> StoreRelationship.Ends {
        guard let column = schema(place).column else { return .any }
        if let inverse = inverses[place], schema(inverse).deleteRule == .noAction { return .mayBeGone }
        return entities[place.entity].attributes[column].isOptional ? .any : .always
    }

    private func form(of place: Place) throws(DataStoreError) -> StoreRelationship.Form {
        if let column = schema(place).column { return .reference(column: column) }
        if let entity = links[place] {
            return .links(
                StoreRelationship.LinkSide(
                    entity: entity, isReversed: false, isOrdered: schema(place).kind == .orderedToMany))
        }
        guard let inverse = inverses[place] else {
            throw invalid(
                place, "has no inverse.",
                advice: "Name the ToOne that it is the other side of: @Relationship(inverse: …).")
        }
        if let column = schema(inverse).column {
            if schema(place).kind == .orderedToMany {
                throw invalid(
                    place, "is ordered, and \(title(inverse)) is a ToOne, which keeps no order.",
                    advice: "Make it a ToMany, or leave out the inverse so that each pair has a link.")
            }
            return .referrers(column: column)
        }
        guard let entity = links[inverse] else {
            throw invalid(
                place, "and \(title(inverse)) both name the other as their inverse.",
                advice: "Name the inverse on one side only.")
        }
        return .links(StoreRelationship.LinkSide(entity: entity, isReversed: true, isOrdered: false))
    }
}

// MARK: Rules

extension GraphResolution {
    /// Refuses a required reference to an item whose deletion would have to make it nil.
    private func requireRules() throws(DataStoreError) {
        for entity in entities.indices {
            for (number, relationship) in entities[entity].relationships.enumerated() {
                guard let column = relationship.column, !entities[entity].attributes[column].isOptional
                else { continue }
                let place = Place(entity: entity, number: number)
                let other = entities[try target(of: place)].name
                guard let inverse = inverses[place] else {
                    throw invalid(
                        place,
                        "is required, and \(other) does not say what happens to it when an item is deleted.",
                        advice: """
                            Make it optional, or name it as the inverse of a relationship of \(other) whose \
                            delete rule is .cascade, .deny or .noAction.
                            """)
                }
                if schema(inverse).deleteRule == .nullify {
                    throw invalid(
                        place, "is required, and the delete rule of \(title(inverse)) makes it nil.",
                        advice: """
                            Make it optional, or give \(title(inverse)) the delete rule .cascade, .deny or \
                            .noAction.
                            """)
                }
            }
        }
    }

    private func invalid(_ place: Place, _ message: String, advice: String) -> DataStoreError {
        DataStoreError(
            .invalidSchema, "\(title(place)) \(message)", advice: advice,
            itemType: entities[place.entity].name, attribute: schema(place).name)
    }
}
