import Dispatch
import Larder
import LarderMemory
import Testing

@testable import LarderKernel

/// The time of a write block, as its warnings count it.
struct BlockTimeTests {
    /// Runs code of a test before a transaction begins, and before it is committed.
    private final class ProbedAdapter: AdapterDecorator {
        let wrappedAdapter: any StorageAdapter = MemoryAdapter()
        let (beginning, committing) = (
            Locked<(@Sendable () -> Void)?>(nil), Locked<(@Sendable () -> Void)?>(nil)
        )

        func beginWriting() throws(DataStoreError) -> any StorageWriting {
            beginning.withLock { $0 }?()
            return ProbedWriting(try wrappedAdapter.beginWriting(), of: self)
        }
    }

    private final class ProbedWriting: WritingDecorator {
        let wrappedWriting: any StorageWriting
        private let adapter: ProbedAdapter

        init(_ writing: any StorageWriting, of adapter: ProbedAdapter) {
            (wrappedWriting, self.adapter) = (writing, adapter)
        }

        func commit() throws(DataStoreError) {
            adapter.committing.withLock { $0 }?()
            try wrappedWriting.commit()
        }
    }

    private final class Store: DataStore {
        let coordinator: StoreCoordinator

        init(_ adapter: ProbedAdapter, _ options: DataStoreOptions) throws {
            coordinator = StoreCoordinator(adapter: adapter, storing: [RankedNote.self], options: options)
            try setup()
        }
    }

    /// As long as another process writes, which is not the block's own time.
    @Test func `begins with the transaction`() throws {
        let adapter = ProbedAdapter()
        let store = try Store(adapter, DataStoreOptions())
        let coordinator = store.coordinator
        let isWatched = Locked<[Bool]>([])
        let probe: @Sendable () -> Void = { [unowned coordinator] in
            let isOpen = coordinator.gate.enqueueLongBlocks(in: coordinator.diagnostics)
            isWatched.withLock { $0.append(isOpen) }
        }
        for call in [adapter.beginning, adapter.committing] { call.withLock { $0 = probe } }

        try store.writeSync { _ = try $0.insert(RankedNote(1)) }

        #expect(isWatched.withLock { $0 } == [false, true])
        try store.tearDown()
    }

    /// The block itself has ended when its batch is committed.
    @Test func `ends with the commit that blocks share`() throws {
        let adapter = ProbedAdapter()
        let (isSlow, slowBlocks) = (DispatchSemaphore(value: 0), Locked(0))
        var options = DataStoreOptions()
        options.slowBlockWarning = .milliseconds(1)
        options.diagnostics = [
            { diagnostic in
                guard case .slowBlock = diagnostic.event else { return }
                slowBlocks.withLock { $0 += 1 }
                isSlow.signal()
            }
        ]
        let store = try Store(adapter, options)
        // Longer than the limit, on a clock whose steps have up to ten milliseconds.
        adapter.committing.withLock {
            $0 = {
                let end = ContinuousClock.now + .milliseconds(25)
                while ContinuousClock.now < end {}
            }
        }

        store.writeAsync { _ = try $0.insert(RankedNote(1)) }

        #expect(isSlow.wait(timeout: .now() + 20) == .success)
        try store.flush()
        #expect(slowBlocks.withLock { $0 } == 1)
        try store.tearDown()
    }
}
