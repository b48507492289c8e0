import Foundation
import Larder
import LarderRouting
import LarderSQLite
import Testing

@testable import AdapterTestSupport

/// A guest whose name is unique without regard to case.
private struct Guest: DataStoreItem {
    let id: Int64
    var name: String
    var room: String

    init(_ id: Int64, _ name: String, in room: String) {
        self.id = id
        self.name = name
        self.room = room
    }

    struct Attributes: Sendable {
        let id = Attribute<Guest, Int64>(column: 0)
        let name = Attribute<Guest, String>(column: 1)
        let room = Attribute<Guest, String>(column: 2)
    }
    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Guest",
        attributes: [
            .attribute("id", Int64.self), .attribute("name", String.self), .attribute("room", String.self),
        ],
        indexes: [.unique("name", .caseInsensitive)])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        room = try row.value(at: 2)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(room, at: 2)
    }
}

/// Parts in files whose texts other Unicode tables have folded, as far as their bytes say.
@Suite struct `Texts of several parts that other Unicode tables have folded` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func part(_ name: String, _ types: [any DataStoreItem.Type]) -> SQLiteDataStore {
        SQLiteDataStore(at: folder.file(name), storing: types)
    }

    /// The names of the guests in one part.
    private func names(in name: String) throws -> [String] {
        let store = part(name, [Guest.self])
        try store.setup()
        defer { try? store.tearDown() }
        return try store.read { try $0.items(for: Guest.all).map(\.name) }
    }

    /// Replaces a text in the closed file of a part by one of the same length.
    private func replace(_ text: String, by other: String, in name: String) throws {
        var bytes = try Data(contentsOf: folder.file(name))
        let count = bytes.count
        var isFound = false
        while let range = bytes.range(of: Data(text.utf8)) {
            bytes.replaceSubrange(range, with: Data(other.utf8))
            isFound = true
        }
        try #require(isFound && bytes.count == count)
        try bytes.write(to: folder.file(name))
    }

    /// Changes the number of the Unicode tables that have folded the texts of a closed part.
    private func foldByOtherTables(in name: String) throws {
        let stored = try part(name, [Guest.self]).coordinator.adapter.storedSchema()
        let folding = stored?.entities.flatMap(\.attributes).compactMap(\.folding).first
        let tables = try #require(folding?.tables)
        try replace(tables, by: String(repeating: "0", count: tables.count), in: name)
    }

    @Test func `are refused if two of them are the same now, and stay`() throws {
        func opened() throws -> RoutedDataStore {
            let store = RoutedDataStore(
                ["Hall", "Cellar"].map { StorePart($0, part($0, [Guest.self])) },
                partitionedBy: [PartKey(of: Guest.self, \.room)])
            try store.setup()
            return store
        }
        let store = try opened()
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Guest(1, "Anna", in: "Hall"), Guest(2, "Bert", in: "Cellar")])
        }
        try store.tearDown()
        for name in ["Hall", "Cellar"] { try foldByOtherTables(in: name) }
        try replace("Bert", by: "aNNA", in: "Cellar")

        let refused = thrown { try opened() }
        let again = thrown { try opened() }

        #expect(refused?.code == .uniqueViolation)
        #expect(
            refused?.message
                == "The items 1 and 2 of Guest have the same name without regard to case, \"Anna\" and \"aNNA\", which "
                + "has to be unique.")
        #expect(again?.message == refused?.message)
        #expect(try names(in: "Hall") == ["Anna"])
        #expect(try names(in: "Cellar") == ["aNNA"])
    }

    @Test func `are folded again after a commit that was not finished, too`() throws {
        func opened(guestsFail: Int? = nil) throws -> RoutedDataStore {
            var guests: any DataStore = part("guests", [Guest.self])
            if let guestsFail { guests = DecoratedStore(guests, atCommit: guestsFail) }
            let store = RoutedDataStore([
                StorePart("cooks", part("cooks", [Cook.self])), StorePart("guests", guests),
            ])
            try store.setup()
            return store
        }
        try opened().tearDown()
        let killed = try opened(guestsFail: 1)
        try killed.writeSync { accessor in
            try accessor.insert(Cook(1, name: "Ada"))
            try accessor.insert(Guest(1, "Dora", in: "Hall"))
        }
        try? killed.tearDown()
        #expect(try names(in: "guests") == [])
        try foldByOtherTables(in: "guests")
        // What the guest's name was folded to is in the journal.
        try replace("dora", by: "dor_", in: "cooks")

        let store = try opened()
        let found = try store.read { accessor in
            try accessor.items(for: Guest.where(.equals(\.name, "DORA", .caseInsensitive))).map(\.id)
        }
        try store.tearDown()

        #expect(found == [1])
        #expect(try names(in: "guests") == ["Dora"])
    }
}
