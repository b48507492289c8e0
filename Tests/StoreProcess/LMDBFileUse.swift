import CLMDB
import Foundation

/// Uses LMDB files as an app would, in a process of its own, as LMDB may end the process that opens a damaged one.
enum LMDBFileUse {
    /// Reads everything in each file whose path is on standard input, writes to it in several transactions, and prints
    /// "fine", or "error" and LMDB's message.
    static func run() throws {
        while let path = readLine() {
            // A cycle of pages would keep LMDB busy for ever.
            alarm(30)
            do {
                try use(path)
                say("fine")
            } catch let failure as Failure {
                say(
                    "error \(failure.code) in \(failure.step): \(String(cString: mdb_strerror(failure.code)))"
                )
            }
        }
    }

    private struct Failure: Error {
        let step: String
        let code: Int32
    }

    private static func check(_ code: Int32, _ step: String) throws {
        if code != MDB_SUCCESS { throw Failure(step: step, code: code) }
    }

    private struct Table {
        let name: [UInt8]
        let handle: MDB_dbi
        let flags: UInt32
    }

    private static func withTransaction(
        in environment: OpaquePointer, flags: Int32 = 0, _ body: (OpaquePointer) throws -> Void
    ) throws {
        var transaction: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, UInt32(flags), &transaction), "begin")
        guard let transaction else { return }
        do {
            try body(transaction)
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        try check(mdb_txn_commit(transaction), "commit")
    }

    private static func withValue<Result>(_ bytes: [UInt8], _ body: (inout MDB_val) throws -> Result) rethrows
        -> Result
    {
        var bytes = bytes
        return try bytes.withUnsafeMutableBytes { buffer in
            var value = MDB_val(mv_size: buffer.count, mv_data: buffer.baseAddress)
            return try body(&value)
        }
    }

    /// Every key of a table in one direction; every byte of every value is read.
    private static func keys(of table: MDB_dbi, in transaction: OpaquePointer, backwards: Bool) throws
        -> [[UInt8]]
    {
        var cursor: OpaquePointer?
        try check(mdb_cursor_open(transaction, table, &cursor), "cursor")
        defer { mdb_cursor_close(cursor) }
        var keys: [[UInt8]] = []
        var (key, value) = (MDB_val(), MDB_val())
        var operation = backwards ? MDB_LAST : MDB_FIRST
        while true {
            let code = mdb_cursor_get(cursor, &key, &value, operation)
            if code == MDB_NOTFOUND { return keys }
            try check(code, "next")
            keys.append([UInt8](UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size)))
            for byte in UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size) {
                sum &+= Int(byte)
            }
            operation = backwards ? MDB_PREV : MDB_NEXT
        }
    }

    /// What all bytes add up to, so that no reading is optimised away.
    nonisolated(unsafe) private static var sum = 0

    private static func tables(in environment: OpaquePointer) throws -> [Table] {
        var tables: [Table] = []
        try withTransaction(in: environment) { transaction in
            var main: MDB_dbi = 0
            try check(mdb_dbi_open(transaction, nil, 0, &main), "open")
            for name in try keys(of: main, in: transaction, backwards: false) {
                var (handle, flags): (MDB_dbi, UInt32) = (0, 0)
                let text = name + [0]
                let code = text.withUnsafeBufferPointer { buffer in
                    buffer.withMemoryRebound(to: CChar.self) {
                        mdb_dbi_open(transaction, $0.baseAddress, 0, &handle)
                    }
                }
                if code == MDB_INCOMPATIBLE || name.contains(0) || code == MDB_DBS_FULL { continue }
                try check(code, "open")
                try check(mdb_dbi_flags(transaction, handle, &flags), "flags")
                tables.append(Table(name: name, handle: handle, flags: flags))
            }
        }
        return tables
    }

    private static func put(_ key: [UInt8], _ value: [UInt8], in table: Table, _ transaction: OpaquePointer)
        throws
    {
        try withValue(key) { key in
            try withValue(value) { value in
                try check(mdb_put(transaction, table.handle, &key, &value, 0), "put")
            }
        }
    }

    private static func newKey(_ number: Int, in table: Table) -> [UInt8] {
        if table.flags & UInt32(MDB_INTEGERKEY) != 0 {
            let spread = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
            return withUnsafeBytes(of: spread) { [UInt8]($0) }
        }
        return [UInt8](repeating: UInt8(truncatingIfNeeded: number &* 37), count: 1 + number % 300)
    }

    private static func change(_ table: Table, _ keys: [[UInt8]], in transaction: OpaquePointer) throws {
        for number in 0..<40 {
            let size = number % 10 == 0 ? 9000 : 60 + number
            try put(newKey(number, in: table), [UInt8](repeating: 7, count: size), in: table, transaction)
        }
        for (index, key) in keys.enumerated() {
            switch index % 4 {
            case 0, 1:
                let code = withValue(key) { mdb_del(transaction, table.handle, &$0, nil) }
                if code != MDB_NOTFOUND { try check(code, "delete") }
            case 2: try put(key, [UInt8](repeating: 9, count: index % 5000), in: table, transaction)
            default: break
            }
        }
    }

    private static func use(_ path: String) throws {
        var environment: OpaquePointer?
        try check(mdb_env_create(&environment), "create")
        guard let environment else { return }
        defer { mdb_env_close(environment) }
        mdb_env_set_maxdbs(environment, 64)
        mdb_env_set_mapsize(environment, 256 << 20)
        try check(
            mdb_env_open(environment, path, UInt32(MDB_NOSUBDIR | MDB_NOSYNC | MDB_NOTLS), 0o600), "open")
        let tables = try tables(in: environment)
        var allKeys: [[[UInt8]]] = []
        try withTransaction(in: environment, flags: MDB_RDONLY) { transaction in
            for table in tables {
                let forwards = try keys(of: table.handle, in: transaction, backwards: false)
                let backwards = try keys(of: table.handle, in: transaction, backwards: true)
                guard forwards == backwards.reversed() else { throw Failure(step: "compare", code: 0) }
                allKeys.append(forwards)
            }
        }
        try withTransaction(in: environment) { transaction in
            for (table, keys) in zip(tables, allKeys) { try change(table, keys, in: transaction) }
        }
        try withTransaction(in: environment) { transaction in
            if let first = tables.first { try check(mdb_drop(transaction, first.handle, 0), "drop") }
            for table in tables { try change(table, [], in: transaction) }
        }
        try withTransaction(in: environment) { transaction in
            for table in tables { try check(mdb_drop(transaction, table.handle, 1), "drop") }
        }
    }
}
