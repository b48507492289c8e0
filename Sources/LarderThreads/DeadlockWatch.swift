/// Finds out, before a thread waits, whether its waiting could ever end.
///
/// A thread that holds something others may wait for (a writer's turn, a reader's place, a store that is
/// being opened or closed) is entered here before it waits for another such thing. It is refused if the
/// threads it would wait for are themselves waiting, directly or through others, for what it holds.
///
/// Its door is ``ThreadBlocks/beginWaiting(for:)``, which asks the thread's own list first. Threads that hold nothing
/// are not entered: nothing waits for them, so they cannot close a circle. Waiting that ends after a time limit (for
/// another process, for a moment without readers) is not entered either.
package final class DeadlockWatch: Sendable {
    package static let shared = DeadlockWatch()

    private let waits = Locked<[ThreadIdentity: Wait]>([:])

    package init() {}

    /// The thing a thread waits for.
    package enum Wait {
        /// The turn of a store's writer.
        case turn(any ThreadOwned)
        /// One more place among a store's readers than the thread holds.
        case place(any ThreadPlaces, held: Int)
        /// The end of every block of a store.
        case end(any ThreadPlaces)
        /// The end of a store's `setup()`, `tearDown()` or `destroy()`.
        case lifeCycle(any ThreadOwned)
    }

    /// Enters a thread that is about to wait; it must call ``endWaiting(_:)`` when it has stopped waiting.
    ///
    /// *Rule:* the caller holds no lock of a queue, gate or life cycle. *Cost:* a lock, and a walk over the
    /// threads that are waiting.
    ///
    /// - Throws: `.turn`, `.place`, `.end` or `.lifeCycle`, and the thread is not entered.
    package func beginWaiting(_ thread: ThreadIdentity, for wait: Wait) throws(ThreadRefusal) {
        try waits.withLock { waits throws(ThreadRefusal) in
            waits[thread] = wait
            guard Self.stuckThreads(in: waits).contains(thread) else { return }
            waits.removeValue(forKey: thread)
            throw wait.refusal
        }
    }

    package func endWaiting(_ thread: ThreadIdentity) {
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
    /// Begins each wait without a time limit, unless it could never end; the caller must call ``endWaiting()`` when
    /// it has stopped waiting.
    ///
    /// A thread that holds nothing may wait. One that has the thing itself would wait for itself, and any other is
    /// entered in the ``DeadlockWatch``.
    ///
    /// *Rule:* the thread is not entered yet, and the caller holds no lock of a queue, gate or life cycle.
    ///
    /// - Throws: The refusal with which the thread has listed the thing; `.turn`, `.place`, `.end` or `.lifeCycle`
    ///   when the wait would close a circle. The thread is not entered then.
    package func beginWaiting(for wait: @autoclosure () -> DeadlockWatch.Wait) throws(ThreadRefusal) {
        if !isAwaited { return }
        let wait = wait()
        let owned = wait.owned.map { Unmanaged.passUnretained($0 as AnyObject).toOpaque() }
        if let refusal = held.first(where: { $0.thing == owned })?.refusal { throw refusal }
        try DeadlockWatch.shared.beginWaiting(thread, for: wait)
    }

    package func endWaiting() {
        if isAwaited { DeadlockWatch.shared.endWaiting(thread) }
    }
}

extension DeadlockWatch.Wait {
    /// The thing, if one thread at a time has it.
    fileprivate var owned: (any ThreadOwned)? {
        switch self {
        case .turn(let thing), .lifeCycle(let thing): thing
        case .place, .end: nil
        }
    }

    /// True if the wait cannot end while the given threads do not continue.
    ///
    /// A thread that has got what it waits for, and has not taken itself out yet, is not stuck. Its own list does not
    /// tell, as only that thread may read it.
    fileprivate func isStuck(
        _ thread: ThreadIdentity, while isStuck: (ThreadIdentity) -> Bool
    ) -> Bool {
        switch self {
        case .turn(let thing), .lifeCycle(let thing):
            thing.owner.map { $0 != thread && isStuck($0) } ?? false
        case .end(let gate): gate.threads.contains(where: isStuck)
        case .place(let gate, let held):
            gate.threadsOfFullPlaces.map { threads in
                threads.count { $0 == thread } <= held && threads.allSatisfy(isStuck)
            } ?? false
        }
    }

    fileprivate var refusal: ThreadRefusal {
        switch self {
        case .turn: .turn
        case .place: .place
        case .end: .end
        case .lifeCycle: .lifeCycle
        }
    }
}
