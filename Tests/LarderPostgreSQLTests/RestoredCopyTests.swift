#if PostgreSQL
    import Larder
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// A dump that was restored in another schema, with the identity of the original.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct RestoredCopyTests {
        @Test func `a restored copy is open beside the original, and each of them once`() throws {
            let server = try #require(TestServer.shared)
            let worlds = [PostgreSQLWorld(on: server), PostgreSQLWorld(on: server)]
            for world in worlds {
                let store = try world.makeStore(storing: [Recipe.self], options: DataStoreOptions())
                try store.setup()
                try store.tearDown()
            }
            _ = try server.answer(
                to: """
                    UPDATE \(worlds[1].schema).larder_store SET (identity, schema) = \
                    (SELECT identity, schema FROM \(worlds[0].schema).larder_store)
                    """)

            var stores: [any DataStore] = []
            for (number, world) in worlds.enumerated() {
                let store = try world.makeStore(storing: [Recipe.self], options: DataStoreOptions())
                try store.setup()
                try store.writeSync { _ = try $0.insert(Recipe(Int64(number))) }
                stores.append(store)
            }
            let found = try stores.map { store in try store.read { try $0.ids(for: Recipe.all) } }
            #expect(found == [[0], [1]])

            let proxy = try CuttingProxy(to: server.folder)
            let sameByOtherName = PostgreSQLDataStore(
                connection: try PostgreSQLConnection("host=\(proxy.folder) dbname=postgres user=larder"),
                schema: worlds[1].schema, storing: [Recipe.self], options: worlds[1].options)
            #expect(thrown { try sameByOtherName.setup() }?.code == .alreadyOpen)
            #expect(thrown { try sameByOtherName.adapter.destroy() }?.code == .alreadyOpen)

            for store in stores { try store.tearDown() }
            for world in worlds { try world.cleanUp() }
            try proxy.close()
        }
    }
#endif
