/// Opens a closed store, sees that its tables are right, and reads one item.
struct Open: StoreWorkload {
    var name: String { "open" }
    var title: String { "open + schema check + first read" }
    var storeOptions: StoreOptions { StoreOptions(isIndexed: true) }
    var contenders: Set<ContenderName> { .onDisk }
    var targets: [Target] { .line(sqlite: 1.5, grdb: 3, lmdb: 2, memory: nil) }

    func operations(items: Int) -> ClosedRange<Int> { 5...50 }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        try store.close()
        try store.reopen()
        try store.checkScan(finds: load.dataset.restaurants)
    }

    /// Only the opening counts.
    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        var total = 0.0
        for id in load.ids {
            try store.close()
            total += try nanoseconds {
                try store.reopen()
                try store.readOneByOne(ids: [id]) { blackHole($0) }
            }
        }
        return total / Double(load.count)
    }
}

/// Makes a store in memory and opens it.
struct OpenInMemory: StoreWorkload {
    var name: String { "open-in-memory" }
    var title: String { "open a new store in memory" }
    var storeOptions: StoreOptions { StoreOptions(isIndexed: true) }
    var contents: StoreContents { .nothing }
    var contenders: Set<ContenderName> { [.larderMemory] }
    var targets: [Target] { [.atMost(10_000, by: .larderMemory)] }

    func operations(items: Int) -> ClosedRange<Int> { 20...200 }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        try store.close()
        try store.reopen()
        try store.checkScan(finds: [])
    }

    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        var total = 0.0
        for _ in 0..<load.count {
            try store.close()
            total += try nanoseconds { try store.reopen() }
        }
        return total / Double(load.count)
    }
}
