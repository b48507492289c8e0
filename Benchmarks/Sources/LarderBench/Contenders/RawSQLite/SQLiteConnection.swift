import CSQLiteRaw

/// The statements that a raw connection needs.
protocol SQLiteQuery: Hashable {
    static var begin: Self { get }
    static var beginWriting: Self { get }
    static var commit: Self { get }

    var sql: String { get }
}

/// A connection for one thread; it owns its statements and is closed once.
final class SQLiteConnection<Query: SQLiteQuery> {
    private static var busyTimeoutMilliseconds: Int32 { 5000 }

    private let handle: OpaquePointer
    private var statements: [Query: SQLiteStatement] = [:]

    init(path: String, settings: SQLiteSettings) throws {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let failure = SQLiteFailure(code: code, connection: opened)
            sqlite3_close_v2(opened)
            throw failure
        }
        handle = opened
        sqlite3_busy_timeout(handle, Self.busyTimeoutMilliseconds)
        do {
            try settings.pragmas.forEach(execute)
        } catch {
            sqlite3_close_v2(opened)
            throw error
        }
    }

    func execute(_ sql: String) throws {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// The statement for a query: prepared when it is first asked for, finalised when the connection closes.
    func statement(_ query: Query) throws -> SQLiteStatement {
        if let known = statements[query] { return known }
        let statement = try prepare(query.sql)
        statements[query] = statement
        return statement
    }

    func prepare(_ sql: String) throws -> SQLiteStatement {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { throw SQLiteFailure(code: SQLITE_MISUSE, connection: nil) }
        return SQLiteStatement(handle: statement, connection: handle)
    }

    /// Runs its argument between BEGIN and COMMIT.
    func inTransaction(_ begin: Query, _ work: () throws -> Void) throws {
        try statement(begin).run()
        try work()
        try statement(.commit).run()
    }

    func close() throws {
        while let statement = sqlite3_next_stmt(handle, nil) {
            sqlite3_finalize(statement)
        }
        try check(sqlite3_close(handle))
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw SQLiteFailure(code: code, connection: handle) }
    }
}
