#if PostgreSQL
    import Larder
    import LarderPostgreSQL
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport

    /// Servers and databases on which a store would lose data.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct ServerRefusalTests {
        @Test func `a database with another encoding than UTF-8 is refused`() throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let database = world.schema
            _ = try server.answer(
                to: """
                    CREATE DATABASE \(database) TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'
                    """)

            let error = try refusal(by: "host=\(server.folder) dbname=\(database) user=larder", of: world)

            #expect(error?.code == .unsupported)
            #expect(error?.message == "The database has the encoding LATIN1.")
            _ = try server.answer(to: "DROP DATABASE \(database) WITH (FORCE)")
        }

        /// Each has as many bytes as the beginning of the version that it takes the place of.
        @Test(arguments: [
            ("CockroachDB ", "The server is CockroachDB, not PostgreSQL."),
            ("PG 11-YB-1.3", "The server is YugabyteDB, not PostgreSQL."),
        ])
        func `a server with the protocol of PostgreSQL and other locks is refused`(
            version: String, message: String
        ) throws {
            let error = try refusal(replacing: "PostgreSQL 1", by: version)

            #expect(error?.code == .unsupported)
            #expect(error?.message == message)
        }

        @Test func `a server that is too old is refused`() throws {
            let server = try #require(TestServer.shared)
            let version = try #require(try server.answer(to: "SHOW server_version_num").first)

            let error = try refusal(replacing: version, by: "120022")

            #expect(error?.code == .unsupported)
            #expect(error?.message == "The server's version 12 is too old.")
        }

        /// The error of an opening if a text in the answers of the server is another one.
        private func refusal(replacing text: String, by other: String) throws -> DataStoreError? {
            let server = try #require(TestServer.shared)
            let proxy = try MessageProxy(to: server.folder, replacing: (text, other))
            let error = try refusal(
                by: "host=\(proxy.folder) dbname=postgres user=larder", of: PostgreSQLWorld(on: server))
            try proxy.close()
            return error
        }

        private func refusal(by connection: String, of world: PostgreSQLWorld) throws -> DataStoreError? {
            let store = PostgreSQLDataStore(
                connection: try PostgreSQLConnection(connection), schema: world.schema,
                storing: [Recipe.self])
            return thrown { try store.setup() }
        }
    }
#endif
