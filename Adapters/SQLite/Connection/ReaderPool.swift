import Larder

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The connections that read: opened when they are needed, and kept.
///
/// How many there are at once is limited above the seam. *Rule:* what is taken is given back. *Cost:* a lock.
final class ReaderPool: @unchecked Sendable {
    // reason: `state` is only touched with the lock of `condition` held, and a session belongs to whoever has
    // taken it; unchecked, as the lock already keeps two accesses apart, and every reading passes here twice.
    private let condition = Condition()
    private let open: @Sendable () throws(DataStoreError) -> SQLiteSession
    @exclusivity(unchecked) private var state: State

    fileprivate struct State {
        var idle: [SQLiteSession]
        var taken = 0
        var waiting = 0
        var isGap = false
        var isClosed = false
        /// Counts the readings.
        var nextTicket: UInt64 = 1
        /// Readings with a smaller number were running when a gap was last tried in vain; so many still are.
        var pinEnd: UInt64 = 0
        var pins = 0
        var arePinsGone = false
        var isAfterLargeWrite = false
    }

    /// A pool that has one connection already.
    init(
        first: SQLiteSession,
        open: @escaping @Sendable () throws(DataStoreError) -> SQLiteSession
    ) {
        self.open = open
        state = State(idle: [first])
    }

    /// A connection to read with.
    ///
    /// - Parameter releasingWriter: Called when this is the first reading after a large write.
    func take(releasingWriter: () -> Void) throws(DataStoreError) -> SQLiteSession {
        let (idle, ticket, isAfterLargeWrite) = try takePlace()
        if isAfterLargeWrite { releasingWriter() }
        if let idle { return idle }
        do {
            let session = try open()
            session.ticket = ticket
            return session
        } catch {
            condition.withLock {
                state.noteEnd(of: ticket)
                if state.waiting > 0 { condition.signalAll() }
            }
            throw error
        }
    }

    /// A connection that is not in use, or none when the caller is to open one, with the reading's number.
    private func takePlace() throws(DataStoreError) -> ReaderPool.Place {
        try condition.withLock { () throws(DataStoreError) in
            while state.isGap {
                state.waiting += 1
                condition.wait()
                state.waiting -= 1
            }
            return try state.take()
        }
    }

    func giveBack(_ session: SQLiteSession) {
        condition.withLock {
            state.giveBack(session)
            if state.waiting > 0 { condition.signalAll() }
        }
    }

    /// Frees the caches of the connections that are not in use.
    ///
    /// For whoever begins to write: with the commit SQLite throws these pages away anyway, as soon as such a
    /// connection reads, and until then they would be kept beside those of the writer.
    func releaseIdleCaches() {
        condition.withLock {
            for session in state.idle where session.mayHaveCache {
                session.connection.releaseCache()
                session.mayHaveCache = false
            }
        }
    }

    /// Notes that a write has filled the writer's cache, which nobody needs to keep once somebody reads.
    func noteLargeWrite() {
        condition.withLock { state.isAfterLargeWrite = true }
    }

    /// Takes all connections out of use, to be closed by the caller; nil, and nothing done, while any is in use.
    func retire() -> [SQLiteSession]? {
        condition.withLock {
            if state.taken > 0 { return nil }
            state.isClosed = true
            condition.signalAll()
            defer { state.idle.removeAll() }
            return state.idle
        }
    }

    /// How many connections are in use.
    var takenCount: Int { condition.withLock { state.taken } }
}

fileprivate extension ReaderPool {
    typealias Place = (idle: SQLiteSession?, ticket: UInt64, isAfterLargeWrite: Bool)
}

fileprivate extension ReaderPool.State {
    mutating func take() throws(DataStoreError) -> ReaderPool.Place {
        if isClosed { throw DataStoreError(.closed, "The store was used after it had been closed.") }
        let ticket = nextTicket
        nextTicket += 1
        taken += 1
        let session = idle.popLast()
        session?.ticket = ticket
        session?.mayHaveCache = true
        defer { isAfterLargeWrite = false }
        return (session, ticket, isAfterLargeWrite)
    }

    mutating func giveBack(_ session: SQLiteSession) {
        idle.append(session)
        noteEnd(of: session.ticket)
    }

    mutating func noteEnd(of ticket: UInt64) {
        taken -= 1
        guard ticket < pinEnd else { return }
        pins -= 1
        if pins == 0 { arePinsGone = true }
    }

    mutating func notePins() {
        pinEnd = nextTicket
        pins = taken
        arePinsGone = pins == 0
    }
}

// MARK: Gaps

extension ReaderPool {
    /// Runs a body while nobody reads, or nothing when the readers do not end in time.
    func inGap(limit: Duration, _ body: () -> Void) {
        let end = ContinuousClock.now + limit
        condition.withLock { state.isGap = true }
        var isFree = condition.withLock { state.taken == 0 }
        while !isFree && ContinuousClock.now < end {
            usleep(50)
            isFree = condition.withLock { state.taken == 0 }
        }
        if isFree { body() }
        condition.withLock {
            state.isGap = false
            if !isFree { state.notePins() }
            if state.waiting > 0 { condition.signalAll() }
        }
    }

    /// Whether the readings that prevented the last gap have ended since; true once.
    func arePinsGone() -> Bool {
        condition.withLock {
            defer { state.arePinsGone = false }
            return state.arePinsGone
        }
    }
}
