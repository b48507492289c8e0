import Foundation
import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

/// A text with an index without regard to case, in a file.
@Suite struct `A folded column` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.db")
    }

    private struct Guest: DataStoreItem, Equatable {
        let id: Int64
        /// Stored as "name".
        var title: String

        struct Attributes: Sendable {
            let id = Attribute<Guest, Int64>(column: 0)
            let title = Attribute<Guest, String>(column: 1)
        }

        static let attributes = Attributes()
        static let schema = EntitySchema(
            "Guest",
            attributes: [.attribute("id", Int64.self), .attribute("name", String.self, property: "title")],
            indexes: [.unique("name", .caseInsensitive)])

        init(_ id: Int64, _ title: String) { (self.id, self.title) = (id, title) }

        init(row: borrowing RowReader) throws(DataStoreError) {
            id = try row.value(at: 0)
            title = try row.value(at: 1)
        }

        func encode(to row: inout RowWriter) throws(DataStoreError) {
            try row.set(id, at: 0)
            try row.set(title, at: 1)
        }
    }

    private func open() throws -> SQLiteDataStore {
        let store = SQLiteDataStore(at: url, storing: [Guest.self], options: .forTests)
        try store.setup()
        return store
    }

    private func filled() throws -> SQLiteDataStore {
        let store = try open()
        try store.writeSync {
            try $0.insert(contentsOf: [Guest(1, "Anna"), Guest(2, "bert"), Guest(3, "CARL")])
        }
        return store
    }

    @Test func `orders and filters without regard to case take its index`() throws {
        let store = try filled()

        func explained(_ request: DataStoreRequest<Guest>) throws -> [String] {
            try store.read { try $0.explain(request) }
        }
        let index = "index Guest(name[c])"
        let prefix = try explained(Guest.where(.hasPrefix(\.title, "AN", .caseInsensitive)))
        #expect(try explained(Guest.all.sorted(by: \.title, .caseInsensitive)) == [index])
        #expect(try explained(Guest.where(.equals(\.title, "ANNA", .caseInsensitive))) == [index])
        #expect(prefix.contains(index))
        #expect(try explained(Guest.where(\.title == "Anna")) == ["scan"])
    }

    @Test func `other tools find the folded text in a column of its own`() throws {
        _ = try filled()

        let rows = try RawDatabase(url).rows("SELECT name, name_folded FROM Guest ORDER BY id")
        #expect(rows == [["Anna", "anna"], ["bert", "bert"], ["CARL", "carl"]])
    }

    /// The next version of a guest.
    private struct NotedGuest: VersionedItem {
        static let schema = EntitySchema(
            "Guest",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self),
                .attribute("note", String?.self),
            ],
            indexes: [.unique("name", .caseInsensitive)])
        var values: [Cell]
    }

    @Test func `other tools find it after a step that has made the rows anew`() throws {
        try filled().tearDown()
        let step = SchemaStep(from: "1", to: "2") {
            Transform("Guest") { _, new in _ = try new.make() }
        }
        let versions = [
            SchemaVersion("1", storing: [Guest.self]), SchemaVersion("2", storing: [NotedGuest.self]),
        ]

        let store = SQLiteDataStore(
            at: url, storing: SchemaHistory(versions, steps: [step]), options: .forTests)
        try store.setup()

        #expect(try store.checkIntegrity() == [])
        try store.tearDown()
        let rows = try RawDatabase(url).rows("SELECT name, name_folded FROM Guest ORDER BY id")
        #expect(rows == [["Anna", "anna"], ["bert", "bert"], ["CARL", "carl"]])
    }

    @Test func `a text that another tool has changed alone is a problem`() throws {
        let store = try filled()
        try RawDatabase(url).execute("UPDATE Guest SET name = 'Dora' WHERE id = 2")

        let problems = try store.checkIntegrity()

        #expect(
            problems == [
                "Guest.title: The text and the form of it that is kept for an index differ. (item 2)"
            ])
    }

    /// Makes the closed store as one whose texts other Unicode tables have folded, and returns the number of its own.
    private func foldByOtherTables() throws -> String {
        let raw = try RawDatabase(url)
        let tables = try #require(
            try raw.value(
                "SELECT json_extract(value, '$.entities[0].attributes[2].folding.tables') FROM larder_meta "
                    + "WHERE key = 'schema'"))
        try raw.execute(
            """
            UPDATE larder_meta SET value = replace(value, '\(tables)', 'older') WHERE key = 'schema';
            UPDATE Guest SET name_folded = 'x' || id
            """)
        return tables
    }

    private func storedSchema() throws -> String {
        try #require(try RawDatabase(url).value("SELECT value FROM larder_meta WHERE key = 'schema'"))
    }

    @Test func `a text that other Unicode tables have folded is folded again`() throws {
        try filled().tearDown()
        let tables = try foldByOtherTables()

        let store = try open()

        #expect(try store.checkIntegrity() == [])
        #expect(
            try store.read { try $0.items(for: Guest.where(.equals(\.title, "carl", .caseInsensitive))) }
                == [Guest(3, "CARL")])
        let stored = try storedSchema()
        #expect(stored.contains(tables))
        #expect(!stored.contains("older"))
    }

    @Test func `a text that other Unicode tables have folded is no problem of a store that does not know it`()
        throws
    {
        try filled().tearDown()
        _ = try foldByOtherTables()
        let tool = SQLiteDataStore(at: url, storing: [], options: .forTests)
        try tool.setup()
        defer { try? tool.tearDown() }

        #expect(try tool.checkIntegrity() == [])
        #expect(try storedSchema().contains("older"))
    }

    @Test func `texts that are the same by newer Unicode tables are refused, and nothing changes`() throws {
        try filled().tearDown()
        let tables = try foldByOtherTables()
        try RawDatabase(url).execute("UPDATE Guest SET name = 'aNNa' WHERE id = 3")

        let error = thrown { try open() }

        #expect(error?.code == .uniqueViolation)
        #expect(
            error?.message
                == "The items 1 and 3 of Guest have the same title without regard to case, \"Anna\" and \"aNNa\", which "
                + "has to be unique.")
        let rows = try RawDatabase(url).rows("SELECT name, name_folded FROM Guest ORDER BY id")
        #expect(rows == [["Anna", "x1"], ["bert", "x2"], ["aNNa", "x3"]])
        #expect(try !storedSchema().contains(tables))
        try RawDatabase(url).execute("UPDATE Guest SET name = 'CARL' WHERE id = 3")
        #expect(try open().checkIntegrity() == [])
    }
}
