package import Larder

/// Readers of an open file that are made when they are needed, and kept: SQLite's connections, LMDB's
/// transactions.
///
/// How many there are at once is limited above the seam. *Rule:* every ``acquire(_:)`` is followed by one
/// ``release(ticket:_:)``. *Cost:* a lock.
package final class ReaderPool<Reader>: @unchecked Sendable {
    // reason: `idle` is only touched with the lock of `gate` held, and a reader belongs to the caller that
    // has acquired it.

    /// Counts what is in use, and keeps it out of gaps.
    package let gate = ReaderGate()
    /// *Rule:* only touched with the lock of ``gate`` held.
    package var idle: [Reader]
    package let maximumIdle: Int

    /// - Parameter maximumIdle: The maximum number of idle readers that are kept.
    package init(_ idle: [Reader] = [], maximumIdle: Int = .max) {
        self.idle = idle
        self.maximumIdle = maximumIdle
    }

    /// Takes a place for a reading and returns its ticket.
    ///
    /// - Parameter locked: Runs with the pool's lock held, to take a reader out of ``idle``. Only the caller
    ///   touches the readers here: it knows their type, and a look-up of types took longer than the lock.
    /// - Throws: `.closed`.
    package func acquire(_ locked: () -> Void) throws(DataStoreError) -> Int {
        gate.lock()
        defer { gate.unlock() }
        guard gate.enter(.reading) else { throw .usedAfterClose }
        locked()
        return gate.ticket
    }

    /// Gives a place back.
    ///
    /// - Parameter locked: Runs with the pool's lock held, to put the reader into ``idle``.
    package func release(ticket: Int = .max, _ locked: () -> Void) {
        gate.lock()
        defer { gate.unlock() }
        gate.leave(.reading, ticket: ticket)
        locked()
    }

    /// Runs a body with the idle readers, which no reading can acquire meanwhile.
    package func withIdle(_ body: ([Reader]) -> Void) {
        gate.lock()
        defer { gate.unlock() }
        body(idle)
    }

    /// Keeps gaps away until ``leaveAsWriter()``, as a reading does.
    package func enterAsWriter() throws(DataStoreError) {
        let isInside = gate.withLock { gate.enter(.other) }
        if !isInside { throw .usedAfterClose }
    }

    package func leaveAsWriter() {
        gate.withLock { gate.leave(.other) }
    }

    /// Lets nothing in from now on.
    ///
    /// - Returns: The idle readers, which the caller ends.
    /// - Throws: `.nestedTransaction` while anything is in use, and nothing is closed.
    package func close(path: String) throws(DataStoreError) -> [Reader] {
        try gate.withLock { () throws(DataStoreError) in
            guard gate.count == 0 else {
                throw DataStoreError(
                    .nestedTransaction,
                    "The store cannot be closed while \(gate.count) transactions are open.", path: path)
            }
            gate.close()
            defer { idle.removeAll() }
            return idle
        }
    }
}

extension DataStoreError {
    /// The error for a transaction of a store that has been closed meanwhile.
    package static var usedAfterClose: DataStoreError {
        DataStoreError(.closed, "The store was used after it had been closed.")
    }
}
