/// About one in a hundred items, by a bound on their rating.
struct FindByRating: StoreWorkload {
    let isIndexed: Bool

    var name: String { isIndexed ? "range-indexed" : "filter-unindexed" }
    var title: String { isIndexed ? "1 % range on an index" : "the same filter, no index" }
    var storeOptions: StoreOptions { StoreOptions(isIndexed: isIndexed) }
    var contenders: Set<ContenderName> { .generalAndPlainSwift }
    var targets: [Target] {
        isIndexed
            ? .line(sqlite: 1.15, defaults: 1, grdb: 2, lmdb: 1.2)
            : .line(sqlite: 1.05, grdb: 1.05, lmdb: 1.3)
    }

    func operations(items: Int) -> ClosedRange<Int> { 2...1000 }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        let bounds = Array(load.highRatings.prefix(4))
        var found: [[Restaurant]] = []
        try store.find(ratedAbove: bounds) { found.append($0.map(\.restaurant)) }
        try store.compareCounts(found.count, bounds.count, asked: "\(bounds.count) bounds")
        for (bound, answer) in zip(bounds, found) {
            let expected = load.dataset.restaurants.filter { $0.rating > bound }
            try store.compare(found: answer, expected: expected, asked: "rating > \(bound)")
        }
    }

    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        let bounds = load.highRatings
        return try load.nanosecondsPerOperation { try store.find(ratedAbove: bounds) { blackHole($0) } }
    }
}
