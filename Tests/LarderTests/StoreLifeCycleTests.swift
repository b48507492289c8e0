import Larder
import LarderMemory
import LarderTesting
import Testing

@testable import AdapterTestSupport
@testable import LarderKernel

/// What the coordinator asks of an adapter when stores come and go.
struct StoreLifeCycleTests {
    /// Counts what must not be: an adapter that is destroyed while it is open.
    private final class StrictAdapter: AdapterDecorator {
        let wrappedAdapter: any StorageAdapter = MemoryAdapter()
        private let state = Locked((isOpen: false, mistakes: 0))
        private let readings = Locked<[WeakReading]>([])

        var mistakes: Int { state.withLock { $0.mistakes } }

        /// The number of read transactions that somebody keeps.
        var keptReadings: Int { readings.withLock { $0.count { $0.reading != nil } } }

        func open(_ schema: StoreSchema, by plan: MigrationPlan?) throws(DataStoreError) {
            try wrappedAdapter.open(schema, by: plan)
            state.withLock { $0.isOpen = true }
        }

        func close() throws(DataStoreError) {
            state.withLock { $0.isOpen = false }
            try wrappedAdapter.close()
        }

        func destroy() throws(DataStoreError) {
            state.withLock { if $0.isOpen { $0.mistakes += 1 } }
            try wrappedAdapter.destroy()
        }

        func decorated(_ reading: any StorageReading) throws(DataStoreError) -> any StorageReading {
            let reading = KnownReading(reading)
            readings.withLock { $0.append(WeakReading(reading: reading)) }
            return reading
        }
    }

    private final class KnownReading: ReadingDecorator {
        let wrappedReading: any StorageReading
        init(_ reading: any StorageReading) { wrappedReading = reading }
    }

    private struct WeakReading: @unchecked Sendable {
        // reason: asked only whether it is there.
        weak var reading: KnownReading?
    }

    private final class StrictStore: DataStore {
        let coordinator: StoreCoordinator
        init(coordinator: StoreCoordinator) { self.coordinator = coordinator }
    }

    private func makeStore(over adapter: StrictAdapter) -> StrictStore {
        StrictStore(
            coordinator: StoreCoordinator(
                adapter: adapter, storing: [RankedNote.self], staging: { MemoryAdapter() }))
    }

    @Test func `no other thread opens a store between its closing and its destruction`() throws {
        let adapter = StrictAdapter()
        let store = makeStore(over: adapter)
        let rounds = Repetitions.count(5_000, long: 100_000)
        let isOver = Locked(false)

        try sideBySide([
            {
                defer { isOver.withLock { $0 = true } }
                for _ in 0..<rounds {
                    try store.setup()
                    try store.destroy()
                }
            },
            { while !isOver.withLock({ $0 }) { try store.setup() } },
        ])

        #expect(adapter.mistakes == 0)
        try store.setup()
        #expect(try store.read { try $0.countItems(for: RankedNote.all) } == 0)
    }

    @Test func `no other thread opens a child between its closing and its discarding`() throws {
        let store = makeStore(over: StrictAdapter())
        try store.setup()
        var refusals: Set<String> = []
        var opened = 0

        for _ in Repetitions.rounds(1_000, long: 20_000) {
            let child = try store.makeChildDataStore()
            let isOver = Locked(false)
            try sideBySide([
                {
                    defer { isOver.withLock { $0 = true } }
                    try child.discard()
                },
                {
                    while !isOver.withLock({ $0 }) {
                        guard let refusal = thrown({ try child.setup() }) else { continue }
                        if refusal.code == .discarded { return }
                        throw refusal
                    }
                },
            ])
            refusals.insert(thrown { try child.setup() }?.code.rawValue ?? "none")
            if child.coordinator.gate.isOpen { opened += 1 }
        }

        #expect(refusals == ["discarded"])
        #expect(opened == 0)
    }

    @Test func `a child is read inside a read of its parent while another thread closes the parent`() throws {
        let store = makeStore(over: StrictAdapter())
        try store.setup()
        try store.writeSync { try $0.insert(RankedNote(1)) }
        let child = try store.makeChildDataStore()
        try child.writeSync { try $0.insert(RankedNote(2)) }
        let grandchild = try child.makeChildDataStore()
        let isReading = Locked(false)
        var counts: [Int] = []

        try whileRunning {
            while !isReading.withLock({ $0 }) {}
            try store.tearDown()
        } do: {
            try store.read { _ in
                isReading.withLock { $0 = true }
                while store.coordinator.gate.isOpen {}
                for child in [child, grandchild] {
                    counts.append(try child.read { try $0.countItems(for: RankedNote.all) })
                }
            }
        }

        #expect(counts == [2, 2])
        #expect(thrown { try child.read { _ in } }?.code == .closed)
        #expect(thrown { try grandchild.read { _ in } }?.code == .closed)
    }

    @Test func `what an error handler keeps may ask for the handler that takes its place`() throws {
        let store = makeStore(over: StrictAdapter())
        let hasAsked = Locked(false)
        func makeAsker() -> Release {
            Release {
                _ = store.errorHandler
                hasAsked.withLock { $0 = true }
            }
        }
        store.errorHandler = { [asker = makeAsker()] _ in withExtendedLifetime(asker) {} }

        let isReplaced = try within(20) {
            store.errorHandler = nil
            return true
        } otherwise: {
        }

        #expect(isReplaced == true)
        #expect(hasAsked.withLock { $0 })
    }

    @Test func `a child that is kept keeps no transaction of its closed parent`() throws {
        let adapter = StrictAdapter()
        let store = makeStore(over: adapter)
        try store.setup()
        let child = try store.makeChildDataStore()
        let grandchild = try child.makeChildDataStore()
        for (count, store) in [(1, child), (2, grandchild)] as [(Int, any DataStore)] {
            try store.writeSync { try $0.insert(RankedNote(try Int64($0.countItems(for: RankedNote.all)))) }
            #expect(try store.read { try $0.countItems(for: RankedNote.all) } == count)
        }
        #expect(adapter.keptReadings > 0)

        try store.tearDown()

        #expect(adapter.keptReadings == 0)
        try store.setup()
        #expect(try grandchild.read { try $0.countItems(for: RankedNote.all) } == 2)
    }
}
