import CLMDBRaw
import Foundation

/// The tables of a file with recipes, each with its number among them.
///
/// An index is a sorted list of ids under a value. A relationship is one from each end to the other.
enum CookbookTable: Int, CaseIterable {
    case kinds
    case kindByName
    case tags
    case recipes
    case recipesByKind
    case ingredients
    case ingredientsByRecipe
    case ingredientsByName
    case tagsByRecipe
    case recipesByTag

    fileprivate var flags: Int32 {
        let idList = MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP
        return switch self {
        case .kinds, .tags, .recipes, .ingredients: MDB_INTEGERKEY
        case .kindByName: 0
        case .ingredientsByName: idList
        case .recipesByKind, .ingredientsByRecipe, .tagsByRecipe, .recipesByTag: idList | MDB_INTEGERKEY
        }
    }
}

/// An LMDB file with recipes, their kinds, ingredients and tags.
final class LMDBCookbookFile {
    let environment: OpaquePointer
    private let tables: [MDB_dbi]

    init(in folder: URL) throws {
        let path = folder.appending(path: "cookbook.lmdb").path
        let environment = try OpaquePointer.environment(
            at: path, durability: .normal, tableCount: UInt32(CookbookTable.allCases.count))
        do {
            let transaction = try OpaquePointer.beginning(in: environment, flags: 0)
            do {
                tables = try CookbookTable.allCases.map {
                    try .table("\($0)", flags: $0.flags | MDB_CREATE, in: transaction)
                }
            } catch {
                mdb_txn_abort(transaction)
                throw error
            }
            try LMDBFailure.check(mdb_txn_commit(transaction))
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

    /// A cursor for each table.
    func cursors(in transaction: OpaquePointer) throws -> LMDBCookbookCursors {
        LMDBCookbookCursors(cursors: try tables.map { try .cursor(of: $0, in: transaction) })
    }

    /// Runs its argument in a write transaction, which is undone when it throws.
    func write(_ work: (LMDBCookbookCursors) throws -> Void) throws {
        let transaction = try OpaquePointer.beginning(in: environment, flags: 0)
        do {
            try work(cursors(in: transaction))
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        try LMDBFailure.check(mdb_txn_commit(transaction))
    }
}

/// A transaction's cursors, one for each table.
struct LMDBCookbookCursors {
    fileprivate let cursors: [OpaquePointer]

    subscript(table: CookbookTable) -> OpaquePointer { cursors[table.rawValue] }

    /// Moves all cursors to a transaction that was renewed.
    func renew(_ transaction: OpaquePointer) throws {
        for cursor in cursors { try LMDBFailure.check(mdb_cursor_renew(transaction, cursor)) }
    }

    func close() {
        cursors.forEach { mdb_cursor_close($0) }
    }
}
