/// Counts who is inside: lets readers in up to a limit, keeps everyone out for a moment, and closes.
///
/// A store counts its blocks with one, and the adapters of files their transactions. *Rule:*
/// the lock is the caller's too, for what it keeps beside the count: everything but
/// ``inGap(limit:awaitsOthers:_:)`` is called with the lock held. *Cost:* a lock.
@usableFromInline
package final class ReaderGate: @unchecked Sendable {
    // reason: all mutable state is read and written with `condition`'s lock held; unchecked, as the lock
    // already keeps two accesses apart, and every block passes here twice for each gate.
    @usableFromInline let condition = Condition()
    @exclusivity(unchecked) @usableFromInline var maximumReaders = Int.max
    @exclusivity(unchecked) @usableFromInline var readers = 0
    @exclusivity(unchecked) @usableFromInline var others = 0
    @exclusivity(unchecked) @usableFromInline var isGap = false
    @exclusivity(unchecked) @usableFromInline var waiting = 0
    /// The number of gaps that were given up, the number of readers still inside that blocked the last one,
    /// and true if all of them have left since.
    @exclusivity(unchecked) @usableFromInline var failedGaps = 0
    private var blockers = 0
    private var areBlockersGone = false

    @exclusivity(unchecked) @usableFromInline package private(set) var isOpen: Bool

    /// The purpose of a visit.
    @usableFromInline
    package enum Purpose {
        /// To read; waits while as many read as may.
        case reading
        /// Anything else; not limited in number.
        case other
    }

    /// A gate that is open to any number of readers, or closed until it is opened.
    package init(isOpen: Bool = true) {
        self.isOpen = isOpen
    }

    @inlinable
    package func lock() {
        condition.lock()
    }

    @inlinable
    package func unlock() {
        condition.unlock()
    }

    @inlinable
    @inline(__always)
    package func withLock<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        condition.lock()
        defer { condition.unlock() }
        return try body()
    }

    package func open(maximumReaders: Int = .max) {
        isOpen = true
        self.maximumReaders = max(1, maximumReaders)
    }

    /// Refuses new visitors from now on.
    package func close() {
        isOpen = false
        signalIfAwaited()
    }

    /// The number of visitors inside.
    @inlinable
    package var count: Int { readers + others }

    /// True if all places for readers are taken.
    @inlinable
    package var isFull: Bool { readers >= maximumReaders }
}

// MARK: Coming and going

extension ReaderGate {
    /// True if ``enter(_:)`` would have to wait.
    @inlinable
    @inline(__always)
    package func mustWait(_ purpose: Purpose) -> Bool {
        isOpen && (isGap || (purpose == .reading && isFull))
    }

    /// Counts a visitor, after waiting for a place and for the end of a gap; false when the gate is closed.
    @inlinable
    @inline(__always)
    package func enter(_ purpose: Purpose) -> Bool {
        while mustWait(purpose) { wait() }
        guard isOpen else { return false }
        if purpose == .reading { readers += 1 } else { others += 1 }
        return true
    }

    /// Counts a visitor out.
    ///
    /// - Parameter ticket: The ``ticket`` when a reader entered; not needed if ``takeBlockersGone()`` is
    ///   not used.
    @inlinable
    @inline(__always)
    package func leave(_ purpose: Purpose, ticket: Int = .max) {
        if purpose == .reading { readers -= 1 } else { others -= 1 }
        if ticket < failedGaps { noteBlockerLeft() }
        signalIfAwaited()
    }

    /// Waits until the gate is empty.
    package func waitUntilEmpty() {
        while count > 0 { wait() }
    }

    @usableFromInline
    func wait() {
        waiting += 1
        condition.wait()
        waiting -= 1
    }

    @inlinable
    @inline(__always)
    func signalIfAwaited() {
        if waiting > 0 { condition.signalAll() }
    }

    @usableFromInline
    func noteBlockerLeft() {
        blockers -= 1
        areBlockersGone = blockers == 0
    }
}

// MARK: Gaps

extension ReaderGate {
    /// Runs a body while the gate is empty and closed to new visitors; nil, without running it, if the
    /// visitors inside do not leave in time.
    ///
    /// One gap at a time: a second one begins when the first has ended. *Rule:* called without the lock, and
    /// by a thread that is not inside.
    ///
    /// - Parameter awaitsOthers: False to give up at once while another gap lasts, which the limit does not count.
    package func inGap<Result>(
        limit: Duration, awaitsOthers: Bool = true, _ body: () -> Result
    ) -> Result? {
        guard beginGap(until: .now + limit, awaitsOthers) else { return nil }
        defer { withLock { endGap() } }
        return body()
    }

    private func beginGap(until end: ContinuousClock.Instant, _ awaitsOthers: Bool) -> Bool {
        withLock {
            if isGap, !awaitsOthers { return false }
            while isGap { wait() }
            isGap = true
            waiting += 1
            while count > 0, condition.wait(until: end) {}
            waiting -= 1
            if count == 0 { return true }
            failedGaps += 1
            blockers = readers
            areBlockersGone = blockers == 0
            endGap()
            return false
        }
    }

    private func endGap() {
        isGap = false
        signalIfAwaited()
    }

    /// The number of gaps given up so far: what a reader keeps, and hands to ``leave(_:ticket:)``.
    @inlinable
    package var ticket: Int { failedGaps }

    /// True, once, when the readers that were in the way of the last gap have all left since.
    package func takeBlockersGone() -> Bool {
        defer { areBlockersGone = false }
        return areBlockersGone
    }
}
