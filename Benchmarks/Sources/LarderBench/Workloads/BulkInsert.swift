/// All items in one write transaction.
struct BulkInsert: StoreWorkload {
    let isIndexed: Bool

    var name: String { isIndexed ? "bulk-insert-indexed" : "bulk-insert" }
    var title: String { isIndexed ? "bulk insert, 2 indexes" : "bulk insert, no index" }
    var storeOptions: StoreOptions { StoreOptions(isIndexed: isIndexed) }
    var contents: StoreContents { .nothing }
    var contenders: Set<ContenderName> { .generalAndPlainSwift }
    var targets: [Target] {
        isIndexed
            ? .line(sqlite: 1.1, defaults: 0.8, grdb: 3, lmdb: 1.2, postgreSQL: 1.3)
            : .line(sqlite: 1.15, defaults: 1, grdb: 5, lmdb: 1.3, postgreSQL: 1.3)
    }

    func operations(items: Int) -> ClosedRange<Int> { items...items }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        try store.fill(from: load.dataset)
        try store.checkScan(finds: load.dataset.restaurants)
    }

    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        let records = load.records(as: Store.Record.self)
        return try load.nanosecondsPerOperation { try store.insertInOneTransaction(records) }
    }
}
