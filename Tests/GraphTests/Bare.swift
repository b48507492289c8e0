import Larder

/// Relationships as an app declares them by hand.
protocol BareSchema: Sendable {
    static var schema: EntitySchema { get }
}

/// An item of nothing but its identifier and its relationships, for schemas that the macro would refuse.
struct Bare<Version: BareSchema>: DataStoreItem {
    let id: Int

    struct Attributes: Sendable {
        let id = Attribute<Bare, Int>(column: 0)
    }

    static var attributes: Attributes { Attributes() }
    static var schema: EntitySchema { Version.schema }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
    }

    /// The reference in a column, as inverses name it.
    static func reference<Target>(_ column: Int, to target: Target.Type) -> Attribute<Bare, ToOne<Target>?> {
        Attribute(indexedColumn: column)
    }
}

extension BareSchema {
    static func described(
        _ name: String, _ attributes: [AttributeSchema] = [], _ relationships: RelationshipDeclaration...
    ) -> EntitySchema {
        EntitySchema(
            name, attributes: [.attribute("id", Int.self)] + attributes, relationships: relationships)
    }

    /// The links of the type to itself with a number, as inverses name them.
    static func links(_ number: Int) -> RelationshipAttribute<Bare<Self>, ToMany<Bare<Self>>> {
        RelationshipAttribute(number: number)
    }
}
