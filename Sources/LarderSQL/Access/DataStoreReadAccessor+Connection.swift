package import LarderKernel

extension DataStoreReadAccessor {
    /// Runs a body that lends the connection of an engine to the app, inside the block's transaction.
    ///
    /// In a write block the call is to the store what a statement of the app is: it is undone if it throws, handles are
    /// read again, and every observation reads again.
    ///
    /// - Parameters:
    ///   - call: The name of the call, for errors.
    ///   - engine: The type of the engine's transactions.
    ///   - lend: Returns the result of the app's code. Its own error fails the block: the transaction is not the one any
    ///     more that the store has begun.
    package final func lendingConnection<Engine, Value>(
        _ call: String, of engine: Engine.Type,
        _ lend: (Engine) throws(DataStoreError) -> Result<Value, any Error>
    ) throws -> Value {
        try block().prepareForRequest()
        let isOfEngine = try withSnapshot { snapshot, _ throws(DataStoreError) in
            snapshot.runningSQL is Engine
        }
        guard isOfEngine else { throw DataStoreError.withoutConnection(for: call) }
        func run() throws(DataStoreError) -> Result<Value, any Error> {
            try withSnapshot { snapshot, _ throws(DataStoreError) in
                guard let transaction = snapshot.runningSQL as? Engine else {
                    throw .withoutConnection(for: call)
                }
                return try lend(transaction)
            }
        }
        guard let accessor = self as? DataStoreReadWriteAccessor else { return try run().get() }
        let block = try accessor.blockForUnknownChanges(by: call)
        let value = try block.savepoint { _ in
            let result: Result<Value, any Error>
            do throws(DataStoreError) {
                result = try run()
            } catch {
                throw block.pipeline.failTransaction(with: error)
            }
            return try result.get()
        }
        block.pipeline.changeLog.noteUnknownWrite()
        try block.reloadHandles()
        return value
    }
}

extension DataStoreError {
    /// The error for a transaction that the app's code has ended, or that the engine has ended after an error in it.
    package static func endedByApp(_ call: String, path: String) -> DataStoreError {
        DataStoreError(
            .invalidRequest, "The transaction of the block had ended, or was another one, after \(call).",
            advice: "Leave BEGIN, COMMIT and ROLLBACK to the store, and throw the errors of the engine.",
            path: path)
    }

    fileprivate static func withoutConnection(for call: String) -> DataStoreError {
        DataStoreError(
            .unsupported, "\(call) was called on a store of another engine, or on a store over others.",
            advice: "Call it on the store of the engine itself, and merge its child first.")
    }
}
