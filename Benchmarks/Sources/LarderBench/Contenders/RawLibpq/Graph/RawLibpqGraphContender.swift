#if PostgreSQL
    /// libpq by hand, with the server's foreign keys: what any library over it can at best reach.
    final class RawLibpqGraphContender: GraphContender {
        let session: LibpqSession<CookbookStatement>

        var connection: LibpqConnection { session.connection }

        init(in place: ServerPlace) throws {
            session = try LibpqSession(in: place, .normal)
            try session.connection.execute("CREATE SCHEMA \(place.schema)")
            for statement in CookbookStatement.creation { try session.connection.execute(statement) }
        }

        func close() {
            session.connection.close()
        }

        /// A cookbook with a list for each column of the links.
        struct Form {
            let cookbook: Cookbook
            let kinds: [(id: Int64, name: String)]
            let tags: [(id: Int64, name: String)]
            /// The identifiers of a recipe and of its tag at the same place.
            var linkedRecipes: [Int64] = []
            var linkedTags: [Int64] = []
        }

        static func form(of cookbook: Cookbook) -> Form {
            var form = Form(
                cookbook: cookbook, kinds: cookbook.kinds.map { (id: $0.id, name: $0.name) },
                tags: cookbook.tags.map { (id: $0.id, name: $0.label) })
            for (recipe, tags) in zip(cookbook.recipes, cookbook.tagIDs) {
                for tag in tags {
                    form.linkedRecipes.append(recipe.id)
                    form.linkedTags.append(tag)
                }
            }
            return form
        }
    }

    // MARK: Writing

    extension RawLibpqGraphContender {
        /// One trip: all batches go with the beginning and the end of the transaction.
        func insert(_ form: Form) throws {
            let begin: LibpqStatement = try session.statement(.beginWriting)
            let insertKinds: LibpqStatement = try session.statement(.insertKinds)
            let insertTags: LibpqStatement = try session.statement(.insertTags)
            let insertRecipes: LibpqStatement = try session.statement(.insertRecipes)
            let insertIngredients: LibpqStatement = try session.statement(.insertIngredients)
            let link: LibpqStatement = try session.statement(.link)
            let commit: LibpqStatement = try session.statement(.commit)
            let cookbook: Cookbook = form.cookbook
            try connection.send(begin)
            try connection.sendBatches(insertKinds, count: form.kinds.count) {
                (range: Range<Int>, parameters: inout LibpqParameters) in
                parameters.append(names: form.kinds, in: range)
            }
            try connection.sendBatches(insertTags, count: form.tags.count) {
                (range: Range<Int>, parameters: inout LibpqParameters) in
                parameters.append(names: form.tags, in: range)
            }
            try connection.sendBatches(insertRecipes, count: cookbook.recipes.count) {
                (range: Range<Int>, parameters: inout LibpqParameters) in
                parameters.append(recipes: cookbook.recipes, in: range)
            }
            try connection.sendBatches(link, count: form.linkedRecipes.count) {
                (range: Range<Int>, parameters: inout LibpqParameters) in
                parameters.append(list: form.linkedRecipes[range])
                parameters.append(list: form.linkedTags[range])
            }
            try connection.sendBatches(insertIngredients, count: cookbook.ingredients.count) {
                (range: Range<Int>, parameters: inout LibpqParameters) in
                parameters.append(ingredients: cookbook.ingredients, in: range)
            }
            try connection.send(commit)
            _ = try connection.perform()
        }

        /// Two trips: the recipes are read, then linked.
        func link(recipes: [Int64], with tag: Int64) throws {
            let link: LibpqStatement = try session.statement(.link)
            let commit: LibpqStatement = try session.statement(.commit)
            let found: [Int64] = try beginByReading(recipes)
            let tags: [Int64] = Array(repeating: tag, count: found.count)
            try connection.sendBatches(link, count: found.count) {
                (range: Range<Int>, parameters: inout LibpqParameters) in
                parameters.append(list: found[range])
                parameters.append(list: tags[range])
            }
            try connection.send(commit)
            _ = try connection.perform()
        }

        /// Two trips.
        func unlink(recipes: [Int64], from tag: Int64) throws {
            let unlink: LibpqStatement = try session.statement(.unlink)
            let commit: LibpqStatement = try session.statement(.commit)
            let found: [Int64] = try beginByReading(recipes)
            try connection.sendBatches(unlink, count: found.count) {
                (range: Range<Int>, parameters: inout LibpqParameters) in
                parameters.append(list: found[range])
                parameters.append(tag)
            }
            try connection.send(commit)
            _ = try connection.perform()
        }

        /// One trip, as a statement is a transaction of its own.
        func delete(recipe: Int64) throws {
            let delete: LibpqStatement = try session.statement(.deleteRecipe)
            var parameters = LibpqParameters()
            parameters.append(recipe)
            try connection.send(delete, parameters)
            _ = try connection.perform()
        }

        /// Begins a transaction that reads recipes, and returns the identifiers of those that exist.
        private func beginByReading(_ recipes: [Int64]) throws -> [Int64] {
            let begin: LibpqStatement = try session.statement(.beginWriting)
            let select: LibpqStatement = try session.statement(.selectByIDs)
            try connection.send(begin)
            try connection.sendBatches(select, count: recipes.count) {
                (range: Range<Int>, parameters: inout LibpqParameters) in
                parameters.append(list: recipes[range])
            }
            var found: [Int64] = []
            found.reserveCapacity(recipes.count)
            for answer in try connection.perform().dropFirst() {
                for recipe in answer.recipes { found.append(recipe.id) }
            }
            return found
        }
    }

    // MARK: Reading

    extension RawLibpqGraphContender {
        /// One trip each: both statements go together.
        func families(after ids: [Int64], limit: Int, visit: ([RecipeFamily]) -> Void) throws {
            if ids.isEmpty { return }
            let begin: LibpqStatement = try session.statement(.begin)
            let selectRecipes: LibpqStatement = try session.statement(.selectRecipesAfter)
            let selectIngredients: LibpqStatement = try session.statement(.selectIngredientsAfter)
            let commit: LibpqStatement = try session.statement(.commit)
            var parameters = LibpqParameters()
            try connection.send(begin)
            for id in ids {
                parameters.removeAll()
                parameters.append(id)
                parameters.append(Int64(limit))
                try connection.send(selectRecipes, parameters)
                try connection.send(selectIngredients, parameters)
                let answers: [LibpqAnswer] = try connection.perform()
                var families: [RecipeFamily] = []
                for recipe in answers[answers.count - 2].recipes {
                    families.append(RecipeFamily(recipe: recipe, ingredients: []))
                }
                answers[answers.count - 1].addIngredients(to: &families)
                visit(families)
            }
            try connection.send(commit)
            try connection.post()
        }

        /// One trip each, as in all that follow.
        func recipes(withIngredients names: [String], visit: ([Recipe]) -> Void) throws {
            try session.ask(.selectByIngredient, names) { (name: String, parameters: inout LibpqParameters) in
                parameters.append(name)
            } visit: { (answer: LibpqAnswer) in
                visit(answer.recipes)
            }
        }

        func recipes(ofKinds names: [String], visit: ([Recipe]) -> Void) throws {
            try session.ask(.selectByKind, names) { (name: String, parameters: inout LibpqParameters) in
                parameters.append(name)
            } visit: { (answer: LibpqAnswer) in
                visit(answer.recipes)
            }
        }

        func recipes(withMoreIngredientsThan counts: [Int], visit: ([Recipe]) -> Void) throws {
            try session.ask(.selectByIngredientCount, counts) {
                (count: Int, parameters: inout LibpqParameters) in
                parameters.append(Int64(count))
            } visit: { (answer: LibpqAnswer) in
                visit(answer.recipes)
            }
        }

        func recipesByKind(on pages: [Page], visit: ([Recipe]) -> Void) throws {
            try session.ask(.selectPageByKind, pages) { (page: Page, parameters: inout LibpqParameters) in
                parameters.append(Int64(page.limit))
                parameters.append(Int64(page.offset))
            } visit: { (answer: LibpqAnswer) in
                visit(answer.recipes)
            }
        }

        func tags(ofRecipes ids: [Int64], visit: ([Int64]) -> Void) throws {
            try session.ask(.selectTags, ids) { (id: Int64, parameters: inout LibpqParameters) in
                parameters.append(id)
            } visit: { (answer: LibpqAnswer) in
                visit(answer.integers)
            }
        }

        func recipes(ofTags ids: [Int64], visit: ([Int64]) -> Void) throws {
            try session.ask(.selectByTag, ids) { (id: Int64, parameters: inout LibpqParameters) in
                parameters.append(id)
            } visit: { (answer: LibpqAnswer) in
                visit(answer.integers)
            }
        }

        func countIngredients() throws -> Int {
            let answer: LibpqAnswer = try session.ask(.countIngredients)
            return Int(answer.integer(0, 0))
        }
    }
#endif
