/// Lets one thread at a time open, close or destroy a store.
///
/// It knows its owner, so that the ``DeadlockWatch`` can see through it.
final class LifeCycleLock: @unchecked Sendable {
    // reason: all mutable state is read and written with `condition`'s lock held.
    private let condition = Condition()
    private var ownerThread: ThreadIdentity?

    /// The thread that opens or closes the store.
    var owner: ThreadIdentity? { condition.withLock { ownerThread } }

    /// - Throws: `.wouldDeadlock` when the owner is the calling thread, or waits, perhaps through others, for
    ///   it; what the body throws.
    func withLock<Result>(
        _ body: () throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        try acquire()
        defer { release() }
        return try body()
    }

    private func acquire() throws(DataStoreError) {
        let thread = ThreadBlocks.current
        if try takeIfFree(for: thread.thread) { return thread.turns += 1 }
        try thread.waiting(for: .lifeCycle(self)) {
            condition.withLock { while !take(for: thread.thread) { condition.wait() } }
        }
        thread.turns += 1
    }

    private func takeIfFree(for thread: ThreadIdentity) throws(DataStoreError) -> Bool {
        try condition.withLock { () throws(DataStoreError) in
            if ownerThread == thread {
                throw DataStoreError(
                    .wouldDeadlock,
                    "The store is being opened or closed by this thread, which would wait for itself.",
                    advice: "Open and close a store outside of the steps and defaults of its own setup().")
            }
            return take(for: thread)
        }
    }

    private func take(for thread: ThreadIdentity) -> Bool {
        if ownerThread != nil { return false }
        ownerThread = thread
        return true
    }

    private func release() {
        ThreadBlocks.current.turns -= 1
        condition.withLock {
            ownerThread = nil
            condition.signalAll()
        }
    }
}
