import CLMDBRaw
import Foundation

/// An LMDB file with the restaurants' rows by id and, where there are indexes, their ids by name and rating.
final class LMDBRestaurantFile {
    let environment: OpaquePointer
    let tables: LMDBTables

    /// - Parameter isNew: Whether the tables are still to be made.
    init(in folder: URL, options: StoreOptions, isNew: Bool) throws {
        let path = folder.appending(path: "restaurants.lmdb").path
        let environment = try OpaquePointer.environment(
            at: path, durability: options.durability, tableCount: 3)
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
            rows = try MDB_dbi.table("restaurant", flags: creation | MDB_INTEGERKEY, in: transaction)
            indexes =
                isIndexed
                ? Indexes(
                    names: try MDB_dbi.table("byName", flags: creation | idList, in: transaction),
                    ratings: try MDB_dbi.table(
                        "byRating", flags: creation | idList | MDB_INTEGERKEY, in: transaction))
                : nil
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        try LMDBFailure.check(mdb_txn_commit(transaction))
    }
}
