import Larder

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The connections that read: opened when they are needed, up to a limit, and kept.
///
/// *Rule:* what is taken is given back. When all are taken, further readers wait. *Cost:* a lock.
final class ReaderPool: @unchecked Sendable {
    // reason: every stored variable is only touched with the lock of `condition` held, and a session belongs
    // to whoever has taken it.
    private let condition = Condition()
    private let maximum: Int
    private let open: @Sendable () throws(DataStoreError) -> SQLiteSession
    private var idle: [SQLiteSession] = []
    private var taken = 0
    private var waiting = 0
    private var isGap = false
    private var isClosed = false
    /// Counts the readings; those before `pinEnd` were running when a gap was last tried in vain.
    private var nextTicket: UInt64 = 1
    private var pinEnd: UInt64 = 0
    private var pins = 0
    private var pinsAreGone = false

    /// A pool that has one connection already.
    init(
        maximum: Int, first: SQLiteSession,
        open: @escaping @Sendable () throws(DataStoreError) -> SQLiteSession
    ) {
        self.maximum = max(1, maximum)
        self.open = open
        idle = [first]
    }

    func take() throws(DataStoreError) -> SQLiteSession {
        let (idle, ticket) = try takePlace()
        if let idle { return idle }
        do {
            let session = try open()
            session.ticket = ticket
            return session
        } catch {
            condition.withLock {
                taken -= 1
                if waiting > 0 { condition.signalAll() }
            }
            throw error
        }
    }

    /// A connection that is not in use, or none when the caller is to open one, and the reading's number.
    private func takePlace() throws(DataStoreError) -> (idle: SQLiteSession?, ticket: UInt64) {
        try condition.withLock { () throws(DataStoreError) in
            while isGap || (idle.isEmpty && taken >= maximum) {
                waiting += 1
                condition.wait()
                waiting -= 1
            }
            if isClosed { throw DataStoreError(.closed, "The store was used after it had been closed.") }
            let ticket = nextTicket
            nextTicket += 1
            taken += 1
            let session = idle.popLast()
            session?.ticket = ticket
            return (session, ticket)
        }
    }

    func giveBack(_ session: SQLiteSession) {
        condition.withLock {
            taken -= 1
            idle.append(session)
            if session.ticket < pinEnd {
                pins -= 1
                if pins == 0 { pinsAreGone = true }
            }
            if waiting > 0 { condition.signalAll() }
        }
    }

    /// Closes all connections; nil, or how many are still in use, and then nothing is closed.
    func close() -> Int? {
        let sessions = condition.withLock { () -> [SQLiteSession]? in
            if taken > 0 { return nil }
            isClosed = true
            condition.signalAll()
            defer { idle.removeAll() }
            return idle
        }
        guard let sessions else { return condition.withLock { taken } }
        for session in sessions { session.close() }
        return nil
    }
}

// MARK: Gaps

extension ReaderPool {
    /// Runs a body while nobody reads, or nothing when the readers do not end in time.
    func inGap(limit: Duration, _ body: () -> Void) {
        let end = ContinuousClock.now + limit
        condition.withLock { isGap = true }
        var isFree = condition.withLock { taken == 0 }
        while !isFree && ContinuousClock.now < end {
            usleep(50)
            isFree = condition.withLock { taken == 0 }
        }
        if isFree { body() }
        condition.withLock {
            isGap = false
            if !isFree { notePins() }
            if waiting > 0 { condition.signalAll() }
        }
    }

    private func notePins() {
        pinEnd = nextTicket
        pins = taken
        pinsAreGone = pins == 0
    }

    /// Whether the readings that prevented the last gap have ended since; true once.
    func arePinsGone() -> Bool {
        condition.withLock {
            defer { pinsAreGone = false }
            return pinsAreGone
        }
    }
}
