import Larder

/// The kind of recipes as Larder stores it: no two have the same name, and one with recipes cannot be deleted.
struct LarderKind: DataStoreItem {
    let id: Int64
    var name: String
    var recipes: ToMany<LarderRecipe>

    struct Attributes: StoredAttributes {
        let id = Attribute<LarderKind, Int64>(column: 0)
        let name = Attribute<LarderKind, String>(indexedColumn: 1)
        let recipes = RelationshipAttribute<LarderKind, ToMany<LarderRecipe>>(number: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Kind", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)],
        indexes: [.unique("name")],
        relationships: [
            .relationship(
                "recipes", ToMany<LarderRecipe>.self, of: LarderKind.self,
                inverse: LarderRecipe.attributes.kind, deleteRule: .deny)
        ])

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(recipes, atRelationship: 0)
    }
}

// Swift adds no memberwise initialiser to a struct whose body declares another.
extension LarderKind {
    init(row: borrowing RowReader) throws(DataStoreError) {
        try self.init(
            id: row.value(at: 0), name: row.value(at: 1),
            recipes: row.value(atRelationship: 0, of: Self.self))
    }
}
