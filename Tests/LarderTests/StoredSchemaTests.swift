import Foundation
import Testing

@testable import Larder

/// The stored schema is written and read by hand where that is quicker, and must be the same JSON.
struct StoredSchemaTests {
    private let recipe = StoredSchema.Entity(
        number: 3, name: "Récipe/é", storageName: "Récipe/é",
        attributes: [
            .init(name: "id", storageName: "id", type: .int64, isOptional: false),
            .init(name: "note", storageName: "note~2", type: .string, isOptional: true),
        ],
        indexes: [
            .init(attributes: ["note", "id"], isUnique: false), .init(attributes: ["id"], isUnique: true),
        ])

    private func json(_ schema: StoredSchema) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(schema), as: UTF8.self)
    }

    @Test func `is written as the encoder of the system writes it, and read back`() throws {
        var tag = recipe
        (tag.name, tag.number, tag.storageName, tag.indexes) = ("Tag", 4, "Tag", [])
        tag.attributes.removeLast()
        let identity = UUID()
        for (entities, identity) in [([], nil), ([recipe], identity), ([recipe, tag], identity)] {
            let schema = StoredSchema(
                generation: 7, entities: entities, nextEntityNumber: 5, identity: identity)

            #expect(
                StoredSchemaWriter.json(of: schema).map { String(decoding: $0, as: UTF8.self) }
                    == (try json(schema)))
            #expect(try StoredSchema(decoding: schema.encoded()) == schema)
        }
    }

    @Test(arguments: ["a \"quoted\" name", "back\\slash", "line\nbreak", "\u{7F}"])
    func `with names that need escapes is left to the encoder of the system`(name: String) throws {
        var entity = recipe
        entity.name = name
        let schema = StoredSchema(generation: 1, entities: [entity], nextEntityNumber: 4)

        #expect(StoredSchemaWriter.json(of: schema) == nil)
        #expect(String(decoding: try schema.encoded(), as: UTF8.self) == (try json(schema)))
        #expect(try StoredSchema(decoding: schema.encoded()) == schema)
    }

    @Test(arguments: [nil, "/recipes.sqlite", "/a \"quoted\" path"])
    func `of a copy is read back, whatever is known of the source`(location: String?) throws {
        for identity in [nil, UUID()] {
            let source = StoreReference(engine: "SQLite", identity: identity, location: location)
            let transfer = StoredSchema.Transfer(
                source: source, isComplete: true, digests: [EntityDigest(entity: recipe.name)])
            let schema = StoredSchema(
                generation: 2, entities: [recipe], nextEntityNumber: 4, identity: UUID(), transfer: transfer)
            let bytes = try schema.encoded()
            let isPlain = location?.contains("\"") != true

            #expect(bytes.withUnsafeBytes(StoredSchemaParser.schema(in:)) == (isPlain ? schema : nil))
            #expect(try StoredSchema(decoding: bytes) == schema)
        }
    }
}
