/// Deletes a tenth of the items in random order; they are put back when the clock has stopped.
struct Delete: StoreWorkload {
    var name: String { "delete" }
    var title: String { "delete a tenth, 2 indexes" }
    var storeOptions: StoreOptions { StoreOptions(isIndexed: true) }
    var targets: [Target] { .line(sqlite: 1.25, defaults: 0.8, grdb: 2, lmdb: 1.3) }

    func operations(items: Int) -> ClosedRange<Int> {
        let count = max(1, items / 10)
        return count...count
    }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        let doomed = records(in: load, as: Store.Record.self)
        try store.delete(doomed)
        let ids = Set(load.distinctIDs)
        try store.checkScan(finds: load.dataset.restaurants.filter { !ids.contains($0.id) })
        var found: [Restaurant] = []
        try store.lookUp(names: doomed.prefix(10).map(\.restaurant.name)) { found += $0.map(\.restaurant) }
        try store.compareCounts(found.count { ids.contains($0.id) }, 0, asked: "names of what is deleted")
        try store.insertInOneTransaction(doomed)
        try store.checkScan(finds: load.dataset.restaurants)
    }

    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        let doomed = records(in: load, as: Store.Record.self)
        let time = try load.nanosecondsPerOperation { try store.delete(doomed) }
        try store.insertInOneTransaction(doomed)
        return time
    }

    private func records<Record: RestaurantRecord>(in load: Load, as type: Record.Type) -> [Record] {
        let all = load.dataset.records(as: type)
        return load.distinctIDs.map { all[Int($0) - 1] }
    }
}
