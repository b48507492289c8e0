/// Finds for each relationship of some item types its other end, its inverse and its place.
///
/// *Rule:* a pure function of the entities, used once when a ``StoreSchema`` is made.
struct GraphResolution {
    /// The item types, and after them one entity for each many-to-many relationship.
    private(set) var entities: [EntitySchema]
    /// For each entity its relationships in the order of ``EntitySchema``: those with a column last.
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

    /// - Parameter numbers: The numbers of the app's types; none if the schema is the store's own.
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
        guard !numbers.isEmpty else { return }
        try requireNamedInverses()
        try requireRules()
    }

    private func schema(_ place: Place) -> RelationshipSchema {
        entities[place.entity].relationships[place.number]
    }

    private func title(_ place: Place) -> String {
        "\(entities[place.entity].name).\(schema(place).propertyName)"
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
                if schema(inverse).inverse.isNamed { throw inverseWithoutPlace(of: place, inverse) }
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
        let position: Int?
        switch schema(place).inverse {
        case .unnamed, .none: return nil
        case .declared(let reference): position = entities[other].position(of: reference())
        case .named(let name):
            position = entities[other].relationships.firstIndex { UTF8Text.areEqual($0.name, name) }
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
                guard relationship.kind.isToMany, !relationship.inverse.isNamed else { continue }
                let former = entities[entity].originalName.flatMap { names[UTF8Key($0)] == nil ? $0 : nil }
                let schema = LinkEntity.schema(
                    for: relationship, of: entities[entity], formerly: former,
                    to: entities[try target(of: place)])
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
            owner: place.entity, number: place.number, name: relationship.name,
            propertyName: relationship.propertyName, target: target, targetSchema: entities[target],
            form: try form(of: place), kind: relationship.kind, deleteRule: relationship.deleteRule,
            inverse: inverses[place]?.number, ends: ends(of: place))
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
        guard let inverse = inverses[place] else { throw missingInverse(of: place) }
        if let column = schema(inverse).column {
            if schema(place).kind == .orderedToMany { throw orderedInverse(of: place, inverse) }
            return .referrers(column: column)
        }
        guard let entity = links[inverse] else { throw inverseWithoutPlace(of: place, inverse) }
        // The links of the other end may be many for each item, and know no order of this end.
        guard schema(place).kind == .toMany else { throw linksInverse(of: place, inverse) }
        return .links(StoreRelationship.LinkSide(entity: entity, isReversed: true, isOrdered: false))
    }
}

// MARK: Rules

extension GraphResolution {
    /// Refuses links beside a reference that leads back: most likely the inverse was forgotten.
    ///
    /// A relationship that is or has an inverse is complete, and so is a reference that another relationship
    /// names. For all others only the app knows; `inverse: nil` says that the links are meant.
    private func requireNamedInverses() throws(DataStoreError) {
        for entity in entities.indices {
            for number in entities[entity].relationships.indices {
                let place = Place(entity: entity, number: number)
                guard links[place] != nil, inverses[place] == nil, case .unnamed = schema(place).inverse
                else { continue }
                if let reference = try freeReferences(back: place).first {
                    throw unnamedInverse(of: place, reference)
                }
            }
        }
    }

    /// Each reference from the other end to the owner that is the inverse of nothing.
    private func freeReferences(back place: Place) throws(DataStoreError) -> [Place] {
        let other = try target(of: place)
        var references: [Place] = []
        for number in entities[other].relationships.indices {
            let reference = Place(entity: other, number: number)
            guard schema(reference).column != nil, inverses[reference] == nil else { continue }
            if try target(of: reference) == place.entity { references.append(reference) }
        }
        return references
    }

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
}

// MARK: Errors

extension GraphResolution {
    private func unnamedInverse(of place: Place, _ reference: Place) -> DataStoreError {
        let isOrdered = schema(place).kind == .orderedToMany
        let mark = mark(naming: reference, from: place)
        return invalid(
            place,
            """
            names no inverse, and \(title(reference)) refers back to \(entities[place.entity].name). Both would \
            be stored, and neither would show a change of the other.
            """,
            advice: """
                \(isOrdered ? "Make it a ToMany, which can show the ToOne, and write" : "Write") \(mark). If \
                they are two relationships, write @Relationship(inverse: nil).
                """)
    }

    private func missingInverse(of place: Place) -> DataStoreError {
        let other = typeName(atOtherEndOf: place)
        let reference = (try? freeReferences(back: place))?.first
        return invalid(
            place, "shows the \(other) whose ToOne refers to it, and does not name that ToOne.",
            advice: reference.map { "Write \(mark(naming: $0, from: place))." }
                ?? "Add a ToOne to \(other), and name it: @Relationship(inverse: \\\(other).name).")
    }

    private func orderedInverse(of place: Place, _ inverse: Place) -> DataStoreError {
        invalid(
            place, "is ordered, and its inverse \(title(inverse)) is a ToOne, which keeps no order.",
            advice: """
                Make it a ToMany, sorted by an attribute of \(typeName(atOtherEndOf: place)); or name no inverse, \
                so that each pair has a link with a place.
                """)
    }

    private func linksInverse(of place: Place, _ inverse: Place) -> DataStoreError {
        let isOrdered = schema(place).kind == .orderedToMany
        return invalid(
            place,
            isOrdered
                ? "is ordered, and its inverse \(title(inverse)) keeps the links in the order of the other end."
                : "shows one item, and its inverse \(title(inverse)) may link many to each.",
            advice: "Make it a ToMany" + (isOrdered ? ", or name it as the inverse at the other end." : "."))
    }

    private func inverseWithoutPlace(of place: Place, _ inverse: Place) -> DataStoreError {
        if inverse == place {
            return invalid(
                place, "names itself as its inverse.",
                advice: "Name no inverse, or a relationship for the items at the other end.")
        }
        if (try? declaredInverse(of: inverse)) == place {
            return invalid(
                place, "and \(title(inverse)) both name the other as their inverse.",
                advice: "Name the inverse on one side only.")
        }
        return invalid(
            place, "names \(title(inverse)) as its inverse, which stores nothing.",
            advice: "Name a ToOne, or a ToMany without an inverse of its own.")
    }

    /// The mark that names a reference as the inverse, with a rule if the reference cannot become nil.
    private func mark(naming reference: Place, from place: Place) -> String {
        let column = schema(reference).column ?? 0
        let isRequired = !entities[reference.entity].attributes[column].isOptional
        let rule = isRequired && schema(place).deleteRule == .nullify ? "deleteRule: .cascade, " : ""
        let name = "\(typeName(atOtherEndOf: place)).\(schema(reference).propertyName)"
        return "@Relationship(\(rule)inverse: \\\(name))"
    }

    /// The name of the other end's type in the app, which may be stored under another.
    private func typeName(atOtherEndOf place: Place) -> String {
        switch schema(place).target {
        case .type(let type): "\(type)"
        case .named(let name): name
        }
    }

    private func invalid(_ place: Place, _ message: String, advice: String) -> DataStoreError {
        DataStoreError(
            .invalidSchema, "\(title(place)) \(message)", advice: advice,
            itemType: entities[place.entity].name, attribute: schema(place).propertyName)
    }
}
