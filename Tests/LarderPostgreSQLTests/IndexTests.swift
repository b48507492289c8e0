#if PostgreSQL
    import Larder
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// The indexes of a store, as other tools see them.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct IndexTests {
        @Test func `an index ends with the identifier, and says that its keys differ`() throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let store = try world.makeStore(storing: [Entry.self], options: DataStoreOptions())
            try store.setup()
            try store.tearDown()

            let definitions = try server.answer(
                to: """
                    SELECT substr(indexdef, strpos(indexdef, ' USING')), indexdef LIKE 'CREATE UNIQUE INDEX%' \
                    FROM pg_indexes WHERE schemaname = '\(world.schema)' AND tablename = 'Entry' ORDER BY 1
                    """)

            #expect(
                definitions == [
                    " USING btree (\"left\"(code, 450), id)|t", " USING btree (id)|t",
                ])
            try world.cleanUp()
        }
    }
#endif
