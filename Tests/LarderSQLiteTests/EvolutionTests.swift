import Larder
import LarderSQLite
import Testing

import struct Foundation.Data
import struct Foundation.URL
@testable import AdapterTestSupport

@Suite struct `Evolving a store` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.db")
    }

    private func makeFirst(_ dishes: [Dish.First] = [.init(1, "Soup", 5), .init(2, "Cake", 7)]) throws {
        let store = try TestStore(at: url, storing: [Dish.First.self])
        try store.insert(dishes)
        try store.adapter.close()
    }

    private func rows(_ sql: String) throws -> [[String]] { try RawDatabase(url).rows(sql) }

    private func indexes() throws -> [String] {
        try rows("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql > '' ORDER BY name").map {
            $0[0]
        }
    }

    @Test func `attributes are added, renamed, widened and made optional with their values`() throws {
        try makeFirst()

        try TestStore(at: url, storing: [Dish.Second.self]).adapter.close()

        #expect(
            try rows("SELECT id, price, title, course, hex(size), note FROM Dish ORDER BY id") == [
                ["1", "5", "Soup", "main", "FFFFFFFFFFFFFFFF", "NULL"],
                ["2", "7", "Cake", "main", "FFFFFFFFFFFFFFFF", "NULL"],
            ])
        #expect(try indexes() == ["larder_index_Dish(course,price)", "larder_index_Dish(title)"])
        #expect(try rows("PRAGMA integrity_check") == [["ok"]])
        #expect(try rows("SELECT value FROM larder_meta WHERE key = 'generation'") == [["2"]])
    }

    /// A page of rows in the place of another gives one identifier to two rows.
    @Test func `a table that holds an identifier twice is damaged, not changed`() throws {
        try makeFirst((1...3000).map { .init($0, "Soup", 5) })
        var bytes = [UInt8](try Data(contentsOf: url))
        func number(at offset: Int) -> Int { Int(bytes[offset]) << 8 + Int(bytes[offset + 1]) }
        let pageBytes = number(at: 16)
        let leaves = stride(from: pageBytes, to: bytes.count, by: pageBytes).filter {
            bytes[$0] == 0x0D && number(at: $0 + 3) > 50
        }
        try #require(leaves.count > 2)
        bytes.replaceSubrange(
            leaves[0]..<(leaves[0] + pageBytes), with: bytes[leaves[1]..<(leaves[1] + pageBytes)])
        try Data(bytes).write(to: url)

        let refused = thrown {
            try TestStore(
                at: url, storing: [Dish.Second.self], options: SQLiteOptions(verification: .quick))
        }

        #expect(refused?.code == .damaged)
        #expect(refused?.message == "The rows of Dish break the rules of their own table.")
        #expect(try Data(contentsOf: url) == Data(bytes))
    }

    @Test func `an attribute that is gone is dropped with its values`() throws {
        try makeFirst()
        try TestStore(at: url, storing: [Dish.Second.self]).adapter.close()

        struct Third: VersionedItem {
            static let schema = EntitySchema(
                "Dish", attributes: [.attribute("id", Int64.self), .attribute("price", Int64.self)])
            var values: [Cell]
        }
        try TestStore(at: url, storing: [Third.self]).adapter.close()

        #expect(try rows("SELECT * FROM Dish ORDER BY id") == [["1", "5"], ["2", "7"]])
        #expect(try indexes() == [])
    }

    @Test func `an index comes and goes without the rows being written anew`() throws {
        try makeFirst()
        let table = try rows("SELECT rootpage FROM sqlite_schema WHERE name = 'Dish'")

        try TestStore(at: url, storing: [Dish.Bare.self]).adapter.close()
        #expect(try indexes() == [])

        try TestStore(at: url, storing: [Dish.First.self]).adapter.close()
        #expect(try indexes() == ["larder_index_Dish(name)"])
        #expect(try rows("SELECT rootpage FROM sqlite_schema WHERE name = 'Dish'") == table)
        #expect(try rows("SELECT id FROM Dish ORDER BY id") == [["1"], ["2"]])
    }

    @Test func `an attribute cannot become unique while two items share its value`() throws {
        try makeFirst([.init(1, "Soup", 5), .init(2, "Soup", 7), .init(3, "Cake", 7)])
        let before = try Data(contentsOf: url)

        let refused = thrown { try TestStore(at: url, storing: [Dish.Unique.self]) }

        #expect(refused?.code == .uniqueViolation)
        #expect(refused?.itemType == "Dish")
        #expect(refused?.attribute == "name")
        #expect(
            refused?.message
                == #"The items 1 and 2 of Dish have the same name "Soup", which has to be unique."#)
        #expect(try Data(contentsOf: url) == before)
    }

    @Test func `an attribute can become unique while all values differ`() throws {
        try makeFirst()

        #expect(thrown { try TestStore(at: url, storing: [Dish.Unique.self]) } == nil)
    }

    @Test func `a change that loses values is refused and nothing is changed`() throws {
        try makeFirst()
        let before = try Data(contentsOf: url)

        let refused = thrown { try TestStore(at: url, storing: [Dish.Other.self]) }

        #expect(refused?.code == .schemaMismatch)
        #expect(refused?.path == url.path)
        #expect(try Data(contentsOf: url) == before)
    }

    @Test func `types are added, and those the app does not know stay as they are`() throws {
        try makeFirst()

        let store = try TestStore(at: url, storing: [Tag.self])
        try store.insert([Tag("a")])
        try store.adapter.close()

        #expect(try rows("SELECT id, name, price FROM Dish") == [["1", "Soup", "5"], ["2", "Cake", "7"]])
        #expect(try TestStore(at: url, storing: [Dish.First.self, Tag.self]).all(Tag.self) == [Tag("a")])
    }

    @Test func `opening with the same types changes nothing`() throws {
        try makeFirst()
        let before = try Data(contentsOf: url)

        try TestStore(at: url, storing: [Dish.First.self]).adapter.close()

        #expect(try Data(contentsOf: url) == before)
    }

    @Test func `a store that has to be changed is not opened read-only`() throws {
        try makeFirst()
        let before = try folder.contents

        let refused = thrown {
            try TestStore(
                at: url, storing: [Dish.Second.self], options: SQLiteOptions(isReadOnly: true))
        }

        #expect(refused?.code == .schemaMismatch)
        #expect(try folder.contents == before)
    }

    @Test func `a change waits for another process and ends as busy`() throws {
        try makeFirst()
        let raw = try RawDatabase(url)
        try raw.execute("BEGIN IMMEDIATE; DELETE FROM Dish")

        let refused = thrown {
            try TestStore(
                at: url, storing: [Dish.Second.self], options: SQLiteOptions(busyTimeout: .milliseconds(20)))
        }

        #expect(refused?.code == .busy)
        try raw.execute("ROLLBACK")
        #expect(try raw.rows("SELECT name FROM Dish ORDER BY id") == [["Soup"], ["Cake"]])
    }
}
