import CLMDBRaw

/// Changes of recipes in a write transaction.
struct LMDBCookbookWriter {
    private let cursors: LMDBCookbookCursors

    init(_ cursors: LMDBCookbookCursors) {
        self.cursors = cursors
    }

    func insert(_ cookbook: Cookbook) throws {
        for kind in cookbook.kinds { try insert(kind) }
        for tag in cookbook.tags { try put(tag.label, for: tag.id, in: .tags) }
        for (recipe, tags) in zip(cookbook.recipes, cookbook.tagIDs) {
            try insert(recipe)
            for tag in tags { try link(recipe.id, tag) }
        }
        // Many in turn belong to the same recipe.
        var lastRecipe: Int64?
        for ingredient in cookbook.ingredients {
            if ingredient.recipe != lastRecipe { try require(ingredient.recipe, in: .recipes) }
            lastRecipe = ingredient.recipe
            try insert(ingredient)
        }
    }

    func link(recipe id: Int64, with tag: Int64) throws {
        guard let recipe = try recipe(id: id) else { return }
        try link(recipe.id, tag)
    }

    func unlink(recipe id: Int64, from tag: Int64) throws {
        guard let recipe = try recipe(id: id) else { return }
        try cursors[.tagsByRecipe].remove(tag, under: recipe.id)
        try cursors[.recipesByTag].remove(recipe.id, under: tag)
    }

    func delete(recipe id: Int64) throws {
        guard let row = try cursors[.recipes].value(of: id) else { return }
        let kind = CookbookRow.reference(in: row)
        try LMDBFailure.check(mdb_cursor_del(cursors[.recipes], 0))
        try cursors[.recipesByKind].remove(id, under: kind)
        try cursors[.ingredientsByRecipe].forEachID(under: id) { try delete(ingredient: $0) }
        try deleteList(under: id, in: .ingredientsByRecipe)
        try cursors[.tagsByRecipe].forEachID(under: id) { try cursors[.recipesByTag].remove(id, under: $0) }
        try deleteList(under: id, in: .tagsByRecipe)
    }

    private func insert(_ kind: RecipeKind) throws {
        try put(kind.name, for: kind.id, in: .kinds)
        var name = kind.name
        let code = name.withUTF8 { nameBytes in
            withUnsafeBytes(of: kind.id) { idBytes in
                var (key, value) = (MDB_val(UnsafeRawBufferPointer(nameBytes)), MDB_val(idBytes))
                return mdb_cursor_put(cursors[.kindByName], &key, &value, UInt32(MDB_NOOVERWRITE))
            }
        }
        try LMDBFailure.check(code)
    }

    private func insert(_ recipe: borrowing Recipe) throws {
        try require(recipe.kind, in: .kinds)
        let count = CookbookRow.byteCount(ofName: recipe.name)
        let place = try cursors[.recipes].reserve(count, for: recipe.id, flags: MDB_NOOVERWRITE)
        CookbookRow.write(recipe, to: place)
        try cursors[.recipesByKind].add(recipe.id, under: recipe.kind)
    }

    private func insert(_ ingredient: borrowing Ingredient) throws {
        let count = CookbookRow.byteCount(ofName: ingredient.name)
        let place = try cursors[.ingredients].reserve(count, for: ingredient.id, flags: MDB_NOOVERWRITE)
        CookbookRow.write(ingredient, to: place)
        let id = ingredient.id
        try cursors[.ingredientsByRecipe].add(id, under: ingredient.recipe)
        var name = ingredient.name
        try name.withUTF8 {
            try cursors[.ingredientsByName].add(id, under: UnsafeRawBufferPointer($0))
        }
    }

    /// Its entry under its recipe goes with all others there.
    private func delete(ingredient id: Int64) throws {
        guard let row = try cursors[.ingredients].value(of: id) else { return }
        // The index first: its change leaves the row's page as it is.
        try cursors[.ingredientsByName].remove(id, under: CookbookRow.nameBytes(in: row))
        try LMDBFailure.check(mdb_cursor_del(cursors[.ingredients], 0))
    }

    private func link(_ recipe: Int64, _ tag: Int64) throws {
        try require(tag, in: .tags)
        try cursors[.tagsByRecipe].add(tag, under: recipe)
        try cursors[.recipesByTag].add(recipe, under: tag)
    }

    private func deleteList(under key: Int64, in table: CookbookTable) throws {
        guard try cursors[table].value(of: key) != nil else { return }
        try LMDBFailure.check(mdb_cursor_del(cursors[table], UInt32(MDB_NODUPDATA)))
    }

    private func recipe(id: Int64) throws -> Recipe? {
        try cursors[.recipes].value(of: id).map { CookbookRow.recipe(id: id, in: $0) }
    }

    private func put(_ text: String, for id: Int64, in table: CookbookTable) throws {
        let place = try cursors[table].reserve(text.utf8.count, for: id, flags: MDB_NOOVERWRITE)
        _ = place.bindMemory(to: UInt8.self).initialize(from: text.utf8)
    }

    /// Refuses a reference to nothing.
    private func require(_ id: Int64, in table: CookbookTable) throws {
        guard try cursors[table].value(of: id) != nil else { throw LMDBFailure(code: MDB_NOTFOUND) }
    }
}
