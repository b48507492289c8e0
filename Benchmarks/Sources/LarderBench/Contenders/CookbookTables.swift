import Foundation

/// The tables that all contenders on SQLite share when they write SQL themselves.
enum CookbookTables {
    /// The statements that make an empty store: an index for each reference and for each name that is asked for, and a
    /// link table that is its own index from recipes to tags.
    static let creation = [
        "CREATE TABLE kind (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
        "CREATE UNIQUE INDEX kindByName ON kind(name)",
        "CREATE TABLE tag (id INTEGER PRIMARY KEY, label TEXT NOT NULL)",
        """
        CREATE TABLE recipe (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, minutes INTEGER NOT NULL,
            kind INTEGER NOT NULL REFERENCES kind(id)
        )
        """,
        "CREATE INDEX recipeByKind ON recipe(kind)",
        """
        CREATE TABLE ingredient (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, amount REAL NOT NULL,
            recipe INTEGER NOT NULL REFERENCES recipe(id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX ingredientByRecipe ON ingredient(recipe)",
        "CREATE INDEX ingredientByName ON ingredient(name)",
        """
        CREATE TABLE recipeTag (
            recipe INTEGER NOT NULL REFERENCES recipe(id) ON DELETE CASCADE,
            tag INTEGER NOT NULL REFERENCES tag(id) ON DELETE CASCADE,
            PRIMARY KEY (recipe, tag)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX recipeTagByTag ON recipeTag(tag)",
    ]

    static func file(in folder: URL) -> String {
        folder.appending(path: "cookbook.sqlite").path
    }
}
