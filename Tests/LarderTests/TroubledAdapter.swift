import Larder
import LarderKeyValue
import LarderMemory

/// A memory adapter that counts what is asked of it, and fails when it is told to.
final class TroubledAdapter: AdapterDecorator {
    struct Plan {
        /// Which mutation call fails, counted from 1 over all transactions.
        var failingApply: Int?
        /// Which commit fails, counted from 1.
        var failingCommit: Int?
        /// Whether going back to a savepoint fails.
        var failsToRollBack = false
        var applies = 0
        var commits = 0
        var savepoints = 0
        var transactions = 0
    }

    let plan = Locked(Plan())
    let wrappedAdapter: any StorageAdapter = MemoryAdapter(in: MemoryStorage())

    static let error = DataStoreError(.storeFull, "There is no room on the disk.")

    func decorated(_ writing: any StorageWriting) -> any StorageWriting {
        plan.withLock { $0.transactions += 1 }
        return TroubledWriting(writing, plan)
    }
}

/// A store over a ``TroubledAdapter``.
final class TroubledDataStore: DataStore {
    let coordinator: StoreCoordinator
    let adapter = TroubledAdapter()

    init(storing types: [any DataStoreItem.Type], options: DataStoreOptions = DataStoreOptions()) {
        coordinator = StoreCoordinator(adapter: adapter, storing: types, options: options)
    }
}

private final class TroubledWriting: WritingDecorator {
    let wrappedWriting: any StorageWriting
    private let plan: Locked<TroubledAdapter.Plan>

    init(_ writing: any StorageWriting, _ plan: Locked<TroubledAdapter.Plan>) {
        wrappedWriting = writing
        self.plan = plan
    }

    /// Each transaction is a new one, so that it is counted.
    func beginAgain() -> Bool { false }

    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        let fails = plan.withLock { plan in
            plan.applies += 1
            return plan.applies == plan.failingApply
        }
        if fails { throw TroubledAdapter.error }
        return try wrappedWriting.apply(mutations)
    }

    func setSavepoint() throws(DataStoreError) {
        plan.withLock { $0.savepoints += 1 }
        try wrappedWriting.setSavepoint()
    }

    func rollBackToSavepoint() throws(DataStoreError) {
        if plan.withLock({ $0.failsToRollBack }) { throw TroubledAdapter.error }
        try wrappedWriting.rollBackToSavepoint()
    }

    func commit() throws(DataStoreError) {
        let fails = plan.withLock { plan in
            plan.commits += 1
            return plan.commits == plan.failingCommit
        }
        if fails {
            end()
            throw TroubledAdapter.error
        }
        try wrappedWriting.commit()
    }
}
