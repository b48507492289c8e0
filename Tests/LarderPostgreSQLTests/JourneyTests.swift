#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// The journeys to the server that calls take: a network makes each of them slow, and the number is exact.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct JourneyTests {
        @Test func `a block that reads an item is one journey`() throws {
            try trial { store, journeys in
                try store.writeSync { try $0.insert(Recipe(1)) }

                let count = try journeys { try store.read { _ = try $0.item(id: 1, of: Recipe.self) } }

                #expect(count == 1)
            }
        }

        @Test func `a block that inserts an item is two journeys`() throws {
            try trial { store, journeys in
                let count = try journeys {
                    try store.writeSync { accessor in _ = try accessor.insert(Tag("planet")) }
                }

                #expect(count == 2)
            }
        }

        @Test(arguments: [1000, 4000])
        func `many items take journeys by batches`(count: Int) throws {
            try trial { store, journeys in
                let recipes = (1...count).map { Recipe(Int64($0)) }

                let inserting = try journeys {
                    try store.writeSync { _ = try $0.insert(contentsOf: recipes) }
                }
                let reading = try journeys {
                    let found = try store.read { try $0.items(for: Recipe.all) }
                    #expect(found == recipes)
                }
                let deleting = try journeys {
                    try store.writeSync { _ = try $0.deleteItems(for: Recipe.all) }
                }

                // 256 items at a time: their unique values are looked for, and they are inserted. Then comes the commit.
                let batches = (count + 255) / 256
                #expect(inserting == 2 * batches + 1)
                #expect(reading == (count - 256 + 999) / 1000 + 1)
                #expect(deleting == reading + batches + 1)
            }
        }

        /// Runs a body with a store, and a function that counts the journeys of what it is given.
        private func trial(_ body: (any DataStore, (() throws -> Void) throws -> Int) throws -> Void) throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let count = Locked(0)
            var options = world.options
            options.journeyProbe = { _ in count.withLock { $0 += 1 } }
            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Recipe.self, Tag.self],
                options: options)
            try store.setup()
            // Connections are made with the first block of each kind.
            try store.writeSync { try $0.insert(Recipe(-1)) }
            try store.writeSync { _ = try $0.deleteItems(for: Recipe.all) }
            try store.read { _ = try $0.countItems(for: Recipe.all) }
            try body(store) { call in
                count.withLock { $0 = 0 }
                try call()
                return count.withLock { $0 }
            }
            try store.tearDown()
            try world.cleanUp()
        }
    }
#endif
