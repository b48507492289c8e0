import LarderKernel

/// A transaction that writes, and whose requests run on a session.
///
/// *Rule:* after an error that has ended the transaction inside SQLite, or makes it worthless, every further
/// call throws that same error.
protocol SessionWriting: SessionReading, StorageWriting {
    /// The error that every further call throws; nil while there is none.
    var failure: DataStoreError? { get set }
}

extension SessionWriting {
    /// Runs a call, and notes an error after which the transaction cannot continue.
    @inline(__always)
    func attempt<Result>(
        _ body: (SQLiteSession) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        try requireTransaction()
        do {
            return try body(session)
        } catch {
            note(error)
            throw error
        }
    }

    /// - Throws: The error after which the transaction cannot continue; `.usedAfterFork`.
    @inline(__always)
    func requireTransaction() throws(DataStoreError) {
        if let failure { throw failure }
        try session.connection.requireSameProcess()
        // An error while a cursor is read may make SQLite roll back by itself; the next statements would run
        // outside of a transaction.
        if !session.connection.isInTransaction { throw lost() }
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

    var conditionalInserting: (any ConditionalInserting)? { nil }

    func setSavepoint() throws(DataStoreError) {
        try attempt { session throws(DataStoreError) in try session.commands.run(.setSavepoint) }
    }

    func releaseSavepoint() throws(DataStoreError) {
        try attempt { session throws(DataStoreError) in try session.commands.run(.releaseSavepoint) }
    }

    func rollBackToSavepoint() throws(DataStoreError) {
        try attempt { session throws(DataStoreError) in try session.rollBackToSavepoint() }
    }
}
