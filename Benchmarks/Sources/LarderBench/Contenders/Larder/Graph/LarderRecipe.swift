import Larder

/// A recipe as Larder stores it; as with ``LarderRestaurant``, this is what the macro would write.
struct LarderRecipe: DataStoreItem {
    let id: Int64
    var name: String
    var minutes: Int64
    var kind: ToOne<LarderKind>
    var tags: ToMany<LarderTag>
    /// Deleted with the recipe.
    var ingredients: ToMany<LarderIngredient>

    struct Attributes: StoredAttributes {
        let id = Attribute<LarderRecipe, Int64>(column: 0)
        let name = Attribute<LarderRecipe, String>(column: 1)
        let minutes = Attribute<LarderRecipe, Int64>(column: 2)
        let kind = Attribute<LarderRecipe, ToOne<LarderKind>>(indexedColumn: 3)
        let tags = RelationshipAttribute<LarderRecipe, ToMany<LarderTag>>(number: 0)
        let ingredients = RelationshipAttribute<LarderRecipe, ToMany<LarderIngredient>>(number: 1)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Recipe",
        attributes: [
            .attribute("id", Int64.self), .attribute("name", String.self),
            .attribute("minutes", Int64.self), .attribute("kind", ToOne<LarderKind>.self),
        ],
        relationships: [
            .relationship("tags", ToMany<LarderTag>.self),
            .relationship(
                "ingredients", ToMany<LarderIngredient>.self, of: LarderRecipe.self,
                inverse: LarderIngredient.attributes.recipe, deleteRule: .cascade),
        ])

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(minutes, at: 2)
        try row.set(kind, at: 3)
        try row.set(tags, atRelationship: 0)
        try row.set(ingredients, atRelationship: 1)
    }
}

// Swift adds no memberwise initialiser to a struct whose body declares another.
extension LarderRecipe {
    init(row: borrowing RowReader) throws(DataStoreError) {
        try self.init(
            id: row.value(at: 0),
            name: row.value(at: 1),
            minutes: row.value(at: 2),
            kind: row.value(at: 3),
            tags: row.value(atRelationship: 0, of: Self.self),
            ingredients: row.value(atRelationship: 1, of: Self.self))
    }
}

extension LarderRecipe: RecipeRecord, FamilyRecord {
    init(_ recipe: Recipe, tags: ToMany<LarderTag>) {
        self.init(
            id: recipe.id, name: recipe.name, minutes: recipe.minutes, kind: ToOne(id: recipe.kind),
            tags: tags, ingredients: .notGiven)
    }

    var recipe: Recipe { Recipe(id: id, name: name, minutes: minutes, kind: kind.id) }

    /// Without ingredients where none were read.
    var family: RecipeFamily {
        RecipeFamily(recipe: recipe, ingredients: ingredients.items?.map(\.ingredient) ?? [])
    }
}
