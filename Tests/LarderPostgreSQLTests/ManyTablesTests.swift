#if PostgreSQL
    import Larder
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// A store in a database that has many tables of others.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct ManyTablesTests {
        @Test func `a store is found and compared without a walk over all tables of the database`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let store = try world.makeStore(storing: [Recipe.self, Tag.self], options: DataStoreOptions())
            try store.setup()
            let connection = try ServerConnection(
                ServerHosts(world.connection, PostgreSQLOptions(), path: "others"))
            defer { connection.close() }
            let others = world.schema + "others"
            // A type without columns has a row in the list of tables, and no file.
            try connection.execute(
                """
                DO $$ BEGIN CREATE SCHEMA \(others); FOR number IN 1..1000 LOOP \
                EXECUTE format('CREATE TYPE \(others).t%s AS ()', number); END LOOP; END $$
                """)
            let metadata = StoreMetadata(
                place: ServerPlace(schema: world.schema), connection: connection)

            let rows = try metadata.inTransaction { () throws(DataStoreError) -> Int64? in
                guard let schema = try metadata.schema() else { return nil }
                try TableAgreement(schema: schema, metadata: metadata).require()
                return try connection.execute(
                    "SELECT pg_stat_get_xact_tuples_returned('pg_class'::regclass)"
                ).integer(0, 0)
            }

            // The server's planner may read a row; two walks would read more than 2,000.
            #expect(try #require(rows) < 10)
            try connection.execute("DROP SCHEMA \(others) CASCADE")
            try store.tearDown()
            try world.cleanUp()
        }
    }
#endif
