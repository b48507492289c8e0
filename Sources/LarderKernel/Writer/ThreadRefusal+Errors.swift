extension DataStoreError {
    /// The error of a store for a thread that does not wait, or that there is none of.
    init(_ refusal: ThreadRefusal) {
        self =
            switch refusal {
            case .ownTurn:
                DataStoreError(
                    .nestedTransaction,
                    "The store is being written to or merged by this thread, which would wait for itself.",
                    advice: "Make the call after the write or the merge.")
            case .ownLifeCycle:
                DataStoreError(
                    .wouldDeadlock,
                    "The store is being opened or closed by this thread, which would wait for itself.",
                    advice: "Open and close a store outside of the steps and defaults of its own setup().")
            case .turn:
                DataStoreError(
                    .wouldDeadlock,
                    "The writer of the store would never be free: it waits, directly or through others, for this thread."
                )
            case .place:
                DataStoreError(
                    .wouldDeadlock,
                    "No reader of the store would ever end: all wait, directly or through others, for this thread.",
                    advice:
                        "Read from the store before the block that holds up its readers, or allow more readers."
                )
            case .end:
                DataStoreError(
                    .wouldDeadlock,
                    "A block of the store would never end: it waits, directly or through others, for this thread.",
                    advice: "Close the store after the block around this call.")
            case .lifeCycle:
                DataStoreError(
                    .wouldDeadlock,
                    "The store is being opened or closed by a thread that waits, directly or through others, for this one.",
                    advice: "Open and close stores outside of the blocks of others.")
            case .noThread:
                DataStoreError(.inputOutput, "The operating system gave no thread for the store.")
            }
    }
}

extension LifeCycleLock {
    /// - Throws: `.wouldDeadlock` when the owner is the calling thread, or waits, perhaps through others, for
    ///   it; what the body throws.
    func withLock<Result>(
        _ body: () throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        do { try acquire() } catch { throw DataStoreError(error) }
        defer { release() }
        return try body()
    }
}
