#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// The check of a whole store whose tables were changed by another tool.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct StoreCheckTests {
        @Test func `an awaited check finds the same, and stops with its task`() async throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Recipe.self],
                options: world.options)
            try store.setup()
            try await store.writeAsync { try $0.insert(contentsOf: [Recipe(1), Recipe(2)]) }

            #expect(try await store.checkIntegrityAsync() == [])
            let error = await thrownWhenCancelled(awaiting: { _ = try await store.checkIntegrityAsync() })

            #expect(error?.code == .cancelled)
            try store.tearDown()
        }

        @Test func `an awaited check that waits for another process stops with its task`() async throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Recipe.self],
                options: PostgreSQLOptions(durability: .normal, busyTimeout: .seconds(60)))
            try store.setup()
            let other = try ServerConnection(
                ServerHosts(world.connection, PostgreSQLOptions(), path: "other"))
            defer { other.close() }
            let table = "\(world.schema).larder_store"
            try other.execute("BEGIN")
            try other.execute("LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE")

            let check = Task { await thrownAsync { _ = try await store.checkIntegrityAsync() } }
            let isWaiting = try await onOwnThread { () throws -> Bool in
                let question =
                    "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '\(table)'::regclass"
                let end = Date(timeIntervalSinceNow: 30)
                while try server.answer(to: question) != ["1"], Date() < end { usleep(10_000) }
                return Date() < end
            }
            check.cancel()
            let error = await check.value

            #expect(isWaiting)
            #expect(error?.code == .cancelled)
            try other.execute("COMMIT")
            #expect(try await store.checkIntegrityAsync() == [])
            try store.tearDown()
            try world.cleanUp()
        }

        @Test func `tables with other columns are reported, and the rows of all others are checked`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema,
                storing: [Tag.self, Sample.self, Recipe.self], options: world.options)
            try store.setup()
            try store.writeSync { try $0.insert(contentsOf: [Recipe(1), Recipe(2)]) }
            #expect(try store.checkIntegrity() == [])

            let other = try ServerConnection(
                ServerHosts(world.connection, PostgreSQLOptions(), path: "other"))
            defer { other.close() }
            try other.execute("ALTER TABLE \(world.schema).\"Tag\" DROP COLUMN weight")
            try other.execute("ALTER TABLE \(world.schema).\"Sample\" DROP COLUMN flag")
            try other.execute("UPDATE \(world.schema).\"Recipe\" SET slug = 'same'")
            // It has the order of texts that the database has by default then.
            try other.execute("ALTER TABLE \(world.schema).\"Recipe\" ALTER COLUMN name TYPE text")

            // The server's own words are in parentheses.
            let problems = try store.checkIntegrity().map { $0.components(separatedBy: " (")[0] }
            #expect(
                problems == [
                    #"The table "Tag" has not the columns of Tag: "weight" is missing."#,
                    #"The table "Sample" has not the columns of Sample: "flag" is missing."#,
                    #"The table "Recipe" has not the columns of Recipe: "name" is text, not text COLLATE "C"."#,
                    "Tag: A table of the store is missing, or has other columns.",
                    "Sample: A table of the store is missing, or has other columns.",
                    #"The items 1 and 2 of Recipe have the same slug "same", which has to be unique."#,
                ])
            try store.tearDown()
            try world.cleanUp()
        }

        @Test(arguments: [
            ("ADD COLUMN color text", #""color" is one too many."#),
            ("DROP COLUMN note", #""note" is missing."#),
            ("ALTER COLUMN name TYPE text", #""name" is text, not text COLLATE "C"."#),
            ("ALTER COLUMN rating TYPE real", #""rating" is real, not double precision."#),
            ("ALTER COLUMN name DROP NOT NULL", #""name" must be NOT NULL."#),
            ("ALTER COLUMN note SET NOT NULL", #""note" must allow NULL."#),
        ])
        func `a store with another column does not open, and says what the column should be`(
            change: String, difference: String
        ) throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let store = try world.makeStore(storing: [Recipe.self], options: DataStoreOptions())
            try store.setup()
            try store.tearDown()

            _ = try server.answer(to: "ALTER TABLE \(world.schema).\"Recipe\" \(change)")
            let error = thrown { try store.setup() }

            #expect(error?.code == .damaged)
            #expect(error?.message == #"The table "Recipe" has not the columns of Recipe: "# + difference)
            try world.cleanUp()
        }

        @Test func `a type is found again whose name has characters that values have as pairs`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let schema = StoreSchema(
                of: EntitySchema(
                    "A\u{1}\u{10FFFE}\u{10FFFF}",
                    attributes: [.attribute("id", Int64.self), .attribute("b\u{1}", String.self)]))
            func problems() throws(DataStoreError) -> [String] {
                let adapter = PostgreSQLAdapter(
                    on: world.connection, schema: world.schema, options: world.options)
                try adapter.open(schema)
                let problems = try adapter.checkIntegrity()
                try adapter.close()
                return problems
            }

            #expect(try problems() == [])
            #expect(try problems() == [])
            try world.cleanUp()
        }
    }
#endif
