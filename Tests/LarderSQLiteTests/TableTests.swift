import Foundation
import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

@Suite struct `The tables of a store` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.db")
    }

    private func declaration(of name: String) throws -> String? {
        try RawDatabase(url).value("SELECT sql FROM sqlite_schema WHERE name = '\(name)'")
    }

    @Test func `each attribute is a column of its own type`() throws {
        _ = try TestStore(at: url, storing: [Sample.self])

        #expect(
            try declaration(of: "Sample") == """
                CREATE TABLE "Sample" ("id" BLOB PRIMARY KEY NOT NULL, "flag" INTEGER, "tiny" INTEGER, \
                "large" INTEGER, "unsigned" ANY, "single" REAL, "real" REAL, "text" TEXT, "data" BLOB, \
                "date" REAL, "uuid" BLOB, "url" TEXT, "decimal" TEXT, "json" TEXT) STRICT, WITHOUT ROWID
                """)
    }

    @Test func `an integer identifier is the rowid`() throws {
        _ = try TestStore(at: url)

        #expect(
            try declaration(of: "Recipe") == """
                CREATE TABLE "Recipe" ("id" INTEGER PRIMARY KEY NOT NULL, "name" TEXT NOT NULL, \
                "rating" REAL NOT NULL, "slug" TEXT NOT NULL, "note" TEXT) STRICT
                """)
    }

    @Test func `an index is named after its columns and a unique attribute has a plain one`() throws {
        _ = try TestStore(at: url)

        #expect(
            try RawDatabase(url).rows("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql > ''")
                == [
                    [
                        "larder_index_Recipe(rating)",
                        #"CREATE INDEX "larder_index_Recipe(rating)" ON "Recipe" ("rating")"#,
                    ],
                    [
                        "larder_index_Recipe(slug)",
                        #"CREATE INDEX "larder_index_Recipe(slug)" ON "Recipe" ("slug")"#,
                    ],
                ])
    }

    @Test func `any SQLite tool reads the rows`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(7, name: "Soup", rating: 4.5, slug: "soup")])

        #expect(
            try RawDatabase(url).rows("SELECT id, name, rating, slug, note FROM Recipe")
                == [["7", "Soup", "4.5", "soup", "NULL"]])
    }

    @Test func `another tool cannot put a value of the wrong type in`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(7)])

        #expect(throws: RawDatabase.Failure.self) {
            try RawDatabase(url).execute("UPDATE Recipe SET rating = 'good'")
        }
    }

    @Test func `names may hold anything and differ in case only`() throws {
        let types: [any DataStoreItem.Type] = [
            Odd.SQLiteName.self, Odd.LarderName.self, Odd.Underscored.self, Odd.Quoted.self, Odd.Upper.self,
            Odd.Lower.self, Odd.LikeAnIndex.self,
        ]
        let store = try TestStore(at: url, storing: types)
        try store.insert([Odd.SQLiteName(1)])
        try store.insert([Odd.LarderName(2)])
        try store.insert([Odd.Underscored(3)])
        try store.insert([Odd.Quoted(4)])
        try store.insert([Odd.Upper(5)])
        try store.insert([Odd.Lower(6)])
        try store.insert([Odd.LikeAnIndex(7)])
        try store.adapter.close()
        try store.adapter.open(store.schema)

        #expect(try store.all(Odd.SQLiteName.self).map(\.id) == [1])
        #expect(try store.all(Odd.LarderName.self).map(\.id) == [2])
        #expect(try store.all(Odd.Underscored.self).map(\.id) == [3])
        #expect(try store.all(Odd.Quoted.self).map(\.id) == [4])
        #expect(try store.all(Odd.Upper.self).map(\.id) == [5])
        #expect(try store.all(Odd.Lower.self).map(\.id) == [6])
        #expect(try store.all(Odd.LikeAnIndex.self).map(\.id) == [7])
        #expect(
            try RawDatabase(url).rows("SELECT name FROM sqlite_schema WHERE type = 'table'").map { $0[0] }
                == [
                    "larder_meta", "_sqlite_stat1", "_larder_meta", "__sqlite_stat1",
                    #"My "best" (one), `two`"#,
                    "RECIPE", "recipe~2", "larder_index_RECIPE(v)".replacing("larder", with: "_larder"),
                ])
    }

    @Test func `the command line tool of SQLite reads the rows`() throws {
        let tool = URL(fileURLWithPath: "/usr/bin/sqlite3")
        try #require(tool.fileExists, "sqlite3 is not installed")
        let store = try TestStore(at: url)
        try store.insert([Recipe(7, name: "Soup", rating: 4.5)])
        let process = Process()
        let output = Pipe()
        process.executableURL = tool
        process.arguments = [url.path, "SELECT name, rating FROM Recipe"]
        process.standardOutput = output

        try process.run()
        process.waitUntilExit()

        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text == "Soup|4.5\n")
    }
}

/// Item types with names that get in each other's way, or in SQLite's.
enum Odd {
    struct SQLiteName: OddItem {
        static let schema = oddSchema("sqlite_stat1", "rowid")
        let id: Int64
        init(_ id: Int64) { self.id = id }
    }

    struct LarderName: OddItem {
        static let schema = oddSchema("larder_meta", "KEY")
        let id: Int64
        init(_ id: Int64) { self.id = id }
    }

    struct Underscored: OddItem {
        static let schema = oddSchema("_sqlite_stat1", "a\"b")
        let id: Int64
        init(_ id: Int64) { self.id = id }
    }

    struct Quoted: OddItem {
        static let schema = oddSchema(#"My "best" (one), `two`"#, "ID")
        let id: Int64
        init(_ id: Int64) { self.id = id }
    }

    struct Upper: OddItem {
        static let schema = oddSchema("RECIPE", "v")
        let id: Int64
        init(_ id: Int64) { self.id = id }
    }

    struct Lower: OddItem {
        static let schema = oddSchema("recipe", "v")
        let id: Int64
        init(_ id: Int64) { self.id = id }
    }

    struct LikeAnIndex: OddItem {
        static let schema = oddSchema("larder_index_RECIPE(v)", "v")
        let id: Int64
        init(_ id: Int64) { self.id = id }
    }
}

protocol OddItem: DataStoreItem where ID == Int64, Attributes == OddAttributes {
    init(_ id: Int64)
}

struct OddAttributes: Sendable {}

extension OddItem {
    static var attributes: OddAttributes { OddAttributes() }

    static func oddSchema(_ name: String, _ attribute: String) -> EntitySchema {
        EntitySchema(
            name,
            attributes: [.attribute("id", Int64.self), .attribute(attribute, Int64.self)],
            indexes: [.index(attribute)])
    }

    init(row: borrowing RowReader) throws(DataStoreError) {
        self.init(try row.value(at: 0))
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(id, at: 1)
    }
}
