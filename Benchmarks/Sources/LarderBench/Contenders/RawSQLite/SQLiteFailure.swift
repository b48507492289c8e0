import CSQLiteRaw

/// An error that SQLite returned.
struct SQLiteFailure: Error, CustomStringConvertible {
    let code: Int32
    let message: String

    init(code: Int32, connection: OpaquePointer?) {
        self.code = code
        message = String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
    }

    var description: String { "SQLite \(code): \(message)" }
}
