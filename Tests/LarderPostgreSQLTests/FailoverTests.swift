#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// A primary that is lost, a standby that is promoted, and the old primary that comes back.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct FailoverTests {
        @Test func `an app continues with the promoted standby, and never writes to the old primary again`()
            throws
        {
            let primary = try #require(try TestServer.another())
            let world = PostgreSQLWorld(on: primary)
            let standby = try primary.standby()
            // The old primary is the first one.
            let both = try PostgreSQLConnection(
                "host=\(primary.folder),\(standby.folder) dbname=postgres user=larder")
            func store(_ connection: PostgreSQLConnection) -> PostgreSQLDataStore {
                PostgreSQLDataStore(
                    connection: connection, schema: world.schema, storing: [Recipe.self],
                    options: PostgreSQLOptions(connectTimeout: .seconds(3)))
            }
            let app = store(both)
            try app.setup()
            try app.writeSync { try $0.insert(contentsOf: (1...10).map { Recipe($0) }) }
            let admin = try ServerConnection(
                ServerHosts(standby.connection, PostgreSQLOptions(isReadOnly: true), path: "standby"))
            defer { admin.close() }
            try TestServer.wait {
                try admin.execute("SELECT count(*) FROM \(world.schema).\"Recipe\"").integer(0, 0) == 10
            }

            try Self.crash(primary)
            try admin.execute("SELECT pg_promote(true, 60)")
            try app.writeSync { _ = try $0.insert(Recipe(11)) }
            #expect(try app.read { try $0.countItems(for: Recipe.all) } == 11)

            // It takes writes, as it knows nothing of the other one.
            try primary.start()
            try TestServer.wait { thrown { try Self.probe(primary) } == nil }
            try app.writeSync { _ = try $0.insert(Recipe(12)) }
            try app.tearDown()
            let later = store(both)
            try later.setup()
            let found = try later.read { try $0.ids(for: Recipe.all) }
            #expect(found == Array(1...12))

            // Without the new primary, the old one is refused by an app that has seen the new one.
            try Self.crash(standby)
            let error = thrown { try later.writeSync { _ = try $0.insert(Recipe(13)) } }
            #expect(error?.code == .connectionLost)
            #expect(thrown { try later.destroy() }?.code == .connectionLost)
            #expect(
                try primary.answer(to: "SELECT count(*) FROM \(world.schema).\"Recipe\"") == ["10"])
            try primary.end()
            try standby.end()
        }

        @Test func `a block is not committed on a primary that was replaced meanwhile`() throws {
            let primary = try #require(try TestServer.another())
            let schema = PostgreSQLWorld(on: primary).schema
            let standby = try primary.standby()
            let store = PostgreSQLDataStore(
                connection: primary.connection(or: standby), schema: schema, storing: [Recipe.self])
            try store.setup()
            try store.writeSync { _ = try $0.insert(Recipe(1)) }
            func ids(on server: TestServer) throws -> [String] {
                try server.answer(to: "SELECT id FROM \(schema).\"Recipe\" ORDER BY id")
            }
            try TestServer.wait { try ids(on: standby) == ["1"] }

            let error = thrown {
                try store.writeSync { accessor in
                    try accessor.insert(Recipe(2))
                    #expect(try accessor.countItems(for: Recipe.all) == 2)
                    _ = try standby.answer(to: "SELECT pg_promote(true, 60)")
                    // The second one makes a connection, with which the store finds the new primary.
                    let readers = [try store.adapter.beginReading(), try store.adapter.beginReading()]
                    for reader in readers { reader.end() }
                }
            }

            #expect(error?.code == .connectionLost)
            #expect(try ids(on: primary) == ["1"])
            try store.writeSync { _ = try $0.insert(Recipe(3)) }
            #expect(try ids(on: standby) == ["1", "3"])
            // By whatever name, it is the store that is open.
            let second = PostgreSQLDataStore(
                connection: standby.connection, schema: schema, storing: [Recipe.self])
            #expect(thrown { try second.setup() }?.code == .alreadyOpen)
            try store.tearDown()
            for server in [primary, standby] { try server.end() }
        }

        @Test func `a standby with another commit of the same number is not read from`() throws {
            let old = try #require(try TestServer.another())
            let schema = PostgreSQLWorld(on: old).schema
            let (promoted, diverged) = (try old.standby(), try old.standby())
            let hosts = [old, promoted, diverged].map(\.folder).joined(separator: ",")
            let app = PostgreSQLDataStore(
                connection: try PostgreSQLConnection("host=\(hosts) dbname=postgres user=larder"),
                schema: schema, storing: [Recipe.self], options: PostgreSQLOptions(reads: .standby))
            try app.setup()
            try app.writeSync { _ = try $0.insert(Recipe(1)) }
            let servers = try [old, promoted, diverged].map { server in
                try ServerConnection(
                    ServerHosts(server.connection, PostgreSQLOptions(isReadOnly: true), path: "admin"))
            }
            defer { for server in servers { server.close() } }
            func ids(on server: Int) throws -> [Int64?] {
                let answer = try servers[server].execute("SELECT id FROM \(schema).\"Recipe\" ORDER BY id")
                return (0..<answer.rowCount).map { answer.integer($0, 0) }
            }
            try TestServer.wait { try ids(on: 1) == [1] }

            // A commit of another process, which one of the standbys never gets.
            try servers[1].execute("ALTER SYSTEM SET primary_conninfo = ''")
            try servers[1].execute("SELECT pg_reload_conf()")
            try TestServer.wait {
                try servers[1].execute("SELECT count(*) FROM pg_stat_wal_receiver").integer(0, 0) == 0
            }
            try servers[0].execute(
                """
                WITH item AS (INSERT INTO \(schema)."Recipe" (id, name, rating, slug) VALUES (2, 'Two', 0, 'two')) \
                INSERT INTO \(schema).larder_commits (number, token, writer) \
                SELECT max(number) + 1, gen_random_uuid(), gen_random_uuid() FROM \(schema).larder_commits
                """)
            try TestServer.wait { try ids(on: 2) == [1, 2] }
            try Self.crash(old)
            try servers[1].execute("SELECT pg_promote(true, 60)")
            try app.writeSync { _ = try $0.insert(Recipe(3)) }

            let numbers = try [1, 2].map {
                try servers[$0].execute("SELECT max(number) FROM \(schema).larder_commits").integer(0, 0)
            }
            #expect(numbers[0] == numbers[1])
            #expect(try ids(on: 2) == [1, 2])
            #expect(try app.read { try $0.ids(for: Recipe.all) } == [1, 3])
            try app.tearDown()
            for server in [old, promoted, diverged] { try server.end() }
        }

        // The connections of the app to the pooler outlive the primary.
        @Test(.enabled(if: TestPooler.isInstalled))
        func
            `an app that uses a pooler sees its own commits, although a standby of the old primary has more`()
            throws
        {
            let old = try #require(try TestServer.another())
            let pooler = try #require(try TestPooler.another(before: old))
            let schema = PostgreSQLWorld(on: old).schema
            let (promoted, diverged) = (try old.standby(), try old.standby())
            let writes = Locked(0)
            var options = PostgreSQLOptions(
                reads: .standby, pooler: .transaction, connectTimeout: .seconds(60))
            options.journeyProbe = { statements in
                if statements.first == ServerConnection.beginWriting { writes.withLock { $0 += 1 } }
            }
            let app = PostgreSQLDataStore(
                connection: try PostgreSQLConnection(
                    "host=\(pooler.folder),\(diverged.folder) dbname=postgres user=larder"),
                schema: schema, storing: [Recipe.self], options: options)
            try app.setup()
            try app.writeSync { _ = try $0.insert(Recipe(1)) }
            func ids(on server: TestServer) throws -> [String] {
                try server.answer(to: "SELECT id FROM \(schema).\"Recipe\" ORDER BY id")
            }
            try TestServer.wait { try ids(on: promoted) == ["1"] }

            // The promoted one never gets two commits of another process, which the app has read.
            _ = try promoted.answer(to: "ALTER SYSTEM SET primary_conninfo = ''")
            _ = try promoted.answer(to: "SELECT pg_reload_conf()")
            try TestServer.wait {
                try promoted.answer(to: "SELECT count(*) FROM pg_stat_wal_receiver") == ["0"]
            }
            for number in 2...3 {
                _ = try old.answer(
                    to: """
                        WITH item AS (INSERT INTO \(schema)."Recipe" (id, name, rating, slug) \
                        VALUES (\(number), 'Other', 0, 'other-\(number)')) \
                        INSERT INTO \(schema).larder_commits (number, token, writer) \
                        SELECT max(number) + 1, gen_random_uuid(), gen_random_uuid() FROM \(schema).larder_commits
                        """)
            }
            try TestServer.wait { try ids(on: diverged) == ["1", "2", "3"] }
            #expect(try app.read { try $0.ids(for: Recipe.all) } == [1, 2, 3])
            try pooler.turn(to: promoted)
            try Self.crash(old)
            writes.withLock { $0 = 0 }
            // The block begins while the pooler's server is still a standby.
            try whileRunning {
                try app.writeSync { _ = try $0.insert(Recipe(9)) }
            } do: {
                try TestServer.wait { writes.withLock { $0 } > 0 }
                _ = try promoted.answer(to: "SELECT pg_promote(true, 60)")
            }

            #expect(try ids(on: diverged) == ["1", "2", "3"])
            #expect(try app.read { try $0.ids(for: Recipe.all) } == [1, 9])
            try app.tearDown()
            try pooler.end()
            for server in [old, promoted, diverged] { try server.end() }
        }

        @Test func `a store that is read-only continues with a standby when the primary is lost`() throws {
            let connection = try PostgreSQLConnection("host=a,b")
            let hosts = ServerHosts(connection, PostgreSQLOptions(isReadOnly: true), path: "here")
            let ofWriter = ServerHosts(connection, PostgreSQLOptions(), path: "here")

            try hosts.note(timeline: 2)
            try hosts.note(timeline: 0)

            #expect(thrown { try hosts.note(timeline: 1) }?.code == .connectionLost)
            #expect(thrown { try ofWriter.note(timeline: 0) }?.code == .connectionLost)
        }

        @Test func `a store that was closed opens on a new cluster, which has an older timeline`() throws {
            let world = PostgreSQLWorld(on: try #require(TestServer.shared))
            func makeAdapter() -> PostgreSQLAdapter {
                PostgreSQLAdapter(on: world.connection, schema: world.schema, options: world.options)
            }
            let (adapter, other) = (makeAdapter(), makeAdapter())
            let schema = try StoreSchema(storing: [Recipe.self])
            try adapter.open(schema)
            let transaction = try #require(try adapter.beginWriting() as? ServerWriteTransaction)
            let hosts = try transaction.current().connection.hosts
            transaction.end()

            // It has followed several primaries.
            try hosts.note(timeline: 1000)
            try adapter.close()
            #expect(try adapter.storedSchema() != nil)
            try hosts.note(timeline: 1000)
            try adapter.open(schema)
            try adapter.close()

            // An opening that fails may have met them too.
            try other.open(schema)
            #expect(thrown { try adapter.open(schema) }?.code == .alreadyOpen)
            try hosts.note(timeline: 1000)
            try other.close()
            try adapter.open(schema)
            try adapter.close()
            try world.cleanUp()
        }

        @Test func `a connection that is made while the store is opened again is not one of the new opening`()
            throws
        {
            let server = try #require(TestServer.shared)
            let forgetful = Locked<ServerHosts?>(nil)
            var options = PostgreSQLOptions()
            options.journeyProbe = { _ in forgetful.withLock { $0 }?.forgetServers() }
            let hosts = ServerHosts(server.connection, options, path: "here")
            let connection = ServerConnection(unconnectedTo: hosts)
            defer { connection.close() }

            forgetful.withLock { $0 = hosts }
            try connection.connect()
            let late = hosts.newestTimeline
            forgetful.withLock { $0 = nil }
            try connection.connect()

            #expect(late == 0)
            #expect(hosts.newestTimeline == 1)
        }

        @Test func `a connection of an earlier opening is refused like others`() throws {
            let connection = try PostgreSQLConnection("host=a,b")
            let hosts = ServerHosts(connection, PostgreSQLOptions(), path: "here")
            let earlier = hosts.openingCount
            hosts.forgetServers()
            try hosts.note(timeline: 2)

            let ofStandby = thrown { try hosts.note(timeline: 0, of: earlier) }
            let ofOldPrimary = thrown { try hosts.note(timeline: 1, of: earlier) }
            try hosts.note(timeline: 3, of: earlier)

            #expect(ofStandby?.code == .connectionLost)
            #expect(ofOldPrimary?.code == .connectionLost)
            #expect(
                ofOldPrimary?.message
                    == "Only a server answers that was the primary before another one was promoted.")
            #expect(hosts.newestTimeline == 2)
        }

        @Test func `a silent host is asked if no other one answers but an old primary`() throws {
            let server = try #require(TestServer.shared)
            let proxy = try MessageProxy(to: server.folder)
            let hosts = ServerHosts(
                try PostgreSQLConnection(
                    "host=\(server.folder),\(proxy.folder) dbname=postgres user=larder"),
                PostgreSQLOptions(), path: "here")
            let silent = try #require(
                try hosts.alternatives(for: .primary).first { $0["host"] == proxy.folder })
            hosts.noteSilence(of: silent)

            try ServerConnection(hosts).close()
            #expect(proxy.count(of: .client) == 0)
            try hosts.note(timeline: 1000)
            #expect(thrown { try ServerConnection(hosts) }?.code == .connectionLost)
            #expect(proxy.count(of: .client) > 0)
            try proxy.close()
        }

        @Test func `standbys are asked in any order, and a silent one last`() throws {
            let hosts = ServerHosts(
                try PostgreSQLConnection("host=a,b,c"), PostgreSQLOptions(reads: .standby), path: "here")
            func orders(_ role: ServerHosts.Role) throws -> Set<String> {
                Set(
                    try (0..<200).map { _ in
                        try hosts.alternatives(for: role).map { $0["host"] ?? "" }.joined()
                    })
            }
            let silent = try #require(
                try hosts.alternatives(for: .standby).first { $0["host"] == "a" })
            hosts.noteSilence(of: silent)

            #expect(try orders(.standby) == ["bca", "cba"])
            #expect(try orders(.primary) == ["bca"])
        }

        private static func crash(_ server: TestServer) throws {
            try server.crash()
            try TestServer.wait { thrown { try probe(server) } != nil }
        }

        private static func probe(_ server: TestServer) throws {
            let hosts = ServerHosts(server.connection, PostgreSQLOptions(), path: "probe")
            try ServerConnection(hosts).close()
        }
    }
#endif
