import Foundation

/// SQLite's C API by hand: what any library over it with these settings can at best reach.
final class RawSQLiteContender: Contender {
    typealias Record = Restaurant

    private let connection: SQLiteConnection
    private let begin: SQLiteStatement
    private let beginWriting: SQLiteStatement
    private let commit: SQLiteStatement
    private let insert: SQLiteStatement
    private let selectByID: SQLiteStatement
    private let selectByName: SQLiteStatement
    private let selectAll: SQLiteStatement
    private let insertsPerCommit: Int

    /// - Parameter insertsPerCommit: How many inserts that are given at once share a commit.
    init(
        in folder: URL, options: StoreOptions, settings: SQLiteSettings, insertsPerCommit: Int = 64
    ) throws {
        self.insertsPerCommit = insertsPerCommit
        connection = try SQLiteConnection(
            path: RestaurantTable.file(in: folder), settings: settings.with(options.durability))
        for statement in RestaurantTable.creation(isNameIndexed: options.isNameIndexed) {
            try connection.execute(statement)
        }
        let table = RestaurantTable.name
        let columns = RestaurantTable.columns.joined(separator: ", ")
        let marks = RestaurantTable.columns.map { _ in "?" }.joined(separator: ", ")
        begin = try connection.prepare("BEGIN")
        beginWriting = try connection.prepare("BEGIN IMMEDIATE")
        commit = try connection.prepare("COMMIT")
        insert = try connection.prepare("INSERT INTO \(table) (\(columns)) VALUES (\(marks))")
        selectByID = try connection.prepare("SELECT \(columns) FROM \(table) WHERE id = ?")
        selectByName = try connection.prepare("SELECT \(columns) FROM \(table) WHERE name = ?")
        selectAll = try connection.prepare("SELECT \(columns) FROM \(table)")
    }

    func insertInOneTransaction(_ records: [Restaurant]) throws {
        try insertTogether(records[...])
    }

    func insertOneByOne(_ records: [Restaurant]) throws {
        var arena = TextArena()
        for record in records {
            try beginWriting.run()
            try insert(record, through: &arena)
            try commit.run()
        }
    }

    func insertInGroups(_ records: [Restaurant]) throws {
        for start in stride(from: 0, to: records.count, by: insertsPerCommit) {
            try insertTogether(records[start...].prefix(insertsPerCommit))
        }
    }

    func readInOneTransaction(ids: [Int64], visit: (Restaurant?) -> Void) throws {
        try begin.run()
        for id in ids {
            visit(try restaurant(id: id))
        }
        try commit.run()
    }

    /// Outside a transaction each SELECT is one of its own.
    func readOneByOne(ids: [Int64], visit: (Restaurant?) -> Void) throws {
        for id in ids {
            visit(try restaurant(id: id))
        }
    }

    func scan() throws -> [Restaurant] {
        try allRows(of: selectAll)
    }

    func lookUp(names: [String], visit: ([Restaurant]) -> Void) throws {
        var arena = TextArena()
        try begin.run()
        for name in names {
            arena.beginRow(byteCount: name.utf8.count)
            try selectByName.bind(arena.store(name), at: 1)
            visit(try allRows(of: selectByName))
        }
        try commit.run()
    }

    func close() throws {
        try connection.close()
    }

    private func insertTogether(_ records: ArraySlice<Restaurant>) throws {
        var arena = TextArena()
        try beginWriting.run()
        for record in records {
            try insert(record, through: &arena)
        }
        try commit.run()
    }

    private func insert(_ record: borrowing Restaurant, through arena: inout TextArena) throws {
        try insert.bind(record, through: &arena)
        try insert.run()
    }

    private func restaurant(id: Int64) throws -> Restaurant? {
        defer { selectByID.reset() }
        try selectByID.bind(id, at: 1)
        return try selectByID.step() ? selectByID.restaurant() : nil
    }

    private func allRows(of statement: SQLiteStatement) throws -> [Restaurant] {
        defer { statement.reset() }
        var found: [Restaurant] = []
        while try statement.step() {
            found.append(statement.restaurant())
        }
        return found
    }
}
