/// Reads by id inside one read transaction.
struct ReadInOneTransaction: StoreWorkload {
    var name: String { "read-in-one-transaction" }
    var title: String { "read by id, in one transaction" }
    var contenders: Set<ContenderName> { .generalAndPlainSwift }
    var targets: [Target] {
        .line(sqlite: 1.3, defaults: 1, grdb: 18, lmdb: 1.5, postgreSQL: 1.2, plainSwift: 1.6)
    }

    func operations(items: Int) -> ClosedRange<Int> { 50...20_000 }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        try store.checkReads(of: load.dataset, ids: load.ids) {
            try store.readInOneTransaction(ids: $0, visit: $1)
        }
    }

    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        let ids = load.ids
        return try load.nanosecondsPerOperation {
            try store.readInOneTransaction(ids: ids) { blackHole($0) }
        }
    }
}

/// Reads by id, each in a read transaction of its own.
struct ReadEach: StoreWorkload {
    var name: String { "read-each" }
    var title: String { "read by id, one transaction each" }
    var contenders: Set<ContenderName> { .general.union([.rawLMDBBegunAnew, .rawLibpqBegunAnew]) }
    var targets: [Target] {
        .line(sqlite: 1.2, defaults: 1, grdb: 9) + [
            .atMost(1.4, of: .rawLMDBBegunAnew, by: .larderLMDB),
            .atMost(1.2, of: .rawLibpqBegunAnew, by: .larderPostgreSQL),
        ]
    }

    func operations(items: Int) -> ClosedRange<Int> { 50...20_000 }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        try store.checkReads(of: load.dataset, ids: load.ids) { try store.readOneByOne(ids: $0, visit: $1) }
    }

    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        let ids = load.ids
        return try load.nanosecondsPerOperation { try store.readOneByOne(ids: ids) { blackHole($0) } }
    }
}

/// The same from async code: GRDB's users await their pool there, Larder's call `read` as ever.
struct ReadFromAsyncCode: StoreWorkload {
    var name: String { "read-from-async-code" }
    var title: String { "read by id from async code" }
    var contenders: Set<ContenderName> {
        [
            .rawSQLite, .grdb, .larderSQLite, .larderLMDB, .larderMemory, .rawLibpq, .larderPostgreSQL,
        ]
    }
    var targets: [Target] { .line(grdb: 15) }

    func operations(items: Int) -> ClosedRange<Int> { 50...20_000 }

    func check<Store: Contender>(_ store: Store, _ load: Load) throws {
        try store.checkReads(of: load.dataset, ids: load.ids) { ids, visit in
            for answer in try Self.read(ids, from: store) { visit(answer) }
        }
    }

    func sample<Store: Contender>(_ store: Store, _ load: Load) throws -> Double {
        let ids = load.ids
        let loan = Loan(store)
        let time = try inAsyncCode {
            let clock = ContinuousClock()
            let start = clock.now
            try await loan.value.readFromAsyncCode(ids: ids) { blackHole($0) }
            return clock.now - start
        }
        return time / .nanoseconds(1) / Double(load.count)
    }

    private static func read<Store: Contender>(_ ids: [Int64], from store: Store) throws -> [Store.Record?] {
        let loan = Loan(store)
        let answers = try inAsyncCode {
            var found: [Store.Record?] = []
            try await loan.value.readFromAsyncCode(ids: ids) { found.append($0) }
            return Loan(found)
        }
        return answers.value
    }
}
