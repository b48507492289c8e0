import LarderKernel
import LarderFiles

/// The connections that read, and what a write changes about their caches.
final class SQLiteReaders: @unchecked Sendable {
    // reason: all mutable state is only touched with the lock of `gate` held; unchecked, as that lock already
    // keeps two accesses apart.

    /// The gate that all readings pass, in which the log is emptied.
    let gate = ReaderGate()
    private let open: @Sendable () throws(DataStoreError) -> SQLiteSession
    @exclusivity(unchecked) private var idle: [SQLiteSession]
    @exclusivity(unchecked) private var isAfterLargeWrite = false

    /// Readers of which there is one already.
    init(first: SQLiteSession, open: @escaping @Sendable () throws(DataStoreError) -> SQLiteSession) {
        self.open = open
        idle = [first]
    }

    /// A connection to read with; the caller must ``release(_:)`` it.
    ///
    /// - Parameter releasingWriter: Called when this is the first reading after a large write.
    func acquire(releasingWriter: () -> Void) throws(DataStoreError) -> SQLiteSession {
        let place = try takePlace()
        if place.isAfterLargeWrite { releasingWriter() }
        let session: SQLiteSession
        do throws(DataStoreError) {
            session = if let idle = place.idle { idle } else { try open() }
        } catch {
            gate.withLock { gate.leave(.reading, ticket: place.ticket) }
            throw error
        }
        session.ticket = place.ticket
        session.mayHaveCache = true
        return session
    }

    private func takePlace() throws(DataStoreError) -> (
        idle: SQLiteSession?, ticket: Int, isAfterLargeWrite: Bool
    ) {
        gate.lock()
        defer { gate.unlock() }
        try gate.enterReading()
        defer { isAfterLargeWrite = false }
        return (idle.popLast(), gate.ticket, isAfterLargeWrite)
    }

    func release(_ session: SQLiteSession) {
        gate.lock()
        defer { gate.unlock() }
        gate.leave(.reading, ticket: session.ticket)
        idle.append(session)
    }

    /// Frees the caches of the connections that are not in use.
    ///
    /// Called when a write begins: with the commit SQLite throws these pages away anyway, as soon as such a
    /// connection reads, and until then they would be kept in addition to the writer's.
    func releaseIdleCaches() {
        gate.withLock {
            for session in idle where session.mayHaveCache {
                session.connection.releaseCache()
                session.mayHaveCache = false
            }
        }
    }

    /// Notes that a write has filled the writer's cache, which need not be kept when the next reading begins.
    func noteLargeWrite() {
        gate.withLock { isAfterLargeWrite = true }
    }

    /// Takes all connections out of use, to be closed by the caller.
    ///
    /// - Throws: `.nestedTransaction` while any is in use, and nothing is done.
    func close(path: String) throws(DataStoreError) -> [SQLiteSession] {
        gate.lock()
        defer { gate.unlock() }
        try gate.closeWhenEmpty(path: path)
        defer { idle.removeAll() }
        return idle
    }
}
