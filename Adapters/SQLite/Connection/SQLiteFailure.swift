import CSQLite
import LarderKernel
import LarderPlatform
import LarderFiles

/// An error of SQLite and its meaning for the store's user: the one place where its codes are mapped.
struct SQLiteFailure {
    /// The extended result code.
    let code: Int32
    let message: String
    /// The error number of the system call that failed, or 0.
    let systemError: Int32

    init(_ code: Int32, on connection: OpaquePointer?) {
        let lastError = errno
        let extended = connection.map(sqlite3_extended_errcode) ?? code
        self.code = extended & 0xFF == code & 0xFF ? extended : code
        let words = connection.flatMap(sqlite3_errmsg) ?? sqlite3_errstr(code)
        message = words.map { String(cString: $0) } ?? "unknown error"
        let reported = connection.map(sqlite3_system_errno) ?? 0
        // A COMMIT that fails reports none.
        systemError = reported == 0 && code & 0xFF == SQLITE_IOERR ? lastError : reported
    }

    // Swift does not import the extended codes, as their macros are expressions.
    private static let primaryKey = SQLITE_CONSTRAINT | 6 << 8
    private static let rowID = SQLITE_CONSTRAINT | 10 << 8

    /// True if an error means that a row has the primary key of another.
    static func isDuplicateKey(_ error: DataStoreError) -> Bool {
        guard let code = error.underlying?.code else { return false }
        return code == Int(primaryKey) || code == Int(rowID)
    }

    /// True if an error says that rows break a rule of their table: its key, or a column that is required.
    static func isBrokenConstraint(_ error: DataStoreError) -> Bool { hasCode(SQLITE_CONSTRAINT, error) }

    /// True if an error says that a statement is wrong for the file: a table or a column is missing.
    static func isWrongStatement(_ error: DataStoreError) -> Bool {
        error.code == .engine && hasCode(SQLITE_ERROR, error)
    }

    private static func hasCode(_ code: Int32, _ error: DataStoreError) -> Bool {
        (error.underlying?.code).map { $0 & 0xFF == Int(code) } ?? false
    }

    /// - Parameter isLimitedByDisks: As ``SQLiteConnection/isLimitedByDisks``.
    func error(_ doing: String, path: String, isLimitedByDisks: Bool = false) -> DataStoreError {
        let errnoWords = systemError == 0 ? "" : ", errno \(systemError)"
        let underlying = DataStoreError.Underlying(
            source: "SQLite", code: Int(code), message: message + errnoWords)
        func hasNoRoom() -> Bool { FileAccess.hasNoRoom(at: FileAccess.parts(of: path).folder) }
        if isMissingFile && hasNoRoom() {
            return DataStoreError(
                .storeFull, "There is no space for a file that SQLite needs beside the store.", path: path,
                underlying: underlying)
        }
        if isLimitedByDisks && code & 0xFF == SQLITE_FULL && !hasNoRoom() {
            return DataStoreError(
                .storeFull, "SQLite has no space for a temporary file; the store's disk is not full.",
                advice: """
                    Free some space in the folder that SQLITE_TMPDIR or TMPDIR names, else in /var/tmp or \
                    /tmp; nothing was stored, except by commit().
                    """, path: path, underlying: underlying)
        }
        return DataStoreError(storeCode, doing, path: path, underlying: underlying)
    }

    /// True if a file did not exist, which SQLite also reports for a file that it could not create.
    private var isMissingFile: Bool { code & 0xFF == SQLITE_CANTOPEN && systemError == ENOENT }

    private var storeCode: DataStoreError.Code {
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
        case SQLITE_FULL: .storeFull
        case SQLITE_IOERR: ioCode
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .damaged
        // A number in the file's header that no SQLite writes; it has no code of its own.
        case SQLITE_ERROR where message == "unsupported file format": .damaged
        case SQLITE_READONLY: readOnlyCode
        case SQLITE_CANTOPEN: systemError == 0 ? .cannotOpen : FileAccess.code(for: systemError)
        case SQLITE_PERM, SQLITE_AUTH: .permissionDenied
        case SQLITE_SCHEMA: .schemaChanged
        case SQLITE_TOOBIG: .valueTooLarge
        case SQLITE_ERROR, SQLITE_INTERNAL, SQLITE_ABORT, SQLITE_NOMEM, SQLITE_INTERRUPT, SQLITE_NOTFOUND,
            SQLITE_EMPTY, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_MISUSE, SQLITE_NOLFS, SQLITE_RANGE:
            .engine
        default: .engine
        }
    }

    private var ioCode: DataStoreError.Code {
        switch code {
        case SQLITE_IOERR | 12 << 8: .engine  // _NOMEM
        case SQLITE_IOERR | 33 << 8: .damaged  // _CORRUPTFS
        default: FileAccess.code(for: systemError) == .storeFull ? .storeFull : .inputOutput
        }
    }

    private var readOnlyCode: DataStoreError.Code {
        switch code {
        case SQLITE_READONLY | 4 << 8: .storeFileMoved  // _DBMOVED
        case SQLITE_READONLY | 6 << 8: .permissionDenied  // _DIRECTORY
        default: .readOnly
        }
    }
}
