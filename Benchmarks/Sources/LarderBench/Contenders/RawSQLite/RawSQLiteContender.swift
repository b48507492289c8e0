import Foundation

/// SQLite's C API by hand: what any library over it with these settings can at best reach.
final class RawSQLiteContender: Contender {
    typealias Record = Restaurant

    private let path: String
    private let settings: SQLiteSettings
    let insertsPerCommit: Int
    private(set) var connection: SQLiteConnection<RestaurantQuery>

    /// - Parameter insertsPerCommit: How many inserts that are given at once share a commit.
    convenience init(
        in folder: URL, options: StoreOptions, settings: SQLiteSettings, insertsPerCommit: Int = 64
    ) throws {
        try self.init(
            path: RestaurantTable.file(in: folder), settings: settings.with(options.durability),
            insertsPerCommit: insertsPerCommit)
        for statement in RestaurantTable.creation(isIndexed: options.isIndexed) {
            try connection.execute(statement)
        }
    }

    private init(path: String, settings: SQLiteSettings, insertsPerCommit: Int) throws {
        self.path = path
        self.settings = settings
        self.insertsPerCommit = insertsPerCommit
        connection = try SQLiteConnection(path: path, settings: settings)
    }

    /// A connection may be used by one thread only.
    func forAnotherThread() throws -> RawSQLiteContender {
        try RawSQLiteContender(path: path, settings: settings, insertsPerCommit: insertsPerCommit)
    }

    func close() throws {
        try connection.close()
    }

    func reopen() throws {
        connection = try SQLiteConnection(path: path, settings: settings)
        for sql in ["PRAGMA user_version", "SELECT name, sql FROM sqlite_master"] {
            let statement = try connection.prepare(sql)
            while try statement.step() { blackHole(statement.text(at: 1)) }
            statement.finalize()
        }
    }

    func inTransaction(_ begin: RestaurantQuery, _ work: () throws -> Void) throws {
        try connection.inTransaction(begin, work)
    }
}
