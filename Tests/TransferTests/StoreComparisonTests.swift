import Foundation
import Larder
import LarderText
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// Two stores compared item by item.
struct StoreComparisonTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Engine.pairs)
    func `stores with the same items do not differ`(_ pair: Pair) throws {
        let (left, right) = (folder.place(pair.from, "left"), folder.place(pair.to, "right"))
        try Cargo.fill(left)
        try Cargo.fill(right)

        #expect(try Self.differences(left, right) == [])
    }

    @Test(arguments: Engine.pairs)
    func `what differs is listed in order of the identifiers`(_ pair: Pair) throws {
        let (left, right) = (folder.place(pair.from, "left"), folder.place(pair.to, "right"))
        try Self.fill(left, [Keyed(1), Keyed(2, label: "b", rank: 1), Keyed(3), Keyed(5)])
        try Self.fill(right, [Keyed(0), Keyed(2, label: nil, rank: 2), Keyed(3), Keyed(6)])
        let name = Keyed<Int64>.schema.name

        let differences = try Self.differences(left, right)

        #expect(
            differences.map(\.description) == [
                "\(name) 0 is in the right store only", "\(name) 1 is in the left store only",
                "\(name) 2 differs in label: b and nil, rank: 1 and 2", "\(name) 5 is in the left store only",
                "\(name) 6 is in the right store only",
            ])
        #expect(try Self.differences(left, right, limit: 2) == Array(differences.prefix(2)))
        #expect(try Self.differences(left, right, limit: 0) == [])
    }

    @Test
    func `item types and attributes that only one store has are listed`() throws {
        let (left, right) = (folder.place(.sqlite, "left"), folder.place(.lmdb, "right"))
        try left.withStore(storing: [Keyed<Int64>.self, Keyed<UUID>.self]) { _ in }
        try right.withStore(storing: [Other.self, Keyed<String>.self]) { _ in }

        let differences = try Self.differences(left, right)

        let name = Keyed<Int64>.schema.name
        #expect(
            differences == [
                .schema(entity: name, "label is string? left and url? right"),
                .schema(entity: name, "rank is in the left store only"),
                .schema(entity: name, "more is in the right store only"),
                .schema(entity: name, "the index on rank is in the left store only"),
                .schema(entity: name, "the unique index on label is in the left store only"),
                .entityOnlyLeft(Keyed<UUID>.schema.name), .entityOnlyRight(Keyed<String>.schema.name),
            ])
    }

    @Test(arguments: Engine.allCases)
    func `a row that cannot be decoded is one difference, however many links it has`(
        _ engine: Engine
    ) throws {
        let (left, right) = (folder.place(engine, "left"), folder.place(.memory, "right"))
        try GraphCargo.fill(left)
        try GraphCargo.fill(right, labels: [(2, "fresh")], chapters: [(2, [1])])
        for place in [left, right] { try Self.spoil(place, book: 1) }
        let undecodable = StoreDifference.undecodable(
            entity: "Book", .integer(1), "The stored value \"\u{FFFD}\u{FFFD}\" cannot be read as string.")

        #expect(try Self.differences(left, right) == [undecodable, undecodable])

        try left.insert(into: "Book.labels", [[.integer(9), .integer(3), .text("new")]])
        let fault = StoreDifference.undecodable(
            entity: "Book", .integer(3), "Book 3, which does not exist, has a link by labels.")
        #expect(try Self.differences(left, right) == [undecodable, undecodable, fault])
    }

    /// Puts bytes that are no text into the title of a book.
    private static func spoil(_ place: Place, book: Int64) throws {
        try place.withAdapter { adapter, schema in
            let number = try schema.number(ofEntityNamed: "Book")
            let writing = try adapter.beginWriting()
            defer { writing.end() }
            try [0xFF, 0xFE].map { UInt8($0) }.withUnsafeBytes { bytes in
                var cells = schema.entities[number].attributes.map { _ in Cell.null }
                cells[0] = .integer(book)
                cells[1] = .text(bytes)
                try writing.apply(.update, number, cells, columns: [1])
            }
            try writing.commit()
        }
    }

    /// The numbered item with other attributes.
    private struct Other: VersionedItem {
        static let schema = EntitySchema(
            Keyed<Int64>.schema.name,
            attributes: [
                .attribute("id", Int64.self), .attribute("label", URL?.self), .attribute("more", Bool.self),
            ])
        var values: [Cell]
    }

    private static func fill(_ place: Place, _ items: [Keyed<Int64>]) throws {
        try place.withStore(storing: [Keyed<Int64>.self]) { store in
            try store.writeSync { try $0.insert(contentsOf: items) }
        }
    }

    private static func differences(
        _ left: Place, _ right: Place, limit: Int = 100
    ) throws -> [StoreDifference] {
        let (left, right) = (
            try UntypedStore(reading: left.address), try UntypedStore(reading: right.address)
        )
        defer {
            try? left.close()
            try? right.close()
        }
        return try left.read { left in
            try right.read { right in try StoreComparison(left, right).first(limit) }
        }
    }
}
