/// Lets one thread at a time open, close or destroy a store.
///
/// It knows its owner, so that the ``DeadlockWatch`` can see through it, and its owner lists it.
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
        if !condition.withLock({ take(for: thread.thread) }) {
            try thread.beginWaiting(for: .lifeCycle(self))
            condition.withLock { while !take(for: thread.thread) { condition.wait() } }
            thread.endWaiting()
        }
        thread.push(self, refusing: .ownLifeCycle)
    }

    private func take(for thread: ThreadIdentity) -> Bool {
        if ownerThread != nil { return false }
        ownerThread = thread
        return true
    }

    package func release() {
        ThreadBlocks.current.remove(self)
        condition.withLock {
            ownerThread = nil
            condition.signalAll()
        }
    }
}
