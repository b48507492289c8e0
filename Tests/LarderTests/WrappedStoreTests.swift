import Larder
import LarderMemory
import Testing

@testable import AdapterTestSupport

/// A type of an app's own that conforms to `DataStore` by the store it wraps.
struct WrappedStoreTests {
    private final class Wrapper: DataStore {
        let wrapped: any DataStore

        init(_ store: any DataStore) { wrapped = store }

        var coordinator: StoreCoordinator { wrapped.coordinator }
    }

    @Test func `a type that wraps a store is that store`() async throws {
        let store = MemoryDataStore(storing: [RankedNote.self])
        let wrapper: any DataStore = Wrapper(store)
        try wrapper.setup()
        let changes = store.changes

        try await wrapper.writeAsync { try $0.insert(RankedNote(1)) }
        let ids = try store.read { _ in try wrapper.read { try $0.ids(for: RankedNote.all) } }
        try wrapper.tearDown()

        #expect(ids == [1])
        var inserted: [Int64] = []
        for await set in changes { inserted += set.inserted(RankedNote.self) }
        #expect(inserted == [1])
        #expect(thrown { try store.read { _ in } }?.code == .closed)
    }

    @Test func `a write of the wrapper inside a block of the store is refused`() throws {
        let store = MemoryDataStore(storing: [RankedNote.self])
        try store.setup()
        let wrapper = Wrapper(store)

        let error = #expect(throws: DataStoreError.self) {
            try store.read { _ in try wrapper.writeSync { try $0.insert(RankedNote(1)) } }
        }

        #expect(error?.code == .nestedTransaction)
        #expect(try wrapper.read { try $0.countItems(for: RankedNote.all) } == 0)
    }

    /// A store whose adapter was given no memory for children.
    private final class ChildlessStore: DataStore {
        let coordinator: StoreCoordinator

        init(_ options: DataStoreOptions) {
            coordinator = StoreCoordinator(
                adapter: MemoryAdapter(), storing: [RankedNote.self], options: options)
        }
    }

    @Test func `a store without memory for children reports that it makes none`() throws {
        let calls = Locked<[String]>([])
        var options = DataStoreOptions()
        options.diagnostics.append { diagnostic in
            if case .failed(let failure) = diagnostic.event { calls.withLock { $0.append(failure.call) } }
        }
        let store = ChildlessStore(options)
        try store.setup()

        let error = #expect(throws: DataStoreError.self) { try store.makeChildDataStore() }

        #expect(error?.code == .unsupported)
        #expect(calls.withLock { $0 } == ["makeChildDataStore()"])
        try store.tearDown()
    }
}
