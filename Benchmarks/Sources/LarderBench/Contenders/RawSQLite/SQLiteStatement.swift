import CSQLiteRaw

/// A prepared statement of a connection that must still be open.
struct SQLiteStatement {
    let handle: OpaquePointer
    let connection: OpaquePointer

    /// Whether there is a row.
    func step() throws -> Bool {
        let code = sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw SQLiteFailure(code: code, connection: connection)
        }
    }

    /// Runs a statement that yields no row.
    func run() throws {
        defer { reset() }
        _ = try step()
    }

    /// Ends a statement, and with it a read transaction of its own; a failure was already thrown by `step`.
    func reset() {
        sqlite3_reset(handle)
    }

    func finalize() {
        sqlite3_finalize(handle)
    }

    func bind(_ integer: Int64, at index: Int32) throws {
        try check(sqlite3_bind_int64(handle, index, integer))
    }

    func bind(_ double: Double, at index: Int32) throws {
        try check(sqlite3_bind_double(handle, index, double))
    }

    func bindNull(at index: Int32) throws {
        try check(sqlite3_bind_null(handle, index))
    }

    /// Binds without a copy (a nil destructor is `SQLITE_STATIC`): the bytes must stay until the step.
    func bind(_ text: UnsafeBufferPointer<UInt8>, at index: Int32) throws {
        try text.withMemoryRebound(to: CChar.self) { bytes in
            try check(sqlite3_bind_text(handle, index, bytes.baseAddress, Int32(bytes.count), nil))
        }
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw SQLiteFailure(code: code, connection: connection) }
    }
}
