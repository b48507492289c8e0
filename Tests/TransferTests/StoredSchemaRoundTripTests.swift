import Foundation
import Larder
import LarderEngine
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance
@testable import LarderTransfer

/// Every property of the stored schema comes back from every engine, and from the first line of JSON Lines.
struct StoredSchemaRoundTripTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Engine.allCases)
    func `a store keeps every property`(_ engine: Engine) throws {
        let place = folder.place(engine, "store")
        let transfer = StoredSchema.Transfer(
            source: StoreReference(engine: "Paper", identity: UUID(), location: "/a \"quoted\" path"),
            isComplete: true,
            digests: [
                EntityDigest(
                    entity: Everything.schema.name, count: 2, digest: RowDigest(low: 1, high: .max))
            ])
        let schema = try StoreSchema(storing: [Everything.self, Keyed<String>.self] + Library.types)
            .opened(for: .finishing(transfer))

        let adapter = place.address.adapter(for: .writing)
        try adapter.open(schema)
        try adapter.close()
        let stored = try #require(try place.address.adapter(for: .reading).storedSchema())

        var expected = try SchemaEvolution(from: .empty, to: schema).target
        expected.identity = stored.identity
        #expect(stored == expected)
        #expect(stored.identity != nil)
        #expect(stored.transfer == transfer)
        #expect(
            Set(stored.entities.flatMap(\.relationships).map(\.kind)) == Set(RelationshipSchema.Kind.allCases)
        )
        #expect(stored.entities.filter(\.isLink).map(\.name) == ["Book.labels", "Book.chapters"])
        #expect(
            stored.entity(named: "Person")?.relationships.first
                == StoredSchema.Relationship(
                    name: "books", kind: .toMany, target: "Book", inverse: "author", deleteRule: .cascade))
    }

    @Test(arguments: Engine.allCases, [Cargo.types, Library.types])
    func `bytes with every property are read in place of what a store keeps`(
        _ engine: Engine, _ types: [any DataStoreItem.Type]
    ) throws {
        let place = folder.place(engine, "store")
        try place.withStore(storing: types) { _ in }
        var stored = try #require(try place.address.adapter(for: .reading).storedSchema())
        stored.identity = UUID()
        stored.nextEntityNumber += 7
        for index in stored.entities.indices { stored.entities[index].storageName += "~9" }
        for index in stored.entities[0].attributes.indices {
            stored.entities[0].attributes[index].storageName += "~9"
        }

        try place.replaceStoredSchema(by: stored.encoded())

        #expect(try place.address.adapter(for: .reading).storedSchema() == stored)
    }

    @Test func `the first line of JSON Lines keeps what does not belong to one store`() throws {
        let schema = try StoreSchema(storing: [Everything.self, Keyed<String>.self] + Library.types)
        var json = JSONWriter(isPortable: true)
        JSONLinesHeader(of: schema, items: 5).write(to: &json)

        let header = try JSONLinesHeader(json.bytes[...])

        #expect(header.items == 5)
        var described = header.entities
        for index in described.indices {
            #expect(described[index].number == index + 1)
            described[index].number = 0
            described[index].storageName = ""
            for attribute in described[index].attributes.indices {
                described[index].attributes[attribute].storageName = ""
            }
        }
        let items = schema.entities.indices.filter { !schema.entities[$0].isLink }
        #expect(
            described
                == items.map {
                    StoredSchema.Entity(
                        schema.entities[$0], relationships: schema.relationships[$0], in: schema)
                })
        #expect(described.flatMap(\.relationships).count == 13)
        #expect(described.flatMap(\.attributes).map(\.isOptional).contains(true))
        #expect(described.flatMap(\.indexes).map(\.isUnique).contains(true))
        #expect(!String(decoding: json.bytes, as: UTF8.self).contains("storageName"))
    }
}
