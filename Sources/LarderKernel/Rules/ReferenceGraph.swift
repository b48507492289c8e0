/// The references between the item types of a store, as its rules need them.
///
/// *Rule:* immutable; made when a store opens.
// An object, as its lists would be retained one by one for each rule that is asked.
package final class ReferenceGraph: Sendable {
    /// For each entity its columns with identifiers of other items; a link has two.
    package let references: [[Reference]]
    /// For each entity what follows from the deletion of its rows, in the order in which it is done.
    package let consequences: [[Consequence]]
    /// For each entity its columns whose items are deleted with a row, or forbid its deletion.
    package let ownRules: [[OwnRule]]
    /// For each entity its columns that no two rows share, as the other end shows a single item.
    package let oneToOnes: [[Reference]]

    /// A column that holds identifiers of other items.
    package struct Reference: Sendable {
        /// The entity that has the column.
        package let entity: Int
        package let column: Int
        /// The number of the item type that the identifiers belong to.
        package let target: Int
        /// The number of the relationship by which the target shows the row, or the item at the other end of
        /// a link; nil if it has none.
        let shownAs: Int?
        /// True if the column may name an item that does not exist.
        package let mayDangle: Bool
        package let isOptional: Bool
        /// The name of the item type and of the relationship that the app knows it by.
        package let names: (itemType: String, attribute: String)
        /// The column with the identifier of the item whose relationship it is.
        let ownerColumn: Int
        /// The beginning of the texts in the column that refer to the target; nil for a column of identifiers.
        var prefix: String?
    }

    /// A thing to do to the rows that refer to deleted ones.
    package struct Consequence: Sendable {
        package let reference: Reference
        package let action: Action
        /// The relationship of the deleted item, or the reference to it if it has none.
        package let name: String
    }

    /// The kinds of ``Consequence``.
    package enum Action: Sendable {
        case nullify
        case cascade
        case deny
        /// The rows are links: they go, and the rule is about the items at their other end.
        case unlink(other: Reference, DeleteRule)
    }

    /// A column with a rule for the item that it refers to.
    package struct OwnRule: Sendable {
        package let reference: Reference
        package let isCascade: Bool
    }

    /// True if no type refers to another.
    let isEmpty: Bool

    package init(of schema: StoreSchema) {
        var builder = ReferenceGraphBuilder(schema)
        builder.build()
        references = builder.references
        isEmpty = references.allSatisfy(\.isEmpty)
        consequences = builder.consequences.map { list in
            list.sorted { $0.action.turn < $1.action.turn }
        }
        ownRules = builder.ownRules
        oneToOnes = builder.oneToOnes
    }

    /// True if anything may follow from the deletion of rows of an entity.
    func followsDeletion(of entity: Int) -> Bool {
        !consequences[entity].isEmpty || !ownRules[entity].isEmpty
    }
}

extension ReferenceGraph.Action {
    /// The place in the order: what cascades first, so that nothing is changed that goes, and what is judged
    /// last.
    fileprivate var turn: Int {
        switch self {
        case .cascade: 0
        case .unlink: 1
        case .nullify: 2
        case .deny: 3
        }
    }
}

/// Collects the references of a schema.
private struct ReferenceGraphBuilder {
    let schema: StoreSchema
    var references: [[ReferenceGraph.Reference]]
    var consequences: [[ReferenceGraph.Consequence]]
    var ownRules: [[ReferenceGraph.OwnRule]]
    var oneToOnes: [[ReferenceGraph.Reference]]

    init(_ schema: StoreSchema) {
        self.schema = schema
        references = schema.entities.map { _ in [] }
        consequences = schema.entities.map { _ in [] }
        ownRules = schema.entities.map { _ in [] }
        oneToOnes = schema.entities.map { _ in [] }
    }

    mutating func build() {
        for relationship in schema.relationships.joined() {
            switch relationship.form {
            case .reference(let column): add(relationship, inColumn: column)
            case .links(let side) where !side.isReversed: add(relationship, linkedBy: side)
            case .links, .referrers: continue
            }
        }
        for (owner, entity) in schema.entities.enumerated() {
            for (column, attribute) in entity.attributes.enumerated() {
                if let type = attribute.textReference { add(type, inColumn: column, of: owner) }
            }
        }
    }

    /// Adds a reference for each type that texts in a column may refer to and that the store holds.
    private mutating func add(_ type: any TextReference.Type, inColumn column: Int, of owner: Int) {
        let attribute = schema.entities[owner].attributes[column]
        for (prefix, target) in type.targets {
            guard let target = schema.number(of: target) else { continue }
            add(
                ReferenceGraph.Reference(
                    entity: owner, column: column, target: target, shownAs: nil, mayDangle: false,
                    isOptional: attribute.isOptional,
                    names: (schema.entities[owner].name, attribute.propertyName), ownerColumn: 0,
                    prefix: prefix),
                type.deleteRule, name: nil)
        }
    }

    private mutating func add(_ relationship: StoreRelationship, inColumn column: Int) {
        let owner = relationship.owner
        let inverse = relationship.inverse(in: schema)
        let rule = inverse?.deleteRule ?? .nullify
        let reference = ReferenceGraph.Reference(
            entity: owner, column: column, target: relationship.target, shownAs: inverse?.number,
            mayDangle: rule == .noAction, isOptional: schema.entities[owner].attributes[column].isOptional,
            names: (schema.entities[owner].name, relationship.propertyName), ownerColumn: 0)
        if inverse?.kind == .toOneInverse { oneToOnes[owner].append(reference) }
        add(reference, rule, name: inverse?.propertyName)
        switch relationship.deleteRule {
        case .cascade, .deny:
            ownRules[owner].append(
                ReferenceGraph.OwnRule(
                    reference: reference, isCascade: relationship.deleteRule == .cascade))
        case .nullify, .noAction: break
        }
    }

    /// - Parameter name: The relationship of the target that has the rule; nil if it is the reference's own.
    private mutating func add(_ reference: ReferenceGraph.Reference, _ rule: DeleteRule, name: String?) {
        references[reference.entity].append(reference)
        let action: ReferenceGraph.Action
        switch rule {
        case .nullify: action = .nullify
        case .cascade: action = .cascade
        case .deny: action = .deny
        case .noAction: return
        }
        consequences[reference.target].append(
            ReferenceGraph.Consequence(
                reference: reference, action: action, name: name ?? reference.names.attribute))
    }

    private mutating func add(
        _ relationship: StoreRelationship, linkedBy side: StoreRelationship.LinkSide
    ) {
        let inverse = relationship.inverse(in: schema)
        func end(_ column: Int, _ item: Int, shownAs: Int?) -> ReferenceGraph.Reference {
            ReferenceGraph.Reference(
                entity: side.entity, column: column, target: item, shownAs: shownAs, mayDangle: false,
                isOptional: false,
                names: (schema.entities[relationship.owner].name, relationship.propertyName),
                ownerColumn: LinkEntity.source)
        }
        let source = end(LinkEntity.source, relationship.owner, shownAs: relationship.number)
        let target = end(LinkEntity.target, relationship.target, shownAs: inverse?.number)
        references[side.entity] += [source, target]
        consequences[relationship.owner].append(
            ReferenceGraph.Consequence(
                reference: source, action: .unlink(other: target, relationship.deleteRule),
                name: relationship.propertyName))
        consequences[relationship.target].append(
            ReferenceGraph.Consequence(
                reference: target, action: .unlink(other: source, inverse?.deleteRule ?? .nullify),
                name: inverse?.propertyName ?? relationship.propertyName))
    }
}
