import LarderEngine
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
        let attributes = declaredAttributes.map { attribute in
            "\(ShapeName.text(of: attribute.name)): \(attribute.type.rawValue)\(attribute.isOptional ? "?" : "")"
        }
        let indexes = indexes.map { index in
            (index.isUnique ? "unique " : "index ")
                + index.columns.map { column in
                    ShapeName.text(of: self.attributes[declaredColumn(of: column)].name)
                        + (folding(at: column)?.flags ?? "")
                }.joined(separator: ", ")
        }
        let relationships = relationships.map { relationship in
            "\(relationship.kind.rawValue) \(ShapeName.text(of: relationship.name)) -> "
                + "\(ShapeName.text(of: relationship.target.name)) \(relationship.deleteRule.rawValue)"
        }
        return ([ShapeName.text(of: name)] + (attributes + indexes + relationships).map { "  " + $0 })
            .joined(separator: "\n")
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
