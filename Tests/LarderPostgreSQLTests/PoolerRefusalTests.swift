#if PostgreSQL
    import Foundation
    import Larder
    import LarderPostgreSQL
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport

    /// A pooler that gives each transaction another session, of which the options of the store say nothing.
    @Suite(.enabled(if: TestServer.shared != nil && TestPooler.isInstalled))
    struct PoolerRefusalTests {
        @Test func `a store refuses a pooler for transactions that its options do not name`() throws {
            let server = try #require(TestServer.shared)
            // All connections have the same session in turn.
            let pooler = try #require(try TestPooler.another(before: server, sessions: 1))
            let world = PostgreSQLWorld(on: server)
            let store = PostgreSQLDataStore(
                connection: pooler.connection, schema: world.schema, storing: [Recipe.self])
            try store.setup()

            // The connection that holds the number of the process has left its mark in the session.
            let reading = (1...2).map { _ in
                thrown { try store.read { _ = try $0.countItems(for: Recipe.all) } }
            }
            // The session has the statements of the reader.
            let writing = thrown { try store.writeSync { _ = try $0.insert(Recipe(1)) } }

            let errors = reading + [writing]
            #expect(errors.map { $0?.code } == [.unsupported, .unsupported, .unsupported])
            #expect(
                errors.allSatisfy { $0?.advice == "Set pooler: .transaction in the options of the store." })
            #expect(writing?.underlying?.message.hasPrefix("42P05") == true)
            try store.tearDown()
            try pooler.end()
            let direct = try world.makeStore(storing: [Recipe.self], options: DataStoreOptions())
            try direct.setup()
            #expect(try direct.read { try $0.countItems(for: Recipe.all) } == 0)
            try direct.tearDown()
            try world.cleanUp()
        }
    }
#endif
