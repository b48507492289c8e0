import Dispatch
import Larder
import LarderTesting
import Testing

@testable import func AdapterTestSupport.thrown

@Suite struct `A fault` {
    private static let error = DataStoreError(
        .engine, "The test wants it so.", path: "a path",
        underlying: .init(source: "test", code: 7, message: "seven"))

    /// What a body throws, in full except for the request that the store adds.
    private func words(_ body: () throws -> Void) -> String {
        thrown(body).map(words) ?? "nothing"
    }

    private func words(_ error: DataStoreError) -> String {
        let engine = error.underlying.map { "\($0.source) \($0.code): \($0.message)" } ?? ""
        return "\(error.code.rawValue): \(error.message) \(error.advice) \(error.path ?? "") \(engine)"
    }

    /// A store with two meals.
    private func withMeals(_ engine: TestEngine, _ body: (TemporaryStore) throws -> Void) throws {
        try withTemporaryStore(engine, storing: [Meal.self]) { store in
            try store.insert(Meal(1), Meal(2))
            try body(store)
        }
    }

    /// A block that makes calls of every kind for a transaction that writes.
    @Sendable private static func changeMuch(_ accessor: DataStoreReadWriteAccessor) throws {
        try accessor.savepoint { try accessor.insert(contentsOf: [Meal(3), Meal(4)]) }
        try accessor.mutableItem(id: 1, of: Meal.self)?.price = 9
        _ = try accessor.items(for: Meal.where(\.price > 3))
        _ = try accessor.countItems(for: Meal.all)
        struct Undone: Error {}
        do {
            try accessor.savepoint {
                try accessor.insert(Meal(5))
                try accessor.insert(Meal(6))
                throw Undone()
            }
        } catch is Undone {}
        _ = try accessor.savepoint { try accessor.delete(id: 2, of: Meal.self) }
    }

    private static let changed = [Meal(1, price: 9), Meal(3), Meal(4)]

    @Test(arguments: TestEngine.all)
    func `in the next write has its own error, changes nothing, and is over`(engine: TestEngine) throws {
        try withMeals(engine) { store in
            store.faults.failNextWrite(with: Self.error)

            #expect(words { try store.writeSync(Self.changeMuch) } == words(Self.error))

            #expect(try store.meals() == [Meal(1), Meal(2)])
            #expect(store.faults.unmetCount == 0)
            try store.writeSync(Self.changeMuch)
            #expect(try store.meals() == Self.changed)
        }
    }

    private static let writingCalls: [EngineCall] = [
        .beginWriting, .lookUp, .request, .nextRow, .count, .apply, .setSavepoint, .releaseSavepoint,
        .rollBackToSavepoint, .commit,
    ]

    @Test(arguments: TestEngine.all, writingCalls)
    func `in a call of a write block has its own error and changes nothing`(
        engine: TestEngine, call: EngineCall
    ) throws {
        try withMeals(engine) { store in
            store.faults.fail(call, with: Self.error)

            #expect(words { try store.writeSync(Self.changeMuch) } == words(Self.error))

            #expect(store.faults.unmetCount == 0)
            #expect(try store.meals() == [Meal(1), Meal(2)])
            try store.writeSync(Self.changeMuch)
            #expect(try store.meals() == Self.changed)
        }
    }

    @Test(arguments: TestEngine.all)
    func `in each call of a write block in turn changes nothing`(engine: TestEngine) throws {
        try withMeals(engine) { store in
            var number = 0
            repeat {
                number += 1
                store.faults.fail(number: number, with: Self.error)
                let thrown = words { try store.writeSync(Self.changeMuch) }
                if store.faults.unmetCount == 1 { break }
                let meals = try store.meals()
                #expect(thrown == words(Self.error), "call \(number)")
                #expect(meals == [Meal(1), Meal(2)], "call \(number)")
            } while number < 100
            store.faults.removeAll()

            #expect((15..<60).contains(number))
            #expect(try store.meals() == Self.changed)
        }
    }

    @Test(arguments: TestEngine.all, [EngineCall.beginReading, .request, .nextRow, .count, .lookUp])
    func `in a call of a read block has its own error, once`(engine: TestEngine, call: EngineCall) throws {
        func readMuch(_ store: TemporaryStore) throws {
            try store.read { accessor in
                _ = try accessor.item(id: 1, of: Meal.self)
                _ = try accessor.items(for: Meal.all)
                _ = try accessor.countItems(for: Meal.all)
            }
        }
        try withMeals(engine) { store in
            store.faults.fail(call, with: Self.error)

            #expect(words { try readMuch(store) } == words(Self.error))

            #expect(store.faults.unmetCount == 0)
            try readMuch(store)
        }
    }

    @Test(arguments: TestEngine.all, [nil, 1])
    func `meets an aggregate, or the request for its rows`(engine: TestEngine, limit: Int?) throws {
        try withMeals(engine) { store in
            func sum() throws {
                _ = try store.read { accessor in
                    try accessor.aggregate(Meal.where(\.price >= 0).limit(limit), .sum(\.price))
                }
            }
            let recording = try store.record { try sum() }
            // Engines leave the rows of a window to the core.
            let isAnswered = limit == nil

            #expect(recording.count(of: .aggregate) == (isAnswered ? 1 : 0))
            #expect(recording.count(of: .request) == (isAnswered ? 0 : 1))
            #expect(recording.requests.map(\.entity) == [0])
            #expect(recording.requests.map(\.limit) == [limit])
            #expect(recording.description.hasPrefix(isAnswered ? "aggregate Meal " : "request Meal "))
            store.faults.fail(isAnswered ? .aggregate : .request, with: Self.error)
            #expect(words { try sum() } == words(Self.error))
            #expect(store.faults.unmetCount == 0)
            try sum()
        }
    }

    @Test(arguments: TestEngine.all)
    func `that keeps a handle from showing a change fails the block, also one that catches it`(
        engine: TestEngine
    ) throws {
        try withMeals(engine) { store in
            var caught = "nothing"
            let recording = store.record {
                let thrown = words {
                    try store.writeSync { accessor in
                        let handle = try accessor.mutableItem(id: 1, of: Meal.self)
                        // The first one reads the row that is changed, the second one shows the change.
                        store.faults.fail(.lookUp, number: 2, with: Self.error)
                        caught = words {
                            _ = try accessor.update(Meal.where(\.id == 1), .set(\.price, to: 9))
                        }
                        withExtendedLifetime(handle) {}
                    }
                }
                #expect(thrown == words(Self.error))
            }

            #expect(caught == words(Self.error))
            #expect(recording.updated(Meal.self).map(\.attributes) == [["price"]])
            #expect(recording.commits == 0)
            #expect(store.faults.unmetCount == 0)
            #expect(try store.meals() == [Meal(1), Meal(2)])
            try store.writeSync(Self.changeMuch)
            #expect(try store.meals() == Self.changed)
        }
    }

    @Test(arguments: TestEngine.all)
    func `takes effect at the call of its number`(engine: TestEngine) throws {
        try withMeals(engine) { store in
            store.faults.fail(.commit, number: 3, with: Self.error)
            try store.insert(Meal(3))
            try store.insert(Meal(4))
            #expect(store.faults.unmetCount == 1)

            #expect(words { try store.insert(Meal(5)) } == words(Self.error))

            try store.insert(Meal(6))
            #expect(try store.meals().map(\.id) == [1, 2, 3, 4, 6])
        }
    }

    @Test(arguments: TestEngine.all)
    func `when opening leaves the store closed and its data as they were`(engine: TestEngine) throws {
        try withMeals(engine) { store in
            try store.tearDown()
            store.faults.fail(.open, with: .simulated(.permissionDenied))

            #expect(words { try store.setup() } == words(.simulated(.permissionDenied)))

            #expect(words { _ = try store.meals() }.hasPrefix("closed: "))
            try store.setup()
            #expect(try store.meals() == [Meal(1), Meal(2)])
        }
    }

    @Test(arguments: TestEngine.all)
    func `when deleting the store keeps the data`(engine: TestEngine) throws {
        try withMeals(engine) { store in
            store.faults.fail(.destroy, with: Self.error)

            #expect(words { try store.destroy() } == words(Self.error))

            try store.setup()
            #expect(try store.meals() == [Meal(1), Meal(2)])
            try store.destroy()
            try store.setup()
            #expect(try store.meals().isEmpty)
        }
    }

    @Test(arguments: TestEngine.all)
    func `of a full disk refuses every change until there is room, and reads go on`(
        engine: TestEngine
    ) throws {
        try withMeals(engine) { store in
            let full = words(.simulated(.storeFull))
            store.faults.fillDisk()
            #expect(full.hasPrefix("storeFull: "))
            for _ in 0..<2 {
                #expect(words { try store.insert(Meal(3)) } == full)
                #expect(words { try store.writeSync { _ = try $0.deleteAllItems(of: Meal.self) } } == full)
                #expect(try store.meals() == [Meal(1), Meal(2)])
            }
            #expect(store.faults.unmetCount == 0)

            store.faults.freeDisk()

            try store.insert(Meal(3))
            #expect(try store.meals() == [Meal(1), Meal(2), Meal(3)])
        }
    }

    @Test(arguments: TestEngine.all)
    func `that lasts is met until it is removed`(engine: TestEngine) throws {
        try withMeals(engine) { store in
            store.faults.failAlways(.beginWriting, with: .simulated(.readOnly))
            for _ in 0..<3 {
                #expect(
                    words { try store.insert(Meal(3)) } == words(.simulated(.readOnly)))
            }
            store.faults.freeDisk()  // is about another one
            #expect(words { try store.insert(Meal(3)) } == words(.simulated(.readOnly)))
            store.faults.removeAll()

            try store.insert(Meal(3))
        }
    }

    @Test(arguments: TestEngine.all)
    func `fails all writes that share a commit, and no later one`(engine: TestEngine) throws {
        // Such that no slow machine ends the batch early.
        var options = DataStoreOptions()
        options.batchLimits.duration = .seconds(1000)
        let store = try TemporaryStore(engine, storing: [Meal.self], options: options)
        let codes = Locked<[DataStoreError.Code?]>([])
        let all = DispatchSemaphore(value: 0)
        store.faults.failNextWrite(with: Self.error)

        // They share a commit, as they have to wait for the block around them.
        try store.writeSync { _ in
            for id in 1...2 as ClosedRange<Int64> {
                store.writeAsync({ _ = try $0.insert(Meal(id)) }) { result in
                    let error = thrown { try result.get() }
                    codes.withLock { $0.append(error?.code) }
                    all.signal()
                }
            }
        }
        for _ in 1...2 { all.wait() }

        #expect(codes.withLock { $0 } == [.engine, .engine])
        #expect(store.faults.unmetCount == 0)
        #expect(try store.meals().isEmpty)
        try store.insert(Meal(3))
        #expect(try store.meals() == [Meal(3)])
    }

    @Test(arguments: TestEngine.all)
    func `is not met by a block that changes nothing`(engine: TestEngine) throws {
        try withMeals(engine) { store in
            store.faults.failNextWrite()
            try store.writeSync { _ = try $0.countItems(for: Meal.all) }
            #expect(store.faults.unmetCount == 1)
        }
    }

    @Test func `is met by exactly one of many threads`() async throws {
        let store = try TemporaryStore(storing: [Meal.self])
        store.faults.fail(.commit, number: 20)
        let failures = await withTaskGroup(of: Int.self) { group in
            for number in 0..<50 as Range<Int64> {
                group.addTask {
                    do {
                        try store.insertAlone(Meal(number))
                        return 0
                    } catch {
                        return 1
                    }
                }
            }
            return await group.reduce(0, +)
        }

        #expect(failures == 1)
        #expect(try store.meals().count == 49)
    }
}

extension DataStore {
    /// Inserts by `writeSync`, also from a task.
    fileprivate func insertAlone(_ meal: Meal) throws { try insert(meal) }
}
