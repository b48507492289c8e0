import Larder
import struct Foundation.UUID

/// The description of a store for tools without the app's types.
enum DescriptionCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A missing store has no description, and is not created", proves: 12) { world in
            let adapter = try adapter(in: world)

            try expect(try adapter.storedSchema(), equals: nil)
            try expect(try adapter.storedSchema(), equals: nil)
        }
        ConformanceCase("A closed store describes what is in it", proves: 12) { world in
            _ = try world.openFilled()
            try world.closeAll()

            let stored = try require(try adapter(in: world).storedSchema())

            let schema = try StoreSchema(of: stored)
            let restaurants = try require(schema.entities.first { $0.name == Restaurant.schema.name })
            let declared = Restaurant.schema
            try expect(restaurants.attributes.map(\.name), equals: declared.attributes.map(\.name))
            try expect(restaurants.attributes.map(\.type), equals: declared.attributes.map(\.type))
            try expect(
                restaurants.attributes.map(\.isOptional), equals: declared.attributes.map(\.isOptional))
            try expect(restaurants.indexes, equals: declared.indexes)
        }
        ConformanceCase(
            "A store opened by its stored schema does not change", proves: 12, 13
        ) { world in
            let store = try world.openFilled()
            let items = try store.items(Restaurant.all)
            try world.closeAll()
            let adapter = try adapter(in: world)
            let stored = try require(try adapter.storedSchema())

            try adapter.open(try StoreSchema(of: stored))
            try adapter.close()

            try expect(try adapter.storedSchema(), equals: stored)
            try expect(try world.open(Restaurant.self, Dish.self).items(Restaurant.all), equals: items)
        }
        ConformanceCase("A store keeps the identity it was made with", proves: 12) { world in
            let adapter = try adapter(in: world)
            func identity() throws -> UUID { try require(try adapter.storedSchema()?.identity) }

            try world.open(Restaurant.self).tearDown()
            let made = try identity()
            try world.open(Restaurant.self).tearDown()
            try expect(try identity(), equals: made)
            let store = try world.open(Restaurant.self, Dish.self)
            try store.writeSync { _ = try $0.insert(Restaurant(1)) }
            try store.tearDown()
            try expect(try identity(), equals: made)

            try adapter.destroy()
            try world.open(Restaurant.self).tearDown()
            try expect(try identity() == made, equals: false)
        }
        ConformanceCase(
            "A store that is being filled is refused until it is complete", proves: 12
        ) { world in
            let source = StoreReference(engine: "elsewhere", identity: UUID())
            let begun = StoredSchema.Transfer(source: source, isComplete: false, digests: [])
            let complete = StoredSchema.Transfer(source: source, isComplete: true, digests: [])
            let schema = try StoreSchema(storing: [Restaurant.self])
            let adapter = try adapter(in: world)
            for _ in 0..<2 {
                try adapter.open(schema.opened(for: .filling(begun)))
                try adapter.close()
            }

            try expect(try adapter.storedSchema()?.transfer, equals: begun)
            var renamed = begun
            renamed.source.location = "renamed"
            try adapter.open(schema.opened(for: .filling(renamed)))
            try adapter.close()
            try expect(try adapter.storedSchema()?.transfer, equals: begun)
            var other = begun
            other.source.identity = UUID()
            try expectError(.incompleteTransfer) { try adapter.open(schema.opened(for: .filling(other))) }
            try expectError(.incompleteTransfer) { _ = try world.open(Restaurant.self) }
            try expectError(.incompleteTransfer) { try adapter.open(schema) }
            try adapter.open(schema.opened(for: .finishing(complete)))
            try adapter.close()

            let store = try world.open(Restaurant.self)
            try store.writeSync { _ = try $0.insert(Restaurant(1)) }
            try store.tearDown()
            try expect(try adapter.storedSchema()?.transfer, equals: complete)
            try expectError(.destinationExists) { try adapter.open(schema.opened(for: .filling(begun))) }
        }
    }

    /// The adapter of a store over the world's place, which nothing has opened yet.
    private static func adapter(in world: ConformanceWorld) throws -> any StorageAdapter {
        try world.makeStore(Restaurant.self).coordinator.adapter
    }
}
