/// Durable inserts that are all given at once, each a write of its own.
struct GroupCommit: StoreWorkload {
    var name: String { "group-commit" }
    var title: String { "inserts given at once, durable" }
    var storeOptions: StoreOptions { StoreOptions(durability: .full) }
    var startsEmpty: Bool { true }
    var contenders: Set<ContenderName> { .general.union([.rawSQLiteOneCommitEach, .rawLMDBOneCommitEach]) }
    var targets: [Target] {
        .line(grdb: 25) + [
            .faster(25, than: .rawSQLiteOneCommitEach, by: .larderSQLite),
            .faster(25, than: .rawLMDBOneCommitEach, by: .larderLMDB),
        ]
    }

    /// Several times the 64 that may share a commit, or there is nothing to share.
    func operations(items: Int) -> ClosedRange<Int> { min(items, 640)...min(items, 1280) }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        try store.insertInGroups(load.records(as: Store.Record.self))
        try store.checkScan(finds: Array(load.dataset.restaurants.prefix(load.count)))
    }

    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        let records = load.records(as: Store.Record.self)
        return try load.nanosecondsPerOperation { try store.insertInGroups(records) }
    }
}
