#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
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
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let connection = try ServerConnection(
                ServerHosts(
                    world.connection, PostgreSQLOptions(statementTimeout: .milliseconds(500)), path: "here"))
            defer { connection.close() }

            let error = thrown { try connection.execute("SELECT pg_sleep(10)") }

            #expect(error?.code == .timedOut)
            #expect(try connection.execute("SELECT 'here'").texts == ["here"])
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
    }
#endif
