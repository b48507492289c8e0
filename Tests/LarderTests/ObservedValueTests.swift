import Dispatch
import Larder
import LarderMemory
import LarderTesting
import Testing

@testable import AdapterTestSupport
@testable import LarderKernel
@testable import LarderObservation

/// Observations read only when they must, and leave nothing behind.
struct ObservedValueTests {
    private final class Runs: Sendable {
        private let runs = Locked(0)
        func note() { runs.withLock { $0 += 1 } }
        var count: Int { runs.withLock { $0 } }
    }

    private func makeStore() throws -> TemporaryStore {
        let store = try TemporaryStore(storing: [Bystander.self, RankedNote.self])
        try store.writeSync { try $0.insert(contentsOf: (0..<3).map { RankedNote($0) }) }
        return store
    }

    @Test func `a commit that does not touch what was read runs no block again`() async throws {
        let store = try makeStore()
        let runs = Runs()
        let values = store.values { accessor in
            runs.note()
            return try accessor.ids(for: RankedNote.all)
        }
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next() == [0, 1, 2])

        try await store.writeAsync { accessor in
            try accessor.insert(Bystander(9))
            try accessor.update(RankedNote.all, .set(\.rank, to: 7))
        }
        try await store.writeAsync { _ = try $0.delete(id: 9, of: Bystander.self) }
        try await store.writeAsync { _ = try $0.insert(RankedNote(3)) }

        #expect(try await iterator.next() == [0, 1, 2, 3])
        #expect(runs.count == 2)
    }

    @Test func `an item that is looked up is read again for changes of that item only`() async throws {
        let store = try makeStore()
        let runs = Runs()
        let values = store.values { accessor in
            runs.note()
            return try [1, 9].map { try accessor.item(id: $0, of: RankedNote.self)?.rank } as [Int64?]
        }
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next() == [1, nil])

        try await store.writeAsync { accessor in
            try accessor.insert(RankedNote(3))
            try accessor.update(RankedNote.where(\.id == 2), .set(\.rank, to: 7))
        }
        try await store.writeAsync { _ = try $0.delete(id: 0, of: RankedNote.self) }
        #expect(runs.count == 1)
        try await store.writeAsync { _ = try $0.insert(RankedNote(9)) }
        #expect(try await iterator.next() == [1, 9])
        try await store.writeAsync { _ = try $0.update(RankedNote.where(\.id == 1), .set(\.rank, to: 5)) }
        #expect(try await iterator.next() == [5, 9])
        try await store.writeAsync { _ = try $0.deleteAllItems(of: RankedNote.self) }
        #expect(try await iterator.next() == [nil, nil])
        #expect(runs.count == 4)
    }

    @Test func `an item whose look-up has failed is read again for changes of it`() async throws {
        let store = try makeStore()
        let reads: [@Sendable (DataStoreReadAccessor) throws -> [Int64?]] = [
            { try [$0.item(id: 1, of: RankedNote.self)?.rank] },
            { try $0.items(ids: [1, 2], of: RankedNote.self).map { $0?.rank } },
        ]
        let expected: [[Int64?]] = [[10], [11, 2]]
        for (number, read) in reads.enumerated() {
            store.faults.fail(.lookUp)
            let values = store.values { accessor in (try? read(accessor)) ?? [] }
            var iterator = values.makeAsyncIterator()
            #expect(try await iterator.next() == [])

            let rank = Int64(10 + number)
            try await store.writeAsync {
                _ = try $0.update(RankedNote.where(\.id == 1), .set(\.rank, to: rank))
            }
            #expect(try await iterator.next() == expected[number])
        }
        #expect(store.faults.unmetCount == 0)
    }

    @Test func `a first reading inside a read block does not miss commits since the block began`()
        async throws
    {
        let store = try makeStore()
        var values = store.values(ofCount: RankedNote.all).makeAsyncIterator()

        let first = try store.read { accessor in
            #expect(try accessor.countItems(for: RankedNote.all) == 3)
            let isCommitted = DispatchSemaphore(value: 0)
            store.writeAsync({ _ = try $0.insert(RankedNote(3)) }, completion: { _ in isCommitted.signal() })
            isCommitted.wait()
            return try values.first()
        }

        #expect(first == 3)
        #expect(try await values.next() == 4)
    }

    @Test func `a discarded child leaves no observation with its parent`() async throws {
        let store = try makeStore()
        let child = try store.makeChildDataStore()
        var values = child.values(ofCount: RankedNote.all).makeAsyncIterator()
        #expect(try await values.next() == 3)
        #expect(store.coordinator.observations.count == 1)

        try child.discard()

        #expect(store.coordinator.observations.count == 0)
        #expect(try await values.next() == nil)
    }

    @Test func `an observation of more items than are followed one by one follows all`() async throws {
        let store = try makeStore()
        try await store.writeAsync { try $0.insert(contentsOf: (3..<300).map { RankedNote($0) }) }
        let values = store.values { accessor in
            try (0..<300).reduce(Int64(0)) { sum, id in
                sum + (try accessor.item(id: id, of: RankedNote.self)?.rank ?? 0)
            }
        }
        var iterator = values.makeAsyncIterator()
        let sum: Int64 = (0..<300).reduce(0, +)
        #expect(try await iterator.next() == sum)

        try await store.writeAsync { accessor in
            for id in [Int64(0), 255, 299] {
                try accessor.mutableItem(id: id, of: RankedNote.self)?.rank += 1
            }
        }
        #expect(try await iterator.next() == sum + 3)
        try await store.writeAsync { _ = try $0.update(RankedNote.all, .set(\.rank, to: 1)) }
        #expect(try await iterator.next() == 300)
    }

    @Test func `a column that is only tested or sorted by is one that was read`() async throws {
        let store = try makeStore()
        var ids: [StoreValues<[Int64]>.Iterator] = []
        for request in [RankedNote.where(\.rank < 2), RankedNote.all.sorted(by: \.rank, .descending)] {
            ids.append(store.values { try $0.ids(for: request) }.makeAsyncIterator())
        }
        #expect(try await ids[0].next() == [0, 1])
        #expect(try await ids[1].next() == [2, 1, 0])

        try await store.writeAsync { _ = try $0.update(RankedNote.where(\.id == 0), .set(\.rank, to: 9)) }

        #expect(try await ids[0].next() == [1])
        #expect(try await ids[1].next() == [0, 2, 1])
    }

    @Test func `a value tells exactly the origins that have brought it`() async throws {
        let store = try makeStore()
        var updates = store.values(ofCount: RankedNote.where(\.rank < 100)).withOrigins.makeAsyncIterator()
        #expect(try await updates.next()?.origins == [])

        try await store.writeAsync(origin: "one") { _ = try $0.insert(RankedNote(3)) }
        #expect(try await updates.next()?.origins == ["one"])
        try await store.writeAsync(origin: "elsewhere") { _ = try $0.insert(Bystander(1)) }
        try await store.writeAsync(origin: "two") { _ = try $0.insert(RankedNote(4)) }
        #expect(try await updates.next()?.origins == ["two"])
        try await store.writeAsync { _ = try $0.insert(RankedNote(5)) }
        #expect(try await updates.next()?.origins == [nil])
    }

    @Test func `commits during a reading bring one more if they touch what was read`() async throws {
        let store = try makeStore()
        let runs = Runs()
        let reading = store.values { accessor in
            let ids = try accessor.ids(for: RankedNote.all)
            // Both come after the snapshot of this reading, and before its end.
            let run = runs.count
            runs.note()
            try sideBySide([
                {
                    try store.writeSync(origin: "elsewhere") { _ = try $0.insert(Bystander(Int64(run))) }
                    if run == 0 { try store.writeSync(origin: "late") { _ = try $0.insert(RankedNote(9)) } }
                }
            ])
            return ids
        }
        var updates = reading.withOrigins.makeAsyncIterator()
        #expect(try await updates.next()?.value == [0, 1, 2])
        let second = try #require(await updates.next())
        #expect(second.value == [0, 1, 2, 9])
        #expect(second.origins == ["late"])
        #expect(runs.count == 2)
        try await store.writeAsync(origin: "after") { _ = try $0.insert(RankedNote(10)) }
        let third = try #require(await updates.next())
        #expect(third.value == [0, 1, 2, 9, 10])
        #expect(third.origins == ["after"])
        #expect(runs.count == 3)
    }

    @Test func `a block without observers records nothing`() throws {
        let store = try makeStore()
        try store.writeSync { accessor in
            try accessor.insert(RankedNote(3))
            let log = try accessor.preparedBlock().pipeline.changeLog
            #expect(!log.isRecording)
            #expect(log.touched == nil)
        }
        let changes = store.changes
        try store.writeSync { accessor in
            try accessor.insert(RankedNote(4))
            let log = try accessor.preparedBlock().pipeline.changeLog
            #expect(log.isRecording)
            #expect(log.touched == nil)
        }
        withExtendedLifetime(changes) {}
    }

    @Test func `the store forgets an iteration that nobody holds`() async throws {
        let store = try makeStore()
        let child = try store.makeChildDataStore()
        let observations = [store.coordinator.observations, child.coordinator.observations]
        func counts() -> [Int] { observations.map(\.count) }
        do {
            var iterators = (0..<5).map { _ in store.values(of: RankedNote.all).makeAsyncIterator() }
            iterators.append(child.values(of: RankedNote.all).makeAsyncIterator())
            for position in iterators.indices { _ = try await iterators[position].next() }
            #expect(counts() == [6, 1])
            iterators.removeFirst()
            #expect(counts() == [5, 1])
        }
        #expect(counts() == [0, 0])
    }

    @Test func `a store that is released ends its values`() async throws {
        weak var released: StoreCoordinator?
        var iterator: StoreValues<Int>.Iterator
        do {
            let store = MemoryDataStore(storing: [RankedNote.self])
            try store.setup()
            released = store.coordinator
            iterator = store.values(ofCount: RankedNote.all).makeAsyncIterator()
            #expect(try await iterator.next() == 0)
        }
        #expect(released == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test func `a child that is released leaves nothing with its parent`() async throws {
        let store = try makeStore()
        let observations = store.coordinator.observations
        var iterator: StoreValues<Int>.Iterator
        do {
            let child = try store.makeChildDataStore()
            iterator = child.values(ofCount: RankedNote.all).makeAsyncIterator()
            #expect(try await iterator.next() == 3)
            #expect(observations.count == 1)
        }
        #expect(try await iterator.next() == nil)
        #expect(observations.count == 0)
    }

    @Test @MainActor func `a handler gets each value, until its observation is cancelled`() async throws {
        let store = try makeStore()
        let (values, heard) = AsyncStream<Int>.makeStream()
        let observation = store.values(ofCount: RankedNote.all).observe { heard.yield($0) }
        var iterator = values.makeAsyncIterator()
        #expect(await iterator.next() == 3)
        try await store.writeAsync { _ = try $0.insert(RankedNote(3)) }
        #expect(await iterator.next() == 4)

        observation.cancel()
        try await store.writeAsync { _ = try $0.insert(RankedNote(4)) }
        // A later observation hears of it, the cancelled one does not.
        let other = store.values(ofCount: RankedNote.all).observe { heard.yield(100 + $0) }
        #expect(await iterator.next() == 105)
        withExtendedLifetime((observation, other)) {}
    }

    @Test func `a handler is called where the caller says, one value after the other`() async throws {
        let store = try makeStore()
        let (work, scheduled) = AsyncStream<@Sendable () -> Void>.makeStream()
        let (values, heard) = AsyncStream<Int>.makeStream()
        let observation = store.values(ofCount: RankedNote.all)
            .observe(by: { scheduled.yield($0) }) { heard.yield($0) }
        var pending = work.makeAsyncIterator()
        var numbers = values.makeAsyncIterator()
        let first = try #require(await pending.next())
        try await store.writeAsync { _ = try $0.insert(RankedNote(3)) }
        try await store.writeAsync { _ = try $0.insert(RankedNote(4)) }
        first()
        #expect(await numbers.next() == 3)
        let second = try #require(await pending.next())
        second()
        #expect(await numbers.next() == 5)
        withExtendedLifetime(observation) {}
    }

    @Test func `an error ends an observation and is reported`() async throws {
        let store = try makeStore()
        let (errors, failed) = AsyncStream<DataStoreError.Code?>.makeStream()
        let refused = store.values(of: RankedNote.all.limit(-1))
        let own = refused.observe(onError: { failed.yield(($0 as? DataStoreError)?.code) }) { _ in }
        var iterator = errors.makeAsyncIterator()
        #expect(await iterator.next() == .invalidRequest)
        store.errorHandler = { failed.yield(($0 as? DataStoreError)?.code) }
        let reported = refused.observe { _ in }
        #expect(await iterator.next() == .invalidRequest)
        withExtendedLifetime((own, reported)) {}
    }
}
