/// The one writer of a store: whoever wants to write waits here, first come, first served.
///
/// Synchronous writers wait on their own thread, jobs run on the queue's. The turn passes from one to the next
/// under one lock, so the order is that of the calls, whatever their kind (contract rule 2).
final class WriterQueue: @unchecked Sendable {
    // reason: all mutable state is read and written with `condition`'s lock held.

    private enum Waiter {
        case thread(Turn)
        case job(@Sendable () -> Void)
    }

    private final class Turn {
        var hasCome = false
    }

    private let condition = Condition()
    private let thread = SerialThread()
    private var waiters: [Waiter] = []
    private var firstWaiter = 0
    private var isTaken = false
    private var ownerThread: ObjectIdentifier?

    /// The thread that has the turn.
    var owner: ObjectIdentifier? { condition.withLock { ownerThread } }

    /// Waits for the turn; the caller must ``release()`` it.
    ///
    /// - Throws: `.wouldDeadlock` when the writer waits, perhaps through others, for the calling thread.
    func acquire() throws(DataStoreError) {
        let thread = ThreadBlocks.current
        let mayDeadlock = thread.holdsWriter
        if mayDeadlock { try DeadlockWatch.shared.beginWaiting(ObjectIdentifier(thread), for: self) }
        condition.withLock {
            if isTaken {
                let turn = Turn()
                waiters.append(.thread(turn))
                while !turn.hasCome { condition.wait() }
            }
            isTaken = true
            ownerThread = ObjectIdentifier(thread)
        }
        if mayDeadlock { DeadlockWatch.shared.endWaiting(ObjectIdentifier(thread)) }
    }

    /// Runs a job on the queue's thread when its turn comes; the job must ``release()`` the turn.
    ///
    /// - Throws: `.inputOutput` when the operating system gives no thread; the job does not run then.
    func enqueue(_ job: @escaping @Sendable () -> Void) throws(DataStoreError) {
        let owning: @Sendable () -> Void = { [self] in
            let thread = ObjectIdentifier(ThreadBlocks.current)
            condition.withLock { ownerThread = thread }
            job()
        }
        try condition.withLock { () throws(DataStoreError) in
            if isTaken {
                waiters.append(.job(owning))
            } else {
                try thread.run(owning)
                isTaken = true
            }
        }
    }

    /// Passes the turn on.
    func release() {
        condition.withLock {
            ownerThread = nil
            while firstWaiter < waiters.count {
                let waiter = waiters[firstWaiter]
                firstWaiter += 1
                switch waiter {
                case .thread(let turn):
                    turn.hasCome = true
                    return condition.signalAll()
                case .job(let job):
                    if (try? thread.run(job)) != nil { return }
                }
            }
            waiters.removeAll(keepingCapacity: waiters.capacity < 1024)
            firstWaiter = 0
            isTaken = false
        }
    }

    /// Lets the queue's thread end once nobody waits any more.
    func stop() {
        thread.stop()
    }
}

/// Finds out before a thread waits whether its waiting could ever end.
///
/// Only threads that hold one writer and want another are watched; no others can be part of a circle.
final class DeadlockWatch: Sendable {
    static let shared = DeadlockWatch()

    private let waiting = Locked<[ObjectIdentifier: WriterQueue]>([:])

    func beginWaiting(_ thread: ObjectIdentifier, for queue: WriterQueue) throws(DataStoreError) {
        try waiting.withLock { waiting throws(DataStoreError) in
            var next: WriterQueue? = queue
            while let owner = next?.owner {
                if owner == thread {
                    throw DataStoreError(
                        .wouldDeadlock,
                        "The store's writer waits for a store that this thread writes to; neither could go on."
                    )
                }
                next = waiting[owner]
            }
            waiting[thread] = queue
        }
    }

    func endWaiting(_ thread: ObjectIdentifier) {
        _ = waiting.withLock { $0.removeValue(forKey: thread) }
    }
}
