/// Each item in a write transaction of its own.
struct InsertEach: StoreWorkload {
    let durability: Durability

    var name: String {
        switch durability {
        case .unsynced: "insert-each-unsynced"
        case .normal: "insert-each-normal"
        case .full: "insert-each-durable"
        }
    }

    var title: String {
        switch durability {
        case .unsynced: "one insert per transaction, NOSYNC"
        case .normal: "one insert per transaction, NORMAL / NOMETASYNC"
        case .full: "one insert per transaction, durable"
        }
    }

    var storeOptions: StoreOptions { StoreOptions(durability: durability) }
    var startsEmpty: Bool { true }

    /// SQLite has nothing between NORMAL and no safety at all.
    var contenders: Set<ContenderName> {
        durability == .unsynced ? [.rawLMDB, .larderLMDB, .larderMemory] : .general
    }

    var targets: [Target] {
        switch durability {
        case .unsynced: .line(lmdb: 1.4)
        case .normal: .line(sqlite: 1.25, defaults: 1, grdb: 1.4, lmdb: 1.4)
        case .full: .line(sqlite: 1.1, defaults: 1, grdb: 1, lmdb: 1.1)
        }
    }

    func operations(items: Int) -> ClosedRange<Int> { min(items, 50)...min(items, 2000) }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        try store.insertOneByOne(load.records(as: Store.Record.self))
        try store.checkScan(finds: Array(load.dataset.restaurants.prefix(load.count)))
    }

    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        let records = load.records(as: Store.Record.self)
        return try load.nanosecondsPerOperation { try store.insertOneByOne(records) }
    }
}
