/// How many are rated above a bound that about one in a hundred passes.
struct CountByRating: StoreWorkload {
    var name: String { "count-indexed" }
    var title: String { "count on an index" }
    var storeOptions: StoreOptions { StoreOptions(isIndexed: true) }
    var targets: [Target] { .line(sqlite: 1.3, defaults: 1, grdb: 3, lmdb: 1.4) }

    func operations(items: Int) -> ClosedRange<Int> { 20...5000 }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        let bounds = Array(load.highRatings.prefix(20))
        var found: [Int] = []
        try store.count(ratedAbove: bounds) { found.append($0) }
        let expected = bounds.map { bound in load.dataset.restaurants.count { $0.rating > bound } }
        guard found == expected else {
            throw WrongAnswer(asked: "counts", expected: expected, found: found)
        }
    }

    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        let bounds = load.highRatings
        return try load.nanosecondsPerOperation { try store.count(ratedAbove: bounds) { blackHole($0) } }
    }
}
