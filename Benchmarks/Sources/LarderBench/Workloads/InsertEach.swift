/// Each item in a write transaction of its own.
struct InsertEach: InsertWorkload {
    let durability: Durability

    private var isDurable: Bool { durability == .full }

    var name: String { isDurable ? "insert-each-durable" : "insert-each-normal" }
    var title: String { "one insert per transaction, \(isDurable ? "durable" : "NORMAL / NOSYNC")" }
    var storeOptions: StoreOptions { StoreOptions(durability: durability) }
    var contenders: Set<ContenderName> { .general.union([.rawLibpqBegunAnew]) }

    var targets: [Target] {
        isDurable
            ? .line(sqlite: 1.1, defaults: 1, grdb: 1, lmdb: 1.1, postgreSQL: 1.3)
            : .line(sqlite: 1.25, defaults: 1, grdb: 1.4, lmdb: 1.4, postgreSQL: 1.3)
    }

    /// Disks answer in bursts; short turns let every contender have its share of both.
    func rounds(inRunOf rounds: Int) -> Int { isDurable ? 3 * rounds : rounds }

    func operations(items: Int) -> ClosedRange<Int> {
        let most = min(items, isDurable ? 50 : 2000)
        return min(most, 5)...most
    }

    func insert<Store: Contender>(_ records: [Store.Record], into store: Store) throws {
        try store.insertOneByOne(records)
    }
}
