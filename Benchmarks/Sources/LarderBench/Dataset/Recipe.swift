/// The items of the graph that every contender stores: a recipe with its kind, its ingredients and its tags.
struct Recipe: Equatable, Sendable {
    let id: Int64
    var name: String
    var minutes: Int64
    /// The identifier of its kind.
    var kind: Int64
}

/// A part of one recipe, deleted with it.
struct Ingredient: Equatable, Sendable {
    let id: Int64
    var name: String
    var amount: Double
    /// The identifier of its recipe.
    var recipe: Int64
}

/// The kind of many recipes; no two have the same name.
struct RecipeKind: Equatable, Sendable {
    let id: Int64
    var name: String
}

/// Any number of recipes have any number of tags.
struct Tag: Equatable, Sendable {
    let id: Int64
    var label: String
}

/// A recipe together with its ingredients in the order of their identifiers.
struct RecipeFamily: Equatable, Sendable {
    var recipe: Recipe
    var ingredients: [Ingredient]
}

/// What a contender hands out for a recipe: its own form, converted outside the timed part.
protocol RecipeRecord {
    var recipe: Recipe { get }
}

/// The same for a recipe that was read together with its ingredients.
protocol FamilyRecord {
    var family: RecipeFamily { get }
}

extension Recipe: RecipeRecord {
    var recipe: Recipe { self }
}

extension RecipeFamily: FamilyRecord {
    var family: RecipeFamily { self }
}
