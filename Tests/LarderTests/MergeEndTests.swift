import Larder
import LarderMemory
import Testing

@testable import LarderChildren
@testable import LarderTesting

/// What a merge has committed is merged, whatever becomes of the rows that the child has staged.
struct MergeEndTests {
    private final class Store: DataStore {
        let coordinator: StoreCoordinator
        init(coordinator: StoreCoordinator) { self.coordinator = coordinator }
    }

    /// Memory whose next commit fails if asked to, and whose transactions begin again.
    private final class FailingMemory: AdapterDecorator {
        let wrappedAdapter: any StorageAdapter = MemoryAdapter()
        let failsNext = Locked(false)

        func decorated(_ writing: any StorageWriting) throws(DataStoreError) -> any StorageWriting {
            FailingWriting(writing, in: self)
        }
    }

    private final class FailingWriting: WritingDecorator {
        let wrappedWriting: any StorageWriting
        private let memory: FailingMemory

        init(_ writing: any StorageWriting, in memory: FailingMemory) {
            wrappedWriting = writing
            self.memory = memory
        }

        func commit() throws(DataStoreError) {
            if memory.failsNext.exchange(false) {
                end()
                throw DataStoreError(.engine, "The memory fails.")
            }
            try wrappedWriting.commit()
        }
    }

    /// A store whose first child stages its changes in an adapter.
    ///
    /// - Parameter made: Counts the adapters for staged changes.
    private func store(firstStaging: any StorageAdapter, made: Locked<Int>) -> Store {
        Store(
            coordinator: StoreCoordinator(
                adapter: MemoryAdapter(), storing: [RankedNote.self],
                staging: {
                    let isFirst = made.withLock { made in
                        made += 1
                        return made == 1
                    }
                    return isFirst ? firstStaging : MemoryAdapter()
                }))
    }

    private func ids(_ store: any DataStore) throws -> [Int64] {
        try store.read { try $0.ids(for: RankedNote.all) }
    }

    @Test(arguments: [EngineCall.beginWriting, .apply, .commit])
    func `a merge succeeds if its staged rows cannot be dropped`(call: EngineCall) async throws {
        let staging = TestAdapter(MemoryAdapter(), in: try TemporaryFolder())
        let made = Locked(0)
        let store = store(firstStaging: staging, made: made)
        try store.setup()
        var changes = store.changes.makeAsyncIterator()

        try mergeTwice(into: store, staging, failing: call)

        #expect(made.withLock { $0 } == 2)
        #expect(await changes.next()?.inserted(RankedNote.self) == [1])
    }

    private func mergeTwice(
        into store: any DataStore, _ staging: TestAdapter, failing call: EngineCall
    ) throws {
        let child = try store.makeChildDataStore()
        try child.writeSync { _ = try $0.insert(RankedNote(1)) }
        staging.faults.fail(call)

        let result = try store.merge(child)

        #expect([result.inserted, result.updated, result.deleted] == [1, 0, 0])
        #expect(staging.faults.unmetCount == 0)
        #expect(try ids(store) == [1])
        #expect(try child.stagedChanges.isEmpty)
        // The child goes on, with memory of its own again.
        try store.writeSync { _ = try $0.delete(id: 1, of: RankedNote.self) }
        #expect(try ids(child) == [])
        try child.writeSync { _ = try $0.insert(RankedNote(2)) }
        #expect(try store.merge(child).inserted == 1)
        #expect(try ids(store) == [2])
    }

    @Test func `a preview is no merge, after which a reader that is beginning would begin again`() throws {
        let store = Store(
            coordinator: StoreCoordinator(
                adapter: MemoryAdapter(), storing: [RankedNote.self], staging: { MemoryAdapter() }))
        try store.setup()
        let child = try store.makeChildDataStore()
        try child.writeSync { _ = try $0.insert(RankedNote(1)) }
        let overlay = try #require(child.coordinator.overlay)

        #expect(try store.mergePreview(child).inserted == 1)
        #expect(overlay.merges == 0)
        #expect(try store.merge(child).inserted == 1)
        #expect(overlay.merges == 1)
    }

    @Test func `memory of staged rows that was given up is read and written no more`() throws {
        let failing = FailingMemory()
        let made = Locked(0)
        let store = store(firstStaging: failing, made: made)
        try store.setup()
        let child = try store.makeChildDataStore()
        try child.writeSync { _ = try $0.insert(RankedNote(1)) }
        #expect(try ids(child) == [1])
        failing.failsNext.withLock { $0 = true }

        try store.merge(child)
        try store.writeSync { _ = try $0.delete(id: 1, of: RankedNote.self) }

        // The transactions of the blocks before are not used again.
        #expect(try ids(child) == [])
        try child.writeSync { _ = try $0.insert(RankedNote(2)) }
        #expect(try ids(child) == [2])
        #expect(try store.merge(child).inserted == 1)
        #expect(try ids(store) == [2])
    }
}
