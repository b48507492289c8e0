import CLMDBRaw

extension RawLMDBGraphContender {
    func families(after ids: [Int64], limit: Int, visit: ([RecipeFamily]) -> Void) throws {
        try reading { cursors in
            for id in ids { visit(try cursors.families(after: id, limit: limit)) }
        }
    }

    func recipes(withIngredients names: [String], visit: ([Recipe]) -> Void) throws {
        try reading { cursors in
            for name in names { visit(try cursors.recipes(withIngredient: name)) }
        }
    }

    func recipes(ofKinds names: [String], visit: ([Recipe]) -> Void) throws {
        try reading { cursors in
            for name in names { visit(try cursors.recipes(ofKind: name)) }
        }
    }

    func recipes(withMoreIngredientsThan counts: [Int], visit: ([Recipe]) -> Void) throws {
        try reading { cursors in
            for count in counts { visit(try cursors.recipes(withMoreIngredientsThan: count)) }
        }
    }

    func recipesByKind(on pages: [Page], visit: ([Recipe]) -> Void) throws {
        try reading { cursors in
            for page in pages { visit(try cursors.recipesByKind(on: page)) }
        }
    }

    func tags(ofRecipes ids: [Int64], visit: ([Int64]) -> Void) throws {
        try reading { cursors in
            for id in ids { visit(try cursors.ids(in: .tagsByRecipe, under: id)) }
        }
    }

    func recipes(ofTags ids: [Int64], visit: ([Int64]) -> Void) throws {
        try reading { cursors in
            for id in ids { visit(try cursors.ids(in: .recipesByTag, under: id)) }
        }
    }

    func countIngredients() throws -> Int {
        var count = 0
        try reading { cursors in
            var (key, value) = (MDB_val(), MDB_val())
            var code = mdb_cursor_get(cursors[.ingredients], &key, &value, MDB_FIRST)
            while try LMDBFailure.isFound(code) {
                count += 1
                code = mdb_cursor_get(cursors[.ingredients], &key, &value, MDB_NEXT)
            }
        }
        return count
    }
}

extension LMDBCookbookCursors {
    fileprivate func families(after id: Int64, limit: Int) throws -> [RecipeFamily] {
        let recipes = self[.recipes]
        var families: [RecipeFamily] = []
        var value = MDB_val()
        var code = withUnsafeBytes(of: id + 1) { bytes in
            var key = MDB_val(bytes)
            let code = mdb_cursor_get(recipes, &key, &value, MDB_SET_RANGE)
            return code
        }
        var key = MDB_val()
        if try LMDBFailure.isFound(code) { code = mdb_cursor_get(recipes, &key, &value, MDB_GET_CURRENT) }
        while try families.count < limit && LMDBFailure.isFound(code) {
            let recipe = CookbookRow.recipe(id: key.integer, in: value.bytes)
            families.append(RecipeFamily(recipe: recipe, ingredients: try ingredients(of: recipe.id)))
            code = mdb_cursor_get(recipes, &key, &value, MDB_NEXT)
        }
        return families
    }

    private func ingredients(of recipe: Int64) throws -> [Ingredient] {
        var found: [Ingredient] = []
        try self[.ingredientsByRecipe].forEachID(under: recipe) { id in
            guard let row = try self[.ingredients].value(of: id) else { return }
            found.append(CookbookRow.ingredient(id: id, in: row))
        }
        return found
    }

    /// Each recipe once, though several of its ingredients may have the name.
    fileprivate func recipes(withIngredient name: String) throws -> [Recipe] {
        var ids: [Int64] = []
        var name = name
        try name.withUTF8 { bytes in
            try self[.ingredientsByName].forEachID(under: UnsafeRawBufferPointer(bytes)) { id in
                guard let row = try self[.ingredients].value(of: id) else { return }
                ids.append(CookbookRow.reference(in: row))
            }
        }
        ids.sort()
        var found: [Recipe] = []
        for (position, id) in ids.enumerated() where position == 0 || ids[position - 1] != id {
            try append(id, to: &found)
        }
        return found
    }

    fileprivate func recipes(ofKind name: String) throws -> [Recipe] {
        var found: [Recipe] = []
        var name = name
        let kind = try name.withUTF8 { bytes in
            try self[.kindByName].value(of: UnsafeRawBufferPointer(bytes))?.loadUnaligned(as: Int64.self)
        }
        guard let kind else { return [] }
        try self[.recipesByKind].forEachID(under: kind) { try append($0, to: &found) }
        return found
    }

    /// By the lengths of the lists, which LMDB knows.
    fileprivate func recipes(withMoreIngredientsThan count: Int) throws -> [Recipe] {
        let lists = self[.ingredientsByRecipe]
        var found: [Recipe] = []
        var (key, value) = (MDB_val(), MDB_val())
        var code = mdb_cursor_get(lists, &key, &value, MDB_FIRST)
        while try LMDBFailure.isFound(code) {
            if try lists.countIDs() > count { try append(key.integer, to: &found) }
            code = mdb_cursor_get(lists, &key, &value, MDB_NEXT_NODUP)
        }
        return found
    }

    /// Passes over whole kinds by the lengths of their lists.
    fileprivate func recipesByKind(on page: Page) throws -> [Recipe] {
        let (kinds, lists) = (self[.kindByName], self[.recipesByKind])
        var found: [Recipe] = []
        var passed = 0
        var (name, kind) = (MDB_val(), MDB_val())
        var code = mdb_cursor_get(kinds, &name, &kind, MDB_FIRST)
        while try found.count < page.limit && LMDBFailure.isFound(code) {
            var (key, value) = (kind, MDB_val())
            var next = mdb_cursor_get(lists, &key, &value, MDB_SET)
            if try LMDBFailure.isFound(next) {
                let count = try lists.countIDs()
                if passed + count <= page.offset {
                    passed += count
                } else {
                    while try found.count < page.limit && LMDBFailure.isFound(next) {
                        if passed >= page.offset { try append(value.integer, to: &found) }
                        passed += 1
                        next = mdb_cursor_get(lists, &key, &value, MDB_NEXT_DUP)
                    }
                }
            }
            code = mdb_cursor_get(kinds, &name, &kind, MDB_NEXT)
        }
        return found
    }

    fileprivate func ids(in table: CookbookTable, under key: Int64) throws -> [Int64] {
        var found: [Int64] = []
        try self[table].forEachID(under: key) { found.append($0) }
        return found
    }

    private func append(_ id: Int64, to recipes: inout [Recipe]) throws {
        guard let row = try self[.recipes].value(of: id) else { return }
        recipes.append(CookbookRow.recipe(id: id, in: row))
    }
}
