/// Work that takes long, and stops where it leaves nothing behind when its task is cancelled.
package enum Cancellation {
    /// - Parameter work: Begins the sentence of the error: "The check".
    /// - Throws: `.cancelled` when the task that runs this was cancelled.
    package static func check(_ work: StaticString) throws(DataStoreError) {
        if Task.isCancelled { throw error(work) }
    }

    package static func error(_ work: StaticString) -> DataStoreError {
        DataStoreError(.cancelled, "\(work) was cancelled.", advice: "Repeat it; nothing was changed.")
    }
}
