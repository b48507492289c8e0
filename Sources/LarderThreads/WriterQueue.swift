/// A write that waits in a ``WriterQueue`` for a thread.
package protocol QueuedWrite: AnyObject, Sendable {
    /// True if no other write may be done within its turn.
    var runsAlone: Bool { get }

    /// Does the write, and perhaps others that the queue gives, and passes the turn on.
    func runWithTurn()

    /// Ends the write undone, as there is no thread for it; called with no lock held.
    func endUndone(because refusal: ThreadRefusal)
}

/// The one writer of a store: writes wait here for their turn, first come, first served.
///
/// Synchronous writers wait on their own thread, pending writes run on the queue's. The turn passes from one
/// to the next under one lock, so calls run in their order, whatever their kind (contract rule 2).
///
/// Not generic: code of another module that is made for no type looks up the metadata of the type with each call.
package final class WriterQueue: ThreadOwned, @unchecked Sendable {
    // reason: all mutable state is read and written with `condition`'s lock held; unchecked, as the lock already keeps two
    // accesses apart.

    private enum Waiter {
        case thread(WriterTurn)
        case write(any QueuedWrite)
    }

    private let condition = Condition()
    private let thread: SerialThread
    /// The waiting writes, from `firstWaiter` on; those before it have had their turn.
    @exclusivity(unchecked) private var waiters: [Waiter?] = []
    @exclusivity(unchecked) private var firstWaiter = 0
    /// The writes that have not been answered yet.
    @exclusivity(unchecked) private var pendingWrites = 0
    @exclusivity(unchecked) private var isTaken = false
    @exclusivity(unchecked) private var ownerThread: ThreadIdentity?
    /// The thread of the pending writes while it answers some.
    @exclusivity(unchecked) private var answeringThread: ThreadIdentity?

    /// - Parameter thread: The thread of the pending writes.
    package init(on thread: SerialThread = SerialThread()) { self.thread = thread }

    /// The thread that has the turn.
    package var owner: ThreadIdentity? { condition.withLock { ownerThread } }

    /// Waits for the turn; the caller must ``release()`` it on the same thread.
    ///
    /// - Throws: `.ownTurn` when the calling thread has the turn; `.turn` when the writer waits, perhaps
    ///   through others, for the calling thread, or the thread answers and the turn is not free.
    package func acquire() throws(ThreadRefusal) {
        let thread = ThreadBlocks.current
        let isFree = condition.withLock {
            if isTaken { return false }
            take(for: thread.thread)
            return true
        }
        if !isFree {
            try thread.beginWaiting(for: .turn(self))
            waitForTurn(of: thread.thread)
            thread.endWaiting()
        }
        thread.push(self, refusing: .ownTurn)
    }

    private func waitForTurn(of thread: ThreadIdentity) {
        condition.withLock {
            if isTaken {
                let turn = WriterTurn()
                waiters.append(.thread(turn))
                while !turn.hasCome { condition.wait() }
            }
            take(for: thread)
        }
    }

    private func take(for thread: ThreadIdentity) {
        isTaken = true
        ownerThread = thread
    }

    /// Starts a write on the queue's thread when its turn comes: it may take further
    /// writes into its own by ``takeNextWrite()``, and must ``release()`` the turn.
    ///
    /// - Parameter limit: The maximum number of waiting writes; at that number, the call blocks until one has
    ///   finished.
    /// - Throws: `.noThread`; the write does not run then.
    package func enqueue(_ write: any QueuedWrite, limit: Int = .max) throws(ThreadRefusal) {
        try thread.start()
        try condition.withLock { () throws(ThreadRefusal) in
            while pendingWrites >= max(1, limit) { condition.wait() }
            if isTaken {
                waiters.append(.write(write))
            } else {
                try run(write)
                isTaken = true
            }
            pendingWrites += 1
        }
    }

    /// The write that waits next, to be done within the caller's turn; nil when none does, or when a thread or
    /// a write that runs alone is next.
    package func takeNextWrite() -> (any QueuedWrite)? {
        condition.withLock {
            guard firstWaiter < waiters.count, case .write(let write) = waiters[firstWaiter], !write.runsAlone
            else { return nil }
            _ = takeFirstWaiter()
            return write
        }
    }

    /// Passes the turn on.
    ///
    /// A write for which the operating system gives no thread any more fails, and the next one has the turn.
    package func release() {
        ThreadBlocks.current.remove(self)
        passOn()
    }

    private func passOn() {
        var failed: [(write: any QueuedWrite, refusal: ThreadRefusal)] = []
        condition.withLock {
            ownerThread = nil
            while true {
                switch takeFirstWaiter() {
                case .thread(let turn):
                    turn.hasCome = true
                    return condition.signalAll()
                case .write(let write):
                    do throws(ThreadRefusal) { return try run(write) } catch {
                        failed.append((write, error))
                    }
                case nil: return isTaken = false
                }
            }
        }
        for (write, refusal) in failed { write.endUndone(because: refusal) }
        if !failed.isEmpty { noteAnswered(failed.count) }
    }

    /// Passes the turn on, and answers writes on the queue's thread, before it does the next one.
    ///
    /// *Rule:* the answer may call the store; it is refused what would wait, perhaps through others, for this thread.
    package func release(thenAnswer answer: () -> Void) {
        let thread = ThreadBlocks.current
        condition.withLock { answeringThread = thread.thread }
        thread.remove(self)
        // A pending write that has the turn next waits for this thread.
        thread.push(self, refusing: .turn)
        passOn()
        answer()
        thread.remove(self)
        condition.withLock { answeringThread = nil }
    }

    /// Makes room for as many writes, which have been answered.
    package func noteAnswered(_ count: Int) {
        condition.withLock {
            pendingWrites -= count
            condition.signalAll()
        }
    }

    private func takeFirstWaiter() -> Waiter? {
        guard firstWaiter < waiters.count else { return nil }
        let waiter = waiters[firstWaiter]
        // The values a block has captured are released with its turn.
        waiters[firstWaiter] = nil
        firstWaiter += 1
        if firstWaiter == waiters.count {
            waiters.removeAll(keepingCapacity: waiters.capacity < 1024)
            firstWaiter = 0
        } else if firstWaiter > 1024, firstWaiter > waiters.count / 2 {
            waiters.removeSubrange(..<firstWaiter)
            firstWaiter = 0
        }
        return waiter
    }

    private func run(_ write: any QueuedWrite) throws(ThreadRefusal) {
        try thread.run { [self] in
            let thread = ThreadBlocks.current
            condition.withLock { ownerThread = thread.thread }
            thread.push(self, refusing: .ownTurn)
            write.runWithTurn()
        }
        ownerThread = answeringThread
    }

    /// Lets the queue's thread end once no write waits any more.
    package func stop() {
        thread.stop()
    }
}

/// The turn of a thread that waits for it.
private final class WriterTurn {
    var hasCome = false
}
