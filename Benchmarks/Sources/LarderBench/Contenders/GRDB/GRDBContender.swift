import Foundation
import GRDB

/// GRDB as its users use it: a pool with its default settings, and the record API.
final class GRDBContender<Record: GRDBRecord>: Contender {
    private let path: String
    private let durability: Durability
    private var pool: DatabasePool

    init(in folder: URL, options: StoreOptions) throws {
        path = RestaurantTable.file(in: folder)
        durability = options.durability
        pool = try Self.open(path, durability)
        try pool.write { database in
            for statement in RestaurantTable.creation(isIndexed: options.isIndexed) {
                try database.execute(sql: statement)
            }
        }
    }

    func forAnotherThread() throws -> GRDBContender { self }

    func close() throws {
        try pool.close()
    }

    func reopen() throws {
        pool = try Self.open(path, durability)
    }

    private static func open(_ path: String, _ durability: Durability) throws -> DatabasePool {
        var configuration = Configuration()
        // Without it a reader beside a writer now and then gets SQLITE_BUSY.
        configuration.busyMode = .timeout(5)
        let pool = try DatabasePool(path: path, configuration: configuration)
        // The pool sets NORMAL itself when it turns on WAL, so the durability comes after it.
        if durability == .full {
            try pool.writeWithoutTransaction { try $0.execute(sql: durability.pragma) }
        }
        return pool
    }

    // MARK: Writing

    func insertInOneTransaction(_ records: [Record]) throws {
        try pool.write { database in
            for record in records {
                try record.insert(database)
            }
        }
    }

    func insertOneByOne(_ records: [Record]) throws {
        for record in records {
            try pool.write { try record.insert($0) }
        }
    }

    func mirror(ids: [Int64]) throws {
        try pool.write { database in
            for id in ids {
                guard var record = try Record.fetchOne(database, key: id) else { continue }
                record.mirror()
                try record.update(database, columns: ["rating", "reviews"])
            }
        }
    }

    func delete(_ records: [Record]) throws {
        try pool.write { database in
            for record in records {
                try record.delete(database)
            }
        }
    }
}

extension GRDBContender {
    func readInOneTransaction(ids: [Int64], visit: (Record?) -> Void) throws {
        try pool.read { database in
            for id in ids {
                visit(try Record.fetchOne(database, key: id))
            }
        }
    }

    func readOneByOne(ids: [Int64], visit: (Record?) -> Void) throws {
        for id in ids {
            visit(try pool.read { try Record.fetchOne($0, key: id) })
        }
    }

    func readFromAsyncCode(ids: [Int64], visit: (Record?) -> Void) async throws {
        for id in ids {
            visit(try await pool.read { try Record.fetchOne($0, key: id) })
        }
    }

    func scan() throws -> [Record] {
        try pool.read { try Record.fetchAll($0) }
    }

    func stream(_ visit: (Record) -> Void) throws {
        try pool.read { database in
            let cursor = try Record.fetchCursor(database)
            while let record = try cursor.next() { visit(record) }
        }
    }

    func lookUp(names: [String], visit: ([Record]) -> Void) throws {
        try pool.read { database in
            for name in names {
                visit(try Record.filter(Column("name") == name).fetchAll(database))
            }
        }
    }

    func find(ratedAbove bounds: [Double], visit: ([Record]) -> Void) throws {
        try pool.read { database in
            for bound in bounds {
                visit(try Record.filter(Column("rating") > bound).fetchAll(database))
            }
        }
    }

    func count(ratedAbove bounds: [Double], visit: (Int) -> Void) throws {
        try pool.read { database in
            for bound in bounds {
                visit(try Record.filter(Column("rating") > bound).fetchCount(database))
            }
        }
    }

    func aggregate(_ question: AggregateQuestion) throws -> AggregateAnswer {
        let rating = Column("rating")
        return try pool.read { database in
            switch question {
            case .sum:
                return .numbers([try Record.select(sum(rating), as: Double.self).fetchOne(database) ?? 0])
            case .average:
                return .numbers([try Record.select(average(rating), as: Double.self).fetchOne(database) ?? 0])
            case .extremes:
                let lowest = try Record.select(min(rating), as: Double.self).fetchOne(database)
                let highest = try Record.select(max(rating), as: Double.self).fetchOne(database)
                return .numbers([lowest ?? 0, highest ?? 0])
            case .names:
                let name = Column("name")
                let request = Record.select(name, GRDB.count(Column("id"))).group(name)
                let rows = try Row.fetchCursor(database, request)
                var counts: [(String, Int)] = []
                while let row = try rows.next() { counts.append((row[0], row[1])) }
                return .names(counts)
            }
        }
    }

    func show(_ pages: [Page], visit: ([Record]) -> Void) throws {
        try pool.read { database in
            for page in pages {
                let (rating, id) = (Column("rating"), Column("id"))
                let sorted = page.isDescending ? Record.order(rating.desc, id.desc) : Record.order(rating, id)
                visit(try sorted.limit(page.limit, offset: page.offset).fetchAll(database))
            }
        }
    }
}
