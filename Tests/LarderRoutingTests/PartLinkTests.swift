import Foundation
import Larder
import LarderRouting
import LarderSQLite
import LarderTransfer
import Testing

@testable import AdapterTestSupport

@Suite struct `The links of a part as a store without types` {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The closed part of a store that has the links of a team to these cooks, opened by itself.
    private func openPart(_ name: String, linkedWith cooks: [Int64]) throws -> UntypedStore {
        let store = RoutedDataStore([
            StorePart("teams", SQLiteDataStore(at: folder.file(name), storing: [Team.self])),
            StorePart("cooks", SQLiteDataStore(at: folder.file("\(name)-cooks"), storing: [Cook.self])),
        ])
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Cook(1, name: "Ada"), Cook(3, name: "Bea")])
            try accessor.insert(Team(1)).cooks.add(ids: cooks)
        }
        try store.tearDown()
        return try UntypedStore(reading: .sqlite(at: folder.file(name)))
    }

    @Test func `are not left out of an export, which is refused`() throws {
        let (linked, empty) = (
            try openPart("linked", linkedWith: [1, 3]), try openPart("empty", linkedWith: [])
        )
        defer {
            try? linked.close()
            try? empty.close()
        }
        var lines = Data()

        let error = thrown { try linked.read { try JSONLinesExport(of: $0).run { lines += $0 } } }

        #expect(error?.code == .unsupported)
        #expect(
            error?.message
                == "The links of Team.cooks cannot be exported: the store does not describe their "
                + "relationship, as it is a part of several stores.")
        #expect(error?.advice == "Make a backup of the store, which has the links.")
        #expect(error?.itemType == "Team.cooks")
        #expect(lines.isEmpty)
        let other = thrown { try empty.read { try JSONLinesExport(of: $0).run { lines += $0 } } }
        #expect(other == nil)
        #expect(!lines.isEmpty)
    }

    @Test func `are compared as a whole`() throws {
        let parts: [(name: String, cooks: [Int64])] = [("first", [1, 3]), ("same", [3, 1]), ("other", [3])]
        let stores = try parts.map { try openPart($0.name, linkedWith: $0.cooks) }
        defer { for store in stores { try? store.close() } }
        func differences(_ left: Int, _ right: Int) throws -> [String] {
            let all = try stores[left].read { left in
                try stores[right].read { right in try StoreComparison(left, right).first(100) }
            }
            return all.map(\.description).filter { $0.hasPrefix("Team.cooks") }
        }

        #expect(try differences(0, 1) == [])
        #expect(try differences(0, 2) == ["Team.cooks: the links differ (2 left and 1 right)"])
    }

    @Test func `are named by a comparison if they cannot be decoded`() throws {
        for name in ["left", "right"] {
            let store = RoutedDataStore([
                StorePart("teams", SQLiteDataStore(at: folder.file(name), storing: [TeamOf<NamedCook>.self])),
                StorePart("cooks", SQLiteDataStore(at: folder.file("\(name)-2"), storing: [NamedCook.self])),
            ])
            try store.setup()
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [NamedCook("Ada"), NamedCook("Bea")])
                try accessor.insert(TeamOf<NamedCook>(1)).cooks.add(ids: ["Ada", "Bea"])
            }
            try store.tearDown()
        }
        try addSpoiledLink(to: .sqlite(at: folder.file("left")))
        let left = try UntypedStore(reading: .sqlite(at: folder.file("left")))
        let right = try UntypedStore(reading: .sqlite(at: folder.file("right")))
        defer {
            try? left.close()
            try? right.close()
        }

        let differences = try left.read { left in
            try right.read { right in try StoreComparison(left, right).first(100) }
        }

        let undecodable = StoreDifference.undecodable(
            entity: "Team.cooks", .itemID(99),
            "The stored value \"\u{FFFD}\u{FFFD}\" cannot be read as string.")
        #expect(differences.filter { $0.description.hasPrefix("Team.cooks") } == [undecodable])
    }

    /// Adds a link to the closed part of a store, with bytes that are no text as the identifier of its target.
    private func addSpoiledLink(to part: StoreAddress) throws {
        let adapter = part.adapter(for: .writing)
        let stored = try #require(try adapter.storedSchema())
        let schema = try StoreSchema(of: stored).opened(for: .inspection)
        let links = try #require(schema.entities.firstIndex { $0.name == "Team.cooks" })
        try adapter.open(schema)
        defer { try? adapter.close() }
        let writing = try adapter.beginWriting()
        defer { writing.end() }
        let cells = CellBuffer(count: schema.entities[links].attributes.count)
        defer { withExtendedLifetime(cells) {} }
        let bytes: [UInt8] = [0xFF, 0xFE]
        try bytes.withUnsafeBytes { bytes in
            cells.start[0] = .integer(99)
            cells.start[1] = .integer(1)
            cells.start[2] = .text(bytes)
            _ = try writing.apply(RowMutation(.insert, entity: links, cells: cells.start))
        }
        try writing.commit()
    }
}

/// A cook whose identifier is a text.
private struct NamedCook: DataStoreItem {
    let id: String

    init(_ id: String) { self.id = id }

    struct Attributes: Sendable {
        let id = Attribute<NamedCook, String>(column: 0)
    }
    static let attributes = Attributes()
    static let schema = EntitySchema("NamedCook", attributes: [.attribute("id", String.self)])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
    }
}
