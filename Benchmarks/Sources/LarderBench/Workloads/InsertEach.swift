/// Each item in a write transaction of its own.
struct InsertEach: StoreWorkload {
    /// Inserted before the clock starts: the first commit of a log also syncs its beginning.
    private static let warmUp = 5

    let durability: Durability

    private var isDurable: Bool { durability == .full }

    var name: String { isDurable ? "insert-each-durable" : "insert-each-normal" }
    var title: String { "one insert per transaction, \(isDurable ? "durable" : "NORMAL / NOSYNC")" }
    var storeOptions: StoreOptions { StoreOptions(durability: durability) }
    var startsEmpty: Bool { true }

    var targets: [Target] {
        isDurable
            ? .line(sqlite: 1.1, defaults: 1, grdb: 1, lmdb: 1.1)
            : .line(sqlite: 1.25, defaults: 1, grdb: 1.4, lmdb: 1.4)
    }

    func operations(items: Int) -> ClosedRange<Int> {
        let most = max(1, min(items - Self.warmUp, 2000))
        return min(most, 20)...most
    }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        try store.insertOneByOne(load.records(as: Store.Record.self))
        try store.checkScan(finds: Array(load.dataset.restaurants.prefix(load.count)))
    }

    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        let records = load.dataset.records(as: Store.Record.self)
        try store.insertOneByOne(Array(records.prefix(Self.warmUp)))
        let timed = Array(records.dropFirst(Self.warmUp).prefix(load.count))
        return try load.nanosecondsPerOperation { try store.insertOneByOne(timed) }
    }
}
