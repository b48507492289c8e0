import Foundation

/// SQLite's C API by hand, with foreign keys: what any library over it with these settings can at best reach.
final class RawSQLiteGraphContender: GraphContender {
    let connection: SQLiteConnection<CookbookQuery>

    init(in folder: URL, settings: SQLiteSettings) throws {
        connection = try SQLiteConnection(path: CookbookTables.file(in: folder), settings: settings)
        // Of the connection, not of the file: without it SQLite would accept references to nothing.
        try (["PRAGMA foreign_keys = ON"] + CookbookTables.creation).forEach(connection.execute)
    }

    func close() throws {
        try connection.close()
    }

    static func form(of cookbook: Cookbook) -> Cookbook { cookbook }
}

extension RawSQLiteGraphContender {
    func insert(_ cookbook: Cookbook) throws {
        var arena = TextArena()
        try connection.inTransaction(.beginWriting) {
            try insertNames(cookbook.kinds.lazy.map { ($0.id, $0.name) }, by: .insertKind, &arena)
            try insertNames(cookbook.tags.lazy.map { ($0.id, $0.label) }, by: .insertTag, &arena)
            let insertRecipe = try connection.statement(.insertRecipe)
            let link = try connection.statement(.link)
            for (recipe, tags) in zip(cookbook.recipes, cookbook.tagIDs) {
                try insertRecipe.bind(recipe, through: &arena)
                try insertRecipe.run()
                try link.bind(recipe.id, at: 1)
                for tag in tags {
                    try link.bind(tag, at: 2)
                    try link.run()
                }
            }
            let insertIngredient = try connection.statement(.insertIngredient)
            for ingredient in cookbook.ingredients {
                try insertIngredient.bind(ingredient, through: &arena)
                try insertIngredient.run()
            }
        }
    }

    func link(recipes: [Int64], with tag: Int64) throws {
        try change(.link, recipes, tag)
    }

    func unlink(recipes: [Int64], from tag: Int64) throws {
        try change(.unlink, recipes, tag)
    }

    func delete(recipe: Int64) throws {
        let delete = try connection.statement(.deleteRecipe)
        try delete.bind(recipe, at: 1)
        try connection.inTransaction(.beginWriting) { try delete.run() }
    }

    private func insertNames(
        _ names: some Sequence<(Int64, String)>, by query: CookbookQuery, _ arena: inout TextArena
    ) throws {
        let insert = try connection.statement(query)
        for (id, name) in names {
            arena.beginRow(byteCount: name.utf8.count)
            try insert.bind(id, at: 1)
            try insert.bind(arena.store(name), at: 2)
            try insert.run()
        }
    }

    private func change(_ query: CookbookQuery, _ recipes: [Int64], _ tag: Int64) throws {
        let select = try connection.statement(.selectByID)
        let change = try connection.statement(query)
        try change.bind(tag, at: 2)
        try connection.inTransaction(.beginWriting) {
            for id in recipes {
                guard let recipe = try select.recipes(id).first else { continue }
                try change.bind(recipe.id, at: 1)
                try change.run()
            }
        }
    }
}

extension RawSQLiteGraphContender {
    func families(after ids: [Int64], limit: Int, visit: ([RecipeFamily]) -> Void) throws {
        let recipes = try connection.statement(.selectRecipesAfter)
        let ingredients = try connection.statement(.selectIngredientsAfter)
        try connection.inTransaction(.begin) {
            for id in ids {
                try recipes.bind(id, at: 1)
                try recipes.bind(Int64(limit), at: 2)
                var families = try recipes.rows { RecipeFamily(recipe: $0.recipe(), ingredients: []) }
                try ingredients.bind(id, at: 1)
                try ingredients.bind(Int64(limit), at: 2)
                try ingredients.addIngredients(to: &families)
                visit(families)
            }
        }
    }

    func recipes(withIngredients names: [String], visit: ([Recipe]) -> Void) throws {
        try select(.selectByIngredient, names, visit)
    }

    func recipes(ofKinds names: [String], visit: ([Recipe]) -> Void) throws {
        try select(.selectByKind, names, visit)
    }

    func recipes(withMoreIngredientsThan counts: [Int], visit: ([Recipe]) -> Void) throws {
        let select = try connection.statement(.selectByIngredientCount)
        try connection.inTransaction(.begin) {
            for count in counts { visit(try select.recipes(Int64(count))) }
        }
    }

    func recipesByKind(on pages: [Page], visit: ([Recipe]) -> Void) throws {
        let select = try connection.statement(.selectPageByKind)
        try connection.inTransaction(.begin) {
            for page in pages {
                try select.bind(Int64(page.offset), at: 2)
                visit(try select.recipes(Int64(page.limit)))
            }
        }
    }

    func tags(ofRecipes ids: [Int64], visit: ([Int64]) -> Void) throws {
        try selectIDs(.selectTags, ids, visit)
    }

    func recipes(ofTags ids: [Int64], visit: ([Int64]) -> Void) throws {
        try selectIDs(.selectByTag, ids, visit)
    }

    func countIngredients() throws -> Int {
        try connection.statement(.countIngredients).integer()
    }

    private func select(_ query: CookbookQuery, _ names: [String], _ visit: ([Recipe]) -> Void) throws {
        let select = try connection.statement(query)
        var arena = TextArena()
        try connection.inTransaction(.begin) {
            for name in names {
                arena.beginRow(byteCount: name.utf8.count)
                try select.bind(arena.store(name), at: 1)
                visit(try select.rows { $0.recipe() })
            }
        }
    }

    private func selectIDs(_ query: CookbookQuery, _ ids: [Int64], _ visit: ([Int64]) -> Void) throws {
        let select = try connection.statement(query)
        for id in ids {
            try select.bind(id, at: 1)
            visit(try select.rows { $0.integer(at: 0) })
        }
    }
}
