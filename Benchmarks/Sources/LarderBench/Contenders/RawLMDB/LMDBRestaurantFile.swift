import CLMDBRaw
import Foundation

/// An LMDB file with the restaurants' rows by id and, where there are indexes, their ids by name and rating.
final class LMDBRestaurantFile {
    /// Address space only: as much as the largest run needs.
    private static let mapBytes = 64 << 30

    let environment: OpaquePointer
    let tables: LMDBTables

    /// - Parameter isNew: Whether the tables are still to be made.
    init(in folder: URL, options: StoreOptions, isNew: Bool) throws {
        let path = folder.appending(path: "restaurants.lmdb").path
        let environment = try Self.open(path, durability: options.durability)
        do {
            tables = try LMDBTables(in: environment, isIndexed: options.isIndexed, isNew: isNew)
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
            try LMDBFailure.check(mdb_env_set_maxdbs(environment, 3))
            let flags = UInt32(MDB_NOSUBDIR | MDB_NOTLS | durability.flag)
            try LMDBFailure.check(mdb_env_open(environment, path, flags, 0o600))
        } catch {
            mdb_env_close(environment)
            throw error
        }
        return environment
    }
}

/// The tables of a file.
struct LMDBTables {
    struct Indexes {
        let names: MDB_dbi
        let ratings: MDB_dbi
    }

    let rows: MDB_dbi
    let indexes: Indexes?

    init(in environment: OpaquePointer, isIndexed: Bool, isNew: Bool) throws {
        let transaction = try OpaquePointer.beginning(in: environment, flags: isNew ? 0 : MDB_RDONLY)
        let creation = isNew ? MDB_CREATE : 0
        // Several restaurants may share a name or a rating, so that each has a sorted list of ids.
        let idList = MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP
        do {
            rows = try Self.open("restaurant", flags: creation | MDB_INTEGERKEY, in: transaction)
            indexes =
                isIndexed
                ? Indexes(
                    names: try Self.open("byName", flags: creation | idList, in: transaction),
                    ratings: try Self.open(
                        "byRating", flags: creation | idList | MDB_INTEGERKEY, in: transaction))
                : nil
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        try LMDBFailure.check(mdb_txn_commit(transaction))
    }

    private static func open(_ name: String, flags: Int32, in transaction: OpaquePointer) throws -> MDB_dbi {
        var table: MDB_dbi = 0
        try LMDBFailure.check(mdb_dbi_open(transaction, name, UInt32(flags), &table))
        return table
    }
}

extension Durability {
    /// The setting of Larder's adapter for the same durability.
    fileprivate var flag: Int32 {
        switch self {
        case .normal: MDB_NOSYNC
        case .full: 0
        }
    }
}
