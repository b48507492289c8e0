/// What raw SQLite runs for recipes.
enum CookbookQuery: SQLiteQuery {
    case begin
    case beginWriting
    case commit
    case insertKind
    case insertTag
    case insertRecipe
    case insertIngredient
    case link
    case unlink
    case deleteRecipe
    case selectByID
    case selectRecipesAfter
    case selectIngredientsAfter
    case selectByIngredient
    case selectByKind
    case selectByIngredientCount
    case selectPageByKind
    case selectTags
    case selectByTag
    case countIngredients

    var sql: String {
        let recipes = "SELECT id, name, minutes, kind FROM recipe"
        return switch self {
        case .begin: "BEGIN"
        case .beginWriting: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .insertKind: "INSERT INTO kind (id, name) VALUES (?, ?)"
        case .insertTag: "INSERT INTO tag (id, label) VALUES (?, ?)"
        case .insertRecipe: "INSERT INTO recipe (id, name, minutes, kind) VALUES (?, ?, ?, ?)"
        case .insertIngredient: "INSERT INTO ingredient (id, name, amount, recipe) VALUES (?, ?, ?, ?)"
        case .link: "INSERT OR IGNORE INTO recipeTag (recipe, tag) VALUES (?, ?)"
        case .unlink: "DELETE FROM recipeTag WHERE recipe = ? AND tag = ?"
        case .deleteRecipe: "DELETE FROM recipe WHERE id = ?"
        case .selectByID: "\(recipes) WHERE id = ?"
        case .selectRecipesAfter: "\(recipes) WHERE id > ? ORDER BY id LIMIT ?"
        case .selectIngredientsAfter:
            """
            SELECT id, name, amount, recipe FROM ingredient
            WHERE recipe IN (SELECT id FROM recipe WHERE id > ? ORDER BY id LIMIT ?) ORDER BY recipe, id
            """
        case .selectByIngredient:
            "\(recipes) WHERE id IN (SELECT recipe FROM ingredient WHERE name = ?) ORDER BY id"
        case .selectByKind: "\(recipes) WHERE kind = (SELECT id FROM kind WHERE name = ?) ORDER BY id"
        case .selectByIngredientCount:
            """
            \(recipes) WHERE id IN (SELECT recipe FROM ingredient GROUP BY recipe HAVING count(*) > ?)
            ORDER BY id
            """
        case .selectPageByKind:
            """
            SELECT recipe.id, recipe.name, minutes, kind FROM kind CROSS JOIN recipe ON recipe.kind = kind.id
            ORDER BY kind.name, recipe.id LIMIT ? OFFSET ?
            """
        case .selectTags: "SELECT tag FROM recipeTag WHERE recipe = ? ORDER BY tag"
        case .selectByTag: "SELECT recipe FROM recipeTag WHERE tag = ? ORDER BY recipe"
        case .countIngredients: "SELECT count(*) FROM ingredient"
        }
    }
}
