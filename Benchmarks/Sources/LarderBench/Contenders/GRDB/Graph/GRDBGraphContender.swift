import Foundation
import GRDB

/// GRDB as its users use it: a pool with its default settings, the record API, and associations.
final class GRDBGraphContender: GraphContender {
    private let pool: DatabasePool

    init(in folder: URL) throws {
        pool = try DatabasePool(path: CookbookTables.file(in: folder))
        try pool.write { database in
            for statement in CookbookTables.creation { try database.execute(sql: statement) }
        }
    }

    func close() throws {
        try pool.close()
    }

    static func form(of cookbook: Cookbook) -> Cookbook { cookbook }
}

extension GRDBGraphContender {
    func insert(_ cookbook: Cookbook) throws {
        try pool.write { database in
            for kind in cookbook.kinds { try kind.insert(database) }
            for tag in cookbook.tags { try tag.insert(database) }
            for (recipe, tags) in zip(cookbook.recipes, cookbook.tagIDs) {
                try recipe.insert(database)
                for tag in tags { try RecipeTag(recipe: recipe.id, tag: tag).insert(database) }
            }
            for ingredient in cookbook.ingredients { try ingredient.insert(database) }
        }
    }

    func link(recipes: [Int64], with tag: Int64) throws {
        try pool.write { database in
            for id in recipes {
                guard let recipe = try Recipe.fetchOne(database, key: id) else { continue }
                try RecipeTag(recipe: recipe.id, tag: tag).insert(database)
            }
        }
    }

    func unlink(recipes: [Int64], from tag: Int64) throws {
        try pool.write { database in
            for id in recipes {
                guard let recipe = try Recipe.fetchOne(database, key: id) else { continue }
                try RecipeTag(recipe: recipe.id, tag: tag).delete(database)
            }
        }
    }

    func delete(recipe: Int64) throws {
        _ = try pool.write { try Recipe.deleteOne($0, key: recipe) }
    }
}

extension GRDBGraphContender {
    func families(after ids: [Int64], limit: Int, visit: ([RecipeFamily]) -> Void) throws {
        try pool.read { database in
            for id in ids {
                let recipes = Recipe.filter(Column("id") > id).order(Column("id")).limit(limit)
                let ingredients = Recipe.ingredients.order(Column("id")).forKey("ingredients")
                let request = recipes.including(all: ingredients).asRequest(of: RecipeFamily.self)
                visit(try request.fetchAll(database))
            }
        }
    }

    func recipes(withIngredients names: [String], visit: ([Recipe]) -> Void) throws {
        try pool.read { database in
            for name in names {
                let ingredients = Recipe.ingredients.filter(Column("name") == name)
                let request = Recipe.joining(required: ingredients).distinct().order(Column("id"))
                visit(try request.fetchAll(database))
            }
        }
    }

    func recipes(ofKinds names: [String], visit: ([Recipe]) -> Void) throws {
        try pool.read { database in
            for name in names {
                let kind = Recipe.kind.filter(Column("name") == name)
                visit(try Recipe.joining(required: kind).order(Column("id")).fetchAll(database))
            }
        }
    }

    func recipes(withMoreIngredientsThan counts: [Int], visit: ([Recipe]) -> Void) throws {
        try pool.read { database in
            for count in counts {
                let request = Recipe.having(Recipe.ingredients.count > count).order(Column("id"))
                visit(try request.fetchAll(database))
            }
        }
    }

    func recipesByKind(on pages: [Page], visit: ([Recipe]) -> Void) throws {
        try pool.read { database in
            for page in pages {
                let kind = TableAlias()
                let sorted = Recipe.joining(required: Recipe.kind.aliased(kind))
                    .order(kind[Column("name")], Column("id"))
                visit(try sorted.limit(page.limit, offset: page.offset).fetchAll(database))
            }
        }
    }

    func tags(ofRecipes ids: [Int64], visit: ([Int64]) -> Void) throws {
        let sql = "SELECT tag FROM recipeTag WHERE recipe = ? ORDER BY tag"
        try pool.read { database in
            for id in ids { visit(try Int64.fetchAll(database, sql: sql, arguments: [id])) }
        }
    }

    func recipes(ofTags ids: [Int64], visit: ([Int64]) -> Void) throws {
        let sql = "SELECT recipe FROM recipeTag WHERE tag = ? ORDER BY recipe"
        try pool.read { database in
            for id in ids { visit(try Int64.fetchAll(database, sql: sql, arguments: [id])) }
        }
    }

    func countIngredients() throws -> Int {
        try pool.read { try Ingredient.fetchCount($0) }
    }
}
