package import Larder

/// Readers of an open file that are made when they are needed, and kept: SQLite's connections, LMDB's
/// transactions.
///
/// How many there are at once is limited above the seam. *Rule:* every ``acquire(_:)`` is followed by one
/// ``release(_:ticket:discard:)``. *Cost:* a lock.
package final class ReaderPool<Reader>: @unchecked Sendable {
    // reason: `idle` is only touched with the lock of `gate` held, and a reader belongs to the caller that
    // has acquired it.

    /// Counts what is in use, and keeps it out of gaps.
    package let gate = ReaderGate()
    @usableFromInline package var idle: [Reader]
    @usableFromInline package let maximumIdle: Int

    /// - Parameter maximumIdle: The maximum number of idle readers that are kept.
    package init(_ idle: [Reader] = [], maximumIdle: Int = .max) {
        self.idle = idle
        self.maximumIdle = maximumIdle
    }

    /// A place for a reading, with an idle reader, or nil where the caller is to make one; and the reading's
    /// ticket.
    ///
    /// - Parameter locked: Runs with the pool's lock held.
    /// - Throws: `.closed`.
    @inlinable
    package func acquire(
        _ locked: () -> Void = {}
    ) throws(DataStoreError) -> (reader: Reader?, ticket: Int) {
        gate.lock()
        defer { gate.unlock() }
        guard gate.enter(.reading) else { throw .usedAfterClose }
        locked()
        return (idle.popLast(), gate.ticket)
    }

    /// Gives a place back, with its reader, or with nil where there is none.
    ///
    /// - Parameter discard: Ends the reader if enough are kept already.
    @inlinable
    package func release(_ reader: Reader?, ticket: Int = .max, discard: (Reader) -> Void = { _ in }) {
        gate.lock()
        defer { gate.unlock() }
        gate.leave(.reading, ticket: ticket)
        guard let reader else { return }
        if idle.count < maximumIdle { idle.append(reader) } else { discard(reader) }
    }

    /// Runs a body with the idle readers, which no reading can acquire meanwhile.
    @inlinable
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
