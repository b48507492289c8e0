/// Recipes with three tags each, their kinds and ten ingredients each, in one write transaction; per recipe.
struct InsertWithLinks: GraphWorkload {
    var name: String { "graph-insert" }
    var title: String { "insert recipe + 3 tags + 10 ingredients" }
    var contents: StoreContents { .nothing }
    var targets: [Target] { .line(sqlite: 1.3, lmdb: 1.3) }

    /// Filling a million rows takes long and hardly varies.
    func rounds(inRunOf rounds: Int) -> Int { min(rounds, 5) }

    func operations(items: Int) -> ClosedRange<Int> { items...items }

    func check<Store: GraphContender>(_ store: Store, _ load: GraphLoad) throws {
        try store.fill(from: load.cookbook)
        try store.check(holds: load.cookbook)
    }

    func sample<Store: GraphContender>(_ store: Store, _ load: GraphLoad) throws -> Double {
        let cookbook = load.cookbook.form(Store.form)
        return try load.nanosecondsPerOperation { try store.insert(cookbook) }
    }
}
