import LarderKernel

/// Keeps the moments apart in which a process begins its snapshots of all parts, commits to several, and finishes a
/// commit of another process.
///
/// *Rule:* commits wait for blocks that are beginning, not for those that read. They wait half a second at most: a server may
/// keep such a block waiting until the commit is over.
final class CommitGate: Sendable {
    private let condition = Condition()
    // reason: touched only with the lock of the condition held.
    private nonisolated(unsafe) var beginning = 0
    private nonisolated(unsafe) var isCommitting = false
    /// The number of commits that have not waited for all blocks that were beginning.
    private nonisolated(unsafe) var overtakingCount = 0
    private nonisolated(unsafe) var writer = Writer.none

    /// The result of ``whileBeginning(_:)``.
    enum Beginning {
        case whole
        /// The snapshots are of different moments by their records.
        case divided
        /// A commit of this process did not wait for them, so they may be of different moments.
        case overtaken
    }

    /// Begins snapshots while no part is committed by this process.
    ///
    /// - Parameter begin: Returns true if they are of one moment by their records.
    func whileBeginning(
        _ begin: () throws(DataStoreError) -> Bool
    ) throws(DataStoreError) -> Beginning {
        let count = condition.withLock { () -> Int in
            while isCommitting { condition.wait() }
            beginning += 1
            return overtakingCount
        }
        defer {
            condition.withLock {
                beginning -= 1
                condition.signalAll()
            }
        }
        let isWhole = try begin()
        if condition.withLock({ count != overtakingCount }) { return .overtaken }
        return isWhole ? .whole : .divided
    }

    /// Runs a body while no snapshot is begun by this process, except those that take long, which are begun again.
    ///
    /// *Rule:* the caller is the writer.
    func whileCommitting(_ body: () throws(DataStoreError) -> Void) throws(DataStoreError) {
        let end = ContinuousClock.now + .milliseconds(500)
        condition.withLock {
            isCommitting = true
            while beginning > 0, condition.wait(until: end) {}
            if beginning > 0 { overtakingCount += 1 }
        }
        defer {
            condition.withLock {
                isCommitting = false
                condition.signalAll()
            }
        }
        try body()
    }

    /// Waits until the caller is the only one in this process that writes to parts.
    func takeWriter() {
        condition.withLock {
            while writer != .none { condition.wait() }
            writer = .beginning
        }
    }

    /// The write transaction has begun, and every commit over several parts is finished.
    func noteWriterBegan() { change(to: .working) }

    /// The same as ``takeWriter()``, but false at once if the writer has begun: a reader that would wait for it may
    /// be what it waits for, and has nothing to do.
    func takeWriterUnlessWorking() -> Bool {
        condition.withLock {
            while writer == .beginning { condition.wait() }
            if writer == .working { return false }
            writer = .beginning
            return true
        }
    }

    func releaseWriter() { change(to: .none) }

    private func change(to writer: Writer) {
        condition.withLock {
            self.writer = writer
            condition.signalAll()
        }
    }

    private enum Writer {
        case none
        case beginning
        case working
    }
}
