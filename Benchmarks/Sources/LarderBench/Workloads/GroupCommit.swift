/// Durable inserts that are all given at once, each a write of its own; all are deleted when the clock has
/// stopped.
struct GroupCommit: StoreWorkload {
    var name: String { "group-commit" }
    var title: String { "inserts given at once, durable" }
    var storeOptions: StoreOptions { StoreOptions(durability: .full) }
    var contents: StoreContents { .nothingAtFirst }
    var contenders: Set<ContenderName> { .general.union([.rawSQLiteOneCommitEach, .rawLMDBOneCommitEach]) }
    var targets: [Target] {
        .line(grdb: 25) + [
            .faster(25, than: .rawSQLiteOneCommitEach, by: .larderSQLite),
            .faster(25, than: .rawLMDBOneCommitEach, by: .larderLMDB),
        ]
    }

    /// Several times the 64 that may share a commit, or there is nothing to share.
    func operations(items: Int) -> ClosedRange<Int> { min(items, 320)...min(items, 1280) }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        let records = load.records(as: Store.Record.self)
        try store.insertInGroups(records)
        try store.checkScan(finds: Array(load.dataset.restaurants.prefix(load.count)))
        try store.delete(records)
    }

    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        let records = load.records(as: Store.Record.self)
        let time = try load.nanosecondsPerOperation { try store.insertInGroups(records) }
        try store.delete(records)
        return time
    }
}
