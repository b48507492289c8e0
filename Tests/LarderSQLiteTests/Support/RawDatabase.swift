import CSQLite
import Foundation
@testable import AdapterTestSupport

/// A connection as any other SQLite tool has it: nothing of ours is registered on it.
final class RawDatabase {
    let handle: OpaquePointer

    struct Failure: Error {
        let code: Int32
        let message: String
    }

    /// - Parameter busyMilliseconds: How long to wait for locks.
    init(_ url: URL, busyMilliseconds: Int32 = 0) throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = sqlite3_open_v2(url.path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw Failure(code: code, message: "cannot open \(url.path)")
        }
        handle = opened
        sqlite3_busy_timeout(opened, busyMilliseconds)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    #if os(Linux)
        /// Lets every connection that this process opens from now on begin as in a SQLite that was built to enforce
        /// foreign keys.
        static func enforceForeignKeys() {
            typealias Extension = @convention(c) (OpaquePointer?, OpaquePointer?, OpaquePointer?) -> Int32
            let enforce: Extension = { connection, _, _ in
                larder_sqlite3_configure(connection, SQLITE_DBCONFIG_ENABLE_FKEY, 1)
            }
            sqlite3_auto_extension(unsafeBitCast(enforce, to: (@convention(c) () -> Void).self))
        }
    #endif

    func execute(_ sql: String) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else {
            throw Failure(code: code, message: String(cString: sqlite3_errmsg(handle)))
        }
    }

    /// The rows of a query, each value in its text form, nil as `NULL`.
    func rows(_ sql: String) throws -> [[String]] {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &prepared, nil)
        guard code == SQLITE_OK, let statement = prepared else {
            throw Failure(code: code, message: String(cString: sqlite3_errmsg(handle)))
        }
        defer { sqlite3_finalize(statement) }
        var rows: [[String]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
                })
        }
        return rows
    }

    /// The only value of a query.
    func value(_ sql: String) throws -> String? { try rows(sql).first?.first }
}
