import LarderKernel

/// The write transaction of a store; its own changes are seen by its own requests.
///
/// *Rule:* after an error that has ended the transaction inside SQLite, or makes it worthless, every further
/// call throws that same error.
final class SQLiteWriteTransaction: StorageWriting, SessionReading {
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

    var session: SQLiteSession { writer.session }

    /// Runs a call, and notes an error after which the transaction cannot continue.
    @inline(__always)
    func attempt<Result>(
        _ body: (SQLiteSession) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        if isEnded { throw .transactionEnded }
        if let failure { throw failure }
        // An error while a cursor is read may make SQLite roll back by itself; the next statements would run
        // outside of a transaction.
        if !session.connection.isInTransaction { throw lost() }
        do {
            return try body(session)
        } catch {
            note(error)
            throw error
        }
    }

    private func note(_ error: DataStoreError) {
        let isFatal = [.storeFull, .inputOutput, .damaged, .schemaChanged].contains(error.code)
        if isFatal || !session.connection.isInTransaction { failure = error }
    }

    private func lost() -> DataStoreError {
        let error = DataStoreError(
            .inputOutput, "SQLite has rolled the transaction back, after an error while it was reading.",
            path: session.connection.path)
        failure = error
        return error
    }

    private func finish() {
        session.reset()
        session.commands.rollBackIfNeeded()
        // The pages it has left in the cache would be kept in addition to the pages that readers will read.
        if writer.endedLargeWrite() { store.readers.noteLargeWrite() }
        isEnded = true
        store.releaseWriter()
    }
}

// MARK: Writing

extension SQLiteWriteTransaction {
    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        try attempt { _ throws(DataStoreError) in try writer.apply(mutations) }
    }

    func setSavepoint() throws(DataStoreError) {
        try attempt { session throws(DataStoreError) in try session.commands.run(.setSavepoint) }
    }

    func releaseSavepoint() throws(DataStoreError) {
        try attempt { session throws(DataStoreError) in try session.commands.run(.releaseSavepoint) }
    }

    func rollBackToSavepoint() throws(DataStoreError) {
        try attempt { session throws(DataStoreError) in try session.rollBackToSavepoint() }
    }

    func commit() throws(DataStoreError) {
        defer { end() }
        try attempt { session throws(DataStoreError) in
            session.reset()
            try session.commands.run(.commit)
            writer.log.committed(beside: store.readers.gate)
        }
    }

    func end() {
        if !isEnded { finish() }
    }
}
