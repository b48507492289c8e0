/// The whole table in an array.
struct Scan: StoreWorkload {
    var name: String { "scan" }
    var title: String { "full scan into an array" }
    var contenders: Set<ContenderName> { .generalAndPlainSwift.union([.grdbCodable]) }
    /// Scans are excepted from the comparison with SQLite's own defaults.
    var targets: [Target] {
        .line(sqlite: 1.1, grdb: 1.18, lmdb: 1.15, postgreSQL: 1.2, plainSwift: 1.8)
            + [.faster(3.5, than: .grdbCodable, by: .larderSQLite)]
    }

    func operations(items: Int) -> ClosedRange<Int> { items...items }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        try store.checkScan(finds: load.dataset.restaurants)
    }

    /// The array is released after the clock stops.
    ///
    /// Scans are bimodal (265 / 360 ns per row were seen) with
    /// glibc's trim and mmap thresholds; the shuffled order spreads that evenly over the contenders.
    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        var records: [Store.Record] = []
        let time = try load.nanosecondsPerOperation { records = try store.scan() }
        blackHole(records)
        return time
    }
}
