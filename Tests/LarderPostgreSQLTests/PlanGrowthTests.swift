#if PostgreSQL
    import CPostgreSQL
    import Larder
    import LarderEngine
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// The statements that the server keeps, and its plans for small tables, while the tables grow.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct PlanGrowthTests {
        @Test func `a block that fills a small table finds unique values by the index`() throws {
            try trial { store, _ in
                let rows = try store.writeSync { accessor in
                    for id in Int64(1)...6000 { try accessor.insert(Entry(id)) }
                    return try accessor.rowsRead(inTable: "Entry")
                }

                // Without new plans, some millions more. The server's newest plan reads all rows until it knows of some pages.
                #expect(rows < 2_100_000)
            }
        }

        @Test func `readers of the process make new plans too`() throws {
            try trial { store, read in
                try store.writeSync { accessor in
                    for id in Int64(1)...3000 { try accessor.insert(Entry(id)) }
                }

                let rows = try store.read { accessor in
                    for _ in 1...10 { try read(accessor) }
                    return try accessor.rowsRead(inTable: "Entry")
                }

                // A plan of before would read 30,000. The server also counts what was read before the block.
                #expect(rows < 100)
            }
        }

        @Test func `statements whose column was changed are prepared again, for the next block or before`()
            throws
        {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let store = try world.makeStore(storing: [Recipe.self], options: DataStoreOptions())
            try store.setup()
            try store.writeSync { _ = try $0.insert(Recipe(1)) }
            func find(_ accessor: DataStoreReadAccessor) throws -> Recipe? {
                try accessor.item(id: 1, of: Recipe.self)
            }
            func findLater(_ accessor: DataStoreReadAccessor) throws -> Recipe? {
                _ = try accessor.countItems(for: Recipe.all)
                return try find(accessor)
            }
            func changeName(to type: String) throws {
                _ = try server.answer(
                    to: "ALTER TABLE \(world.schema).\"Recipe\" ALTER COLUMN name TYPE \(type)")
            }
            let first = [try store.read { try find($0) }, try store.writeSync { try find($0) }]

            // Another tool loses the order of the texts, and an administrator restores it.
            try changeName(to: "text")
            let second = [try store.read { try find($0) }, try store.writeSync { try find($0) }]
            try changeName(to: #"text COLLATE "C""#)
            let errors = [
                thrown { try store.read { try findLater($0) } },
                thrown { try store.writeSync { try findLater($0) } },
            ]
            let third = [try store.read { try findLater($0) }, try store.writeSync { try findLater($0) }]

            let found = first + second + third
            #expect(found == [Recipe?](repeating: Recipe(1), count: 6))
            let codes = errors.map { $0?.code }
            #expect(codes == [.connectionLost, .connectionLost])
            let sentence = "Another tool has changed a column since the connection was made."
            #expect(errors.map { $0?.message } == [sentence, sentence])
            try store.tearDown()
            try world.cleanUp()
        }

        @Test func `lists of any length have one statement`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let adapter = PostgreSQLAdapter(
                on: world.connection, schema: world.schema, options: world.options)
            try adapter.open(try StoreSchema(storing: [Entry.self]))
            let reading = try adapter.beginReading()
            let session = try #require(reading as? ServerReadTransaction).current()
            let before = session.cache.insertedCount

            for length in 2...50 {
                let list = (1...length).map { Constant.integer(Int64($0)) }
                let plan = RequestPlan(
                    entity: 0, schema: Entry.schema, predicate: .isIn(column: 0, list, negated: false))
                #expect(try reading.count(for: plan) == 0)
            }

            #expect(session.cache.insertedCount == before + 1)
            reading.end()
            try adapter.close()
            try world.cleanUp()
        }

        /// Runs a body with a store whose server has planned for a table of one row, and a call that reads it by the name.
        private func trial(
            _ body: (any DataStore, (DataStoreReadAccessor) throws -> Void) throws -> Void
        ) throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let store = try world.makeStore(storing: [Entry.self], options: DataStoreOptions())
            try store.setup()
            try store.writeSync { try $0.insert(Entry(-1)) }
            _ = try server.answer(to: "VACUUM ANALYZE \(world.schema).\"Entry\"")
            func read(_ accessor: DataStoreReadAccessor) throws {
                #expect(try accessor.items(for: Entry.where(\.code == "code--1")) == [Entry(-1)])
            }
            // The sixth run of a statement is the first one with a plan that is kept.
            for _ in 1...10 {
                try store.read { try read($0) }
                try store.writeSync { try read($0) }
                try store.writeSync { try $0.insert(Entry(-2)) }
                try store.writeSync { accessor in
                    _ = try accessor.deleteItems(for: Entry.where(\.id == -2))
                }
            }
            try body(store, read)
            try store.tearDown()
            try world.cleanUp()
        }
    }

    extension DataStoreReadAccessor {
        /// The rows that the transaction has read from a table in their order, without an index.
        fileprivate func rowsRead(inTable table: String) throws -> Int {
            try withPostgreSQLConnection { connection in
                let result = PQexec(
                    connection,
                    "SELECT coalesce(sum(seq_tup_read), 0)::text FROM pg_stat_xact_user_tables WHERE relname = '\(table)'"
                )
                defer { PQclear(result) }
                return try #require(PQgetvalue(result, 0, 0).flatMap { Int(String(cString: $0)) })
            }
        }
    }
#endif
