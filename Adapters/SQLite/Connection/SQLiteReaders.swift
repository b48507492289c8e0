import Larder
import LarderFiles

/// The connections that read, and what a write changes about their caches.
final class SQLiteReaders: @unchecked Sendable {
    // reason: `isAfterLargeWrite` is only touched with the lock of the pool's gate held.
    private let pool: ReaderPool<SQLiteSession>
    private let open: @Sendable () throws(DataStoreError) -> SQLiteSession
    private var isAfterLargeWrite = false

    /// Readers of which there is one already.
    init(first: SQLiteSession, open: @escaping @Sendable () throws(DataStoreError) -> SQLiteSession) {
        self.open = open
        pool = ReaderPool([first])
    }

    /// The gate that all readings pass, in which the log is emptied.
    var gate: ReaderGate { pool.gate }

    /// A connection to read with; the caller must ``release(_:)`` it.
    ///
    /// - Parameter releasingWriter: Called when this is the first reading after a large write.
    func acquire(releasingWriter: () -> Void) throws(DataStoreError) -> SQLiteSession {
        var isAfterLargeWrite = false
        var idle: SQLiteSession?
        let ticket = try pool.acquire {
            idle = pool.idle.popLast()
            isAfterLargeWrite = self.isAfterLargeWrite
            self.isAfterLargeWrite = false
        }
        if isAfterLargeWrite { releasingWriter() }
        let session: SQLiteSession
        do throws(DataStoreError) {
            session = if let idle { idle } else { try open() }
        } catch {
            pool.release(ticket: ticket) {}
            throw error
        }
        session.ticket = ticket
        session.mayHaveCache = true
        return session
    }

    func release(_ session: SQLiteSession) {
        pool.release(ticket: session.ticket) { pool.idle.append(session) }
    }

    /// Frees the caches of the connections that are not in use.
    ///
    /// Called when a write begins: with the commit SQLite throws these pages away anyway, as soon as such a
    /// connection reads, and until then they would be kept beside those of the writer.
    func releaseIdleCaches() {
        pool.withIdle { sessions in
            for session in sessions where session.mayHaveCache {
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
        try pool.close(path: path)
    }
}
