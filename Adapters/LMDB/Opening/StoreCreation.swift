import CLMDB
import Larder

/// Makes a new store, whole or not at all (contract rule 12).
struct StoreCreation {
    let path: String

    /// How large the map of a new store is while it is made; it has a handful of pages.
    private static let mapBytes = 1 << 20

    /// Makes the store, unless another process is faster; then that one's is left in place.
    func run() throws(DataStoreError) {
        _ = try NewFile(at: path).make { (temporary) throws(DataStoreError) in try fill(temporary) }
    }

    private func fill(_ temporary: String) throws(DataStoreError) {
        // Nobody else knows the file, and it is synced as a whole before anybody does.
        let environment = try LMDBEnvironment(
            path: temporary,
            .init(
                flags: MDB_NOLOCK | MDB_NOSYNC, mapBytes: Self.mapBytes, neededBytes: Self.mapBytes,
                tables: 1))
        defer { environment.close() }
        let code = Self.putMark(into: environment)
        if code != 0 { throw LMDBFailure(code).error("The new store cannot be written.", path: path) }
    }

    /// Writes what the store is recognised by, and returns LMDB's code.
    private static func putMark(into environment: LMDBEnvironment) -> Int32 {
        var transaction: OpaquePointer?
        var table: MDB_dbi = 0
        var code = mdb_txn_begin(environment.handle, nil, 0, &transaction)
        if code != 0 { return code }
        code = mdb_dbi_open(transaction, StoreMark.tableName, UInt32(MDB_CREATE), &table)
        if code == 0 {
            code = Array(StoreMark.key.utf8).withUnsafeBytes { key in
                StoreMark.value.withUnsafeBytes { value in
                    var key = MDB_val(key)
                    var value = MDB_val(value)
                    return mdb_put(transaction, table, &key, &value, 0)
                }
            }
        }
        if code == 0 { return mdb_txn_commit(transaction) }
        mdb_txn_abort(transaction)
        return code
    }
}
