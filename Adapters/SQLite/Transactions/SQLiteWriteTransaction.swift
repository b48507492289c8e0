import LarderKernel

/// The write transaction of a store; its own changes are seen by its own requests.
///
/// *Rule:* after an error that has ended the transaction inside SQLite, or makes it worthless, every further
/// call throws that same error.
final class SQLiteWriteTransaction: StorageWriting {
    private let writer: SQLiteWriter
    private let store: SQLiteStore
    // Unchecked, as CONTRIBUTING says of what one thread uses at a time.
    @exclusivity(unchecked) private var failure: DataStoreError?
    @exclusivity(unchecked) private var isEnded = false

    /// - Parameter writer: Has begun the transaction, and is given back to the store at its end.
    init(writer: SQLiteWriter, store: SQLiteStore) {
        self.writer = writer
        self.store = store
    }

    deinit {
        end()
    }

    /// Runs a call, and notes an error after which the transaction cannot go on.
    @inline(__always)
    private func attempt<Result>(
        _ body: (SQLiteWriter) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        if isEnded { throw .transactionEnded }
        if let failure { throw failure }
        // An error while a cursor is read may make SQLite roll back by itself; the next statements would run
        // outside of a transaction.
        if !writer.session.connection.isInTransaction { throw lost() }
        do {
            return try body(writer)
        } catch {
            note(error)
            throw error
        }
    }

    private func note(_ error: DataStoreError) {
        let isFatal = [.storeFull, .inputOutput, .damaged, .schemaChanged].contains(error.code)
        if isFatal || !writer.session.connection.isInTransaction { failure = error }
    }

    private func lost() -> DataStoreError {
        let error = DataStoreError(
            .inputOutput, "SQLite has rolled the transaction back, after an error while it was reading.",
            path: writer.session.connection.path)
        failure = error
        return error
    }

    private func finish() {
        writer.session.reset()
        writer.session.commands.rollBackIfNeeded()
        // What it has left in the cache would be kept beside what readers are going to read.
        if writer.endedLargeWrite() { store.readers.noteLargeWrite() }
        isEnded = true
        store.releaseWriter()
    }
}

// MARK: Reading

extension SQLiteWriteTransaction {
    func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        try attempt { writer throws(DataStoreError) in
            try writer.session.row(at: identifier, of: entity, into: cells)
        }
    }

    func runsWhole(_ plan: RequestPlan) -> Bool { writer.session.runsWhole(plan) }

    func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor {
        try attempt { writer throws(DataStoreError) in try writer.session.rows(for: plan) }
    }

    func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
        try attempt { writer throws(DataStoreError) in try writer.session.count(for: plan) }
    }

    func groups(for plan: AggregatePlan) throws(DataStoreError) -> GroupRows? {
        try attempt { writer throws(DataStoreError) in try writer.session.groups(for: plan) }
    }

    func explain(_ plan: AggregatePlan) throws(DataStoreError) -> [String]? {
        try attempt { writer throws(DataStoreError) in try writer.session.explain(plan) }
    }

    func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] {
        try attempt { writer throws(DataStoreError) in try writer.session.explain(plan) }
    }
}

// MARK: Writing

extension SQLiteWriteTransaction {
    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        try attempt { writer throws(DataStoreError) in try writer.apply(mutations) }
    }

    func setSavepoint() throws(DataStoreError) {
        try attempt { writer throws(DataStoreError) in try writer.session.commands.run(.setSavepoint) }
    }

    func releaseSavepoint() throws(DataStoreError) {
        try attempt { writer throws(DataStoreError) in
            try writer.session.commands.run(.releaseSavepoint)
        }
    }

    func rollBackToSavepoint() throws(DataStoreError) {
        try attempt { writer throws(DataStoreError) in
            writer.session.resetRowStatement()
            try writer.session.commands.run(.rollBackToSavepoint)
            try writer.session.commands.run(.releaseSavepoint)
        }
    }

    func commit() throws(DataStoreError) {
        defer { end() }
        try attempt { writer throws(DataStoreError) in
            writer.session.reset()
            try writer.session.commands.run(.commit)
            writer.log.committed(beside: store.readers.gate)
        }
    }

    func end() {
        if !isEnded { finish() }
    }

    func beginAgain() -> Bool { false }
}
