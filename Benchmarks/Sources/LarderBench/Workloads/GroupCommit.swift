/// Durable inserts that are all given at once, each a write of its own.
struct GroupCommit: InsertWorkload {
    var name: String { "group-commit" }
    var title: String { "inserts given at once, durable" }
    var storeOptions: StoreOptions { StoreOptions(durability: .full) }
    var contenders: Set<ContenderName> { .general.union([.rawSQLiteOneCommitEach, .rawLMDBOneCommitEach]) }
    var targets: [Target] {
        .line(grdb: 25) + [
            .faster(25, than: .rawSQLiteOneCommitEach, by: .larderSQLite),
            .faster(25, than: .rawLMDBOneCommitEach, by: .larderLMDB),
        ]
    }

    /// Several times the 64 that may share a commit, or there is nothing to share.
    func operations(items: Int) -> ClosedRange<Int> { min(items, 320)...min(items, 1280) }

    func insert<Store: Contender>(_ records: [Store.Record], into store: Store) throws {
        try store.insertInGroups(records)
    }
}
