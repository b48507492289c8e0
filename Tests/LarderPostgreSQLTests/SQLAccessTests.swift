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

        @Test(arguments: [PostgreSQLOptions.Durability.full, .normal])
        func `a block commits as durably as its store says`(durability: PostgreSQLOptions.Durability) throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Meter.self],
                options: PostgreSQLOptions(durability: durability))
            try store.setup()

            let setting = try store.writeSync { accessor in
                try accessor.rows(sql: "SELECT current_setting('synchronous_commit')", as: String.self)
            }

            let own = try server.answer(to: "SHOW synchronous_commit")
            #expect(own != ["off"])
            #expect(setting == (durability == .normal ? ["off"] : own))
            try store.tearDown()
            try world.cleanUp()
        }

        @Test func `a column that may be stored or computed is not read as an unsigned number`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let store = try world.makeStore(storing: [Meter.self], options: DataStoreOptions())
            try store.setup()
            try store.writeSync { try $0.insert(contentsOf: [Meter(1, total: 5), Meter(2, total: .max)]) }
            let union: SQLText = """
                SELECT total FROM \(Meter.self) UNION ALL SELECT total FROM \(Meter.self) ORDER BY total
                """
            let count: SQLText = "SELECT count(*) AS total FROM \(Meter.self)"

            try store.read { accessor in
                for sql in [union, count] {
                    let error = thrown { try accessor.rows(sql: sql, as: UInt64.self) }
                    #expect(error?.code == .undecodable)
                }
                let stored = try accessor.rows(sql: union, as: Int64.self)
                let numbers = stored.map { UInt64(bitPattern: $0) ^ 1 << 63 }
                #expect(numbers == [5, 5, .max, .max])
                #expect(try accessor.rows(sql: count, as: Int64.self) == [2])
                let plain: SQLText = "SELECT total, count(*) FROM \(Meter.self) GROUP BY total ORDER BY total"
                let both = try accessor.rows(sql: plain, as: UInt64.self, UInt.self)
                #expect(both.map { "\($0)" } == ["(5, 1)", "(\(UInt64.max), 1)"])
            }
            try store.tearDown()
            try world.cleanUp()
        }

        @Test func `a column whose name signed numbers have too is not read as an unsigned number`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let store = try world.makeStore(
                storing: [Meter.self, Bill.self], options: DataStoreOptions())
            try store.setup()
            try store.writeSync { accessor in
                try accessor.insert(Meter(1, total: 5))
                try accessor.insert(Bill(values: [.integer(1), .integer(5)]))
            }
            let (meters, bills): (SQLText, SQLText) = (
                "SELECT total FROM \(Meter.self)", "SELECT total FROM \(Bill.self)"
            )

            try store.read { accessor in
                for sql in [meters, bills] {
                    let error = thrown { try accessor.rows(sql: sql, as: UInt64.self) }
                    #expect(error?.code == .undecodable)
                }
                #expect(try accessor.rows(sql: bills, as: Int64.self) == [5])
                let stored = try accessor.rows(sql: meters, as: Int64.self)
                #expect(stored.map { UInt64(bitPattern: $0) ^ 1 << 63 } == [5])
            }
            try store.tearDown()
            try world.cleanUp()
        }

        @Test func `an element of an array is read as unsigned if the array has no others`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let connection = try ServerConnection(
                ServerHosts(world.connection, world.options, path: "arrays"))
            defer { connection.close() }
            let answer = try connection.execute("SELECT \(Int64.min + 5) AS larder_bigint_1")
            func number(_ attributes: AttributeSchema...) throws -> Int64? {
                let table = EntityTable(
                    number: 0, schema: EntitySchema("Wide", attributes: attributes), name: "Wide",
                    columns: attributes.indices.map { "\"larder_bigint_1\"[\($0 + 1)]" }, indexNames: [])
                let columns = AnswerColumns(of: answer, in: [table])
                return try columns.cell(at: 0, as: .unsigned, in: RowArena())?.integer
            }

            #expect(try number(.attribute("a", UInt64.self), .attribute("b", UInt.self)) == 5)
            #expect(try number(.attribute("a", UInt64.self), .attribute("b", Int.self)) == nil)
            #expect(try number(.attribute("a", Int64.self), .attribute("b", Int.self)) == nil)
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

        @Test func `the rows of a SELECT do not count as changed`() throws {
            try trial { store, _ in
                let counts = try store.writeSync { accessor in
                    let reading = try accessor.execute(
                        sql: "WITH a AS (SELECT 1 UNION ALL SELECT 2) SELECT * FROM a")
                    let hidden = try accessor.execute(
                        sql: """
                            WITH a AS (DELETE FROM \(Recipe.self) WHERE id > \(1) RETURNING id) SELECT * FROM a
                            """)
                    let changing = try accessor.execute(
                        sql: "WITH a AS (SELECT 1) UPDATE \(Recipe.self) SET note = \("n")")
                    return [reading, hidden, changing]
                }

                #expect(counts == [0, 0, 1])
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

        /// An item with a signed number that has the name of another's unsigned one.
        private struct Bill: VersionedItem {
            static let schema = EntitySchema(
                "Bill", attributes: [.attribute("id", Int64.self), .attribute("total", Int64.self)])
            var values: [Cell]
        }

        /// An item with an unsigned number.
        private struct Meter: DataStoreItem {
            let id: Int64
            var total: UInt64

            struct Attributes: StoredAttributes {
                let id = Attribute<Meter, Int64>(column: 0)
                let total = Attribute<Meter, UInt64>(column: 1)
            }

            static let attributes = Attributes()
            static let schema = EntitySchema(
                "Meter",
                attributes: [.attribute("id", Int64.self), .attribute("total", UInt64.self)])

            init(_ id: Int64, total: UInt64) { (self.id, self.total) = (id, total) }

            init(row: borrowing RowReader) throws(DataStoreError) {
                id = try row.value(at: 0)
                total = try row.value(at: 1)
            }

            func encode(to row: inout RowWriter) throws(DataStoreError) {
                try row.set(id, at: 0)
                try row.set(total, at: 1)
            }
        }
    }
#endif
