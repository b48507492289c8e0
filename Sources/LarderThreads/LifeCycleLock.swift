/// Lets one thread at a time open, close or destroy a store.
///
/// It knows its owner, so that the ``DeadlockWatch`` can see through it.
package final class LifeCycleLock: ThreadOwned, @unchecked Sendable {
    // reason: all mutable state is read and written with `condition`'s lock held.
    private let condition = Condition()
    private var ownerThread: ThreadIdentity?

    /// The thread that opens or closes the store.
    package var owner: ThreadIdentity? { condition.withLock { ownerThread } }

    package init() {}

    /// Waits for the lock; the caller must ``release()`` it on the same thread.
    ///
    /// - Throws: `.ownLifeCycle` when the calling thread has it; `.lifeCycle` when its owner waits, perhaps
    ///   through others, for the calling thread.
    package func acquire() throws(ThreadRefusal) {
        let thread = ThreadBlocks.current
        if try !takeIfFree(for: thread.thread) {
            try thread.beginWaiting(for: .lifeCycle(self))
            condition.withLock { while !take(for: thread.thread) { condition.wait() } }
            thread.endWaiting()
        }
        thread.turns += 1
    }

    private func takeIfFree(for thread: ThreadIdentity) throws(ThreadRefusal) -> Bool {
        try condition.withLock { () throws(ThreadRefusal) in
            if ownerThread == thread { throw .ownLifeCycle }
            return take(for: thread)
        }
    }

    private func take(for thread: ThreadIdentity) -> Bool {
        if ownerThread != nil { return false }
        ownerThread = thread
        return true
    }

    package func release() {
        ThreadBlocks.current.turns -= 1
        condition.withLock {
            ownerThread = nil
            condition.signalAll()
        }
    }
}
