#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// Connections that read, and are not needed for long.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct IdleConnectionTests {
        @Test(arguments: zip([Duration.zero, .seconds(300)], [3, 0]))
        func `a connection that was idle for long is closed when a block begins`(
            time: Duration, count: Int
        ) throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let made = Locked(0)
            var options = PostgreSQLOptions(durability: .normal, maximumIdleTime: time)
            options.journeyProbe = { statements in
                if statements.contains("SET search_path = pg_catalog") { made.withLock { $0 += 1 } }
            }
            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Recipe.self], options: options)
            try store.setup()
            made.withLock { $0 = 0 }

            for _ in 1...3 { #expect(try store.read { try $0.countItems(for: Recipe.all) } == 0) }

            #expect(made.withLock { $0 } == count)
            try store.tearDown()
            try world.cleanUp()
        }

        @Test(
            arguments: zip([Duration.seconds(300), .seconds(3600)], [Duration.seconds(300), .seconds(1800)]))
        func `a connection is closed after its time, unless a block uses it`(
            idleTime: Duration, life: Duration
        ) throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let hosts = ServerHosts(
                world.connection, PostgreSQLOptions(maximumIdleTime: idleTime), path: "here")
            let opened = OpenedStore(hosts, schema: world.schema)
            let first = opened.session(.reading, on: try opened.connect())
            let readers = ServerReaders(first: first) { _ throws(DataStoreError) in
                opened.session(.reading, on: try opened.connect())
            }
            let (idle, used) = (try readers.acquire(), try readers.acquire())
            readers.release(idle)

            readers.closeOld(now: .now + life - .seconds(100))
            #expect(!idle.connection.isLost)
            readers.closeOld(now: .now + life)
            #expect(idle.connection.isLost)
            #expect(!used.connection.isLost)

            readers.release(used)
            #expect(try readers.close(path: "here").map(ObjectIdentifier.init) == [ObjectIdentifier(used)])
        }
    }

    extension OpenedStore {
        /// A store without tables, whose server need not be there.
        init(_ hosts: ServerHosts, schema: String = "here") {
            self.init(
                hosts: hosts, place: ServerPlace(schema: schema), tables: [], generation: 1,
                key: OpenStores.Key(identity: UUID(), schema: 1, database: 1, cluster: 1))
        }
    }
#endif
