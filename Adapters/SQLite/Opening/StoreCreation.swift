import LarderVersions
import CSQLite
import LarderKernel
import LarderFiles
import LarderEngine

/// Makes a new store, whole or not at all (contract rule 12).
struct StoreCreation {
    let path: String
    let options: SQLiteOptions
    let schema: StoreSchema
    let plan: MigrationPlan?

    /// Makes the store, unless another process is faster; then that one's is left in place.
    func run() throws(DataStoreError) {
        guard try mayMake() else { return }
        if let source = options.file.prepopulation(of: .sqlite) {
            return try source.copy(to: path) { (copy) throws(DataStoreError) in try finish(copy) }
        }
        _ = try NewFile(at: path, companionSuffixes: FileEngine.sqlite.companionSuffixes).make {
            (temporary) throws(DataStoreError) in
            try fill(temporary)
        }
    }

    /// True if the store does not exist yet.
    ///
    /// An empty log, which Apple's SQLite leaves when it closes a file, is like none.
    ///
    /// - Throws: `.cannotOpen` beside the log of another store: SQLite would take it for the new one's.
    private func mayMake() throws(DataStoreError) -> Bool {
        for suffix in FileEngine.sqlite.logSuffixes {
            guard let log = FileAccess.statusOfName(path + suffix), !log.isRegularFile || log.byteCount > 0
            else { continue }
            // Checked after the log, since another process may just have made the store and opened it.
            if FileAccess.isTaken(path) { return false }
            throw DataStoreError(
                .cannotOpen, "There is no store, but a log of one that was there: \(path + suffix).",
                advice: "Put the store's file back, or remove the log if it is not needed.", path: path)
        }
        return true
    }

    private func fill(_ temporary: String) throws(DataStoreError) {
        let connection = try SQLiteConnection(
            path: temporary, access: .readWrite, busyTimeout: options.busyTimeout)
        defer { connection.close() }
        // No other process knows the file, and it is synced as a whole before one does.
        try connection.execute(
            """
            PRAGMA page_size = \(options.pageBytes); PRAGMA encoding = 'UTF-8'; PRAGMA auto_vacuum = NONE;
            PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
            """)
        try options.applySizeLimit(to: connection)
        let migration = try SchemaMigration(from: .empty, to: schema)
        try connection.inTransaction { () throws(DataStoreError) in
            try StoreMetadata.create(on: connection)
            try SQLiteSchemaTransaction(connection: connection).run(migration)
        }
        // Last of all: what is written before the log exists is in the file itself, its header above all.
        try connection.useLog()
    }

    /// Checks a copy, brings its logs into the file, and takes the identity of its source from it.
    private func finish(_ copy: String) throws(DataStoreError) {
        let (head, status) = try FileAccess.firstBytes(StoreFileHeader.byteCount, of: copy)
        let hasLog = FileEngine.sqlite.logSuffixes.contains { FileAccess.isTaken(copy + $0) }
        let header = try StoreFileHeader(head)
        try header.requireComplete(fileBytes: status.byteCount, hasLog: hasLog)
        try header.requireWritable()
        let connection = try SQLiteConnection(
            path: copy, access: .readWrite, busyTimeout: options.busyTimeout)
        defer { connection.close() }
        // Alone with the file, SQLite needs no index of the log beside it.
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF")
        try connection.requireSoundStructure()
        let stored = try StoreMetadata.schema(on: connection).ofCopy(for: schema, by: plan)
        try TableAgreement(schema: stored, connection: connection).require()
        try connection.inTransaction { () throws(DataStoreError) in
            try StoreMetadata.setSchema(stored, on: connection)
        }
        let code = sqlite3_wal_checkpoint_v2(
            connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code == SQLITE_OK else { throw connection.failure(code) }
    }
}
