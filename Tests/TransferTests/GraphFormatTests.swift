import Foundation
import Larder
import LarderEngine
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance
@testable import LarderTransfer

/// A store has the second format while it has relationships, and only then.
struct GraphFormatTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func album(_ relationships: [RelationshipDeclaration]) -> EntitySchema {
        EntitySchema("Album", attributes: [.attribute("id", Int64.self)], relationships: relationships)
    }

    private enum Tag: ItemVersion {
        static let schema = EntitySchema("Tag", attributes: [.attribute("id", Int64.self)])
    }

    private enum Genre: ItemVersion {
        static let schema = EntitySchema("Genre", attributes: [.attribute("id", Int64.self)])
    }

    private enum Plain: ItemVersion {
        static let schema = album([])
    }

    private enum Tagged: ItemVersion {
        static let schema = album([.relationship("tags", ToMany<Versioned<Tag>>.self)])
    }

    private enum Cascading: ItemVersion {
        static let schema = album([
            .relationship("tags", ToMany<Versioned<Tag>>.self, deleteRule: .cascade)
        ])
    }

    private enum Ordered: ItemVersion {
        static let schema = album([.relationship("tags", OrderedToMany<Versioned<Tag>>.self)])
    }

    private enum Renamed: ItemVersion {
        static let schema = album([
            .relationship("labels", ToMany<Versioned<Tag>>.self, originalName: "tags")
        ])
    }

    private enum RenamedInOrder: ItemVersion {
        static let schema = album([
            .relationship("Tags", OrderedToMany<Versioned<Tag>>.self, originalName: "tags")
        ])
    }

    private enum RenamedToGenres: ItemVersion {
        static let schema = album([
            .relationship("genres", ToMany<Versioned<Genre>>.self, originalName: "tags")
        ])
    }

    private enum OfGenres: ItemVersion {
        static let schema = album([.relationship("tags", ToMany<Versioned<Genre>>.self)])
    }

    private static let types: [any DataStoreItem.Type] = [Versioned<Tag>.self, Versioned<Genre>.self]

    private func open<Version: ItemVersion>(_ version: Version.Type, _ place: Place) throws {
        try place.withStore(storing: [Versioned<Version>.self] + Self.types) { _ in }
    }

    private func links(in place: Place, of relationship: String = "tags") throws -> [EntityDigest] {
        try place.digests().filter { $0.entity == "Album.\(relationship)" }
    }

    private func stored(_ place: Place, _ name: String) throws -> StoredSchema.Entity? {
        try place.address.storedSchema()?.entity(named: name)
    }

    @Test(arguments: Engine.allCases)
    func `links go with their relationship, and nothing else does`(_ engine: Engine) throws {
        let place = folder.place(engine, "store")
        try open(Tagged.self, place)
        try place.insert(into: "Album", [[.integer(1)]])
        try place.insert(into: "Tag", [[.integer(2)]])
        try place.insert(into: "Album.tags", [[.integer(3), .integer(1), .integer(2)]])

        try open(Cascading.self, place)
        #expect(try links(in: place).map(\.count) == [1])
        #expect(
            try place.address.storedSchema()?.entity(named: "Album")?.relationships.map(\.deleteRule)
                == [.cascade])
        try open(Plain.self, place)
        #expect(try links(in: place) == [])
        #expect(try place.ownProblems() == [])
        #expect(try place.digests().map(\.count) == [1, 1, 0])
        try open(Tagged.self, place)

        #expect(try links(in: place).map(\.count) == [0])
        #expect(try place.ownProblems() == [])
    }

    @Test(arguments: Engine.allCases)
    func `links do not become ordered or lead to another type by themselves`(_ engine: Engine) throws {
        let place = folder.place(engine, "store")
        try open(Tagged.self, place)

        let ordered = thrown { try open(Ordered.self, place) }
        let other = thrown { try open(OfGenres.self, place) }

        #expect(ordered?.code == .schemaMismatch)
        #expect(ordered?.differences.map(\.kind) == [.relationshipType])
        #expect(
            ordered?.message
                == "The store does not fit the app's item types: Album.tags is stored without an order.")
        #expect(other?.differences.map(\.kind) == [.relationshipType])
        #expect(other?.differences.map(\.message) == ["Album.tags is stored as links to Tag, not to Genre"])
        try open(Tagged.self, place)
    }

    @Test(arguments: Engine.allCases)
    func `ordered links may lose their order`(_ engine: Engine) throws {
        let place = folder.place(engine, "store")
        try open(Ordered.self, place)
        try place.insert(into: "Album", [[.integer(1)]])
        try place.insert(into: "Tag", [[.integer(2)]])
        try place.insert(into: "Album.tags", [[.integer(3), .integer(1), .integer(2), .text("a0")]])

        try open(Tagged.self, place)

        #expect(try links(in: place).map(\.count) == [1])
        #expect(try place.ownProblems() == [])
    }

    @Test(arguments: Engine.allCases)
    func `renamed links keep their table, also one that loses the order`(_ engine: Engine) throws {
        let place = folder.place(engine, "store")
        try open(Ordered.self, place)
        try place.insert(into: "Album", [[.integer(1)]])
        try place.insert(into: "Tag", [[.integer(2)]])
        try place.insert(into: "Album.tags", [[.integer(3), .integer(1), .integer(2), .text("a0")]])

        try open(RenamedInOrder.self, place)
        #expect(try links(in: place, of: "Tags").map(\.count) == [1])
        #expect(try place.ownProblems() == [])
        #expect(try stored(place, "Album.Tags")?.storageName == "Album.Tags~2")
        try open(Ordered.self, place)
        #expect(try links(in: place, of: "Tags") == [])
        #expect(try links(in: place).map(\.count) == [0])
        try place.insert(into: "Album.tags", [[.integer(3), .integer(1), .integer(2), .text("a0")]])
        try open(Renamed.self, place)

        #expect(try links(in: place) == [])
        #expect(try links(in: place, of: "labels").map(\.count) == [1])
        #expect(try stored(place, "Album.labels")?.storageName == "Album.labels")
        #expect(try stored(place, "Album.labels")?.attributes.map(\.name) == ["id", "source", "target"])
        #expect(try place.ownProblems() == [])
    }

    @Test(arguments: Engine.allCases)
    func `renamed links lead to the same type`(_ engine: Engine) throws {
        let place = folder.place(engine, "store")
        try open(Tagged.self, place)

        let other = thrown { try open(RenamedToGenres.self, place) }

        #expect(other?.differences.map(\.kind) == [.relationshipType])
        #expect(
            other?.differences.map(\.message) == ["Album.genres is stored as links to Tag, not to Genre"])
    }

    @Test func `the header of a SQLite file has the format as soon as the store has it`() throws {
        let place = folder.place(.sqlite, "store")
        try open(Plain.self, place)
        #expect(try format(of: place) == 1)
        let whileOpen = try place.withStore(storing: [Versioned<Tagged>.self] + Self.types) { _ in
            try format(of: place)
        }
        #expect(whileOpen == 2)
        #expect(try format(of: place) == 2)
        try open(Plain.self, place)
        #expect(try format(of: place) == 1)
        let new = folder.place(.sqlite, "new")
        let whileNew = try new.withStore(storing: [Versioned<Tagged>.self] + Self.types) { _ in
            try format(of: new)
        }
        #expect(whileNew == 2)
    }

    @Test func `a schema without relationships is written as before`() throws {
        let schema = try SchemaEvolution(from: .empty, to: try StoreSchema(storing: Cargo.types)).target
        let json = String(decoding: schema.encoded(), as: UTF8.self)

        #expect(!json.contains("relationships") && !json.contains("isLink"))
        #expect(schema.formatVersion == 1)
        #expect(try StoredSchema(decoding: schema.encoded()) == schema)
    }

    private func format(of place: Place) throws -> UInt8 {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: place.address.location))
        return bytes[bytes.startIndex + 63]
    }
}
