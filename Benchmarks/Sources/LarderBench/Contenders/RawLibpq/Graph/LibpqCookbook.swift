#if PostgreSQL
    extension LibpqParameters {
        /// Appends the lists of identifiers and names.
        mutating func append(names: [(id: Int64, name: String)], in range: Range<Int>) {
            appendList(range) { names[$0].id }
            appendList(range) { names[$0].name }
        }

        /// Appends a list for each column.
        mutating func append(recipes: [Recipe], in range: Range<Int>) {
            appendList(range) { recipes[$0].id }
            appendList(range) { recipes[$0].name }
            appendList(range) { recipes[$0].minutes }
            appendList(range) { recipes[$0].kind }
        }

        /// Appends a list for each column.
        mutating func append(ingredients: [Ingredient], in range: Range<Int>) {
            appendList(range) { ingredients[$0].id }
            appendList(range) { ingredients[$0].name }
            appendList(range) { ingredients[$0].amount }
            appendList(range) { ingredients[$0].recipe }
        }
    }

    extension LibpqAnswer {
        var recipes: [Recipe] {
            rows { (answer: LibpqAnswer, row: Int32) -> Recipe in
                Recipe(
                    id: answer.integer(row, 0), name: answer.text(row, 1), minutes: answer.integer(row, 2),
                    kind: answer.integer(row, 3))
            }
        }

        /// The numbers in the first column.
        var integers: [Int64] {
            rows { (answer: LibpqAnswer, row: Int32) -> Int64 in answer.integer(row, 0) }
        }

        /// Adds ingredients in the order of their recipes to these, which are in the same order.
        func addIngredients(to families: inout [RecipeFamily]) {
            var position = 0
            var group: [Ingredient] = []
            for row in 0..<rowCount {
                let ingredient = Ingredient(
                    id: integer(row, 0), name: text(row, 1), amount: real(row, 2), recipe: integer(row, 3))
                if ingredient.recipe != families[position].recipe.id {
                    families[position].ingredients = group
                    group = []
                    while ingredient.recipe != families[position].recipe.id { position += 1 }
                }
                group.append(ingredient)
            }
            if !group.isEmpty { families[position].ingredients = group }
        }
    }
#endif
