/// Reads a tenth of the items in random order and changes two attributes of each, one of them indexed.
///
/// The change undoes itself when it is made twice, so that every round finds something to change.
struct Update: StoreWorkload {
    var name: String { "update" }
    var title: String { "update 2 attributes of a tenth, 2 indexes" }
    var storeOptions: StoreOptions { StoreOptions(isIndexed: true) }
    var targets: [Target] { .line(sqlite: 1.3, defaults: 0.8, grdb: 2.5, lmdb: 1.3) }

    func operations(items: Int) -> ClosedRange<Int> {
        let count = max(1, items / 10)
        return count...count
    }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        let ids = load.distinctIDs
        try store.mirror(ids: ids)
        var expected = load.dataset.restaurants
        for id in ids { expected[Int(id) - 1].mirror() }
        try store.checkScan(finds: expected)
        var high = 0
        try store.count(ratedAbove: [4.95]) { high = $0 }
        try store.compareCounts(high, expected.count { $0.rating > 4.95 }, asked: "rating > 4.95 after it")
    }

    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        let ids = load.distinctIDs
        return try load.nanosecondsPerOperation { try store.mirror(ids: ids) }
    }
}
