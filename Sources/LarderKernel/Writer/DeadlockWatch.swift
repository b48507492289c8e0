/// Finds out, before a thread waits, whether its waiting could ever end.
///
/// A thread that holds something others may wait for (a writer's turn, a reader's place, a store that is
/// being opened or closed) is entered here before it waits for another such thing. It is refused if the
/// threads it would wait for are themselves waiting, directly or through others, for what it holds.
///
/// ``ThreadBlocks`` lists what a thread holds. Threads that hold nothing (``ThreadBlocks/isAwaited``) are not
/// entered (``ThreadBlocks/waiting(for:_:)``): nothing waits for them, so they cannot close a circle. A turn or life cycle that the thread has
/// itself is refused before it gets here. Waiting that ends after a time limit (for another process, for a
/// moment without readers) is not entered either.
final class DeadlockWatch: Sendable {
    static let shared = DeadlockWatch()

    private let waits = Locked<[ThreadIdentity: Wait]>([:])

    /// The thing a thread waits for.
    enum Wait {
        /// The turn of a store's writer.
        case turn(WriterQueue)
        /// One more place among a store's readers than the thread holds.
        case place(StoreGate, held: Int)
        /// The end of every block of a store.
        case end(StoreGate)
        /// The end of a store's `setup()`, `tearDown()` or `destroy()`.
        case lifeCycle(LifeCycleLock)
    }

    /// Enters a thread that is about to wait; it must call ``endWaiting(_:)`` when it has stopped waiting.
    ///
    /// *Rule:* the caller holds no lock of a queue, gate or life cycle. *Cost:* a lock, and a walk over the
    /// threads that are waiting.
    ///
    /// - Throws: `.wouldDeadlock`, and the thread is not entered.
    func beginWaiting(_ thread: ThreadIdentity, for wait: Wait) throws(DataStoreError) {
        try waits.withLock { waits throws(DataStoreError) in
            waits[thread] = wait
            guard Self.stuckThreads(in: waits).contains(thread) else { return }
            waits.removeValue(forKey: thread)
            throw wait.refusal
        }
    }

    func endWaiting(_ thread: ThreadIdentity) {
        _ = waits.withLock { $0.removeValue(forKey: thread) }
    }

    /// The threads none of which can continue before another of them does.
    ///
    /// All that wait, less those that wait for a thread that can continue, until none is left to be taken
    /// out.
    private static func stuckThreads(in waits: [ThreadIdentity: Wait]) -> Set<ThreadIdentity> {
        var stuck = Set(waits.keys)
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for (thread, wait) in waits where stuck.contains(thread) {
                if wait.isStuck(thread, while: stuck.contains) { continue }
                stuck.remove(thread)
                hasChanged = true
            }
        }
        return stuck
    }
}

extension ThreadBlocks {
    /// Runs a body that waits, unless the wait could never end.
    ///
    /// *Rule:* the thread is not entered yet, and the caller holds no lock of a queue, gate or life cycle.
    ///
    /// - Throws: `.wouldDeadlock`, and the body has not run; rethrows errors of the body.
    func waiting<Result>(
        for wait: @autoclosure () -> DeadlockWatch.Wait, _ body: () throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        if !isAwaited { return try body() }
        try DeadlockWatch.shared.beginWaiting(thread, for: wait())
        defer { DeadlockWatch.shared.endWaiting(thread) }
        return try body()
    }
}

extension DeadlockWatch.Wait {
    /// True if the wait cannot end while the given threads do not continue.
    ///
    /// A thread that has got what it waits for, and has not taken itself out yet, is not stuck.
    fileprivate func isStuck(
        _ thread: ThreadIdentity, while isStuck: (ThreadIdentity) -> Bool
    ) -> Bool {
        switch self {
        case .turn(let queue): queue.owner.map { $0 != thread && isStuck($0) } ?? false
        case .lifeCycle(let lock): lock.owner.map { $0 != thread && isStuck($0) } ?? false
        case .end(let gate): gate.threads.contains(where: isStuck)
        case .place(let gate, let held):
            gate.threadsOfFullPlaces.map { threads in
                threads.count { $0 == thread } <= held && threads.allSatisfy(isStuck)
            } ?? false
        }
    }

    fileprivate var refusal: DataStoreError {
        switch self {
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
                    "Read from the store before the block that holds up its readers, or allow more readers.")
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
        }
    }
}
