#if PostgreSQL
    import Foundation
    import Larder
    import LarderRouting
    import LarderSQLite
    import LarderTransfer
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// The statistics by which the server plans.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct StatisticsTests {
        @Test func `a transfer into a server ends with statistics of all columns`() throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let folder = try TemporaryFolder()
            let source = SQLiteDataStore(at: folder.file("a"), storing: [Recipe.self, Tag.self])
            try source.setup()
            try source.writeSync { accessor in
                try accessor.insert(contentsOf: (1...100).map { Recipe($0) })
                try accessor.insert(Tag("planet"))
            }
            try source.tearDown()

            _ = try StoreTransfer(
                from: .sqlite(at: folder.file("a")), to: .postgreSQL(world.connection, schema: world.schema)
            ).run()

            #expect(try Self.columns(in: world, on: server) == ["Recipe|5", "Tag|2"])
            try world.cleanUp()
        }

        @Test func `an upgrade ends with statistics of the tables whose columns it has changed`() throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            func open(_ type: any DataStoreItem.Type) throws -> any DataStore {
                let store = try world.makeStore(storing: [type, Tag.self], options: DataStoreOptions())
                try store.setup()
                return store
            }
            let old = try open(OldPlate.self)
            try old.writeSync { accessor in
                try accessor.insert(contentsOf: (1...10).map { OldPlate($0) })
                try accessor.insert(Tag("planet"))
            }
            try old.tearDown()
            #expect(try Self.columns(in: world, on: server) == [])

            try open(Plate.self).tearDown()

            #expect(try Self.columns(in: world, on: server) == ["Plate|2"])
            try world.cleanUp()
        }

        @Test func `an upgrade ends with statistics, however long they take`() throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let old = try world.makeStore(storing: [OldPlate.self], options: DataStoreOptions())
            try old.setup()
            try old.writeSync { try $0.insert(contentsOf: (1...10).map { OldPlate($0) }) }
            try old.tearDown()
            let admin = try ServerConnection(
                ServerHosts(world.connection, PostgreSQLOptions(), path: "admin"))
            defer { admin.close() }
            // The server computes the index for each row that it takes for its statistics.
            let slow = "public.slow_\(world.schema)"
            try admin.execute(
                """
                CREATE FUNCTION \(slow)(bigint) RETURNS bigint IMMUTABLE LANGUAGE plpgsql \
                AS 'BEGIN PERFORM pg_catalog.pg_sleep(0.15); RETURN $1; END'
                """)
            try admin.execute("CREATE INDEX larder_slow ON \"\(world.schema)\".\"Plate\" (\(slow)(id))")

            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Plate.self],
                options: PostgreSQLOptions(statementTimeout: .seconds(1)))
            try store.setup()
            try store.tearDown()

            #expect(try Self.columns(in: world, on: server) == ["Plate|2"])
            try world.cleanUp()
            try admin.execute("DROP FUNCTION \(slow) CASCADE")
        }

        @Test func `an upgrade of a part leaves the statistics to the server`() throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let folder = try TemporaryFolder()
            func open(_ type: any DataStoreItem.Type) throws -> RoutedDataStore {
                let store = RoutedDataStore([
                    StorePart("file", SQLiteDataStore(at: folder.file("a"), storing: [Tag.self])),
                    StorePart("server", try world.makeStore(storing: [type], options: DataStoreOptions())),
                ])
                try store.setup()
                return store
            }
            let old = try open(OldPlate.self)
            try old.writeSync { try $0.insert(contentsOf: (1...10).map { OldPlate($0) }) }
            try old.tearDown()

            let store = try open(Plate.self)
            let count = try store.read { try $0.countItems(for: Plate.all) }
            try store.tearDown()

            #expect(count == 10)
            #expect(try Self.columns(in: world, on: server) == [])
            try world.cleanUp()
        }

        /// The tables of items of which there are statistics, with the number of their columns.
        private static func columns(in world: PostgreSQLWorld, on server: TestServer) throws -> [String] {
            try server.answer(
                to: """
                    SELECT tablename, count(*) FROM pg_stats WHERE schemaname = '\(world.schema)' \
                    AND tablename NOT LIKE 'larder%' GROUP BY 1 ORDER BY 1
                    """)
        }
    }

    struct OldPlate: VersionedItem {
        static let schema = EntitySchema("Plate", attributes: [.attribute("id", Int64.self)])
        var values: [Cell]
    }

    struct Plate: VersionedItem {
        static let schema = EntitySchema(
            "Plate", attributes: [.attribute("id", Int64.self), .attribute("size", Int?.self)])
        var values: [Cell]
    }
#endif
