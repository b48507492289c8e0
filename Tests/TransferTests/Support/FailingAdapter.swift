import Larder

/// What goes wrong in a store: its process may die before or behind a commit, and rows may be spoilt.
final class CommitPlan: Sendable {
    /// What becomes of a mutation.
    enum Fate {
        case kept
        case lost
        case changed(cells: [Cell])
    }

    struct State {
        var commits = 0
        var failing: Int?
        var isStoredFirst = false
    }

    let state = Locked(State())
    private let fate: @Sendable (RowMutation) -> Fate

    static let error = DataStoreError(.engine, "The process was killed.")

    /// The commits so far.
    var commits: Int { state.withLock { $0.commits } }

    /// Nothing fails, unless mutations meet another fate.
    init(fate: @escaping @Sendable (RowMutation) -> Fate = { _ in .kept }) {
        self.fate = fate
    }

    /// Fails at a commit, counted from 1, before anything of it is stored or after all of it is.
    convenience init(failingAt commit: Int, isStoredFirst: Bool) {
        self.init()
        state.withLock { state in
            state.failing = commit
            state.isStoredFirst = isStoredFirst
        }
    }

    /// Applies a mutation as it is fated.
    fileprivate func apply(
        _ mutation: RowMutation, to writing: any StorageWriting
    ) throws(DataStoreError) -> Int {
        func apply(_ mutation: RowMutation) throws(DataStoreError) -> Int {
            let result = withUnsafePointer(to: mutation) { start in
                Result { () throws(DataStoreError) in
                    try writing.apply(UnsafeBufferPointer(start: start, count: 1)).count
                }
            }
            return try result.get()
        }
        switch fate(mutation) {
        case .kept: return try apply(mutation)
        case .lost: return 1
        case .changed(let cells):
            let result = cells.withUnsafeBufferPointer { cells in
                Result { () throws(DataStoreError) in
                    guard let start = cells.baseAddress else { return 0 }
                    return try apply(RowMutation(mutation.kind, entity: mutation.entity, cells: start))
                }
            }
            return try result.get()
        }
    }

    /// The same place, whose commits go as planned.
    func applied(to address: StoreAddress) -> StoreAddress {
        StoreAddress(
            engine: address.engine, location: address.location, fileSuffixes: address.fileSuffixes
        ) { _, access in FailingAdapter(address.adapter(for: access), self) }
    }
}

/// An adapter whose commits go as planned.
private final class FailingAdapter: StorageAdapter {
    private let sound: any StorageAdapter
    private let plan: CommitPlan

    init(_ sound: any StorageAdapter, _ plan: CommitPlan) {
        self.sound = sound
        self.plan = plan
    }

    var capabilities: AdapterCapabilities { sound.capabilities }
    var location: String { sound.location }

    func storedSchema() throws(DataStoreError) -> StoredSchema? { try sound.storedSchema() }
    func open(_ schema: StoreSchema) throws(DataStoreError) { try sound.open(schema) }
    func close() throws(DataStoreError) { try sound.close() }
    func destroy() throws(DataStoreError) { try sound.destroy() }
    func beginReading() throws(DataStoreError) -> any StorageReading { try sound.beginReading() }

    func beginWriting() throws(DataStoreError) -> any StorageWriting {
        FailingWriting(try sound.beginWriting(), plan)
    }
}

private final class FailingWriting: StorageWriting {
    private let sound: any StorageWriting
    private let plan: CommitPlan

    init(_ sound: any StorageWriting, _ plan: CommitPlan) {
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
        var touched = TouchedRows()
        for mutation in mutations { touched.add(try plan.apply(mutation, to: sound)) }
        return touched
    }

    func setSavepoint() throws(DataStoreError) { try sound.setSavepoint() }
    func releaseSavepoint() throws(DataStoreError) { try sound.releaseSavepoint() }
    func rollBackToSavepoint() throws(DataStoreError) { try sound.rollBackToSavepoint() }

    func commit() throws(DataStoreError) {
        let (fails, isStoredFirst) = plan.state.withLock { state in
            state.commits += 1
            return (state.commits == state.failing, state.isStoredFirst)
        }
        if fails && !isStoredFirst {
            sound.end()
            throw CommitPlan.error
        }
        try sound.commit()
        if fails { throw CommitPlan.error }
    }
}
