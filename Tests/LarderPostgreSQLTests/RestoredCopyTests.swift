#if PostgreSQL
    import Foundation
    import Larder
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// The place of a store, by which the process knows that it has it open.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct RestoredCopyTests {
        @Test func `a store is known to be open after its server was started again`() throws {
            let server = try #require(try TestServer.another())
            let schema = PostgreSQLWorld(on: server).schema
            func makeStore() -> PostgreSQLDataStore {
                PostgreSQLDataStore(connection: server.connection, schema: schema, storing: [Recipe.self])
            }
            let store = makeStore()
            try store.setup()
            try store.writeSync { _ = try $0.insert(Recipe(1)) }

            try server.crash()
            try server.start()
            try server.waitUntilReady()

            #expect(thrown { try makeStore().setup() }?.code == .alreadyOpen)
            #expect(thrown { try makeStore().destroy() }?.code == .alreadyOpen)
            #expect(try store.read { try $0.ids(for: Recipe.all) } == [1])
            try store.tearDown()
            try makeStore().destroy()
            try server.end()
        }

        @Test func `a store on a server that does not tell its cluster may be any of its identity`() throws {
            let stores = OpenStores()
            let identity = UUID()
            func key(_ cluster: Int64?, schema: Int64 = 1) -> OpenStores.Key {
                OpenStores.Key(identity: identity, schema: schema, database: 1, cluster: cluster)
            }
            func claim(_ key: OpenStores.Key) -> DataStoreError.Code? {
                code { try stores.claim(key, at: "here") }
            }

            #expect([claim(key(1)), claim(key(2)), claim(key(1))] == [nil, nil, .alreadyOpen])
            #expect([claim(key(nil)), claim(key(nil, schema: 2))] == [.alreadyOpen, nil])
            #expect(claim(key(1, schema: 2)) == .alreadyOpen)
            stores.release(key(nil, schema: 2))
            #expect(claim(key(1, schema: 2)) == nil)
        }

        // A dump has the identity of the original.
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
