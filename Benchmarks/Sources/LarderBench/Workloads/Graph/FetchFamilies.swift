/// A thousand recipes, each with its ingredients.
struct FetchFamilies: GraphWorkload {
    private static let limit = 1000

    var name: String { "graph-prefetch" }
    var title: String { "1,000 recipes with their ingredients" }
    var targets: [Target] { .line(sqlite: 1.3, grdb: 3, lmdb: 1.3, postgreSQL: 1.3) }

    func operations(items: Int) -> ClosedRange<Int> { 1...50 }

    func check<Store: GraphContender>(_ store: Store, _ load: GraphLoad) throws {
        let ids = Array(load.startingPoints(limit: Self.limit).prefix(4))
        let expected = ids.map { Array(load.cookbook.families[Int($0)...].prefix(Self.limit)) }
        var found: [[RecipeFamily]] = []
        try store.families(after: ids, limit: Self.limit) { found.append($0.map(\.family)) }
        for (answer, right) in zip(found, expected) {
            try Store.compare(answer, right, asked: "recipes with their ingredients")
        }
        try Store.compare(found, expected, asked: "recipes after \(ids)")
    }

    func sample<Store: GraphContender>(_ store: Store, _ load: GraphLoad) throws -> Double {
        let ids = load.startingPoints(limit: Self.limit)
        return try load.nanosecondsPerOperation {
            try store.families(after: ids, limit: Self.limit) { blackHole($0) }
        }
    }
}
