import CLMDB
import LarderKernel
import LarderKeyValue

/// The tables that are open, by their names.
///
/// All there are are opened with the file. Later ones are opened or made in write transactions, and are known
/// to snapshots once these have committed.
final class TableHandles: Sendable {
    private let known: Locked<[String: KeyValueTable]>

    /// Opens all tables of a file.
    ///
    /// *Rule:* no other transaction of this process is open.
    init(in environment: LMDBEnvironment) throws(DataStoreError) {
        var opened: OpaquePointer?
        var code = mdb_txn_begin(environment.handle, nil, UInt32(MDB_RDONLY), &opened)
        guard code == 0, let transaction = opened else {
            throw LMDBFailure(code).error(path: environment.path)
        }
        var tables: [String: KeyValueTable] = [:]
        do throws(DataStoreError) {
            for name in try Self.names(in: transaction, path: environment.path) {
                tables[name] = try Self.open(name, in: transaction, path: environment.path)
            }
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        // Only a commit keeps them open.
        code = mdb_txn_commit(transaction)
        if code != 0 { throw LMDBFailure(code).error(path: environment.path) }
        known = Locked(tables)
    }

    /// - Throws: `.damaged` when the table has keys of another kind.
    func table(named name: String, _ keys: KeyKind) throws(DataStoreError) -> KeyValueTable? {
        guard let table = known.withLock({ $0[name] }) else { return nil }
        if table.keys == keys { return table }
        throw DataStoreError(.damaged, "The keys of the table \(name) are of another kind.")
    }

    /// Makes tables known to all.
    func add(_ tables: [String: KeyValueTable]) {
        if !tables.isEmpty { known.withLock { $0.merge(tables) { _, new in new } } }
    }

    func remove(_ table: KeyValueTable) {
        known.withLock { known in known = known.filter { $0.value != table } }
    }

    /// Opens a table in a transaction; nil when there is none.
    static func open(
        _ name: String, in transaction: OpaquePointer, flags: Int32 = 0, path: String
    ) throws(DataStoreError) -> KeyValueTable? {
        var handle: MDB_dbi = 0
        var code = mdb_dbi_open(transaction, name, UInt32(flags), &handle)
        if code == MDB_NOTFOUND { return nil }
        if code != 0 { throw LMDBFailure(code).error("The table \(name) cannot be opened.", path: path) }
        var stored: UInt32 = 0
        code = mdb_dbi_flags(transaction, handle, &stored)
        if code != 0 { throw LMDBFailure(code).error(path: path) }
        let isInteger = stored & UInt32(MDB_INTEGERKEY) != 0
        return KeyValueTable(number: Int(handle), keys: isInteger ? .integer : .bytes)
    }

    private static func names(
        in transaction: OpaquePointer, path: String
    ) throws(DataStoreError) -> [String] {
        var main: MDB_dbi = 0
        var cursor: OpaquePointer?
        var code = mdb_dbi_open(transaction, nil, 0, &main)
        if code == 0 { code = mdb_cursor_open(transaction, main, &cursor) }
        defer { if let cursor { mdb_cursor_close(cursor) } }
        var names: [String] = []
        while code == 0 {
            var key = MDB_val()
            var value = MDB_val()
            code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
            if code == 0 { names.append(String(decoding: key.bytes, as: UTF8.self)) }
        }
        if code != MDB_NOTFOUND { throw LMDBFailure(code).error(path: path) }
        return names
    }
}
