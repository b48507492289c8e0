/// Lets one thread at a time open, close or destroy a store.
///
/// It knows its owner, so that the ``DeadlockWatch`` can see through it.
final class LifeCycleLock: @unchecked Sendable {
    // reason: all mutable state is read and written with `condition`'s lock held.
    private let condition = Condition()
    private var ownerThread: ThreadIdentity?

    /// The thread that opens or closes the store.
    var owner: ThreadIdentity? { condition.withLock { ownerThread } }

    /// - Throws: `.wouldDeadlock` when the owner waits, perhaps through others, for the calling thread; what
    ///   the body throws.
    func withLock<Result>(
        _ body: () throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        try acquire()
        defer { release() }
        return try body()
    }

    private func acquire() throws(DataStoreError) {
        let thread = ThreadBlocks.current
        if condition.withLock({ take(for: thread.thread) }) { return }
        if thread.isInBlock { try DeadlockWatch.shared.beginWaiting(thread.thread, for: .lifeCycle(self)) }
        defer { if thread.isInBlock { DeadlockWatch.shared.endWaiting(thread.thread) } }
        condition.withLock { while !take(for: thread.thread) { condition.wait() } }
    }

    private func take(for thread: ThreadIdentity) -> Bool {
        if ownerThread != nil { return false }
        ownerThread = thread
        return true
    }

    private func release() {
        condition.withLock {
            ownerThread = nil
            condition.signalAll()
        }
    }
}
