import Larder

/// An ingredient as Larder stores it, with an index on its name.
struct LarderIngredient: DataStoreItem {
    let id: Int64
    var name: String
    var amount: Double
    var recipe: ToOne<LarderRecipe>

    struct Attributes: StoredAttributes {
        let id = Attribute<LarderIngredient, Int64>(column: 0)
        let name = Attribute<LarderIngredient, String>(indexedColumn: 1)
        let amount = Attribute<LarderIngredient, Double>(column: 2)
        let recipe = Attribute<LarderIngredient, ToOne<LarderRecipe>>(indexedColumn: 3)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Ingredient",
        attributes: [
            .attribute("id", Int64.self), .attribute("name", String.self),
            .attribute("amount", Double.self), .attribute("recipe", ToOne<LarderRecipe>.self),
        ],
        indexes: [.index("name")])

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(amount, at: 2)
        try row.set(recipe, at: 3)
    }
}

// Swift adds no memberwise initialiser to a struct whose body declares another.
extension LarderIngredient {
    init(row: borrowing RowReader) throws(DataStoreError) {
        try self.init(
            id: row.value(at: 0), name: row.value(at: 1), amount: row.value(at: 2), recipe: row.value(at: 3))
    }

    init(_ ingredient: Ingredient) {
        self.init(
            id: ingredient.id, name: ingredient.name, amount: ingredient.amount,
            recipe: ToOne(id: ingredient.recipe))
    }

    var ingredient: Ingredient {
        Ingredient(id: id, name: name, amount: amount, recipe: recipe.id)
    }
}
