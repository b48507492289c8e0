import Larder

/// The versions of the app's schema, oldest first, and what the steps between them cannot infer.
let history = SchemaHistory {
    SchemaVersion("1", storing: [V1.Recipe.self, V1.Note.self, V1.Draft.self])
    SchemaVersion("2", storing: [V2.Recipe.self, V1.Note.self, V1.Draft.self])
    SchemaVersion("3", storing: [V3.Recipe.self, V3.Author.self, V1.Note.self, V1.Draft.self])
    SchemaVersion("4", storing: [Recipe.self, Ingredient.self, Author.self])

    // 1 → 2 is inferred: `name` is called `title`, and `rating` is new.

    // Authors become items of their own, and minutes become hours.
    SchemaStep(from: "2", to: "3") {
        Split("Recipe", into: "Recipe", "Author") { old, new in
            let author = AnyItemID.string(try old["author", as: String.self])
            if try !new.contains("Author", id: author) { _ = try new.make("Author", id: author) }
            let recipe = try new.make("Recipe")
            recipe["author"] = .identifier(author)
            try recipe.set("hours", to: Double(old["minutes", as: Int.self]) / 60)
        }
    }

    // Ingredients become items with links, notes become a part of their recipe, and drafts go.
    SchemaStep(from: "3", to: "4") {
        Delete("Draft")
        Insert("Ingredient") { old, new in
            try old.forEachRow(of: "Recipe") { recipe in
                for ingredient in try ingredients(of: recipe)
                where try !new.contains("Ingredient", id: ingredient) {
                    _ = try new.make(id: ingredient)
                }
            }
        }
        Join("Recipe", "Note", into: "Recipe") { old, note, new in
            let recipe = try new.make()
            recipe["note"] = try note?["text"] ?? nil
            try recipe.setLinks("ingredients", to: ingredients(of: old))
        }
    }
    .before { accessor in
        // Titles are unique in version 4.
        var known: Set<String> = []
        try accessor.rows.forEachRow(of: "Recipe") { recipe in
            let title = try recipe["title", as: String.self]
            if known.insert(title).inserted { return }
            let id = try recipe.id
            try accessor.update("Recipe", at: id) { try $0.set("title", to: "\(title) (\(id))") }
        }
    }
    .after { accessor in
        try accessor.rows.forEachRow(of: "Author") { author in
            let id = try author.id
            let recipes = try accessor.rows.rows(of: "Recipe", where: "author", equals: .identifier(id))
            try accessor.update("Author", at: id) { try $0.set("recipeCount", to: recipes.count) }
        }
    }
}

/// The identifiers of the ingredients that a recipe of version 3 names.
private func ingredients(of recipe: SourceRow) throws -> [AnyItemID] {
    try recipe["ingredients", as: String.self].split(separator: ",").map { .string(String($0)) }
}
