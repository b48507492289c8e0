import LarderKernel

/// The names before an operator: references and relationships, and at their end an attribute or a count.
struct TextPath {
    /// The relationships that the names lead through.
    var relationships: [StoreRelationship] = []
    var end: End
    /// The position of its beginning.
    let start: String.Index

    enum End {
        case attribute(TextAttribute)
        /// The number of items of a relationship.
        case count(StoreRelationship)
        /// Nothing: the last relationship is followed by a filter in parentheses.
        case scope
    }
}

/// An attribute of an item type.
struct TextAttribute {
    let entity: Int
    let column: Int
    let schema: AttributeSchema
}

extension TokenCursor {
    /// Takes the names of an attribute that come next, with the references to it.
    ///
    /// - Parameter mayEndInScope: True if a parenthesis may follow a relationship.
    /// - Throws: `.unknownAttribute` naming the nearest, `.wrongType` if a name leads nowhere.
    mutating func path(advice: String, mayEndInScope: Bool = false) throws(DataStoreError) -> TextPath {
        var path = TextPath(end: .scope, start: current.start)
        var number = scope
        while true {
            guard case .name(let name) = current.kind else {
                throw invalid("The name of an attribute is expected", advice: advice)
            }
            let start = current.start
            let entity = source.schema.entities[number]
            let relationship = source.schema.relationship(named: name, of: number)
            let column = entity.column(ofProperty: name)
            if relationship == nil, column == nil { throw unknownName(name, of: number) }
            try advance()
            guard try skip(.symbol(".")) else {
                if let relationship, mayEndInScope, current.kind == .symbol("(") {
                    path.relationships.append(relationship)
                    return path
                }
                guard let column else { throw missingAttribute(after: name, of: number, at: start) }
                path.end = .attribute(
                    TextAttribute(entity: number, column: column, schema: entity.attributes[column]))
                return path
            }
            guard let relationship else {
                throw source.error(
                    .wrongType, "\(name) does not refer to another item, as is asked for", at: start,
                    advice: "Leave out what follows its dot.", of: number, attribute: name)
            }
            if try skip(.symbol("@")) {
                try takeCount()
                path.end = .count(relationship)
                return path
            }
            path.relationships.append(relationship)
            number = relationship.target
        }
    }

    private mutating func takeCount() throws(DataStoreError) {
        guard case .name(let word) = current.kind, word.lowercased() == "count" else {
            throw invalid("Only @count is known", advice: "Write ingredients.@count > 3.")
        }
        try advance()
    }

    private func missingAttribute(after name: String, of entity: Int, at start: String.Index)
        -> DataStoreError
    {
        source.error(
            .wrongType, "\(name) is a relationship and has no value itself, as is asked for", at: start,
            advice: "Name an attribute after a dot, as in ANY \(name).id == 1, or write \(name).@count.",
            of: entity, attribute: name)
    }

    private func unknownName(_ name: String, of entity: Int) -> DataStoreError {
        let schema = source.schema.entities[entity]
        let relationships = schema.relationships.filter { $0.column == nil }.map(\.propertyName)
        let names = schema.declaredAttributes.map(\.propertyName) + relationships
        let list = names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
        let nearest = name.nearest(among: names)
        let shown = String(name.prefix(60))
        return source.error(
            .unknownAttribute, "\(schema.name) has no attribute \"\(shown)\", which stands",
            at: current.start,
            advice: nearest.map { "Perhaps \($0) is meant." } ?? "Its attributes are \(list).", of: entity,
            attribute: shown)
    }
}

// MARK: Quantifiers

extension TokenCursor {
    /// The quantifier that comes next, before the name of a relationship; nil if none does.
    ///
    /// ANY, ALL, NONE and SOME are names wherever no other name follows them.
    var quantifier: FilterNode.Quantifier? {
        guard case .name(let word) = current.kind, let quantifier = Self.quantifiers[word.lowercased()],
            case .name? = following
        else { return nil }
        return quantifier
    }

    /// True if the next name is a quantifier or names a relationship.
    var mayBeginScope: Bool {
        if quantifier != nil { return true }
        guard case .name(let name) = current.kind else { return false }
        return source.schema.relationship(named: name, of: scope) != nil
    }

    private static let quantifiers: [String: FilterNode.Quantifier] = [
        "any": .any, "some": .any, "all": .all, "none": .none,
    ]

    /// The path that begins here, of a filter that holds for related items.
    mutating func relatedPath(
        advice: String, mayEndInScope: Bool = false
    ) throws(DataStoreError) -> RelatedPath {
        let quantifier = quantifier
        if quantifier != nil { try advance() }
        let path = try path(advice: advice, mayEndInScope: mayEndInScope)
        return try RelatedPath(path, quantifier, in: source)
    }
}

/// A path with the relationship that a quantifier is about.
struct RelatedPath {
    let path: TextPath
    /// The relationship that the quantifier is about, by its place in the path, and the quantifier.
    private let quantified: (place: Int, quantifier: FilterNode.Quantifier)?

    init(
        _ path: TextPath, _ quantifier: FilterNode.Quantifier?, in source: SourceText
    ) throws(DataStoreError) {
        self.path = path
        let relationships = path.relationships
        let first = relationships.firstIndex(where: \.kind.isToMany)
        guard let quantifier else {
            if let first { throw Self.severalItems(relationships[first], path, in: source) }
            quantified = nil
            return
        }
        guard let place = first ?? relationships.indices.last else {
            throw source.error(
                .wrongType, "ANY, ALL and NONE need a relationship, which is missing", at: path.start,
                advice: "Name it before the attribute, as in ANY ingredients.name == \"Egg\".")
        }
        if let next = relationships[(place + 1)...].first(where: \.kind.isToMany) {
            throw Self.severalItems(next, path, in: source)
        }
        quantified = (place, quantifier)
    }

    private static func severalItems(
        _ relationship: StoreRelationship, _ path: TextPath, in source: SourceText
    ) -> DataStoreError {
        let name = relationship.propertyName
        return source.error(
            .wrongType, "\(name) may have several items, and it is not said how many must pass,",
            at: path.start,
            advice: "Write ANY \(name).… or ANY \(name) (…), or ALL or NONE for ANY; or \(name).@count.",
            of: relationship.owner, attribute: name)
    }

    /// True if it says how many items must pass.
    var isQuantified: Bool { quantified != nil }

    /// The number of the item type of a filter in parentheses.
    var scope: Int? { path.relationships.last?.target }

    /// The filter, from the test at the end of the path.
    ///
    /// - Parameter isNegated: True if the test is negated, as by NOT IN.
    func node(_ test: FilterNode, isNegated: Bool = false) -> FilterNode {
        guard let quantified else {
            let node = FilterNode.through(path.relationships.map(\.reference), test)
            return isNegated ? .not(node) : node
        }
        let relationships = path.relationships.map(\.reference)
        let inner = FilterNode.through(Array(relationships[(quantified.place + 1)...]), test)
        return .through(
            Array(relationships[..<quantified.place]),
            .related(
                relationships[quantified.place], quantified.quantifier, isNegated ? .not(inner) : inner))
    }
}

extension StoreRelationship {
    /// The relationship as filters name it.
    var reference: RelationshipReference {
        if kind == .toOne, case .reference(let column) = form { .column(column) } else { .number(number) }
    }
}

extension StoreSchema {
    /// The relationship of this name.
    func relationship(named name: String, of entity: Int) -> StoreRelationship? {
        relationships[entity].first { UTF8Text.areEqual($0.propertyName, name) }
    }
}
