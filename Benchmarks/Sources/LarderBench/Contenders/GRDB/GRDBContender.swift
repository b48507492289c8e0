import Foundation
import GRDB

/// GRDB as its users use it: a pool with its default settings, and the record API.
final class GRDBContender: Contender {
    typealias Record = Restaurant

    private let pool: DatabasePool

    init(in folder: URL, options: StoreOptions) throws {
        pool = try DatabasePool(path: RestaurantTable.file(in: folder))
        // The pool sets NORMAL itself when it turns on WAL, so the durability comes after it.
        try pool.writeWithoutTransaction { try $0.execute(sql: options.durability.pragma) }
        try pool.write { database in
            for statement in RestaurantTable.creation(isNameIndexed: options.isNameIndexed) {
                try database.execute(sql: statement)
            }
        }
    }

    func insertInOneTransaction(_ records: [Restaurant]) throws {
        try pool.write { database in
            for record in records {
                try record.insert(database)
            }
        }
    }

    func insertOneByOne(_ records: [Restaurant]) throws {
        for record in records {
            try pool.write { try record.insert($0) }
        }
    }

    func readInOneTransaction(ids: [Int64], visit: (Restaurant?) -> Void) throws {
        try pool.read { database in
            for id in ids {
                visit(try Restaurant.fetchOne(database, key: id))
            }
        }
    }

    func readOneByOne(ids: [Int64], visit: (Restaurant?) -> Void) throws {
        for id in ids {
            visit(try pool.read { try Restaurant.fetchOne($0, key: id) })
        }
    }

    func scan() throws -> [Restaurant] {
        try pool.read { try Restaurant.fetchAll($0) }
    }

    func lookUp(names: [String], visit: ([Restaurant]) -> Void) throws {
        try pool.read { database in
            for name in names {
                visit(try Restaurant.filter(Column("name") == name).fetchAll(database))
            }
        }
    }

    func close() throws {
        try pool.close()
    }
}
