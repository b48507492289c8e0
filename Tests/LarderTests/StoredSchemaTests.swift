import Foundation
import Larder
import LarderEngine
import Testing

/// The one codec of the stored schema: what it writes, and that it forgets nothing.
struct StoredSchemaTests {
    /// A schema in which every stored property is set to something else than in a blank one.
    static let complete = StoredSchema(
        generation: 7,
        entities: [
            StoredSchema.Entity(
                number: 3, name: "Récipe/é", storageName: "Récipe/é~2",
                attributes: [
                    .init(name: "id", storageName: "id~2", type: .int64, isOptional: false),
                    .init(name: "note", storageName: "note~2", type: .string, isOptional: true),
                    .init(
                        name: "note[c]", storageName: "note_folded", type: .string, isOptional: true,
                        folding: .init(text: "note", matching: .caseInsensitive, tables: "15 β")),
                ],
                indexes: [
                    .init(attributes: ["note", "id"], isUnique: false),
                    .init(attributes: ["id"], isUnique: true),
                ])
        ],
        nextEntityNumber: 5, identity: UUID(), version: "1.2 β",
        transfer: StoredSchema.Transfer(
            source: StoreReference(engine: "SQLite", identity: UUID(), location: "/a \"quoted\" path"),
            isComplete: true,
            digests: [EntityDigest(entity: "Récipe/é", count: 2, digest: RowDigest(low: 1, high: 2))]))

    /// A schema in which every stored property of relationships is set to something else than in a blank one.
    static let graph = StoredSchema(
        generation: 1,
        entities: [
            StoredSchema.Entity(
                number: 1, name: "Note", storageName: "Note",
                attributes: [.init(name: "id", storageName: "id", type: .int64, isOptional: false)],
                indexes: [],
                relationships: [
                    .init(name: "next", kind: .toMany, target: "Note", deleteRule: .cascade),
                    .init(
                        name: "previous", kind: .toMany, target: "Note", inverse: "next", deleteRule: .deny),
                ]),
            StoredSchema.Entity(
                number: 2, name: "Note.next", storageName: "Note.next",
                attributes: [
                    .init(name: "id", storageName: "id", type: .itemID, isOptional: false),
                    .init(name: "source", storageName: "source", type: .int64, isOptional: false),
                    .init(name: "target", storageName: "target", type: .int64, isOptional: false),
                ],
                indexes: [.init(attributes: ["source", "target"], isUnique: true)], isLink: true),
        ],
        nextEntityNumber: 3)

    @Test func `every stored property survives, also one that is added later`() throws {
        let schema = Self.complete
        let again = try StoredSchema(decoding: schema.encoded())

        #expect(again == schema)
        #expect(try StoredSchema(decoding: Self.graph.encoded()) == Self.graph)
        expectComplete([schema])
        expectComplete(schema.entities + Self.graph.entities)
        expectComplete(Self.graph.entities.flatMap(\.relationships))
        expectComplete(schema.entities.flatMap(\.attributes))
        expectComplete(schema.entities.flatMap(\.indexes))
        let transfer = try #require(schema.transfer)
        expectComplete([transfer])
        expectComplete([transfer.source])
        expectComplete(transfer.digests)
    }

    /// Expects that for each stored property one of the records has another value than a blank record.
    private func expectComplete<Record: JSONObject>(_ records: [Record]) {
        let blank = Mirror(reflecting: Record.blank).children.map { String(reflecting: $0.value) }
        let filled = records.map { Mirror(reflecting: $0).children.map { String(reflecting: $0.value) } }
        for (position, property) in Mirror(reflecting: Record.blank).children.enumerated() {
            #expect(
                filled.contains { $0[position] != blank[position] },
                "\(Record.self).\(property.label ?? "?") is not set in this test")
        }
    }

    @Test func `is written with the keys in the order in which they are listed`() throws {
        var schema = Self.complete
        schema.identity = UUID(uuidString: "7E1B0C52-5C0C-4B1E-9A1D-1C1A6D0B7F0E")
        schema.transfer?.source = StoreReference(engine: "JSON Lines")

        #expect(
            String(decoding: schema.encoded(), as: UTF8.self) == """
                {"generation":7,"identity":"7E1B0C52-5C0C-4B1E-9A1D-1C1A6D0B7F0E","version":"1.2 β",\
                "nextEntityNumber":5,\
                "entities":[{"number":3,"name":"Récipe/é","storageName":"Récipe/é~2","attributes":[\
                {"name":"id","storageName":"id~2","type":"int64","isOptional":false},\
                {"name":"note","storageName":"note~2","type":"string","isOptional":true},\
                {"name":"note[c]","storageName":"note_folded","type":"string","isOptional":true,\
                "folding":{"text":"note","ignoresCase":true,"ignoresDiacritics":false,"tables":"15 β"}}],"indexes":[\
                {"attributes":["note","id"],"isUnique":false},{"attributes":["id"],"isUnique":true}]}],\
                "transfer":{"source":{"engine":"JSON Lines"},"isComplete":true,"digests":[\
                {"entity":"Récipe/é","count":2,"digest":"00000000000000020000000000000001"}]}}
                """)
    }

    @Test(arguments: [false, true])
    func `is read with its keys in any order and any space`(isSpacious: Bool) throws {
        let object = try JSONSerialization.jsonObject(with: Self.complete.encoded())
        let bytes = try JSONSerialization.data(
            withJSONObject: object, options: isSpacious ? [.sortedKeys, .prettyPrinted] : .sortedKeys)

        #expect(try StoredSchema(decoding: bytes) == Self.complete)
    }

    @Test func `may hold keys of a later version, and one key twice`() throws {
        let json = """
            {"generation":2,"generation":3,"color":{"red":[1,{"a":null}]},"entities":[],"nextEntityNumber":1,\
            "identity":null}
            """

        #expect(
            try StoredSchema(decoding: Data(json.utf8))
                == StoredSchema(generation: 2, entities: [], nextEntityNumber: 1))
    }

    @Test(arguments: ["a \"quoted\" name", "back\\slash", "line\nbreak", "\u{1}", "\u{7F}", "/"])
    func `keeps names that need escapes`(name: String) throws {
        var schema = Self.complete
        schema.transfer = nil
        schema.entities[0].name = name

        #expect(try StoredSchema(decoding: schema.encoded()) == schema)
        let object = try JSONSerialization.jsonObject(with: schema.encoded()) as? [String: Any]
        let entities = try #require(object?["entities"] as? [[String: Any]])
        #expect(entities[0]["name"] as? String == name)
    }

    @Test(arguments: [
        (#""isOptional":true"#, #""isOptional":1"#, "entities.attributes.isOptional is not true or false"),
        (#""number":3,"#, "", "entities.number is missing"),
        (#""type":"string""#, #""type":"text""#, #"entities.attributes.type is "text", which is not"#),
        (#""generation":7"#, #""generation":7.5"#, "generation is not a whole number"),
        (#""generation":7"#, #""generation":null"#, "generation is not a whole number"),
        (#""indexes":["#, #""indexes":{}, "x":["#, "entities.indexes is not a list"),
        (#""engine":"SQLite""#, #""engine":1"#, "transfer.source.engine is not text"),
        (#"{"source""#, #"[{"source""#, "transfer is not an object"),
        (#""isComplete":true"#, #""isComplete":true,"#, "is not JSON at byte"),
    ])
    func `what cannot be read is damage, and the place is named`(
        _ original: String, _ replacement: String, _ message: String
    ) throws {
        let json = String(decoding: Self.complete.encoded(), as: UTF8.self)
        let wrong = Data(json.replacingOccurrences(of: original, with: replacement).utf8)

        let error = #expect(throws: DataStoreError.self) { try StoredSchema(decoding: wrong) }

        #expect(error?.code == .damaged)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func `cut off anywhere is damage`() throws {
        let bytes = Self.complete.encoded()

        for count in 0..<bytes.count {
            let error = #expect(throws: DataStoreError.self) {
                try StoredSchema(decoding: bytes.prefix(count))
            }
            #expect(error?.code == .damaged)
        }
    }
}
