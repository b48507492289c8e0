#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import LarderPostgreSQL
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport

    /// The largest values.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct LargeValueTests {
        // The app, libpq and the server each have it in memory several times.
        @Test(.enabled(if: Repetitions.isLong && ProcessInfo.processInfo.physicalMemory >= 12 << 30))
        func `a value of 512 MiB is stored and read back, and more is refused`() throws {
            let server = try #require(try TestServer.another())
            let world = PostgreSQLWorld(on: server)
            let store = try world.makeStore(storing: [Box.self], options: DataStoreOptions())
            try store.setup()
            let limit = 512 << 20
            var made = Data(count: limit)
            (made[0], made[limit - 1]) = (1, 2)
            let largest = made

            try store.writeSync { try $0.insert(contentsOf: [Box(id: 1, first: largest)]) }
            let isSame = try store.read { try $0.item(id: 1, of: Box.self)?.first == largest }
            let tooLarge = thrown {
                try store.writeSync {
                    try $0.insert(contentsOf: [Box(id: 2, first: Data(count: limit + 1))])
                }
            }
            // The server takes rows of less than 1 GB.
            let twice = thrown {
                try store.writeSync {
                    try $0.insert(contentsOf: [Box(id: 3, first: largest, second: largest)])
                }
            }

            #expect(isSame)
            #expect([tooLarge?.code, twice?.code] == [.valueTooLarge, .valueTooLarge])
            #expect(try store.read { try $0.ids(for: Box.all) } == [1])
            try store.tearDown()
            try server.end()
        }

        @Test func `a connection that has sent a large value is made again for the next block`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let made = Locked(0)
            let store = try Self.open(world, counting: made)

            var counts: [Int] = []
            for (number, size) in [1, 17 << 20, 1, 1].enumerated() {
                try store.writeSync {
                    _ = try $0.insert(Box(id: Int64(number + 1), first: Data(count: size)))
                }
                counts.append(made.withLock { $0 })
            }

            #expect(counts == [0, 0, 1, 1])
            #expect(try store.read { try $0.ids(for: Box.all) } == [0, 1, 2, 3, 4])
            try store.tearDown()
            try world.cleanUp()
        }

        @Test func `a connection that has read a large value is made again for the next block`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let made = Locked(0)
            let store = try Self.open(world, counting: made)
            // The first answer has all of them, and no row of it needs a large buffer.
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (1...12).map { Box(id: $0, first: Data(count: 2 << 20)) })
            }
            let sum = try store.read { try $0.items(for: Box.all).reduce(0) { $0 + $1.first.count } }
            try store.writeSync { _ = try $0.insert(Box(id: 13, first: Data(count: 17 << 20))) }

            var counts: [Int] = []
            for id in [0, 1, 13, 0, 0] as [Int64] {
                made.withLock { $0 = 0 }
                _ = try store.read { try $0.item(id: id, of: Box.self) }
                counts.append(made.withLock { $0 })
            }

            #expect(sum == 24 << 20)
            #expect(counts == [0, 0, 0, 1, 0])
            try store.tearDown()
            try world.cleanUp()
        }

        /// An open store with an item, and a counter of the connections that are made from then on.
        private static func open(
            _ world: PostgreSQLWorld, counting made: Locked<Int>
        ) throws -> PostgreSQLDataStore {
            var options = world.options
            options.journeyProbe = { statements in
                if statements.contains("SET search_path = pg_catalog") { made.withLock { $0 += 1 } }
            }
            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Box.self], options: options)
            try store.setup()
            try store.writeSync { _ = try $0.insert(Box(id: 0, first: Data())) }
            made.withLock { $0 = 0 }
            return store
        }
    }

    private struct Box: DataStoreItem {
        let id: Int64
        var first: Data
        var second: Data?

        struct Attributes: Sendable {}
        static let attributes = Attributes()
        static let schema = EntitySchema(
            "Box",
            attributes: [
                .attribute("id", Int64.self), .attribute("first", Data.self),
                .attribute("second", Data?.self),
            ])

        init(id: Int64, first: Data, second: Data? = nil) {
            (self.id, self.first, self.second) = (id, first, second)
        }

        init(row: borrowing RowReader) throws(DataStoreError) {
            id = try row.value(at: 0)
            first = try row.value(at: 1)
            second = try row.value(at: 2)
        }

        func encode(to row: inout RowWriter) throws(DataStoreError) {
            try row.set(id, at: 0)
            try row.set(first, at: 1)
            try row.set(second, at: 2)
        }
    }
#endif
