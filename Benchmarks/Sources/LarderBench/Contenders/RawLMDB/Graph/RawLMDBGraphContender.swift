import CLMDBRaw
import Foundation

/// LMDB's C API by hand, with a list of ids for each end of a relationship: what any library over it can at best reach.
final class RawLMDBGraphContender: GraphContender {
    private let file: LMDBCookbookFile
    /// Used again and again.
    private let transaction: OpaquePointer
    private let cursors: LMDBCookbookCursors

    init(in folder: URL) throws {
        file = try LMDBCookbookFile(in: folder)
        transaction = try .beginning(in: file.environment, flags: MDB_RDONLY)
        cursors = try file.cursors(in: transaction)
        mdb_txn_reset(transaction)
    }

    func close() {
        cursors.close()
        mdb_txn_abort(transaction)
        file.close()
    }

    static func form(of cookbook: Cookbook) -> Cookbook { cookbook }

    // MARK: Writing

    func insert(_ cookbook: Cookbook) throws {
        try file.write { try LMDBCookbookWriter($0).insert(cookbook) }
    }

    func link(recipes: [Int64], with tag: Int64) throws {
        try file.write { cursors in
            let writer = LMDBCookbookWriter(cursors)
            for id in recipes { try writer.link(recipe: id, with: tag) }
        }
    }

    func unlink(recipes: [Int64], from tag: Int64) throws {
        try file.write { cursors in
            let writer = LMDBCookbookWriter(cursors)
            for id in recipes { try writer.unlink(recipe: id, from: tag) }
        }
    }

    func delete(recipe: Int64) throws {
        try file.write { try LMDBCookbookWriter($0).delete(recipe: recipe) }
    }

    // MARK: Reading

    func reading(_ work: (LMDBCookbookCursors) throws -> Void) throws {
        try LMDBFailure.check(mdb_txn_renew(transaction))
        defer { mdb_txn_reset(transaction) }
        try cursors.renew(transaction)
        try work(cursors)
    }
}
