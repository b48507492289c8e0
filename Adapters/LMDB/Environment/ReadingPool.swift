import CLMDB
import Larder

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The read transactions of a store: begun when they are needed, then renewed.
///
/// One that is kept holds its place among the readers, but no snapshot. How many there are at once is limited above
/// the seam. *Rule:* what is taken is given back. *Cost:* a lock.
final class ReadingPool: @unchecked Sendable {
    // reason: everything that changes is only touched with the lock of `condition` held, and a transaction
    // belongs to whoever has taken it; unchecked, as the lock already keeps two accesses apart, and every reading
    // passes here twice.
    private let condition = Condition()
    @exclusivity(unchecked) private var idle: [OpaquePointer] = []
    @exclusivity(unchecked) private var taken = 0
    @exclusivity(unchecked) private var writers = 0
    @exclusivity(unchecked) private var waiting = 0
    @exclusivity(unchecked) private var isGap = false
    @exclusivity(unchecked) private var isClosed = false

    /// How many transactions are kept that nobody uses.
    private static let maximumIdle = 16

    init() {
        idle.reserveCapacity(Self.maximumIdle)
    }

    /// A place for a reading, with a transaction to be renewed if there is one.
    func take() throws(DataStoreError) -> OpaquePointer? {
        condition.lock()
        defer { condition.unlock() }
        while isGap {
            waiting += 1
            condition.wait()
            waiting -= 1
        }
        if isClosed { throw DataStoreError(.closed, "The store was used after it had been closed.") }
        taken += 1
        return idle.popLast()
    }

    /// Gives a place back, with its transaction, which has been reset; without one where there is none.
    func giveBack(_ transaction: OpaquePointer?) {
        condition.lock()
        defer { condition.unlock() }
        taken -= 1
        if let transaction {
            if idle.count < Self.maximumIdle {
                idle.append(transaction)
            } else {
                mdb_txn_abort(transaction)
            }
        }
        if waiting > 0 { condition.signalAll() }
    }

    /// Keeps the map where it is until ``leaveWriter()``, as a reading does.
    func enterWriter() {
        condition.lock()
        defer { condition.unlock() }
        while isGap {
            waiting += 1
            condition.wait()
            waiting -= 1
        }
        writers += 1
    }

    func leaveWriter() {
        condition.lock()
        defer { condition.unlock() }
        writers -= 1
        if waiting > 0 { condition.signalAll() }
    }

    /// Ends all transactions; nil, or how many are still in use, and then nothing is ended.
    func close() -> Int? {
        let inUse = condition.withLock { () -> Int? in
            if taken + writers > 0 { return taken + writers }
            isClosed = true
            condition.signalAll()
            return nil
        }
        if inUse == nil {
            for transaction in idle { mdb_txn_abort(transaction) }
            idle.removeAll()
        }
        return inUse
    }

    /// Runs a body while nobody reads or writes, and gives what it gives; nil when the readers do not end in
    /// time.
    @discardableResult
    func inGap<Result>(limit: Duration, _ body: () -> Result) -> Result? {
        let end = ContinuousClock.now + limit
        beginGap()
        defer { endGap() }
        while condition.withLock({ taken + writers > 0 }) {
            guard ContinuousClock.now < end else { return nil }
            usleep(50)
        }
        return body()
    }

    /// One gap at a time, so that two threads that find the file grown do not both move the map.
    private func beginGap() {
        condition.withLock {
            while isGap {
                waiting += 1
                condition.wait()
                waiting -= 1
            }
            isGap = true
        }
    }

    private func endGap() {
        condition.withLock {
            isGap = false
            if waiting > 0 { condition.signalAll() }
        }
    }
}
