import CSQLite
import LarderEngine
import LarderKernel

/// One connection to a store's file, with our functions registered and our settings made.
///
/// *Rule:* used by one thread at a time, and closed by ``close()``, never in a forked process.
final class SQLiteConnection {
    /// The way to open the file.
    enum Access {
        /// To read and write what exists.
        case readWrite
        /// To read; files that SQLite needs beside it may be made.
        case readOnly
        /// For reading, with the app's promise that no process writes; no file is created.
        case immutable
    }

    let handle: OpaquePointer
    let path: String
    let busyHandler: BusyHandler
    /// True if the store has no size limit, and its disk is still full after an error, as the log keeps its length.
    var isLimitedByDisks = false
    private let forkCount = ForkCount()
    private var hasFunctions = false

    init(path: String, access: Access, busyTimeout: Duration) throws(DataStoreError) {
        var opened: OpaquePointer?
        let (name, flags) = Self.arguments(path: path, access: access)
        let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            let failure = SQLiteFailure(code, on: opened)
            sqlite3_close_v2(opened)
            throw failure.error("The store's file cannot be opened.", path: path)
        }
        handle = opened
        self.path = path
        busyHandler = BusyHandler(limit: busyTimeout)
        busyHandler.install(on: opened)
        sqlite3_extended_result_codes(opened, 1)
        // A column that is gone is an error, not a text; a foreign trigger or view cannot call functions.
        _ = larder_sqlite3_configure(opened, SQLITE_DBCONFIG_DQS_DML, 0)
        _ = larder_sqlite3_configure(opened, SQLITE_DBCONFIG_DQS_DDL, 0)
        _ = larder_sqlite3_configure(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        _ = larder_sqlite3_configure(opened, SQLITE_DBCONFIG_DEFENSIVE, 1)
        // An upgrade drops a table, which must not delete the rows of other tools that refer to it.
        _ = larder_sqlite3_configure(opened, SQLITE_DBCONFIG_ENABLE_FKEY, 0)
        #if os(Linux)
            if let file { SecuredLogIndex.install(in: file) }
        #endif
    }

    /// True in a process that was forked from the one of the connection: it has none of SQLite's locks.
    var isForked: Bool { !forkCount.isCurrent }

    /// - Throws: `.usedAfterFork`.
    func requireSameProcess() throws(DataStoreError) {
        try forkCount.requireSame(path: path)
    }

    /// Registers what our requests need beyond SQL, once; most requests need nothing, and opening is quicker
    /// so.
    func registerFunctions() {
        if hasFunctions { return }
        hasFunctions = true
        SQLFunctions.register(on: handle)
    }

    private static func arguments(path: String, access: Access) -> (name: String, flags: Int32) {
        switch access {
        case .readWrite: (path, SQLITE_OPEN_READWRITE)
        case .readOnly: (path, SQLITE_OPEN_READONLY)
        case .immutable: (uri(path) + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
        }
    }

    /// The path with everything but plain characters written as their numbers.
    private static func uri(_ path: String) -> String {
        let plain = UInt8(ascii: "-")...UInt8(ascii: "z")
        let special = "?:;<=>@[\\]^`".utf8
        return path.utf8.reduce(into: "file:") { text, byte in
            if plain.contains(byte) && !special.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
    }

    /// Frees the pages in the cache that are not in use.
    func releaseCache() {
        sqlite3_db_release_memory(handle)
    }

    /// Closes the connection; its statements must be gone.
    func close() {
        sqlite3_close_v2(handle)
        busyHandler.deallocate()
    }

    /// True if closing the last connection of all processes keeps the log, instead of writing it back.
    func keepsLog(_ keeps: Bool) {
        _ = larder_sqlite3_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps ? 1 : 0)
    }

    /// Takes the lock that no other connection to the file can be beside; false when there is one.
    ///
    /// SQLite takes it before it removes a log, and closing the connection gives it back. *Rule:* the
    /// connection has not been used, and is not used then.
    func lockAlone() -> Bool {
        lock(SQLITE_LOCK_SHARED) == SQLITE_OK && lock(SQLITE_LOCK_EXCLUSIVE) == SQLITE_OK
    }

    /// Takes the lock that every connection has while it uses a file with a log.
    ///
    /// SQLite takes it with the first read, and looks for a log beside the file's name at once. *Rule:* the
    /// connection has not been used.
    ///
    /// - Throws: `.busy` when another process uses the file alone for longer than the busy timeout.
    func lockShared() throws(DataStoreError) {
        var tries: Int32 = 0
        while true {
            let code = lock(SQLITE_LOCK_SHARED)
            if code == SQLITE_OK { return }
            guard code & 0xFF == SQLITE_BUSY, busyHandler.goesOn(after: tries) else { throw failure(code) }
            tries += 1
        }
    }

    private func lock(_ level: Int32) -> Int32 {
        guard let file, let lock = file.pointee.pMethods?.pointee.xLock else { return SQLITE_MISUSE }
        return lock(file, level)
    }

    /// SQLite's own access to the file; to open it in another way would drop the locks.
    private var file: UnsafeMutablePointer<sqlite3_file>? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = withUnsafeMutablePointer(to: &file) {
            sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, $0)
        }
        return code == SQLITE_OK ? file : nil
    }

    /// The number in the header that SQLite changes with most changes of the file.
    func changeCounter() throws(DataStoreError) -> Int {
        var bytes: [UInt8] = [0, 0, 0, 0]
        guard let file, let read = file.pointee.pMethods?.pointee.xRead else { return 0 }
        let code = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, Int32($0.count), 24) }
        guard code == SQLITE_OK else { throw failure(code) }
        return bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}

// MARK: Statements

extension SQLiteConnection {
    /// Runs statements that give no rows.
    func execute(_ sql: String) throws(DataStoreError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// A statement to be run once or twice.
    func prepare(_ sql: String) throws(DataStoreError) -> SQLiteStatement {
        try SQLiteStatement(sql, on: self, flags: 0)
    }

    /// A statement to be kept.
    func prepareToKeep(_ sql: String) throws(DataStoreError) -> SQLiteStatement {
        try SQLiteStatement(sql, on: self, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
    }

    /// The number in the only row and column of an answer; 0 when there is none.
    func integer(_ sql: String) throws(DataStoreError) -> Int {
        let statement = try prepare(sql)
        return try statement.step() ? Int(statement.integer(at: 0)) : 0
    }

    /// SQLite's number for the state of the file, which only commits of other connections change.
    ///
    /// - Throws: `.busy` at once while the file is locked.
    func dataVersion() throws(DataStoreError) -> Int {
        let version = busyHandler.withLimit(.zero) {
            Result { () throws(DataStoreError) in try integer("PRAGMA data_version") }
        }
        return try version.get()
    }

    /// The texts in a column of an answer.
    func texts(_ sql: String, at column: Int32 = 0) throws(DataStoreError) -> [String] {
        let statement = try prepare(sql)
        var texts: [String] = []
        while try statement.step() { texts.append(statement.text(at: column)) }
        return texts
    }

    /// Runs statements in which a table gets another name, while views and triggers keep their words.
    func executeKeepingReferences(_ sql: String) throws(DataStoreError) {
        _ = larder_sqlite3_configure(handle, SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, 1)
        defer { _ = larder_sqlite3_configure(handle, SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, 0) }
        try execute(sql)
    }

    /// Runs a body in a transaction, so that all of its statements see one snapshot.
    ///
    /// - Parameter begin: The statement that begins it; by default one that takes the write lock.
    func inTransaction<Result>(
        _ begin: String = "BEGIN IMMEDIATE", _ body: () throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        try execute(begin)
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            if isInTransaction { _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
            throw error
        }
    }

    /// True if a transaction is open; some errors end it by themselves.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The error for a result code that has just been returned.
    func failure(_ code: Int32) -> DataStoreError {
        // Only the check of the task interrupts.
        if code & 0xFF == SQLITE_INTERRUPT { return Cancellation.error("The reading") }
        let failure = SQLiteFailure(code, on: handle)
        return failure.error(Self.sentence(for: code), path: path, isLimitedByDisks: isLimitedByDisks)
    }

    private static func sentence(for code: Int32) -> String {
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: "Another process kept the store locked."
        case SQLITE_FULL: "There is no space for the store to grow."
        case SQLITE_CORRUPT, SQLITE_NOTADB: "The store's file is damaged."
        case SQLITE_TOOBIG: "A value or a row is larger than SQLite can store."
        case SQLITE_READONLY where code == SQLITE_READONLY | 3 << 8:  // _ROLLBACK
            "Another program's commit has not ended; only an opening for writing undoes it."
        case SQLITE_READONLY: "The store's file cannot be written to."
        default: "SQLite failed."
        }
    }
}
