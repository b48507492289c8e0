import CSQLite
package import LarderKernel
package import LarderFiles
import LarderSQL
package import struct Foundation.URL

/// The tools of SQLite beyond the contract, for use while the store is open.
extension SQLiteAdapter {
    /// Copies the current state of the store to a file that does not exist yet.
    ///
    /// Others may read and write meanwhile. *Cost:* reads the whole file.
    ///
    /// - Throws: `.cannotOpen` when something is in the place already.
    package func backup(to url: URL) throws(DataStoreError) {
        let place = StorePlace(url)
        try files.current().inSnapshot { session throws(DataStoreError) in
            let backup = StoreBackup(of: session.connection)
            try place.makeBackup(for: .sqlite) { (path) throws(DataStoreError) in try backup.write(to: path) }
        }
    }

    /// Returns the defects of the store, one sentence each, up to a limit; empty if it is sound.
    ///
    /// SQLite checks all pages and indexes; every row is read as the app reads it. *Cost:* reads
    /// everything, three times.
    package func checkIntegrity() throws(DataStoreError) -> [String] {
        let store = try files.current()
        return try store.inSnapshot { session throws(DataStoreError) in
            try session.connection.untilCancelled("The check") { () throws(DataStoreError) in
                try StoreCheck(of: store, session).problems()
            }
        }
    }

    /// Rewrites the file without its empty pages, which returns their space to the disk.
    ///
    /// *Cost:* reads and writes everything; blocks other writers while it runs.
    ///
    /// - Throws: `.busy` as ``checkpoint()``; the file gets shorter with the next checkpoint then.
    package func compact() throws(DataStoreError) {
        // VACUUM waits for another writer too: most of that wait is over before the log and its index are looked for.
        try files.current().beginWriting().end()
        try withWriter { writer throws(DataStoreError) in
            let connection = writer.session.connection
            try connection.untilCancelled("Compacting") { () throws(DataStoreError) in
                try connection.execute("VACUUM")
            }
            try emptyLog(of: writer)
        }
    }

    /// Copies the write-ahead log into the file and empties it.
    ///
    /// - Throws: `.busy` when a reading holds on to the log for longer than the busy timeout.
    package func checkpoint() throws(DataStoreError) {
        try withWriter { writer throws(DataStoreError) in try emptyLog(of: writer) }
    }

    private func emptyLog(of writer: SQLiteWriter) throws(DataStoreError) {
        let code = writer.log.empty(waiting: options.busyTimeout)
        switch code & 0xFF {
        case SQLITE_OK: return
        case SQLITE_BUSY, SQLITE_LOCKED:
            throw DataStoreError(
                .busy, "The log could not be emptied, as open reads still use it.",
                advice: "Repeat the call when they have ended.", path: location)
        default: throw writer.session.connection.failure(code)
        }
    }

    /// Returns the size of the store and the number of items of each type.
    ///
    /// *Cost:* counts every table.
    package func statistics() throws(DataStoreError) -> StoreStatistics {
        let store = try files.current()
        let file = store.connector.file
        return try store.inSnapshot { session throws(DataStoreError) in
            let connection = session.connection
            var counts: [String: Int] = [:]
            for entity in store.schema.entities {
                let table = StoredTable(entity: entity).name.asSQLName
                counts[entity.name] = try connection.integer("SELECT count(*) FROM \(table)")
            }
            return StoreStatistics(
                pageBytes: try connection.integer("PRAGMA page_size"),
                pageCount: try connection.integer("PRAGMA page_count"),
                freePageCount: try connection.integer("PRAGMA freelist_count"),
                fileBytes: try FileAccess.status(at: file.path)?.byteCount ?? 0,
                logBytes: try FileAccess.status(at: file.logPath)?.byteCount ?? 0, itemCounts: counts)
        }
    }

    private func withWriter<Result>(
        _ body: (SQLiteWriter) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        let store = try files.current()
        let writer = try store.acquireWriter()
        defer { store.releaseWriter() }
        try store.requireLogInPlace()
        return try body(writer)
    }
}
