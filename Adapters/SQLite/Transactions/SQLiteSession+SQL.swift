import CSQLite
import LarderKernel
import LarderSQL

extension SQLiteSession {
    /// Runs a statement of the app, which is gone when this returns.
    func run(_ statement: SQLStatement, _ body: SQLRowBody) throws(DataStoreError) -> Int {
        resetRowStatement()
        let prepared = try prepare(statement)
        defer { prepared.reset() }
        for (position, value) in statement.values.enumerated() {
            prepared.bind(value.cell, as: value.storage, at: Int32(position + 1), .copied)
        }
        let changesBefore = sqlite3_total_changes(connection.handle)
        let columns = StatementColumns(of: prepared)
        let arena = RowArena(chunkBytes: 1024)
        var hasRow = try firstStep(prepared)
        while hasRow {
            arena.reset()
            guard try body(columns, arena) else { return 0 }
            hasRow = try prepared.step()
        }
        // SQLite's count is of the last statement that has changed a row.
        let hasChanged = sqlite3_total_changes(connection.handle) != changesBefore
        return hasChanged ? Int(sqlite3_changes(connection.handle)) : 0
    }

    private func prepare(_ statement: SQLStatement) throws(DataStoreError) -> SQLiteStatement {
        let prepared: SQLiteStatement
        do throws(DataStoreError) {
            prepared = try SQLiteStatement(ofApp: statement.text, on: connection)
        } catch {
            // A table or column may be missing as another process has changed the schema.
            if error.code == .engine { try requireGeneration() }
            throw error
        }
        // An explained statement does not run, but SQLite counts it as one that writes.
        let mayWrite =
            sqlite3_stmt_readonly(prepared.handle) == 0 && sqlite3_stmt_isexplain(prepared.handle) == 0
        if !statement.isWriting, mayWrite { throw DataStoreError.writesWhileReading }
        let count = Int(sqlite3_bind_parameter_count(prepared.handle))
        if count != statement.values.count {
            throw DataStoreError(
                .invalidRequest,
                "A statement has \(count) parameters and \(statement.values.count) values.",
                advice: "Interpolate the values into the text; do not write parameters.")
        }
        return prepared
    }
}

/// The columns of a statement of the app.
private final class StatementColumns: SQLColumns {
    private let statement: SQLiteStatement
    let names: [String]

    init(of statement: SQLiteStatement) {
        self.statement = statement
        names = (0..<sqlite3_column_count(statement.handle)).map { column in
            sqlite3_column_name(statement.handle, column).map { String(cString: $0) } ?? ""
        }
    }

    func cell(
        at position: Int, as storage: AttributeType.Storage, in arena: RowArena
    ) throws(DataStoreError) -> Cell? {
        let (handle, column) = (statement.handle, Int32(truncatingIfNeeded: position))
        switch (sqlite3_column_type(handle, column), storage) {
        case (SQLITE_NULL, _): return .null
        case (SQLITE_INTEGER, _):
            return try cell(of: sqlite3_column_int64(handle, column), as: storage, in: arena)
        case (SQLITE_FLOAT, .real): return .real(sqlite3_column_double(handle, column))
        case (SQLITE_TEXT, .text), (SQLITE_TEXT, .json), (SQLITE_TEXT, .decimal):
            return .text(SQLiteStatement.bytes(in: handle, at: column, ofText: true))
        case (SQLITE_BLOB, .blob), (SQLITE_BLOB, .unsigned):
            let bytes = SQLiteStatement.bytes(in: handle, at: column)
            return storage == .unsigned ? .largeUnsigned(bytes) : .blob(bytes)
        default: return nil
        }
    }
}
