#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// A role whose transactions are serializable and read-only by default, and a pooler, for which nothing is set in a
    /// session.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct RoleDefaultTests {
        @Test func `a store works, although its number is leased in a transaction without settings`() throws {
            try trial { store, _, _ in
                try store.writeSync { _ = try $0.insert(Recipe(1)) }

                #expect(try store.read { try $0.ids(for: Recipe.all) } == [1])
            }
        }

        @Test func `a commit that ends after the limit for statements is found`() throws {
            let server = try #require(TestServer.shared)
            try trial { _, world, hosts in
                let (place, token) = (ServerPlace(schema: world.schema), UUID())
                let writer = try ServerConnection(
                    ServerHosts(world.connection, world.options, path: "writer"))
                defer { writer.close() }
                try writer.execute("BEGIN")
                try writer.execute("SELECT generation FROM \(place.store) FOR UPDATE")
                try writer.execute(
                    """
                    INSERT INTO \(place.commits) (number, token, writer) VALUES (1, $1::uuid, gen_random_uuid())
                    """, token.uuidString)

                let isKept = try whileRunning { () throws -> Bool in
                    let question = CommitQuestion(token: token, numberBefore: 0, place: place, hosts: hosts)
                    return try question.commit(after: DataStoreError(.connectionLost, "Lost.")) != nil
                } do: {
                    let end = Date(timeIntervalSinceNow: 60)
                    let waiting = """
                        SELECT count(*) FROM pg_stat_activity \
                        WHERE application_name = '\(world.schema)' AND wait_event_type = 'Lock' \
                        AND clock_timestamp() - query_start > interval '500 milliseconds'
                        """
                    while try server.answer(to: waiting) != ["1"], Date() < end { usleep(10_000) }
                    try writer.execute("COMMIT")
                }

                #expect(isKept)
            }
        }

        private func trial(_ body: (any DataStore, PostgreSQLWorld, ServerHosts) throws -> Void) throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let connection = try PostgreSQLConnection(
                """
                host=\(server.folder) dbname=postgres user=larder application_name=\(world.schema) \
                target_session_attrs=any \
                options='-c default_transaction_isolation=serializable -c default_transaction_read_only=on'
                """)
            let options = PostgreSQLOptions(durability: .normal, pooler: .transaction)
            let store = PostgreSQLDataStore(
                connection: connection, schema: world.schema, storing: [Recipe.self], options: options)
            try store.setup()
            var limited = options
            limited.statementTimeout = .milliseconds(200)
            try body(store, world, ServerHosts(connection, limited, path: "question"))
            try store.tearDown()
            try world.cleanUp()
        }
    }
#endif
