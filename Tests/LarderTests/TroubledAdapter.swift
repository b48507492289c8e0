import Larder
import LarderKeyValue
import LarderMemory

/// A memory adapter that counts what is asked of it, and fails when it is told to.
final class TroubledAdapter: StorageAdapter {
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
    private let sound = MemoryAdapter(in: MemoryStorage())

    static let error = DataStoreError(.storeFull, "There is no room on the disk.")

    var capabilities: AdapterCapabilities { sound.capabilities }
    var location: String { sound.location }

    func storedSchema() throws(DataStoreError) -> StoredSchema? { try sound.storedSchema() }
    func open(_ schema: StoreSchema) throws(DataStoreError) { try sound.open(schema) }
    func close() throws(DataStoreError) { try sound.close() }
    func destroy() throws(DataStoreError) { try sound.destroy() }
    func beginReading() throws(DataStoreError) -> any StorageReading { try sound.beginReading() }

    func beginWriting() throws(DataStoreError) -> any StorageWriting {
        plan.withLock { $0.transactions += 1 }
        return TroubledWriting(try sound.beginWriting(), plan)
    }
}

/// A store over a ``TroubledAdapter``.
final class TroubledDataStore: AdapterDataStore {
    let coordinator: StoreCoordinator
    let adapter = TroubledAdapter()

    init(storing types: [any DataStoreItem.Type], options: DataStoreOptions = DataStoreOptions()) {
        coordinator = StoreCoordinator(adapter: adapter, storing: types, options: options)
    }
}

private final class TroubledWriting: StorageWriting {
    private let sound: any StorageWriting
    private let plan: Locked<TroubledAdapter.Plan>

    init(_ sound: any StorageWriting, _ plan: Locked<TroubledAdapter.Plan>) {
        self.sound = sound
        self.plan = plan
    }

    func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        try sound.row(at: identifier, of: entity, into: cells)
    }

    func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor { try sound.rows(for: plan) }
    func count(for plan: RequestPlan) throws(DataStoreError) -> Int { try sound.count(for: plan) }
    func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] { try sound.explain(plan) }
    func end() { sound.end() }

    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        let fails = plan.withLock { plan in
            plan.applies += 1
            return plan.applies == plan.failingApply
        }
        if fails { throw TroubledAdapter.error }
        return try sound.apply(mutations)
    }

    func setSavepoint() throws(DataStoreError) {
        plan.withLock { $0.savepoints += 1 }
        try sound.setSavepoint()
    }

    func releaseSavepoint() throws(DataStoreError) { try sound.releaseSavepoint() }

    func rollBackToSavepoint() throws(DataStoreError) {
        if plan.withLock({ $0.failsToRollBack }) { throw TroubledAdapter.error }
        try sound.rollBackToSavepoint()
    }

    func commit() throws(DataStoreError) {
        let fails = plan.withLock { plan in
            plan.commits += 1
            return plan.commits == plan.failingCommit
        }
        if fails {
            sound.end()
            throw TroubledAdapter.error
        }
        try sound.commit()
    }
}
