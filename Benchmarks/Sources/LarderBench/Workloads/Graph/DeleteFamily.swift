/// Deletes one recipe, and with it as many ingredients as there are items; per ingredient.
struct DeleteFamily: GraphWorkload {
    enum Figure {
        case time
        /// How many times the time per ingredient is that with a tenth of the ingredients: 1 if it is linear.
        case growth
    }

    let figure: Figure

    var name: String { figure == .time ? "graph-cascade" : "graph-cascade-growth" }
    var title: String {
        figure == .time ? "delete a recipe and its ingredients" : "the same, times a deletion of a tenth"
    }
    var unit: Unit { figure == .time ? .nanoseconds : .times }
    var contents: StoreContents { .nothingAtFirst }
    var targets: [Target] {
        switch figure {
        case .time: .line(sqlite: 1.5, lmdb: 1.5)
        case .growth: [ContenderName.larderSQLite, .larderLMDB, .larderMemory].map { .atMost(1.25, by: $0) }
        }
    }

    func rounds(inRunOf rounds: Int) -> Int { min(rounds, 5) }

    func operations(items: Int) -> ClosedRange<Int> { items...items }

    func check<Store: GraphContender>(_ store: Store, _ load: GraphLoad) throws {
        let empty = CookbookGenerator.emptyCookbook
        try store.fill(from: empty)
        let family = load.dataset.family(ingredientCount: load.count)
        try store.fill(from: family)
        var ingredients = 0
        try store.families(after: [0], limit: 2) { ingredients = $0.first?.family.ingredients.count ?? 0 }
        try Store.compare([ingredients], [load.count], asked: "ingredients of the recipe")
        try store.delete(recipe: 1)
        try store.check(holds: empty)
    }

    func sample<Store: GraphContender>(_ store: Store, _ load: GraphLoad) throws -> Double {
        let time = try time(store, load.dataset, load.count)
        guard figure == .growth else { return time }
        return try time / self.time(store, load.dataset, max(1, load.count / 10))
    }

    private func time<Store: GraphContender>(_ store: Store, _ dataset: Dataset, _ count: Int) throws
        -> Double
    {
        try store.fill(from: dataset.family(ingredientCount: count))
        return try nanoseconds { try store.delete(recipe: 1) } / Double(count)
    }
}

/// The most memory a process of its own takes that deletes one recipe with as many ingredients as there are items.
struct DeletionMemory: Workload {
    private static let megabyte = Double(1 << 20)

    var name: String { "graph-cascade-memory" }
    var title: String { "peak memory of such a deletion" }
    var unit: Unit { .bytes }
    var contenders: Set<ContenderName> { .rawAndLarder }
    var targets: [Target] {
        [
            .atMost(plus: 4 * Self.megabyte, over: .rawSQLite, by: .larderSQLite),
            .atMost(plus: 4 * Self.megabyte, over: .rawLMDB, by: .larderLMDB),
        ]
    }

    func rounds(inRunOf rounds: Int) -> Int { min(rounds, 3) }

    func makeSession(for contender: ContenderName, in setting: Setting) -> any Session {
        MemorySession(contender, setting, task: .cascade)
    }
}
