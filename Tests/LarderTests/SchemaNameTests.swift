import Larder
import LarderTesting
import Testing

import struct Foundation.UUID

@testable import AdapterTestSupport
@testable import LarderKernel

/// Names are equal by their bytes.
struct SchemaNameTests {
    @Test func `an index names an attribute by its bytes`() {
        let schema = EntitySchema(
            "Names",
            attributes: [
                .attribute("id", Int64.self), .attribute("\u{E9}", Int.self),
                .attribute("e\u{301}", Int.self),
            ],
            indexes: [.index("e\u{301}"), .unique("\u{E9}")])

        #expect(schema.problems == [])
        #expect(schema.indexes.map(\.columns) == [[2], [1]])
        #expect(schema.column(named: "e\u{301}") == 2)
    }

    @Test func `two indexes of the same attributes are reported with their names`() {
        let schema = EntitySchema(
            "Names",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self), .attribute("size", Int.self),
            ],
            indexes: [
                .index("name", "size"), .unique("name", .caseInsensitive), .unique("name"), .index("name[c]"),
                .unique("name", "size"),
            ])

        #expect(
            schema.problems == [
                "two indexes have the same attributes (\"name[c]\")",
                "two indexes have the same attributes (\"name\", \"size\")",
            ])
    }

    @Test func `two types do not take over the items of one`() throws {
        let error = thrown { try StoreSchema(storing: [Kettle.self, Teapot.self, Cup.self]) }

        #expect(error?.code == .invalidSchema)
        #expect(error?.message == "Kettle and Cup have one original name, \"\(Composed.text)\".")
        #expect(
            error?.advice
                == "Remove it from the type that does not take over the items of \(Composed.text).")
        #expect(error?.itemType == "Cup")
        #expect(try StoreSchema(storing: [Kettle.self, Teapot.self, Kettle.self]).entities.count == 2)
    }

    @Test func `the changes and calls of a type are told apart by the bytes of its name`() async throws {
        let store = try TemporaryStore(storing: [
            Named<Composed>.self, Named<Decomposed>.self, RankedNote.self,
        ])
        var changes = store.changes.makeAsyncIterator()

        let recording = try store.record {
            try store.writeSync { accessor in
                try accessor.insert(Named<Composed>(1))
                try accessor.insert(Named<Decomposed>(2))
            }
        }

        #expect(recording.inserted(Named<Composed>.self) == [1])
        #expect(recording.inserted(Named<Decomposed>.self) == [2])
        let change = try #require(await changes.next())
        #expect(change.inserted(Named<Composed>.self) == [1])
        #expect(change.inserted(Named<Decomposed>.self) == [2])
    }

    @Test func `an item does not take the items of another type for its own`() throws {
        let store = try TemporaryStore(storing: [
            Named<Composed>.self, Named<Decomposed>.self, RankedNote.self,
        ])
        try store.writeSync { accessor in
            try accessor.insert(RankedNote(7))
            try accessor.insert(Named<Composed>(1, notes: ToMany(ids: [7])))
        }
        let other = try #require(try store.read { try $0.item(id: 1, of: Named<Composed>.self) })

        let error = thrown {
            try store.writeSync { _ = try $0.insert(Named<Decomposed>(1, notes: other.notes)) }
        }

        #expect(error?.code == .invalidValue)
        #expect(error?.attribute == "notes")
        #expect(try store.read { try $0.countItems(for: Named<Decomposed>.all) } == 0)
    }

    /// Every part of a stored schema counts, and every name by its bytes.
    @Test func `a stored schema differs in every part`() {
        let schema = StoredSchema(
            generation: 1,
            entities: [
                StoredSchema.Entity(
                    number: 1, name: "\u{E9}", storageName: "\u{E9}",
                    attributes: [
                        StoredSchema.Attribute(
                            name: "\u{E9}", storageName: "\u{E9}", type: .string, isOptional: false)
                    ],
                    indexes: [StoredSchema.Index(attributes: ["\u{E9}"], isUnique: false)],
                    relationships: [
                        StoredSchema.Relationship(
                            name: "\u{E9}", kind: .toOne, target: "\u{E9}", inverse: "\u{E9}",
                            deleteRule: .nullify)
                    ])
            ],
            nextEntityNumber: 2, version: "\u{E9}")
        let name = "e\u{301}"
        let changes: [(inout StoredSchema) -> Void] = [
            { $0.generation = 2 }, { $0.nextEntityNumber = 3 }, { $0.version = name }, { $0.version = nil },
            { $0.identity = UUID() }, { $0.entities = [] },
            { $0.transfer = .init(source: StoreReference(engine: ""), isComplete: false, digests: []) },
            { $0.entities[0].number = 2 }, { $0.entities[0].name = name },
            { $0.entities[0].storageName = name }, { $0.entities[0].isLink = true },
            { $0.entities[0].attributes = [] }, { $0.entities[0].indexes = [] },
            { $0.entities[0].relationships = [] },
            { $0.entities[0].attributes[0].name = name },
            { $0.entities[0].attributes[0].storageName = name },
            { $0.entities[0].attributes[0].type = .data },
            { $0.entities[0].attributes[0].isOptional = true },
            { $0.entities[0].indexes[0].attributes = [name] },
            { $0.entities[0].indexes[0].isUnique = true },
            { $0.entities[0].relationships[0].name = name },
            { $0.entities[0].relationships[0].kind = .toMany },
            { $0.entities[0].relationships[0].target = name },
            { $0.entities[0].relationships[0].inverse = name },
            { $0.entities[0].relationships[0].deleteRule = .cascade },
        ]

        for (number, change) in changes.enumerated() {
            var other = schema
            #expect(other == schema)
            change(&other)
            #expect(other != schema, "change \(number)")
        }
    }
}

private protocol TypeName: Sendable {
    static var text: String { get }
}

private enum Composed: TypeName {
    static let text = "Caf\u{E9}"
}

private enum Decomposed: TypeName {
    static let text = "Cafe\u{301}"
}

private struct Kettle: VersionedItem {
    static let schema = EntitySchema(
        "Kettle", originalName: Composed.text, attributes: [.attribute("id", Int64.self)])
    var values: [Cell]
}

private struct Teapot: VersionedItem {
    static let schema = EntitySchema(
        "Teapot", originalName: Decomposed.text, attributes: [.attribute("id", Int64.self)])
    var values: [Cell]
}

private struct Cup: VersionedItem {
    static let schema = EntitySchema(
        "Cup", originalName: Composed.text, attributes: [.attribute("id", Int64.self)])
    var values: [Cell]
}

/// An item of a type with this name, with notes that belong to it.
private struct Named<Name: TypeName>: DataStoreItem {
    let id: Int64
    var notes: ToMany<RankedNote>

    init(_ id: Int64, notes: ToMany<RankedNote> = .notGiven) {
        self.id = id
        self.notes = notes
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Named, Int64>(column: 0)
    }

    static var attributes: Attributes { Attributes() }
    static var schema: EntitySchema {
        EntitySchema(
            Name.text, attributes: [.attribute("id", Int64.self)],
            relationships: [.relationship("notes", ToMany<RankedNote>.self)])
    }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        notes = try row.value(atRelationship: 0, of: Named.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(notes, atRelationship: 0)
    }
}
