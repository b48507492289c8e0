/// Checks for cancellation in long work, which stops without leaving a partial result.
package enum Cancellation {
    /// - Parameter work: The subject of the error message: "The check".
    /// - Throws: `.cancelled` when the task was cancelled that runs this, or that awaits it by ``AwaitedThread``.
    package static func check(_ work: StaticString) throws(DataStoreError) {
        if AwaitedThread.isCancelled { throw error(work) }
    }

    package static func error(_ work: StaticString) -> DataStoreError {
        DataStoreError(.cancelled, "\(work) was cancelled.", advice: "Repeat it; nothing was changed.")
    }
}

extension AwaitedThread {
    /// Runs a call of a store that may wait on a new thread, and awaits its end.
    ///
    ///     try await AwaitedThread.call { () throws(DataStoreError) in try store.tearDown() }
    ///
    /// - Throws: The error of the call; `.inputOutput` when the operating system gives no thread.
    package static func call<Value: Sendable>(
        _ body: @escaping @Sendable () throws(DataStoreError) -> Value
    ) async throws(DataStoreError) -> Value {
        let outcome: Result<Value, DataStoreError>
        do throws(ThreadRefusal) {
            outcome = try await run { () -> Result<Value, DataStoreError> in Result(catching: body) }
        } catch {
            throw DataStoreError(error)
        }
        return try outcome.get()
    }
}
