import CLMDB
import Foundation

/// LMDB's own functions, to make the files that are checked.
///
/// *Rule:* one thread writes at a time.
// reason: LMDB allows its environment to be used from any thread; the handle itself never changes.
final class VerificationEnvironment: @unchecked Sendable {
    struct Failure: Error {
        let code: Int32
        let step: String
    }

    private let handle: OpaquePointer

    init(_ path: String, mapBytes: Int = 1 << 30) throws {
        var environment: OpaquePointer?
        try Self.check(mdb_env_create(&environment), "create")
        handle = try Self.require(environment)
        mdb_env_set_maxdbs(handle, 32)
        mdb_env_set_mapsize(handle, mapBytes)
        // These files need not survive a power failure.
        let flags = UInt32(MDB_NOSUBDIR | MDB_NOSYNC | MDB_NOTLS)
        try Self.check(mdb_env_open(handle, path, flags, 0o600), "open")
    }

    deinit {
        mdb_env_close(handle)
    }

    func write(_ body: (VerificationTransaction) throws -> Void) throws {
        let transaction = try begin()
        do {
            try body(transaction)
        } catch {
            transaction.abort()
            throw error
        }
        try transaction.commit()
    }

    func begin() throws -> VerificationTransaction {
        try VerificationTransaction(in: handle, parent: nil)
    }

    func copy(to path: String, compacting: Bool) throws {
        try Self.check(mdb_env_copy2(handle, path, compacting ? UInt32(MDB_CP_COMPACT) : 0), "copy")
    }

    static func check(_ code: Int32, _ step: String) throws {
        if code != MDB_SUCCESS { throw Failure(code: code, step: step) }
    }

    static func require(_ pointer: OpaquePointer?) throws -> OpaquePointer {
        guard let pointer else { throw Failure(code: 0, step: "pointer") }
        return pointer
    }
}

/// A write transaction, perhaps within another.
struct VerificationTransaction {
    private let environment: OpaquePointer
    private let handle: OpaquePointer

    init(in environment: OpaquePointer, parent: OpaquePointer?) throws {
        var transaction: OpaquePointer?
        try VerificationEnvironment.check(mdb_txn_begin(environment, parent, 0, &transaction), "begin")
        self.environment = environment
        handle = try VerificationEnvironment.require(transaction)
    }

    func nested() throws -> VerificationTransaction {
        try VerificationTransaction(in: environment, parent: handle)
    }

    func commit() throws { try VerificationEnvironment.check(mdb_txn_commit(handle), "commit") }
    func abort() { mdb_txn_abort(handle) }

    /// Opens or makes a table; nil for the one that lists the others.
    func table(_ name: String?, integers: Bool = false, flags: Int32 = 0) throws -> MDB_dbi {
        var table: MDB_dbi = 0
        let all = flags | (name == nil ? 0 : MDB_CREATE) | (integers ? MDB_INTEGERKEY : 0)
        try VerificationEnvironment.check(mdb_dbi_open(handle, name, UInt32(all), &table), "table")
        return table
    }

    func put(_ key: [UInt8], _ value: [UInt8], in table: MDB_dbi) throws {
        try withValue(key) { key in
            try withValue(value) { value in
                try VerificationEnvironment.check(mdb_put(handle, table, &key, &value, 0), "put")
            }
        }
    }

    func put(_ key: UInt64, _ value: [UInt8], in table: MDB_dbi) throws {
        try put(withUnsafeBytes(of: key) { [UInt8]($0) }, value, in: table)
    }

    func delete(_ key: [UInt8], in table: MDB_dbi) throws {
        let code = withValue(key) { mdb_del(handle, table, &$0, nil) }
        if code != MDB_NOTFOUND { try VerificationEnvironment.check(code, "delete") }
    }

    func delete(_ key: UInt64, in table: MDB_dbi) throws {
        try delete(withUnsafeBytes(of: key) { [UInt8]($0) }, in: table)
    }

    /// Empties a table, or removes it too.
    func drop(_ table: MDB_dbi, removing: Bool) throws {
        try VerificationEnvironment.check(mdb_drop(handle, table, removing ? 1 : 0), "drop")
    }

    private func withValue<Result>(
        _ bytes: [UInt8], _ body: (inout MDB_val) throws -> Result
    ) rethrows -> Result {
        var bytes = bytes
        return try bytes.withUnsafeMutableBytes { buffer in
            var value = MDB_val(mv_size: buffer.count, mv_data: buffer.baseAddress)
            return try body(&value)
        }
    }
}
