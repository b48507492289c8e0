import Larder

func copy(from old: any DataStore, to new: any DataStore) throws {
    try old.read { source in
        try new.writeSync { target in
            try target.insert(contentsOf: source.items(for: Recipe.all))
            try target.insert(contentsOf: source.items(for: Ingredient.all))
        }
    }
}

struct OldRecipe {
    var name: String
    var rating: Double
    var slug: String
    var ingredients: [String]
}

/// Takes over what the app kept before, all of it or nothing; does nothing when that was done.
func takeOver(_ old: [OldRecipe], into store: any DataStore) throws {
    try store.writeSync { accessor in
        if try accessor.contains(Recipe.all) { return }
        for old in old {
            let recipe = try accessor.insert(Recipe(name: old.name, rating: old.rating, slug: old.slug))
            try accessor.insert(contentsOf: old.ingredients.map { Ingredient(name: $0, recipe: recipe.id) })
        }
    }
}
