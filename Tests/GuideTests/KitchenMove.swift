import Larder

/// The contents of the old framework's objects.
///
/// A reference is the old identifier, as text.
struct OldKitchen: Sendable {
    struct Recipe: Sendable {
        var oldID: String
        var name: String
        var kind: String?
        var tags: [String] = []
        var steps: [String] = []
    }

    struct Ingredient: Sendable {
        var name: String
        var grams: Double
        var recipe: String?
    }

    /// The names of kinds, the labels of tags and the texts of steps, by old identifier.
    var kinds: [String: String] = [:]
    var tags: [String: String] = [:]
    var steps: [String: String] = [:]
    var recipes: [Recipe] = []
    var ingredients: [Ingredient] = []
}

extension Kitchen {
    static func move(_ old: OldKitchen, into store: any DataStore) throws -> [OldKitchen.Ingredient] {
        /// Takes over all objects with their relationships, or none; does nothing when that was done.
        ///
        /// - Returns: The ingredients without a recipe, which are left out.
        func takeOver(_ old: OldKitchen, into store: any DataStore) throws -> [OldKitchen.Ingredient] {
            // Identifiers are final before the insertion, so items can refer to each other here already.
            let kinds = old.kinds.mapValues { Kind(name: $0) }
            let tags = old.tags.mapValues { Tag(label: $0) }
            let steps = old.steps.mapValues { Step(text: $0) }
            let recipes = old.recipes.map { old in
                Recipe(
                    name: old.name,
                    kind: old.kind.flatMap { kinds[$0] }.map { ToOne($0) },
                    tags: ToMany(old.tags.compactMap { tags[$0] }),
                    steps: OrderedToMany(old.steps.compactMap { steps[$0] }))
            }
            let recipeOf = Dictionary(uniqueKeysWithValues: zip(old.recipes.map(\.oldID), recipes))
            var ingredients: [Ingredient] = []
            var orphans: [OldKitchen.Ingredient] = []
            for old in old.ingredients {
                if let recipe = old.recipe.flatMap({ recipeOf[$0] }) {
                    ingredients.append(Ingredient(name: old.name, grams: old.grams, recipe: ToOne(recipe)))
                } else {
                    orphans.append(old)
                }
            }

            try store.writeSync { accessor in
                if try accessor.contains(Recipe.all) { return }
                try accessor.insert(contentsOf: kinds.values)
                try accessor.insert(contentsOf: tags.values)
                try accessor.insert(contentsOf: steps.values)
                try accessor.insert(contentsOf: recipes)
                try accessor.insert(contentsOf: ingredients)
            }
            return orphans
        }
        return try takeOver(old, into: store)
    }

    /// Copies the recipes of a store with their links; what they are linked with is there already.
    static func copyRecipes(
        from source: DataStoreReadAccessor, to target: DataStoreReadWriteAccessor
    ) throws {
        let recipes = try source.items(for: Recipe.all.prefetching(\.tags, \.steps))
        try target.insert(
            contentsOf: recipes.lazy.map { recipe in
                var copy = recipe
                copy.tags = ToMany(recipe.tags.items ?? [])
                copy.steps = OrderedToMany(recipe.steps.items ?? [])
                return copy
            })
    }
}
