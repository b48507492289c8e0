import Larder

/// A tag as Larder stores it: the other end of ``LarderRecipe/tags``.
struct LarderTag: DataStoreItem {
    let id: Int64
    var label: String
    var recipes: ToMany<LarderRecipe>

    struct Attributes: StoredAttributes {
        let id = Attribute<LarderTag, Int64>(column: 0)
        let label = Attribute<LarderTag, String>(column: 1)
        let recipes = RelationshipAttribute<LarderTag, ToMany<LarderRecipe>>(number: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Tag", attributes: [.attribute("id", Int64.self), .attribute("label", String.self)],
        relationships: [
            .relationship(
                "recipes", ToMany<LarderRecipe>.self, of: LarderTag.self,
                inverse: LarderRecipe.attributes.tags)
        ])

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(label, at: 1)
        try row.set(recipes, atRelationship: 0)
    }
}

// Swift adds no memberwise initialiser to a struct whose body declares another.
extension LarderTag {
    init(row: borrowing RowReader) throws(DataStoreError) {
        try self.init(
            id: row.value(at: 0), label: row.value(at: 1),
            recipes: row.value(atRelationship: 0, of: Self.self))
    }
}
