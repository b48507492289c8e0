import CSQLite
import Foundation
import Larder
import LarderSQLite
import Testing

@testable import AdapterTestSupport

/// The connection of SQLite, lent to the app inside a block.
@Suite struct `The connection of SQLite` {
    let folder: TemporaryFolder
    let store: SQLiteDataStore

    init() throws {
        folder = try TemporaryFolder()
        store = SQLiteDataStore(at: folder.file("store.db"), storing: [Recipe.self], options: .forTests)
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: (1...3).map { Recipe($0) }) }
    }

    /// An error of SQLite in code of the app.
    private struct Failure: Error, Equatable {
        let code: Int32
    }

    private static func run(_ sql: String, on connection: OpaquePointer) throws {
        let code = sqlite3_exec(connection, sql, nil, nil, nil)
        if code != SQLITE_OK { throw Failure(code: code & 0xFF) }
    }

    /// The number in the first row of an answer.
    private static func number(_ sql: String, on connection: OpaquePointer) throws -> Int64 {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
        if code != SQLITE_OK { throw Failure(code: code & 0xFF) }
        defer { sqlite3_finalize(statement) }
        return sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1
    }

    private static let count = "SELECT count(*) FROM Recipe"

    private func storedCount() throws -> Int {
        try store.read { try $0.countItems(for: Recipe.all) }
    }

    @Test func `a read block lends its snapshot`() throws {
        let store = store
        let counts = try store.read { accessor in
            let first = try accessor.withSQLiteConnection { try Self.number(Self.count, on: $0) }
            try sideBySide([{ try store.writeSync { _ = try $0.deleteAllItems(of: Recipe.self) } }])
            let second = try accessor.withSQLiteConnection { try Self.number(Self.count, on: $0) }
            return [first, second, Int64(try accessor.countItems(for: Recipe.all))]
        }

        #expect(counts == [3, 3, 3])
        #expect(try storedCount() == 0)
    }

    @Test func `the connection of a read block refuses to write`() throws {
        let count = try store.read { accessor in
            #expect(throws: Failure(code: SQLITE_READONLY)) {
                try accessor.withSQLiteConnection { try Self.run("DELETE FROM Recipe", on: $0) }
            }
            return try accessor.countItems(for: Recipe.all)
        }

        #expect(count == 3)
    }

    @Test func `a write block lends its transaction, and its handles show the new values`() throws {
        let result = try store.writeSyncReportingChanges { accessor in
            let handle = try accessor.insert(Recipe(4))
            let changed = try accessor.withSQLiteConnection { connection in
                #expect(try Self.number(Self.count, on: connection) == 4)
                try Self.run("UPDATE Recipe SET slug = 'new' || id WHERE id > 2", on: connection)
                return sqlite3_changes(connection)
            }
            #expect(changed == 2)
            #expect(handle.slug == "new4")
        }

        #expect(try store.read { try $0.item(id: 3, of: Recipe.self)?.slug } == "new3")
        // The store does not know the row that SQLite has changed.
        #expect(result.changes.inserted(Recipe.self) == [4])
        #expect(result.changes.updated(Recipe.self).map(\.id) == [])
    }

    @Test func `an observation follows what the connection has changed`() async throws {
        var counts = store.values(ofCount: Recipe.all).makeAsyncIterator()
        #expect(try await counts.next() == 3)

        try await store.writeAsync { accessor in
            try accessor.withSQLiteConnection { try Self.run("DELETE FROM Recipe WHERE id = 1", on: $0) }
        }

        #expect(try await counts.next() == 2)
    }

    @Test func `an error of the body undoes the call alone`() throws {
        try store.writeSync { accessor in
            let handle = try #require(try accessor.mutableItem(id: 2, of: Recipe.self))
            handle.slug = "before"
            #expect(throws: Failure(code: SQLITE_ERROR)) {
                try accessor.withSQLiteConnection { connection in
                    try Self.run("SAVEPOINT own; UPDATE Recipe SET slug = id; RELEASE own", on: connection)
                    try Self.run("DELETE FROM nothing_of_this_name", on: connection)
                }
            }
            #expect(handle.slug == "before")
            try accessor.insert(Recipe(4))
        }

        let slugs = try store.read { try $0.items(for: Recipe.all).map(\.slug) }
        #expect(slugs == [Recipe(1).slug, "before", Recipe(3).slug, Recipe(4).slug])
    }

    @Test func `a savepoint undoes what the connection has changed`() throws {
        try store.writeSync { accessor in
            #expect(throws: Failure(code: 0)) {
                try accessor.savepoint {
                    try accessor.withSQLiteConnection { try Self.run("DELETE FROM Recipe", on: $0) }
                    throw Failure(code: 0)
                }
            }
        }

        #expect(try storedCount() == 3)
    }

    @Test(arguments: ["COMMIT", "ROLLBACK", "COMMIT; BEGIN", "ROLLBACK; BEGIN"])
    func `a transaction that the body ends fails its block`(_ text: String) throws {
        let writing = thrown {
            try store.writeSync { accessor in
                try accessor.insert(Recipe(4))
                let call = thrown {
                    try accessor.withSQLiteConnection { try Self.run(text, on: $0) }
                }
                #expect(call?.code == .invalidRequest)
                #expect(thrown { _ = try accessor.countItems(for: Recipe.all) } == call)
            }
        }
        let reading = thrown {
            try store.read { accessor in
                let call = thrown {
                    try accessor.withSQLiteConnection { try Self.run(text, on: $0) }
                }
                #expect(call?.code == .invalidRequest)
                #expect(thrown { _ = try accessor.item(id: 1, of: Recipe.self) } == call)
                _ = try accessor.countItems(for: Recipe.all)
            }
        }

        #expect(writing?.code == .invalidRequest)
        #expect(reading?.code == .invalidRequest)
        try store.writeSync { _ = try $0.insert(Recipe(5)) }
        #expect(try storedCount() == (text.hasPrefix("COMMIT") ? 5 : 4))
    }

    @Test func `a transaction that SQLite ends fails its block with SQLite's error`() throws {
        let failure = thrown {
            try store.writeSync { accessor in
                try accessor.insert(Recipe(4))
                try accessor.withSQLiteConnection {
                    try Self.run("UPDATE OR ROLLBACK Recipe SET id = 1", on: $0)
                }
            }
        }

        #expect(failure?.code == .engine)
        #expect(failure?.underlying?.source == "SQLite")
        #expect(try storedCount() == 3)
    }

    @Test func `a statement that is left at a row is reset, and the call undone`() throws {
        try store.writeSync { accessor in
            var left: OpaquePointer?
            let refused = thrown {
                try accessor.withSQLiteConnection { connection in
                    try Self.run("DELETE FROM Recipe WHERE id = 1", on: connection)
                    sqlite3_prepare_v2(connection, "SELECT id FROM Recipe", -1, &left, nil)
                    #expect(sqlite3_step(left) == SQLITE_ROW)
                }
            }
            #expect(refused?.code == .invalidRequest)
            #expect(refused?.message.contains("A statement was left") == true)
            #expect(sqlite3_stmt_busy(left) == 0)
            sqlite3_finalize(left)
            try accessor.insert(Recipe(4))
        }

        #expect(try storedCount() == 4)
    }

    @Test func `the connection is not lent to writers while items are read`() throws {
        try store.writeSync { accessor in
            try accessor.forEachItem(for: Recipe.all) { _ in
                let refused = thrown { try accessor.withSQLiteConnection { _ in } }
                #expect(refused?.code == .changedDuringIteration)
            }
        }
        try store.read { accessor in
            var count = 0
            try accessor.forEachItem(for: Recipe.all) { _ in
                count += 1
                let number = try accessor.withSQLiteConnection { try Self.number(Self.count, on: $0) }
                #expect(number == 3)
            }
            #expect(count == 3)
        }
    }

    @Test func `blocks that share a commit go on beside a call that throws`() throws {
        try store.writeSync { _ in
            store.writeAsync { accessor in
                try accessor.insert(Recipe(4))
                #expect(throws: Failure(code: 0)) {
                    try accessor.withSQLiteConnection { connection in
                        try Self.run("DELETE FROM Recipe", on: connection)
                        throw Failure(code: 0)
                    }
                }
            }
            store.writeAsync { accessor in
                try accessor.withSQLiteConnection { try Self.run("DELETE FROM Recipe WHERE id = 1", on: $0) }
            }
        }
        try store.flush()

        #expect(try store.read { try $0.ids(for: Recipe.all) } == [2, 3, 4])
    }

    @Test func `a child store lends no connection`() throws {
        let child = try store.makeChildDataStore()
        let reading = thrown { try child.read { try $0.withSQLiteConnection { _ in } } }
        let writing = thrown { try child.writeSync { try $0.withSQLiteConnection { _ in } } }

        #expect(reading?.code == .unsupported)
        #expect(writing?.code == .unsupported)
        #expect(child.hasChanges == false)
    }

    @Test func `a value beyond its limit is too large, in SQL and in an item`() throws {
        let long = String(repeating: "x", count: 200_000)
        let others: SQLText = "SELECT count(*) FROM \(Recipe.self) WHERE name <> \(long)"
        var failures: [DataStoreError?] = []
        let failure = thrown {
            try store.writeSync { accessor in
                try accessor.withSQLiteConnection { connection in
                    _ = sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, 100_000)
                }
                failures.append(thrown { try accessor.rows(sql: others, as: Int.self) })
                failures.append(thrown { try accessor.insert(Recipe(4, name: long)) })
            }
        }

        #expect(failures.map { $0?.code } == [.valueTooLarge, .valueTooLarge])
        #expect(failures[1]?.itemType == "Recipe")
        #expect(failure?.code == .valueTooLarge)
        #expect(try storedCount() == 3)
    }
}
