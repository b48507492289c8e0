#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// SQL of the app's own on a server; what all SQL engines have in common is in the kit.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct SQLAccessTests {
        @Test func `types of the server are decoded as the app asks for them`() throws {
            try trial { store, _ in
                try store.read { accessor in
                    let numbers = try accessor.rows(
                        sql:
                            "SELECT 1::smallint, -2::integer, 3::bigint, 4.5::real, 5.25::numeric, sum(6::bigint)",
                        as: Int.self, Int32.self, Double.self, Float.self, Double.self, Int64.self)
                    #expect(numbers.map { "\($0)" } == ["(1, -2, 3.0, 4.5, 5.25, 6)"])
                    let others = try accessor.rows(
                        sql: """
                            SELECT true, 'a'::varchar(3), 'b'::name, '\\x0102'::bytea, \
                            '01234567-89ab-cdef-0123-456789abcdef'::uuid, 7::bigint
                            """, as: Bool.self, String.self, String.self, Data.self, UUID.self, Decimal.self)
                    let uuid = UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF")
                    #expect(others[0] == (true, "a", "b", Data([1, 2]), uuid, 7))
                    let refused = thrown { _ = try accessor.rows(sql: "SELECT now()", as: Date.self) }
                    #expect(refused?.code == .undecodable)
                    #expect(try accessor.rows(sql: "SELECT NULL::bigint", as: Int?.self) == [nil])
                }
            }
        }

        @Test func `a block that begins with SQL takes a journey for its beginning`() throws {
            try trial { store, journeys in
                let reading = try journeys {
                    let count = try store.read {
                        try $0.rows(sql: "SELECT count(*) FROM \(Recipe.self)", as: Int.self)
                    }
                    #expect(count == [3])
                }
                let writing = try journeys {
                    let count = try store.writeSync {
                        try $0.execute(sql: "DELETE FROM \(Recipe.self) WHERE id = \(1)")
                    }
                    #expect(count == 1)
                }
                let further = try journeys {
                    try store.read { accessor in
                        _ = try accessor.countItems(for: Recipe.all)
                        _ = try accessor.rows(sql: "SELECT count(*) FROM \(Recipe.self)", as: Int.self)
                    }
                }

                #expect(reading == 2)
                #expect(writing == 3)
                #expect(further == 2)
            }
        }

        @Test func `a text with two statements is refused, and the block goes on`() throws {
            try trial { store, _ in
                try store.writeSync { accessor in
                    try accessor.insert(Recipe(4))
                    let refused = thrown {
                        _ = try accessor.rows(sql: "SELECT 1; COMMIT", as: Int.self)
                    }
                    #expect(refused?.code == .engine)
                    #expect(refused?.underlying?.message.hasPrefix("42601") == true)
                    try accessor.insert(Recipe(5))
                }

                #expect(try store.read { try $0.countItems(for: Recipe.all) } == 5)
            }
        }

        /// Runs a body with a store of three recipes, and a function that counts the journeys of what it is given.
        private func trial(_ body: (any DataStore, (() throws -> Void) throws -> Int) throws -> Void) throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let count = Locked(0)
            var options = world.options
            options.journeyProbe = { _ in count.withLock { $0 += 1 } }
            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Recipe.self], options: options)
            try store.setup()
            try store.writeSync { try $0.insert(contentsOf: (1...3).map { Recipe($0) }) }
            // The first reading makes its connection.
            try store.read { _ = try $0.countItems(for: Recipe.all) }
            try body(store) { calls in
                count.withLock { $0 = 0 }
                try calls()
                return count.withLock { $0 }
            }
            try store.tearDown()
            try world.cleanUp()
        }
    }
#endif
