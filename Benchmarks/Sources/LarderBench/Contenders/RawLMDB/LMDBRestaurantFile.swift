import CLMDBRaw
import Foundation

/// An LMDB file with the restaurants' rows by id and, where names are indexed, their ids by name.
final class LMDBRestaurantFile {
    /// Address space only: as much as the largest run needs.
    private static let mapBytes = 64 << 30

    let environment: OpaquePointer
    let rows: MDB_dbi
    /// Nil where names are not indexed.
    let names: MDB_dbi?

    init(in folder: URL, options: StoreOptions) throws {
        let path = folder.appending(path: "restaurants.lmdb").path
        let environment = try Self.open(path, durability: options.durability)
        do {
            (rows, names) = try Self.makeTables(in: environment, isNameIndexed: options.isNameIndexed)
        } catch {
            mdb_env_close(environment)
            throw error
        }
        self.environment = environment
    }

    /// *Rule:* no transaction may be open.
    func close() {
        mdb_env_close(environment)
    }

    /// Runs its argument in a write transaction, which is undone when it throws.
    func write(_ work: (LMDBRestaurantWriter) throws -> Void) throws {
        let writer = try LMDBRestaurantWriter(self)
        do {
            try work(writer)
        } catch {
            writer.abort()
            throw error
        }
        try writer.commit()
    }

    private static func open(_ path: String, durability: Durability) throws -> OpaquePointer {
        var created: OpaquePointer?
        try LMDBFailure.check(mdb_env_create(&created))
        guard let environment = created else { throw LMDBFailure(code: MDB_PANIC) }
        do {
            try LMDBFailure.check(mdb_env_set_mapsize(environment, mapBytes))
            try LMDBFailure.check(mdb_env_set_maxdbs(environment, 2))
            let flags = UInt32(MDB_NOSUBDIR | MDB_NOTLS | durability.flag)
            try LMDBFailure.check(mdb_env_open(environment, path, flags, 0o600))
        } catch {
            mdb_env_close(environment)
            throw error
        }
        return environment
    }

    private static func makeTables(
        in environment: OpaquePointer, isNameIndexed: Bool
    ) throws -> (rows: MDB_dbi, names: MDB_dbi?) {
        var transaction: OpaquePointer?
        try LMDBFailure.check(mdb_txn_begin(environment, nil, 0, &transaction))
        var rows: MDB_dbi = 0
        var names: MDB_dbi = 0
        // Several restaurants may share a name, so that a name has a sorted list of ids.
        let listFlags = MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP
        do {
            let rowFlags = UInt32(MDB_CREATE | MDB_INTEGERKEY)
            try LMDBFailure.check(mdb_dbi_open(transaction, "restaurant", rowFlags, &rows))
            if isNameIndexed {
                let nameFlags = UInt32(MDB_CREATE | listFlags)
                try LMDBFailure.check(mdb_dbi_open(transaction, "restaurantByName", nameFlags, &names))
            }
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        try LMDBFailure.check(mdb_txn_commit(transaction))
        return (rows, isNameIndexed ? names : nil)
    }
}

extension Durability {
    /// The setting of Larder's adapter for the same durability.
    fileprivate var flag: Int32 {
        switch self {
        case .normal: MDB_NOMETASYNC
        case .full: 0
        }
    }
}
