import Larder

// The current types.

@StoredItem
struct Recipe: Equatable {
    let id: Int
    @Unique var title: String
    var hours: Double
    var rating: Int?
    var note: String?
    var author: ToOne<Author>
    var ingredients: ToMany<Ingredient>
}

/// Identified by the name, as authors are.
@StoredItem
struct Ingredient: Equatable {
    let id: String
}

@StoredItem
struct Author: Equatable {
    let id: String
    var recipeCount: Int = 0
    @Relationship(deleteRule: .deny, inverse: \Recipe.author) var recipes: ToMany<Recipe>
}
