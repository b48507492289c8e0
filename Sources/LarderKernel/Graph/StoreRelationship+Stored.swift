extension StoredSchema.Relationship {
    /// A relationship of a store as the store describes it.
    package init(_ relationship: StoreRelationship, in schema: StoreSchema) {
        self.init(
            name: relationship.name, kind: relationship.kind, target: relationship.targetSchema.name,
            inverse: relationship.isDerived ? relationship.inverse(in: schema)?.name : nil,
            deleteRule: relationship.deleteRule)
    }

    /// True if it is kept as links, and this is the side that they start from.
    package var ownsLinks: Bool { kind.isToMany && inverse == nil }
}

extension StoreRelationship {
    /// True if it is stored at the other end, as the inverse that it names.
    package var isDerived: Bool {
        switch form {
        case .reference: false
        case .referrers: true
        case .links(let side): side.isReversed
        }
    }

    /// The number of the entity that holds its links, if it has any.
    package var linkEntity: Int? {
        if case .links(let side) = form { side.entity } else { nil }
    }

    /// The relationship that shows the same from the other end; nil if none does.
    package func inverse(in schema: StoreSchema) -> StoreRelationship? {
        inverse.map { schema.relationships[target][$0] }
    }
}
