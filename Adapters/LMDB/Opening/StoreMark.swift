import CLMDB
import LarderKernel

/// The mark that distinguishes a Larder store from any other LMDB file: an entry in a table of its own.
///
/// It is found by plain reads, before LMDB opens the file (contract rule 12).
struct StoreMark {
    static let tableName = "larder-file"
    static let key = "mark"
    /// The version of the file format.
    static let currentVersion: UInt32 = 1

    private static let signature = Array("LarderKV".utf8)

    /// The stored value: the signature, and the version as 4 bytes, little-endian.
    static var value: [UInt8] {
        signature + withUnsafeBytes(of: currentVersion.littleEndian, Array.init)
    }

    /// - Parameter value: The stored value, or nil if there is none.
    /// - Throws: `.foreignStore`, `.newerFormat`.
    static func require(_ value: [UInt8]?) throws(DataStoreError) {
        guard let value, value.count == self.value.count, value.starts(with: signature) else {
            throw DataStoreError(
                .foreignStore, "The file is an LMDB file, but not one that Larder has made.")
        }
        let version = value.dropFirst(signature.count).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard version <= currentVersion else {
            throw DataStoreError(
                .newerFormat,
                "The file has format \(version); this version of Larder knows \(currentVersion).")
        }
    }
}

extension StoreMark {
    /// Writes the mark in a transaction of its own, and returns LMDB's code.
    ///
    /// - Parameter flags: `MDB_CREATE` to create the table.
    static func put(into environment: LMDBEnvironment, flags: Int32) -> Int32 {
        var transaction: OpaquePointer?
        var table: MDB_dbi = 0
        var code = mdb_txn_begin(environment.handle, nil, 0, &transaction)
        if code != 0 { return code }
        code = mdb_dbi_open(transaction, tableName, UInt32(flags), &table)
        if code == 0 {
            code = Array(key.utf8).withUnsafeBytes { key in
                value.withUnsafeBytes { value in
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
