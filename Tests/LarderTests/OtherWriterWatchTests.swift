import Larder
import LarderMemory
import Testing

@testable import AdapterTestSupport
@testable import LarderKernel

struct OtherWriterWatchTests {
    /// Cannot watch for the commits of other processes.
    private final class BlindAdapter: AdapterDecorator {
        static let error = DataStoreError(.inputOutput, "No means to watch files.")
        let wrappedAdapter: any StorageAdapter = MemoryAdapter()

        func watchOtherWriters(
            _ body: @escaping @Sendable () -> Void
        ) throws(DataStoreError) -> (any StorageWatch)? {
            throw Self.error
        }
    }

    @Test func `a difficulty is reported once, to a handler that may begin an observation itself`() throws {
        let known = Locked<StoreCoordinator?>(nil)
        let heard = Locked<[String]>([])
        var options = DataStoreOptions()
        options.diagnostics = [
            { diagnostic in
                guard case .difficulty(let text) = diagnostic.event else { return }
                heard.withLock { $0.append(text) }
                known.withLock { $0 }?.updateOtherWriters()
            }
        ]
        let store = StoreCoordinator(adapter: BlindAdapter(), storing: [RankedNote.self], options: options)
        try store.setup()
        known.withLock { $0 = store }
        defer { known.withLock { $0 = nil } }

        store.gate.count(observations: 1)
        let isOver = try within(
            20,
            {
                store.updateOtherWriters(); return true
            }, otherwise: {})

        #expect(isOver == true)
        let text = "It does not see the commits of other processes while it is observed: "
        #expect(heard.withLock { $0 } == ["\(text)\(BlindAdapter.error)"])
        store.gate.count(observations: -1)
        try store.tearDown()
    }
}
