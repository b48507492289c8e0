#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import LarderTransfer
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// Waits for a server that come to an end.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct DeadlineTests {
        @Test func `a commit does not wait for ever for a standby that is gone, and is kept`() throws {
            let server = try #require(try TestServer.another())
            let world = PostgreSQLWorld(on: server)
            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Recipe.self],
                options: PostgreSQLOptions(commitTimeout: .seconds(2)))
            try store.setup()
            let admin = try ServerConnection(
                ServerHosts(server.connection, PostgreSQLOptions(), path: "admin"))
            defer { admin.close() }
            try admin.execute("ALTER SYSTEM SET synchronous_standby_names = 'gone'")
            try admin.execute("SELECT pg_reload_conf()")
            while try admin.execute("SHOW synchronous_standby_names").texts != ["gone"] { usleep(1000) }

            try store.writeSync { _ = try $0.insert(Recipe(1)) }

            #expect(try store.read { try $0.items(for: Recipe.all) } == [Recipe(1)])
            try store.tearDown()
            try server.end()
        }

        @Test func `a statement that takes too long is timed out, and the block stores nothing`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Recipe.self],
                options: PostgreSQLOptions(durability: .normal, statementTimeout: .milliseconds(500)))
            try store.setup()

            let error = thrown {
                try store.writeSync { accessor in
                    _ = try accessor.insert(Recipe(1))
                    _ = try accessor.rows(sql: "SELECT 1 FROM pg_sleep(10)", as: Int.self)
                }
            }

            #expect(error?.code == .timedOut)
            #expect(try store.read { try $0.ids(for: Recipe.all) } == [])
            try store.tearDown()
            try world.cleanUp()
        }

        @Test func `limits may be longer than any wait`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let longest = Duration.seconds(Int64.max)
            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Recipe.self],
                options: PostgreSQLOptions(
                    durability: .normal, busyTimeout: longest, connectTimeout: longest,
                    statementTimeout: longest, commitTimeout: longest, idleTimeout: longest,
                    maximumIdleTime: longest))
            try store.setup()

            try store.writeSync { _ = try $0.insert(Recipe(1)) }

            #expect(try store.read { try $0.ids(for: Recipe.all) } == [1])
            try store.tearDown()
            try world.cleanUp()
        }

        @Test func `a writer that waits too long for another process is busy`() throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Recipe.self],
                options: PostgreSQLOptions(busyTimeout: .milliseconds(50)))
            try store.setup()
            let other = try ServerConnection(
                ServerHosts(world.connection, PostgreSQLOptions(), path: "other"))
            defer { other.close() }
            try other.execute("BEGIN")
            try other.execute("SELECT 1 FROM \(world.schema).larder_store FOR UPDATE")

            let error = thrown { try store.writeSync { _ = try $0.insert(Recipe(1)) } }

            #expect(error?.code == .busy)
            try other.execute("COMMIT")
            try store.writeSync { _ = try $0.insert(Recipe(2)) }
            #expect(try store.read { try $0.ids(for: Recipe.all) } == [2])
            try store.tearDown()
            try world.cleanUp()
        }

        @Test func `waits for the lock of another process have their own limit, not the one of statements`()
            throws
        {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            func makeStore() -> PostgreSQLDataStore {
                PostgreSQLDataStore(
                    connection: world.connection, schema: world.schema, storing: [Recipe.self],
                    options: PostgreSQLOptions(
                        busyTimeout: .milliseconds(600), statementTimeout: .milliseconds(100)))
            }
            let store = makeStore()
            try store.setup()
            let other = try ServerConnection(
                ServerHosts(world.connection, PostgreSQLOptions(), path: "other"))
            defer { other.close() }

            try other.execute("BEGIN")
            try other.execute("SELECT 1 FROM \(world.schema).larder_store FOR UPDATE")
            let behindWriter = thrown { try store.writeSync { _ = try $0.insert(Recipe(1)) } }
            // As an upgrade does.
            try other.execute("LOCK TABLE \(world.schema).larder_store IN ACCESS EXCLUSIVE MODE")
            let behindUpgrade = [
                thrown { try store.read { try $0.ids(for: Recipe.all) } }, thrown { try makeStore().setup() },
            ]
            try other.execute("COMMIT")

            #expect(behindWriter?.code == .busy)
            #expect(behindUpgrade.map { $0?.code } == [.busy, .busy])
            try store.tearDown()
            try world.cleanUp()
        }

        @Test func `a read of a cancelled task does not wait for a server that is gone`() async {
            let error = await thrownWhenCancelled {
                let hosts = ServerHosts(
                    try PostgreSQLConnection("host=/nowhere"), PostgreSQLOptions(), path: "here")
                let connection = ServerConnection(unconnectedTo: hosts)
                connection.watchesTask = true
                try connection.reconnect()
            }

            #expect(error?.code == .cancelled)
        }

        /// - Parameter isSecond: True if another host has refused the connection before, and is not asked again, as by a check.
        // One after the other: two of them could hold both threads that tasks share, and none would be left to cancel them.
        @Test(.serialized, arguments: [false, true], [false, true])
        func `a read whose task is cancelled does not wait for a host that is silent`(
            _ isAwaited: Bool, isSecond: Bool
        ) async throws {
            let folder = "/tmp/larder-silent-\(UInt32.random(in: 0 ... .max))"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let listener = try LocalSocket.listener(at: folder + "/.s.PGSQL.5432")
            let hosts = ServerHosts(
                try PostgreSQLConnection("host=\(isSecond ? "/nowhere," : "")\(folder) user=larder"),
                // Longer than other tests may hold the threads that tasks share.
                PostgreSQLOptions(connectTimeout: .seconds(600)), path: "here")
            let connect: @Sendable () throws(DataStoreError) -> Void = { () throws(DataStoreError) in
                let connection = ServerConnection(unconnectedTo: hosts)
                connection.watchesTask = true
                try isSecond ? connection.connect() : connection.reconnect()
            }
            let reading = Task {
                await isAwaited ? thrownAsync { try await AwaitedThread.call(connect) } : thrown(connect)
            }
            let client = try await onOwnThread { LocalSocket.nextClient(of: listener) }

            reading.cancel()
            let error = await reading.value

            #expect(error?.code == .cancelled)
            // The attempt that was left still waits for the host.
            #expect(!LocalSocket.hasEnded(client))
            LocalSocket.closeFile(listener)
            LocalSocket.closeFile(client)
        }

        @Test func `a read that is cancelled before all hosts were asked says nothing about the standbys`()
            async throws
        {
            let folder = "/tmp/larder-silent-\(UInt32.random(in: 0 ... .max))"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let listener = try LocalSocket.listener(at: folder + "/.s.PGSQL.5432")
            // Two hosts, of which one is asked.
            let hosts = ServerHosts(
                try PostgreSQLConnection("host=\(folder),\(folder) user=larder"),
                PostgreSQLOptions(reads: .standby, connectTimeout: .seconds(600)), path: "here")
            let opened = OpenedStore(hosts)
            let (attempts, clock) = (Locked(0), Locked(ContinuousClock.now))
            let primary = opened.session(.reading, on: ServerConnection(unconnectedTo: hosts))
            // Much time is over at each look at the clock.
            let now: () -> ContinuousClock.Instant = {
                clock.withLock { time in
                    time += .seconds(3)
                    return time
                }
            }
            let readers = ServerReaders(first: primary, now: now) {
                role throws(DataStoreError) -> ServerSession in
                attempts.withLock { $0 += 1 }
                return opened.session(.reading, on: ServerConnection(unconnectedTo: hosts, role))
            }
            let read: @Sendable () throws(DataStoreError) -> Void = { () throws(DataStoreError) in
                readers.release(try readers.acquireOfStandby(endsWithTask: true))
            }
            let reading = Task { await thrownAsync { try await AwaitedThread.call(read) } }
            let client = try await onOwnThread { LocalSocket.nextClient(of: listener) }

            reading.cancel()
            let error = await reading.value
            #expect(error?.code == .cancelled)
            #expect(attempts.withLock { $0 } == 1)

            // The next one asks them at once, and none is there.
            LocalSocket.closeFile(listener)
            readers.release(try readers.acquireOfStandby())
            #expect(attempts.withLock { $0 } == 2)
            LocalSocket.closeFile(client)
        }

        @Test func `a read of a cancelled task does not wait for a connection of its own`() async {
            let error = await thrownWhenCancelled {
                let hosts = ServerHosts(
                    try PostgreSQLConnection("host=/nowhere"), PostgreSQLOptions(), path: "here")
                let opened = OpenedStore(hosts)
                func session() -> ServerSession {
                    opened.session(.reading, on: ServerConnection(unconnectedTo: hosts))
                }
                let readers = ServerReaders(first: session()) { _ throws(DataStoreError) in session() }
                _ = try readers.acquire(endsWithTask: true)
                _ = try readers.acquire(endsWithTask: true)
            }

            #expect(error?.code == .cancelled)
        }

        @Test func `a transaction that changes the schema has no limits, and the session keeps its own`()
            throws
        {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            let options = PostgreSQLOptions(statementTimeout: .seconds(7), idleTimeout: .seconds(9))
            let connection = try ServerConnection(ServerHosts(world.connection, options, path: "here"))
            defer { connection.close() }
            let metadata = StoreMetadata(place: ServerPlace(schema: world.schema), connection: connection)
            func limits() throws(DataStoreError) -> [String] {
                try connection.execute(
                    """
                    SELECT current_setting(larder_n) FROM \
                    unnest(ARRAY['statement_timeout', 'idle_in_transaction_session_timeout']) AS x(larder_n)
                    """
                ).texts
            }

            let inside = try metadata.inTransaction { () throws(DataStoreError) in try limits() }

            #expect(inside == ["0", "0"])
            // A block sets its own limit for statements.
            #expect(try limits() == ["0", "9s"])
        }

        /// True for a server that has a limit for transactions, which came with version 17.
        static let hasTransactionLimit: Bool = {
            let version = try? TestServer.shared?.answer(to: "SHOW server_version_num").first
            return version.flatMap { Int($0) }.map { $0 >= 170_000 } ?? false
        }()

        @Test(.enabled(if: DeadlineTests.hasTransactionLimit))
        func `the limit of the server for transactions is lifted for one that takes its time`() throws {
            let server = try #require(TestServer.shared)
            let schema = PostgreSQLWorld(on: server).schema
            let limited = try PostgreSQLConnection(
                "host=\(server.folder) dbname=postgres user=larder options='-c transaction_timeout=60000'")
            let connection = try ServerConnection(ServerHosts(limited, PostgreSQLOptions(), path: "here"))
            defer { connection.close() }
            let metadata = StoreMetadata(place: ServerPlace(schema: schema), connection: connection)
            func limit() throws(DataStoreError) -> [String] {
                try connection.execute("SHOW transaction_timeout").texts
            }

            let inside = try metadata.inTransaction { () throws(DataStoreError) in try limit() }

            #expect(inside == ["0"])
            #expect(try limit() == ["1min"])
        }

        /// By a setting of another name, as servers before version 17 do not have the limit.
        @Test func `the limit for transactions is lifted until the end of one, if the server has it`() throws
        {
            let server = try #require(TestServer.shared)
            let connection = try ServerConnection(
                ServerHosts(server.connection, PostgreSQLOptions(), path: "here"))
            defer { connection.close() }
            let lifting = ServerConnection.withoutTransactionLimit.replacingOccurrences(
                of: "'transaction_timeout'", with: "'larder.transaction_timeout'")
            func limit() throws(DataStoreError) -> [String] {
                try connection.execute("SELECT current_setting('larder.transaction_timeout', true)").texts
            }
            func limitInTransaction() throws(DataStoreError) -> [String] {
                try connection.execute("BEGIN")
                try connection.execute(lifting)
                let found = try limit()
                try connection.execute("COMMIT")
                return found
            }

            let without = try limitInTransaction()
            try connection.execute("SET larder.transaction_timeout = 60000")
            let (inside, after) = (try limitInTransaction(), try limit())

            #expect([without, inside, after] == [[""], ["0"], ["60000"]])
        }

        @Test(.enabled(if: DeadlineTests.hasTransactionLimit))
        func `a transaction that takes longer than the limit of the server is timed out`() throws {
            let server = try #require(TestServer.shared)
            let connection = try ServerConnection(
                ServerHosts(server.connection, PostgreSQLOptions(), path: "here"))
            defer { connection.close() }
            try connection.execute("BEGIN")
            try connection.execute("SET LOCAL transaction_timeout = 100")

            let error = thrown { try connection.execute("SELECT pg_sleep(60)") }

            #expect(error?.code == .timedOut)
            #expect(connection.isLost)
        }

        @Test func `an upgrade, a check and a transfer have no limits`() throws {
            let server = try #require(TestServer.shared)
            let (world, copy) = (PostgreSQLWorld(on: server), PostgreSQLWorld(on: server))
            let statements = Locked<[String]>([])
            var options = PostgreSQLOptions(statementTimeout: .seconds(60), idleTimeout: .seconds(90))
            options.journeyProbe = { journey in statements.withLock { $0 += journey } }
            func take() -> [String] { statements.exchange([]) }
            let lifting = ServerConnection.withoutTransactionLimit
            func isSetting(_ statement: String) -> Bool {
                statement.contains("_timeout = ") && !statement.contains("lock_timeout")
            }
            func isOfTransaction(_ statement: String) -> Bool {
                statement == lifting || (isSetting(statement) && statement.hasPrefix("SET LOCAL"))
            }
            func store(_ types: [any DataStoreItem.Type]) -> PostgreSQLDataStore {
                PostgreSQLDataStore(
                    connection: world.connection, schema: world.schema, storing: types, options: options)
            }
            let unlimited = ["SET LOCAL idle_in_transaction_session_timeout = 0", lifting]
            let first = store([Recipe.self])
            try first.setup()
            try first.tearDown()
            _ = take()

            let second = store([Recipe.self, Tag.self])
            try second.setup()
            #expect(take().filter(isOfTransaction) == unlimited)
            #expect(try second.checkIntegrity() == [])
            #expect(take().filter(isOfTransaction) == unlimited)
            try second.tearDown()
            _ = take()

            let report = try StoreTransfer(
                from: .postgreSQL(world.connection, schema: world.schema, options: options),
                to: .postgreSQL(copy.connection, schema: copy.schema, options: options)
            ).run()
            #expect(report.digests.count == 2)
            let ofTransfer = take()
            let ofConnections = Set(ofTransfer.filter { isSetting($0) && !isOfTransaction($0) })
            #expect(
                ofConnections == [
                    "SET statement_timeout = 0", "SET idle_in_transaction_session_timeout = 2000000000",
                ])
            let begun = ofTransfer.filter { $0.hasPrefix("BEGIN") }.count
            #expect(begun > 0 && ofTransfer.filter { $0 == lifting }.count == begun)
            for world in [world, copy] { try world.cleanUp() }
        }
    }
#endif
