import LarderKernel

/// Keeps the moments apart in which a process begins its snapshots of all parts, commits to several, and finishes a
/// commit of another process.
///
/// *Rule:* commits wait for blocks that are beginning, not for those that read.
final class CommitGate: Sendable {
    private let condition = Condition()
    // reason: touched only with the lock of the condition held.
    private nonisolated(unsafe) var beginning = 0
    private nonisolated(unsafe) var isCommitting = false
    private nonisolated(unsafe) var writer = Writer.none

    /// Runs a body while no part is committed by this process.
    func whileBeginning<Result>(
        _ body: () throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        condition.withLock {
            while isCommitting { condition.wait() }
            beginning += 1
        }
        defer {
            condition.withLock {
                beginning -= 1
                condition.signalAll()
            }
        }
        return try body()
    }

    /// Runs a body while no snapshot is begun by this process.
    ///
    /// *Rule:* the caller is the writer.
    func whileCommitting(_ body: () throws(DataStoreError) -> Void) throws(DataStoreError) {
        condition.withLock {
            isCommitting = true
            while beginning > 0 { condition.wait() }
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
