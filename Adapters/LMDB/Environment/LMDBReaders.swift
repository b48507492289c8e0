import CLMDB
import LarderKernel
import LarderFiles

/// The transactions that read: begun when they are needed, then kept and renewed.
///
/// One that is idle holds its place among the readers, but no snapshot. How many there are at once is limited
/// above the seam. *Cost:* a lock.
// Not generic over what is kept, to be shared with SQLite: in code that is not made for the type, taking an
// element out of an array took longer than the lock.
final class LMDBReaders: @unchecked Sendable {
    // reason: `idle` is only touched with the lock of `gate` held; unchecked, as that lock already keeps two
    // accesses apart.

    /// Counts the transactions in use, including the one that writes, and keeps them out of gaps.
    let gate = ReaderGate()
    @exclusivity(unchecked) private var idle: [OpaquePointer] = []

    private static let maximumIdle = 16

    /// Takes a place for a reading, and a kept transaction if there is one; the caller must ``release(_:)``.
    ///
    /// - Parameter mayWait: False to be refused during a gap.
    /// - Throws: `.closed`, `.busy`.
    func acquire(mayWait: Bool = true) throws(DataStoreError) -> OpaquePointer? {
        gate.lock()
        defer { gate.unlock() }
        if !mayWait, gate.mustWait(.reading) { throw DataStoreError(.busy, "The map of the file grows.") }
        try gate.enterReading()
        return idle.popLast()
    }

    /// Gives a place back.
    ///
    /// - Parameter transaction: One that has been reset, to be kept; nil if none has begun.
    func release(_ transaction: OpaquePointer?) {
        gate.lock()
        defer { gate.unlock() }
        gate.leave(.reading)
        guard let transaction else { return }
        if idle.count < Self.maximumIdle {
            idle.append(transaction)
        } else {
            mdb_txn_abort(transaction)
        }
    }

    /// Ends the kept transactions, and lets nothing in from now on.
    ///
    /// - Throws: `.nestedTransaction` while any is in use, and nothing is closed.
    func close(path: String) throws(DataStoreError) {
        gate.lock()
        defer { gate.unlock() }
        try gate.closeWhenEmpty(path: path)
        abortIdle()
    }

    /// Ends the kept transactions.
    func endIdle() {
        gate.lock()
        defer { gate.unlock() }
        abortIdle()
    }

    private func abortIdle() {
        for transaction in idle { mdb_txn_abort(transaction) }
        idle.removeAll()
    }
}
