import CLMDB
import Foundation
@testable import AdapterTestSupport

/// A file as any other LMDB tool has it open.
final class RawEnvironment {
    private let handle: OpaquePointer

    struct Failure: Error {
        let code: Int32
    }

    init(_ url: URL, flags: Int32 = 0) throws {
        var created: OpaquePointer?
        mdb_env_create(&created)
        guard let environment = created else { throw Failure(code: ENOMEM) }
        mdb_env_set_maxdbs(environment, 64)
        mdb_env_set_mapsize(environment, 64 << 20)
        let code = mdb_env_open(environment, url.path, UInt32(flags | MDB_NOSUBDIR | MDB_NOTLS), 0o600)
        guard code == 0 else {
            mdb_env_close(environment)
            throw Failure(code: code)
        }
        handle = environment
    }

    deinit {
        mdb_env_close(handle)
    }

    /// Runs a body in a write transaction, which is committed.
    func write(_ body: (OpaquePointer) throws -> Void) throws {
        var begun: OpaquePointer?
        try Self.check(mdb_txn_begin(handle, nil, 0, &begun))
        guard let transaction = begun else { throw Failure(code: ENOMEM) }
        do {
            try body(transaction)
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        try Self.check(mdb_txn_commit(transaction))
    }

    /// Puts an entry into a table, which is made where there is none; the main one where none is named.
    static func put(_ value: [UInt8], at key: String, in table: String?, _ transaction: OpaquePointer) throws
    {
        var handle: MDB_dbi = 0
        try check(mdb_dbi_open(transaction, table, UInt32(MDB_CREATE), &handle))
        var key = Array(key.utf8)
        var value = value
        let code = key.withUnsafeMutableBytes { key in
            value.withUnsafeMutableBytes { value in
                var key = MDB_val(mv_size: key.count, mv_data: key.baseAddress)
                var value = MDB_val(mv_size: value.count, mv_data: value.baseAddress)
                return mdb_put(transaction, handle, &key, &value, 0)
            }
        }
        try check(code)
    }

    /// How many readers of all processes are registered.
    var readers: Int {
        var information = MDB_envinfo()
        mdb_env_info(handle, &information)
        return Int(information.me_numreaders)
    }

    private static func check(_ code: Int32) throws {
        if code != 0 { throw Failure(code: code) }
    }
}
