#if PostgreSQL
    import Foundation
    import Larder
    import LarderEngine
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// A standby that answers in the place of the primary.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct StandbyRefusalTests {
        @Test func `a store that may write waits for a primary, and then does not take a standby for it`()
            throws
        {
            try trial { primary, standby, schema in
                func store(on text: String, isReadOnly: Bool = false) throws -> PostgreSQLDataStore {
                    PostgreSQLDataStore(
                        connection: try PostgreSQLConnection("\(text) dbname=postgres user=larder"),
                        schema: schema, storing: [Recipe.self],
                        options: PostgreSQLOptions(connectTimeout: .seconds(1), isReadOnly: isReadOnly))
                }
                func ids(in store: PostgreSQLDataStore) throws -> [Int64] {
                    try store.read { try $0.ids(for: Recipe.all) }
                }
                let admin = try ServerConnection(
                    ServerHosts(standby.connection, PostgreSQLOptions(isReadOnly: true), path: "admin"))
                defer { admin.close() }
                let app = try store(on: Self.both(primary, standby))
                try app.setup()
                try app.writeSync { _ = try $0.insert(Recipe(1)) }
                try TestServer.wait { try Self.rows(of: schema, on: standby) == ["1"] }
                try primary.crash()

                let errors = [
                    thrown { try ids(in: app) },
                    thrown { try app.writeSync { _ = try $0.insert(Recipe(2)) } },
                    // As a pooler passes it on that has turned to the standby.
                    thrown { try admin.execute(ServerConnection.beginWriting) },
                    thrown { try store(on: "host=\(standby.folder)").setup() },
                ]

                let codes = errors.map { $0?.code }
                #expect(codes == [.connectionLost, .connectionLost, .connectionLost, .connectionLost])
                let sentence = "The server is a standby, not the primary."
                let sentenceOfConnection = "The server is a standby, or its sessions are read-only."
                #expect(
                    errors.map { $0?.message } == [sentence, sentence, sentence, sentenceOfConnection])
                #expect(
                    errors[3]?.advice
                        == "Add the primary to the hosts, or open the store read-only. "
                        + "Promote the standby only if the primary is gone for good.")
                try app.tearDown()
                let reader = try store(on: "host=\(standby.folder)", isReadOnly: true)
                try reader.setup()
                #expect(try ids(in: reader) == [1])
                try reader.tearDown()
            }
        }

        @Test func `a primary that refuses the user is not hidden by a standby, whichever is asked first`()
            throws
        {
            try trial { primary, standby, _ in
                // The rights to connect are the one thing that a standby does not get from the primary.
                try "local all other trust\n".write(
                    toFile: primary.folder + "/data/pg_hba.conf", atomically: false, encoding: .utf8)
                _ = try primary.answer(to: "SELECT pg_reload_conf()")
                try TestServer.wait { (try? primary.answer(to: "SELECT 1")) == nil }
                let (first, second) = (primary.folder, standby.folder)

                let errors = try [
                    "\(first),\(second)", "\(second),\(first)",
                    "\(first),\(second) target_session_attrs=any",
                    "\(second),\(first) target_session_attrs=any",
                ].map { servers in
                    let text = "host=\(servers) dbname=postgres user=larder"
                    let hosts = ServerHosts(try PostgreSQLConnection(text), PostgreSQLOptions(), path: "here")
                    return thrown { try ServerConnection(hosts) }
                }

                // The standby may be promoted, so that it is waited for.
                let codes = errors.map { $0?.code }
                #expect(codes == [.connectionLost, .connectionLost, .connectionLost, .connectionLost])
                let areToldApart = errors.map { $0?.underlying?.message.contains("no pg_hba.conf entry") }
                #expect(areToldApart == [true, true, true, true])
            }
        }

        @Test func `a block waits for the promotion of a standby that takes connections before`() throws {
            try trial { primary, standby, schema in
                let attempts = Locked(0)
                var options = PostgreSQLOptions(connectTimeout: .seconds(60))
                options.journeyProbe = { statements in
                    guard statements.contains(where: { $0.contains("server_version_num") }) else { return }
                    attempts.withLock { $0 += 1 }
                }
                let store = PostgreSQLDataStore(
                    connection: try PostgreSQLConnection(
                        Self.both(primary, standby) + " dbname=postgres user=larder"),
                    schema: schema, storing: [Recipe.self], options: options)
                try store.setup()
                try store.writeSync { _ = try $0.insert(Recipe(1)) }
                try TestServer.wait { try Self.rows(of: schema, on: standby) == ["1"] }
                try primary.crash()
                attempts.withLock { $0 = 0 }

                try whileRunning {
                    try store.writeSync { _ = try $0.insert(Recipe(2)) }
                } do: {
                    // It was found to be a standby, and is asked again.
                    try TestServer.wait { attempts.withLock { $0 } > 1 }
                    _ = try standby.answer(to: "SELECT pg_promote(true, 60)")
                }

                #expect(try Self.rows(of: schema, on: standby) == ["1", "2"])
                try store.tearDown()
            }
        }

        // The connection of the number to the pooler outlives the primary.
        @Test(.enabled(if: TestPooler.isInstalled))
        func `a lease that is due waits for the promotion of the standby that a pooler gives`() throws {
            try trial { primary, standby, schema in
                let pooler = try #require(try TestPooler.another(before: primary))
                let store = PostgreSQLDataStore(
                    connection: primary.connection, schema: schema, storing: [Recipe.self])
                try store.setup()
                try store.tearDown()
                let attempts = Locked(0)
                let numbers = ServerNumbers(
                    of: OpenStores.Key(identity: UUID(), schema: 1, database: 1, cluster: 1),
                    in: ServerPlace(schema: schema),
                    on: try ServerConnection(
                        ServerHosts(Self.through(pooler), Self.counting(attempts), path: "numbers")),
                    for: ProcessNumbers(of: ItemIDGenerator(process: 7) { 1000 }), renewal: .zero)
                try numbers.take()
                func leases() throws -> [String] {
                    try standby.answer(to: "SELECT number FROM \(schema).larder_leases")
                }
                try TestServer.wait { try leases() == ["7"] }
                try pooler.turn(to: standby)
                try primary.crash()
                attempts.withLock { $0 = 0 }

                try whileRunning {
                    try numbers.ensure()
                } do: {
                    try TestServer.wait { attempts.withLock { $0 } > 0 }
                    _ = try standby.answer(to: "SELECT pg_promote(true, 60)")
                }

                #expect(try leases() == ["7"])
                numbers.end()
                #expect(try leases() == [])
                try pooler.end()
            }
        }

        @Test(.enabled(if: TestPooler.isInstalled))
        func `a block waits for the promotion of a standby that lacks the newest table`() throws {
            try trial { primary, standby, schema in
                let pooler = try #require(try TestPooler.another(before: primary))
                let older = PostgreSQLDataStore(
                    connection: primary.connection, schema: schema, storing: [Recipe.self])
                try older.setup()
                try older.tearDown()
                try TestServer.wait { try Self.rows(of: schema, on: standby) == [] }
                _ = try standby.answer(to: "SELECT pg_wal_replay_pause()")
                let attempts = Locked(0)
                let store = PostgreSQLDataStore(
                    connection: try Self.through(pooler), schema: schema, storing: [Recipe.self, Tag.self],
                    options: Self.counting(attempts))
                try store.setup()
                let newest = try primary.answer(to: "SELECT pg_current_wal_flush_lsn()")[0]
                try TestServer.wait {
                    try standby.answer(to: "SELECT pg_last_wal_receive_lsn() >= '\(newest)'") == ["t"]
                }
                try pooler.turn(to: standby)
                try primary.crash()
                attempts.withLock { $0 = 0 }

                // The error about the missing table hides that the server is a standby.
                let count = try whileRunning {
                    try store.read { try $0.countItems(for: Tag.all) }
                } do: {
                    try TestServer.wait { attempts.withLock { $0 } > 0 }
                    _ = try standby.answer(to: "SELECT pg_promote(true, 60)")
                }

                #expect(count == 0)
                try store.tearDown()
                try pooler.end()
            }
        }

        /// Options for a pooler with the number of attempts to connect.
        private static func counting(_ attempts: Locked<Int>) -> PostgreSQLOptions {
            var options = PostgreSQLOptions(pooler: .transaction, connectTimeout: .seconds(60))
            options.journeyProbe = { statements in
                guard statements.contains(where: { $0.contains("server_version_num") }) else { return }
                attempts.withLock { $0 += 1 }
            }
            return options
        }

        /// The connection to a pooler, whichever server it has turned to.
        private static func through(_ pooler: TestPooler) throws -> PostgreSQLConnection {
            try PostgreSQLConnection(
                "host=\(pooler.folder) dbname=postgres user=larder target_session_attrs=any")
        }

        /// Both servers, of which any is taken by libpq.
        private static func both(_ primary: TestServer, _ standby: TestServer) -> String {
            "host=\(primary.folder),\(standby.folder) target_session_attrs=any"
        }

        private static func rows(of schema: String, on server: TestServer) throws -> [String] {
            try server.answer(to: "SELECT id FROM \(schema).\"Recipe\" ORDER BY id")
        }

        private func trial(_ body: (TestServer, TestServer, String) throws -> Void) throws {
            let primary = try #require(try TestServer.another())
            let standby = try primary.standby()
            try body(primary, standby, PostgreSQLWorld(on: primary).schema)
            for server in [primary, standby] { try server.end() }
        }
    }
#endif
