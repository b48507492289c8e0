import CSQLiteRaw

/// Rows of recipes and ingredients.
extension SQLiteStatement {
    func bind(_ recipe: borrowing Recipe, through arena: inout TextArena) throws {
        arena.beginRow(byteCount: recipe.name.utf8.count)
        try bind(recipe.id, at: 1)
        try bind(arena.store(recipe.name), at: 2)
        try bind(recipe.minutes, at: 3)
        try bind(recipe.kind, at: 4)
    }

    func bind(_ ingredient: borrowing Ingredient, through arena: inout TextArena) throws {
        arena.beginRow(byteCount: ingredient.name.utf8.count)
        try bind(ingredient.id, at: 1)
        try bind(arena.store(ingredient.name), at: 2)
        try bind(ingredient.amount, at: 3)
        try bind(ingredient.recipe, at: 4)
    }

    func recipe() -> Recipe {
        Recipe(id: integer(at: 0), name: text(at: 1) ?? "", minutes: integer(at: 2), kind: integer(at: 3))
    }

    /// The recipes that a statement with one open number finds.
    func recipes(_ number: Int64) throws -> [Recipe] {
        try bind(number, at: 1)
        return try rows { $0.recipe() }
    }

    /// Adds ingredients in the order of their recipes to these, which are in the same order.
    func addIngredients(to families: inout [RecipeFamily]) throws {
        defer { reset() }
        var position = 0
        var group: [Ingredient] = []
        while try step() {
            let ingredient = Ingredient(
                id: integer(at: 0), name: text(at: 1) ?? "", amount: sqlite3_column_double(handle, 2),
                recipe: integer(at: 3))
            if ingredient.recipe != families[position].recipe.id {
                families[position].ingredients = group
                group = []
                while ingredient.recipe != families[position].recipe.id { position += 1 }
            }
            group.append(ingredient)
        }
        if !group.isEmpty { families[position].ingredients = group }
    }

    /// All rows that are left.
    func rows<Row>(_ row: (SQLiteStatement) -> Row) throws -> [Row] {
        defer { reset() }
        var found: [Row] = []
        while try step() { found.append(row(self)) }
        return found
    }

    func integer(at column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }
}
