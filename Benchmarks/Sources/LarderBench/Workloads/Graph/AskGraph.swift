/// The recipes for which something is true of what they are related with.
struct AskGraph: GraphWorkload {
    enum Question {
        /// They have an ingredient of a name.
        case ingredient
        /// Their kind has a name.
        case kind
        /// They have more ingredients than a number.
        case count
        /// Fifty of all from the thousandth on, in the order of their kinds' names.
        case page
    }

    let question: Question

    var name: String {
        switch question {
        case .ingredient: "graph-any"
        case .kind: "graph-to-one"
        case .count: "graph-count"
        case .page: "graph-page"
        }
    }

    var title: String {
        switch question {
        case .ingredient: "filter: any ingredient has a name"
        case .kind: "filter: the kind has a name"
        case .count: "filter: more ingredients than 13"
        case .page: "50 from the 1000th on by the kind's name"
        }
    }

    var targets: [Target] {
        switch question {
        case .ingredient, .count: .line(sqlite: 1.2, lmdb: 1.5, postgreSQL: 1.3)
        case .kind, .page: .line(sqlite: 1.2, lmdb: 1.5)
        }
    }

    func operations(items: Int) -> ClosedRange<Int> { 2...1000 }

    func check<Store: GraphContender>(_ store: Store, _ load: GraphLoad) throws {
        let load = GraphLoad(dataset: load.dataset, count: min(load.count, 5))
        var found: [[Recipe]] = []
        try ask(store, load) { found.append($0.map(\.recipe)) }
        let expected = answers(to: load)
        for (answer, right) in zip(found, expected) { try Store.compare(answer, right, asked: title) }
        try Store.compare(found, expected, asked: title)
    }

    func sample<Store: GraphContender>(_ store: Store, _ load: GraphLoad) throws -> Double {
        try load.nanosecondsPerOperation { try ask(store, load) { blackHole($0) } }
    }

    private func ask<Store: GraphContender>(
        _ store: Store, _ load: GraphLoad, visit: ([Store.Record]) -> Void
    ) throws {
        switch question {
        case .ingredient: try store.recipes(withIngredients: load.ingredients, visit: visit)
        case .kind: try store.recipes(ofKinds: load.kinds, visit: visit)
        case .count: try store.recipes(withMoreIngredientsThan: load.ingredientCounts, visit: visit)
        case .page: try store.recipesByKind(on: load.pages, visit: visit)
        }
    }

    private func answers(to load: GraphLoad) -> [[Recipe]] {
        let cookbook = load.cookbook
        switch question {
        case .ingredient: return load.ingredients.map(cookbook.recipes(withIngredient:))
        case .kind: return load.kinds.map(cookbook.recipes(ofKind:))
        case .count: return load.ingredientCounts.map(cookbook.recipes(withMoreIngredientsThan:))
        case .page:
            let sorted = cookbook.recipesByKind()
            return load.pages.map { Array(sorted.dropFirst($0.offset).prefix($0.limit)) }
        }
    }
}
