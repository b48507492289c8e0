import CLMDB
import LarderEngine
import LarderFiles
import LarderKernel
import LarderKeyValue

/// The schema in the copy of a store, which becomes a store of its own.
///
/// *Rule:* no other process or store knows the file.
struct CopiedSchema {
    let environment: LMDBEnvironment

    /// Takes the identity from the schema, so that the next opening gives it another one.
    ///
    /// - Throws: `.damaged`, `.newerFormat`; as ``StoredSchema/ofCopy(for:by:)``.
    func renew(for schema: StoreSchema?, by plan: MigrationPlan?) throws(DataStoreError) {
        var begun: OpaquePointer?
        try check(mdb_txn_begin(environment.handle, nil, 0, &begun))
        guard let transaction = begun else { return }
        do throws(DataStoreError) {
            try change(in: transaction, for: schema, by: plan)
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        try check(mdb_txn_commit(transaction))
    }

    private func change(
        in transaction: OpaquePointer, for schema: StoreSchema?, by plan: MigrationPlan?
    ) throws(DataStoreError) {
        var table: MDB_dbi = 0
        let code = mdb_dbi_open(transaction, MetaRecord.tableName, 0, &table)
        // A store that was made, but never opened, has no schema.
        if code == MDB_NOTFOUND { return }
        try check(code)
        try MetaRecord.check(format: try value(of: .format, in: table, transaction))
        let stored = try StoredSchema(decoding: try value(of: .schema, in: table, transaction))
        let bytes = Array(try stored.ofCopy(for: schema, by: plan).encoded())
        try check(
            withKey(of: .schema) { key in
                bytes.withUnsafeBytes { bytes in
                    var value = MDB_val(bytes)
                    return mdb_put(transaction, table, &key, &value, 0)
                }
            })
        // While it is there, an opening with the same types compares nothing.
        let removed = withKey(of: .declaration) { key in mdb_del(transaction, table, &key, nil) }
        if removed != MDB_NOTFOUND { try check(removed) }
    }

    private func value(
        of record: MetaRecord, in table: MDB_dbi, _ transaction: OpaquePointer
    ) throws(DataStoreError) -> UnsafeRawBufferPointer {
        var value = MDB_val()
        let code = withKey(of: record) { key in mdb_get(transaction, table, &key, &value) }
        if code == MDB_NOTFOUND {
            throw DataStoreError(.damaged, "The store keeps no \"\(record.rawValue)\" of itself.")
        }
        try check(code)
        return value.bytes
    }

    private func withKey(of record: MetaRecord, _ body: (inout MDB_val) -> Int32) -> Int32 {
        Array(record.rawValue.utf8).withUnsafeBytes { bytes in
            var key = MDB_val(bytes)
            return body(&key)
        }
    }

    private func check(_ code: Int32) throws(DataStoreError) {
        if code == 0 { return }
        throw LMDBFailure(code).error("The copy cannot be written.", path: environment.path)
    }
}
