#if PostgreSQL
    /// The tables of recipes on a server, and the statements that raw libpq runs on them.
    enum CookbookStatement: LibpqQuery {
        case begin
        case beginWriting
        case commit
        case insertKinds
        case insertTags
        case insertRecipes
        case insertIngredients
        case link
        case unlink
        case deleteRecipe
        case selectByIDs
        case selectRecipesAfter
        case selectIngredientsAfter
        case selectByIngredient
        case selectByKind
        case selectByIngredientCount
        case selectPageByKind
        case selectTags
        case selectByTag
        case countIngredients

        /// The statements that make an empty store, with the indexes that Larder has.
        static let creation: [String] = [
            "CREATE TABLE kind (id bigint PRIMARY KEY, name text COLLATE \"C\" NOT NULL)",
            "CREATE UNIQUE INDEX kindByName ON kind (name)",
            "CREATE TABLE tag (id bigint PRIMARY KEY, label text COLLATE \"C\" NOT NULL)",
            """
            CREATE TABLE recipe (
                id bigint PRIMARY KEY, name text COLLATE "C" NOT NULL, minutes bigint NOT NULL,
                kind bigint NOT NULL REFERENCES kind (id)
            )
            """,
            "CREATE INDEX recipeByKind ON recipe (kind, id)",
            """
            CREATE TABLE ingredient (
                id bigint PRIMARY KEY, name text COLLATE "C" NOT NULL, amount double precision NOT NULL,
                recipe bigint NOT NULL REFERENCES recipe (id) ON DELETE CASCADE
            )
            """,
            "CREATE INDEX ingredientByRecipe ON ingredient (recipe, id)",
            "CREATE INDEX ingredientByName ON ingredient (name, id)",
            """
            CREATE TABLE recipeTag (
                recipe bigint NOT NULL REFERENCES recipe (id) ON DELETE CASCADE,
                tag bigint NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
                PRIMARY KEY (recipe, tag)
            )
            """,
            "CREATE INDEX recipeTagByTag ON recipeTag (tag, recipe)",
        ]

        var sql: String {
            let recipes = "SELECT id, name, minutes, kind FROM recipe"
            switch self {
            case .begin: return "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            case .beginWriting: return "BEGIN"
            case .commit: return "COMMIT"
            case .insertKinds: return "INSERT INTO kind (id, name) SELECT * FROM unnest($1, $2)"
            case .insertTags: return "INSERT INTO tag (id, label) SELECT * FROM unnest($1, $2)"
            case .insertRecipes:
                return "INSERT INTO recipe (id, name, minutes, kind) SELECT * FROM unnest($1, $2, $3, $4)"
            case .insertIngredients:
                return """
                    INSERT INTO ingredient (id, name, amount, recipe) SELECT * FROM unnest($1, $2, $3, $4)
                    """
            case .link:
                return """
                    INSERT INTO recipeTag (recipe, tag) SELECT * FROM unnest($1, $2) ON CONFLICT DO NOTHING
                    """
            case .unlink: return "DELETE FROM recipeTag WHERE recipe = ANY($1) AND tag = $2"
            case .deleteRecipe: return "DELETE FROM recipe WHERE id = $1"
            case .selectByIDs: return "\(recipes) WHERE id = ANY($1)"
            case .selectRecipesAfter: return "\(recipes) WHERE id > $1 ORDER BY id LIMIT $2"
            case .selectIngredientsAfter:
                return """
                    SELECT id, name, amount, recipe FROM ingredient \
                    WHERE recipe IN (SELECT id FROM recipe WHERE id > $1 ORDER BY id LIMIT $2) \
                    ORDER BY recipe, id
                    """
            case .selectByIngredient:
                return """
                    \(recipes) WHERE id IN (SELECT recipe FROM ingredient WHERE name = $1) ORDER BY id
                    """
            case .selectByKind:
                return "\(recipes) WHERE kind = (SELECT id FROM kind WHERE name = $1) ORDER BY id"
            case .selectByIngredientCount:
                return """
                    \(recipes) WHERE id IN \
                    (SELECT recipe FROM ingredient GROUP BY recipe HAVING count(*) > $1) ORDER BY id
                    """
            case .selectPageByKind:
                return """
                    SELECT recipe.id, recipe.name, recipe.minutes, recipe.kind FROM kind \
                    JOIN recipe ON recipe.kind = kind.id \
                    ORDER BY kind.name, recipe.id LIMIT $1 OFFSET $2
                    """
            case .selectTags: return "SELECT tag FROM recipeTag WHERE recipe = $1 ORDER BY tag"
            case .selectByTag: return "SELECT recipe FROM recipeTag WHERE tag = $1 ORDER BY recipe"
            case .countIngredients: return "SELECT count(*) FROM ingredient"
            }
        }

        var types: [UInt32] {
            switch self {
            case .begin, .beginWriting, .commit, .countIngredients: return []
            case .insertKinds, .insertTags: return [LibpqType.integers, LibpqType.texts]
            case .insertRecipes:
                return [LibpqType.integers, LibpqType.texts, LibpqType.integers, LibpqType.integers]
            case .insertIngredients:
                return [LibpqType.integers, LibpqType.texts, LibpqType.reals, LibpqType.integers]
            case .link: return [LibpqType.integers, LibpqType.integers]
            case .unlink: return [LibpqType.integers, LibpqType.integer]
            case .selectByIDs: return [LibpqType.integers]
            case .deleteRecipe, .selectByIngredientCount, .selectTags, .selectByTag:
                return [LibpqType.integer]
            case .selectByIngredient, .selectByKind: return [LibpqType.text]
            case .selectRecipesAfter, .selectIngredientsAfter, .selectPageByKind:
                return [LibpqType.integer, LibpqType.integer]
            }
        }
    }
#endif
