#if PostgreSQL
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// Openings of a store that another process changes or removes meanwhile.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct OpeningRaceTests {
        /// A store for plates, which does something before it first sends a statement with a text.
        private func makeStore(
            in world: PostgreSQLWorld, before text: String, _ body: @escaping @Sendable () throws -> Void
        ) -> PostgreSQLDataStore {
            let isDone = Locked(false)
            var options = world.options
            options.journeyProbe = { statements in
                guard statements.contains(where: { $0.contains(text) }) else { return }
                if !isDone.exchange(true) { #expect(throws: Never.self) { try body() } }
            }
            return PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Plate.self], options: options)
        }

        private func makeOldStore(in world: PostgreSQLWorld) throws {
            let old = try world.makeStore(storing: [OldPlate.self], options: DataStoreOptions())
            try old.setup()
            try old.writeSync { _ = try $0.insert(OldPlate(1)) }
            try old.tearDown()
        }

        @Test func `a store is opened that another process upgrades before its tables are compared`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            try makeOldStore(in: world)
            let store = makeStore(in: world, before: "format_type") {
                let other = try world.makeStore(storing: [Plate.self], options: DataStoreOptions())
                try other.setup()
                try other.tearDown()
            }

            try store.setup()

            #expect(try store.read { try $0.ids(for: Plate.all) } == [1])
            try store.tearDown()
            try world.cleanUp()
        }

        @Test func `a store is made anew that another process destroys before its schema is read`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            try makeOldStore(in: world)
            let store = makeStore(in: world, before: "SELECT mark, format") { try world.cleanUp() }

            try store.setup()

            #expect(try store.read { try $0.ids(for: Plate.all) } == [])
            try store.tearDown()
            try world.cleanUp()
        }

        @Test func `a store is made anew that another process destroys before it is upgraded`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            try makeOldStore(in: world)
            let store = makeStore(in: world, before: "ACCESS EXCLUSIVE") { try world.cleanUp() }

            try store.setup()

            #expect(try store.read { try $0.ids(for: Plate.all) } == [])
            try store.tearDown()
            try world.cleanUp()
        }
    }
#endif
