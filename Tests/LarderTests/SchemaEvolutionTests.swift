import Larder
import Testing

import struct Foundation.UUID

@testable import AdapterTestSupport
@testable import LarderEngine

struct SchemaEvolutionTests {
    private static func stored(
        _ attributes: [(String, AttributeType, Bool)], indexes: [StoredSchema.Index] = []
    ) -> StoredSchema {
        let attributes = attributes.map { name, type, isOptional in
            StoredSchema.Attribute(name: name, storageName: name, type: type, isOptional: isOptional)
        }
        let entity = StoredSchema.Entity(
            number: 1, name: "Note", storageName: "Note", attributes: attributes, indexes: indexes)
        return StoredSchema(generation: 4, entities: [entity], nextEntityNumber: 2)
    }

    private static func evolution(
        from stored: StoredSchema, to type: any DataStoreItem.Type
    ) throws(DataStoreError) -> SchemaEvolution {
        try SchemaEvolution(from: stored, to: try StoreSchema(storing: [type]))
    }

    private static let current: [(String, AttributeType, Bool)] = [
        ("id", .itemID, false), ("title", .string, false), ("stars", .int64, false), ("body", .string, true),
    ]

    @Test func `the same schema needs nothing and keeps its generation`() throws {
        let evolution = try Self.evolution(from: Self.stored(Self.current), to: Note.self)

        #expect(!evolution.isNeeded)
        #expect(evolution.target.generation == 4)
    }

    @Test func `a store without an identity gets one, and keeps it`() throws {
        let schema = try StoreSchema(storing: [Note.self])
        let identity = UUID()
        let stored = Self.stored(Self.current)

        let first = try SchemaEvolution(from: stored, to: schema, newIdentity: identity)
        let second = try SchemaEvolution(from: first.target, to: schema)

        #expect(first.givesIdentity && !first.isNeeded)
        #expect(first.target.identity == identity)
        #expect(first.target.generation == stored.generation)
        #expect(!second.givesIdentity)
        #expect(second.target == first.target)
    }

    @Test func `a version's name is added without a change, and another one is a change`() throws {
        let schema = try StoreSchema(storing: [Note.self])
        let stored = try SchemaEvolution(from: Self.stored(Self.current), to: schema).target

        let first = try SchemaEvolution(from: stored, to: schema.named("1"))
        let again = try SchemaEvolution(from: first.target, to: schema.named("1"))
        let plain = try SchemaEvolution(from: first.target, to: schema)
        let second = try SchemaEvolution(from: first.target, to: schema.named("2"))
        let changed = try SchemaEvolution(from: first.target, to: try StoreSchema(storing: [RankedNote.self]))

        #expect(first.completesStore && !first.isNeeded)
        #expect(first.target.version == "1" && first.target.generation == stored.generation)
        #expect(!again.completesStore && again.target == first.target)
        #expect(!plain.completesStore && plain.target == first.target)
        #expect(second.completesStore && !second.isNeeded)
        #expect(second.target.version == "2" && second.target.generation == stored.generation + 1)
        #expect(changed.isNeeded && changed.target.version == nil)
    }

    @Test func `an empty store gets every type`() throws {
        let evolution = try Self.evolution(from: .empty, to: Note.self)

        #expect(evolution.isNeeded)
        #expect(evolution.target.generation == 1)
        #expect(evolution.target.nextEntityNumber == 2)
        #expect(evolution.entities[0].old == nil)
        #expect(!evolution.entities[0].changesRows)
    }

    @Test func `added attributes take their default or nil and widened ones keep their values`() throws {
        let old: [(String, AttributeType, Bool)] = [
            ("id", .itemID, false), ("title", .string, false), ("gone", .bool, false),
        ]
        let evolution = try Self.evolution(from: Self.stored(old), to: Note.self)

        #expect(
            evolution.entities[0].columns
                == [.stored(0), .stored(1), .constant(.integer(3)), .constant(.null)])
        #expect(evolution.entities[0].changesRows)
        #expect(evolution.target.generation == 5)
    }

    @Test func `a renamed attribute is found by its original name`() throws {
        let old: [(String, AttributeType, Bool)] = [
            ("id", .itemID, false), ("headline", .string, false), ("stars", .int32, false),
            ("body", .string, false),
        ]
        let evolution = try Self.evolution(from: Self.stored(old), to: Note.self)

        #expect(evolution.entities[0].columns == [.stored(0), .stored(1), .stored(2), .stored(3)])
        #expect(evolution.entities[0].new.attributes[1].storageName == "title")
    }

    @Test func `a name of other bytes is another name`() throws {
        // A letter of one scalar, and the same letter as two.
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        func bytes(_ indexes: [StoredSchema.Index]) -> [[[UInt8]]] {
            indexes.map { $0.attributes.map { Array($0.utf8) } }
        }
        var stored = Self.stored(
            [("id", .itemID, false), (composed, .string, false)],
            indexes: [StoredSchema.Index(attributes: [composed], isUnique: false)])
        stored.entities[0].name = composed
        stored.entities[0].storageName = composed

        let evolution = try Self.evolution(from: stored, to: AccentedNote.self)
        let change = evolution.entities[0]
        let again = try Self.evolution(from: evolution.target, to: AccentedNote.self)

        #expect(evolution.isNeeded && evolution.target.generation == 5)
        #expect(change.isRenamed && change.changesRows)
        #expect(change.columns == [.stored(0), .stored(1)])
        #expect(bytes(change.droppedIndexes) == [[Array(composed.utf8)]])
        #expect(bytes(change.addedIndexes) == [[Array(decomposed.utf8)]])
        #expect(
            [change.new.name, change.new.storageName, change.new.attributes[1].name]
                .allSatisfy { Array($0.utf8) == Array(decomposed.utf8) })
        #expect(!again.isNeeded && again.target == evolution.target)
    }

    @Test func `a stored attribute does not become two`() throws {
        let old = try #require(
            Self.stored([("id", .itemID, false), ("a", .string, false), ("b", .string, false)]).entities.first
        )
        func positions(
            _ declared: [(name: String, original: String?)], _ renamed: [UTF8Key: String] = [:]
        ) -> [Int?] {
            old.positions(
                of: declared.map {
                    AttributeSchema.attribute($0.name, String.self, originalName: $0.original)
                },
                renamed: renamed)
        }

        #expect(positions([("c", nil), ("a", nil)], [UTF8Key("c"): "a"]) == [1, nil])
        #expect(positions([("a", nil), ("b", nil)], [UTF8Key("a"): "b", UTF8Key("b"): "a"]) == [2, 1])
        #expect(positions([("c", "a"), ("a", nil)]) == [nil, 1])
        #expect(positions([("c", "a"), ("d", "a"), ("b", nil)]) == [1, nil, 2])
        #expect(positions([("a", nil)], [UTF8Key("a"): "x"]) == [1])
    }

    @Test func `a type that was given up is not taken for a renamed one`() throws {
        func stored(_ names: String...) throws -> StoredSchema {
            StoredSchema(
                describing: try SchemaShape(text: names.map { "\($0)\n  id: int64" }.joined(separator: "\n"))
                    .schema())
        }
        let schema = try StoreSchema(storing: [Author.self])

        #expect(
            try SchemaEvolution(from: stored("Person"), to: schema).target.entities.map(\.name) == ["Author"])
        let error = thrown { try SchemaEvolution(from: stored("Author", "Person"), to: schema) }
        #expect(error?.code == .schemaMismatch)
        #expect(
            error?.message == """
                The store has items of Author and of Person, which is the original name of Author; the app declares \
                only Author.
                """)
    }

    @Test func `everything that differs is named in one error`() throws {
        let old: [(String, AttributeType, Bool)] = [
            ("id", .uuid, false), ("title", .string, true), ("stars", .string, false),
            ("body", .string, true),
        ]
        let error = #expect(throws: DataStoreError.self) {
            try Self.evolution(from: Self.stored(old), to: Note.self)
        }

        #expect(error?.code == .schemaMismatch)
        #expect(
            error?.message
                == "The store does not fit the app's item types: Note.id is stored as uuid, not itemID; "
                + "Note.title may be nil in the store and not in the app; "
                + "Note.stars is stored as string, not int64.")
    }

    @Test func `a required attribute without default cannot be added`() throws {
        let error = #expect(throws: DataStoreError.self) {
            try Self.evolution(from: Self.stored([("id", .itemID, false)]), to: Note.self)
        }

        #expect(error?.message.contains("Note.title is new and has neither a default nor may be nil") == true)
    }

    @Test func `two names that differ only in case get two storage names`() throws {
        let evolution = try SchemaEvolution(
            from: .empty, to: try StoreSchema(storing: [Note.self, LowerNote.self]))

        #expect(evolution.target.entities.map(\.storageName) == ["Note", "note~2"])
    }

    @Test func `types under one name are refused`() throws {
        let error = #expect(throws: DataStoreError.self) {
            try StoreSchema(storing: [LowerNote.self, OtherLowerNote.self])
        }

        #expect(error?.code == .invalidSchema)
    }
}

private struct Note: DataStoreItem {
    let id: ItemID<Note>

    struct Attributes: Sendable {}
    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Note",
        attributes: [
            .attribute("id", ItemID<Note>.self), .attribute("title", String.self, originalName: "headline"),
            .attribute("stars", Int.self, default: 3), .attribute("body", String?.self),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) { id = try row.value(at: 0) }
    func encode(to row: inout RowWriter) throws(DataStoreError) { try row.set(id, at: 0) }
}

private struct AccentedNote: DataStoreItem {
    let id: ItemID<AccentedNote>
    struct Attributes: Sendable {}
    static let attributes = Attributes()
    static let schema = EntitySchema(
        "e\u{301}", originalName: "\u{E9}",
        attributes: [
            .attribute("id", ItemID<AccentedNote>.self),
            .attribute("e\u{301}", String.self, originalName: "\u{E9}"),
        ],
        indexes: [.index("e\u{301}")])

    init(row: borrowing RowReader) throws(DataStoreError) { id = try row.value(at: 0) }
    func encode(to row: inout RowWriter) throws(DataStoreError) { try row.set(id, at: 0) }
}

private struct LowerNote: VersionedItem {
    static let schema = EntitySchema("note", attributes: [.attribute("id", Int64.self)])
    var values: [Cell]
}

private struct OtherLowerNote: VersionedItem {
    static let schema = EntitySchema("note", attributes: [.attribute("id", Int64.self)])
    var values: [Cell]
}

/// An item type that had another name before.
private struct Author: VersionedItem {
    static let schema = EntitySchema(
        "Author", originalName: "Person", attributes: [.attribute("id", Int64.self)])
    var values: [Cell]
}
