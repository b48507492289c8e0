/// Checks for cancellation in long work, which stops without leaving a partial result.
package enum Cancellation {
    /// - Parameter work: The subject of the error message: "The check".
    /// - Throws: `.cancelled` when the task that runs this was cancelled.
    package static func check(_ work: StaticString) throws(DataStoreError) {
        if Task.isCancelled { throw error(work) }
    }

    package static func error(_ work: StaticString) -> DataStoreError {
        DataStoreError(.cancelled, "\(work) was cancelled.", advice: "Repeat it; nothing was changed.")
    }
}
