/// The one writer of a store: writes wait here for their turn, first come, first served.
///
/// Synchronous writers wait on their own thread, pending writes run on the queue's. The turn passes from one
/// to the next under one lock, so calls run in their order, whatever their kind (contract rule 2).
final class WriterQueue: @unchecked Sendable {
    // reason: all mutable state is read and written with `condition`'s lock held.

    private enum Waiter {
        case thread(Turn)
        case write(PendingWrite)
    }

    private final class Turn {
        var hasCome = false
    }

    private let condition = Condition()
    private let thread: SerialThread
    /// The waiting writes, from `firstWaiter` on; those before it have had their turn.
    private var waiters: [Waiter?] = []
    private var firstWaiter = 0
    /// The writes that have not been answered yet.
    private var pendingWrites = 0
    private var isTaken = false
    private var ownerThread: ThreadIdentity?

    /// - Parameter thread: The thread of the pending writes.
    init(on thread: SerialThread = SerialThread()) { self.thread = thread }

    /// The thread that has the turn.
    var owner: ThreadIdentity? { condition.withLock { ownerThread } }

    /// Waits for the turn; the caller must ``release()`` it on the same thread.
    ///
    /// - Throws: `.nestedTransaction` when the calling thread has the turn; `.wouldDeadlock` when the writer
    ///   waits, perhaps through others, for the calling thread.
    func acquire() throws(DataStoreError) {
        let thread = ThreadBlocks.current
        let isFree = try condition.withLock { () throws(DataStoreError) in
            if isTaken {
                if ownerThread == thread.thread { throw Self.isOwn }
                return false
            }
            take(for: thread.thread)
            return true
        }
        if !isFree { try thread.waiting(for: .turn(self)) { waitForTurn(of: thread.thread) } }
        thread.turns += 1
    }

    private static var isOwn: DataStoreError {
        DataStoreError(
            .nestedTransaction,
            "The store is being written to or merged by this thread, which would wait for itself.",
            advice: "Make the call after the write or the merge.")
    }

    private func waitForTurn(of thread: ThreadIdentity) {
        condition.withLock {
            if isTaken {
                let turn = Turn()
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

    /// Starts a write on the queue's thread when its turn comes: its store runs it in a batch, may take
    /// further writes into it by ``takeNextWrite()``, and must ``release()`` the turn.
    ///
    /// - Parameter limit: The maximum number of waiting writes; at that number, the call blocks until one has
    ///   finished.
    /// - Throws: `.inputOutput` when the operating system gives no thread; the write does not run then.
    func enqueue(_ write: PendingWrite, limit: Int = .max) throws(DataStoreError) {
        try thread.start()
        try condition.withLock { () throws(DataStoreError) in
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
    func takeNextWrite() -> PendingWrite? {
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
    func release() {
        ThreadBlocks.current.turns -= 1
        var failed: [(write: PendingWrite, error: DataStoreError)] = []
        condition.withLock {
            ownerThread = nil
            while true {
                switch takeFirstWaiter() {
                case .thread(let turn):
                    turn.hasCome = true
                    return condition.signalAll()
                case .write(let write):
                    do throws(DataStoreError) { return try run(write) } catch {
                        failed.append((write, error))
                    }
                case nil: return isTaken = false
                }
            }
        }
        for (write, error) in failed { write.store.callBack { write.finish(error) } }
        if !failed.isEmpty { noteAnswered(failed.count) }
    }

    /// Makes room for as many writes, which have been answered.
    func noteAnswered(_ count: Int) {
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

    private func run(_ write: PendingWrite) throws(DataStoreError) {
        try thread.run { [self] in
            let thread = ThreadBlocks.current
            condition.withLock { ownerThread = thread.thread }
            thread.turns += 1
            write.store.runBatch(startingWith: write)
        }
    }

    /// Lets the queue's thread end once no write waits any more.
    func stop() {
        thread.stop()
    }
}
