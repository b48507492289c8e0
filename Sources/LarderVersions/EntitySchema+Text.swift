public import LarderKernel

// The text of a shape, in the order of the declaration.

extension EntitySchema: CustomStringConvertible {
    /// The name, and below it an indented line for each attribute, index and relationship.
    ///
    /// ```text
    /// Recipe
    ///   id: itemID
    ///   note: string?
    ///   unique slug
    ///   toMany tags -> Tag nullify
    /// ```
    public var description: String {
        let relationships = relationships.map { relationship in
            StoredSchema.Relationship(
                name: relationship.name, kind: relationship.kind, target: relationship.target.name,
                deleteRule: relationship.deleteRule)
        }
        return StoredSchema.Entity(describing: self, number: 1, relationships: relationships)
            .shapeLines(.shown).joined(separator: "\n")
    }
}

extension RelationshipSchema.Target {
    /// The stored name of the item type at the other end.
    fileprivate var name: String {
        switch self {
        case .type(let type): type.schema.name
        case .named(let name): name
        }
    }
}

extension StoreSchema: CustomStringConvertible {
    /// The text of its ``SchemaShape``.
    public var description: String { SchemaShape(self).description }
}
