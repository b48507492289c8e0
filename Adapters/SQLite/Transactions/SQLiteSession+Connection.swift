import CSQLite
import LarderKernel
import LarderSQL

extension SQLiteSession {
    /// Lends the connection to code of the app, and checks that the transaction is still the same.
    ///
    /// - Returns: The result of the body; a failure too if it has left a statement at a row.
    /// - Throws: An error if the transaction has ended; none is open then.
    func lendConnection<Value>(
        _ body: (OpaquePointer) throws -> Value
    ) throws(DataStoreError) -> Result<Value, any Error> {
        resetRowStatement()
        // The snapshot begins here, with the schema that the store knows.
        try requireGeneration()
        // Is missing if the body ends the transaction, even if it begins another.
        try commands.run(.setSavepoint)
        let (running, isWriting) = (runningStatements, hasWritten)
        var outcome = Result { try body(connection.handle) }
        let code = sqlite3_extended_errcode(connection.handle)
        guard connection.isInTransaction else {
            let isError = code & 0xFF != SQLITE_OK && code & 0xFF != SQLITE_ROW && code & 0xFF != SQLITE_DONE
            throw isError ? connection.failure(code) : endedByApp
        }
        resetRowStatement()
        let left = runningStatements.subtracting(running)
        for statement in left { sqlite3_reset(statement) }
        do throws(DataStoreError) {
            if hasWritten, !isWriting { throw .writesWhileReading }
            do throws(DataStoreError) {
                try commands.run(.releaseSavepoint)
            } catch {
                throw error.code == .engine ? endedByApp : error
            }
        } catch {
            commands.rollBackIfNeeded()
            throw error
        }
        if !left.isEmpty, case .success = outcome { outcome = .failure(statementLeft) }
        return outcome
    }

    /// The statements of the connection that are at a row.
    private var runningStatements: Set<OpaquePointer> {
        var statements: Set<OpaquePointer> = []
        var next = sqlite3_next_stmt(connection.handle, nil)
        while let statement = next {
            if sqlite3_stmt_busy(statement) != 0 { statements.insert(statement) }
            next = sqlite3_next_stmt(connection.handle, statement)
        }
        return statements
    }

    /// True if the transaction has the lock of the writer.
    private var hasWritten: Bool { sqlite3_txn_state(connection.handle, "main") == SQLITE_TXN_WRITE }

    private var endedByApp: DataStoreError {
        .endedByApp("withSQLiteConnection", path: connection.path)
    }

    private var statementLeft: DataStoreError {
        DataStoreError(
            .invalidRequest, "A statement was left at a row after withSQLiteConnection.",
            advice: "Finalize each statement before the body returns.", path: connection.path)
    }
}
