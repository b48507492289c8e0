/// Each item in a write transaction of its own; all are deleted when the clock has stopped.
struct InsertEach: StoreWorkload {
    let durability: Durability

    private var isDurable: Bool { durability == .full }

    var name: String { isDurable ? "insert-each-durable" : "insert-each-normal" }
    var title: String { "one insert per transaction, \(isDurable ? "durable" : "NORMAL / NOSYNC")" }
    var storeOptions: StoreOptions { StoreOptions(durability: durability) }
    var contents: StoreContents { .nothingAtFirst }

    var targets: [Target] {
        isDurable
            ? .line(sqlite: 1.1, defaults: 1, grdb: 1, lmdb: 1.1)
            : .line(sqlite: 1.25, defaults: 1, grdb: 1.4, lmdb: 1.4)
    }

    /// Disks answer in bursts; short turns let every contender have its share of both.
    func rounds(inRunOf rounds: Int) -> Int { isDurable ? 3 * rounds : rounds }

    func operations(items: Int) -> ClosedRange<Int> {
        let most = min(items, isDurable ? 50 : 2000)
        return min(most, 5)...most
    }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        let records = load.records(as: Store.Record.self)
        try store.insertOneByOne(records)
        try store.checkScan(finds: Array(load.dataset.restaurants.prefix(load.count)))
        try store.delete(records)
    }

    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        let records = load.records(as: Store.Record.self)
        let time = try load.nanosecondsPerOperation { try store.insertOneByOne(records) }
        try store.delete(records)
        return time
    }
}
