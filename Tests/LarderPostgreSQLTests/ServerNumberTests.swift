#if PostgreSQL
    import Foundation
    import Larder
    import LarderEngine
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// The numbers of processes that share a store, by advisory locks and by leases.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct ServerNumberTests {
        @Test func `two processes never hold one number, and it is free when one has ended`() throws {
            try trial { lab in
                let (first, second) = (try lab.process(.session), try lab.process(.session))
                defer { second.locks.close() }

                #expect(try first.locks.lock(number: 7) == .locked)
                #expect(try second.locks.lock(number: 7) == .taken)
                #expect(try second.locks.lock(number: 8) == .locked)
                first.locks.close()
                // The server frees the lock when it has noticed the end of the connection.
                let end = Date(timeIntervalSinceNow: 60)
                while try second.locks.lock(number: 7) == .taken, Date() < end { usleep(10_000) }
                second.locks.unlock(number: 7)
                #expect(try second.locks.lock(number: 7) == .locked)
            }
        }

        @Test func `a number that was lost with its connection is taken again, or another one`() throws {
            try trial { lab in
                let (first, second) = (try lab.process(.session), try lab.process(.session))
                defer { second.locks.close() }
                try first.locks.take()
                #expect(first.number == 7)

                try lab.endConnection(of: first)
                try first.locks.ensure()
                #expect(first.number == 7)
                #expect(try second.locks.lock(number: 7) == .taken)

                try lab.endConnection(of: first)
                #expect(try second.locks.lock(number: 7) == .locked)
                try first.locks.ensure()
                #expect(first.number == 8)
                #expect(try second.locks.lock(number: 8) == .taken)
                try first.locks.ensure()
                #expect(first.number == 8)
                first.locks.end()
            }
        }

        @Test func `a lease and an advisory lock exclude each other`() throws {
            try trial { lab in
                let (session, lease) = (try lab.process(.session), try lab.process(.transaction))
                let other = try lab.process(.transaction)
                defer { for process in [session, lease, other] { process.locks.close() } }

                #expect(try lease.locks.lock(number: 7) == .locked)
                #expect(try lease.locks.lock(number: 7) == .locked)
                #expect(try other.locks.lock(number: 7) == .taken)
                #expect(try session.locks.lock(number: 7) == .taken)
                #expect(try session.locks.lock(number: 8) == .locked)
                #expect(try lease.locks.lock(number: 8) == .taken)
                other.locks.unlock(number: 7)
                #expect(try session.locks.lock(number: 7) == .taken)
                lease.locks.unlock(number: 7)
                #expect(try session.locks.lock(number: 7) == .locked)
                #expect(try lease.locks.lock(number: 7) == .taken)
            }
        }

        @Test func `a lease that is over is another process's, and its holder takes another number`() throws {
            try trial { lab in
                let (first, second) = (try lab.process(.transaction), try lab.process(.session))
                defer { second.locks.close() }
                try first.locks.take()
                #expect(first.number == 7)
                #expect(try second.locks.lock(number: 7) == .taken)

                try lab.admin.execute("UPDATE \(lab.schema).larder_leases SET until = now()")
                #expect(try second.locks.lock(number: 7) == .locked)
                try first.locks.ensure()
                #expect(first.number == 8)
                first.locks.end()
                let left = try lab.admin.execute(
                    "SELECT count(*) FROM \(lab.schema).larder_leases WHERE number = 8")
                #expect(left.integer(0, 0) == 0)
            }
        }

        @Test func `a store does not open without a number, and says why`() throws {
            try trial { lab in
                try lab.admin.execute("DROP TABLE \(lab.schema).larder_leases")
                let process = try lab.process(.session)

                let error = thrown { try process.locks.take() }

                #expect(error?.underlying?.message.hasPrefix("42P01") == true)
            }
        }

        /// A process that begins with number 7.
        private final class OneProcess {
            let generator = ItemIDGenerator(process: 7) { 1000 }
            let locks: ServerNumbers
            let name: String

            init(
                _ pooler: PostgreSQLOptions.Pooler, in schema: String, on folder: String, of identity: UUID
            ) throws {
                name = "p" + UUID().uuidString
                let connection = try PostgreSQLConnection(
                    "host=\(folder) dbname=postgres user=larder application_name=\(name)")
                let hosts = ServerHosts(connection, PostgreSQLOptions(pooler: pooler), path: "numbers")
                // Each lease is taken again at once.
                locks = ServerNumbers(
                    of: OpenStores.Key(identity: identity, schema: 1, database: 1, cluster: 1),
                    in: ServerPlace(schema: schema), on: try ServerConnection(hosts),
                    for: ProcessNumbers(of: generator),
                    renewal: .zero)
            }

            var number: UInt16 { generator.process }
        }

        private struct Lab {
            let schema: String
            /// The folder with the server's socket.
            let folder: String
            let admin: ServerConnection
            let identity = UUID()

            func process(_ pooler: PostgreSQLOptions.Pooler) throws -> OneProcess {
                try OneProcess(pooler, in: schema, on: folder, of: identity)
            }

            func endConnection(of process: OneProcess) throws {
                let answer = try admin.execute(TestServer.ending(process.name))
                #expect(answer.rowCount == 1)
            }
        }

        private func trial(_ body: (Lab) throws -> Void) throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let store = try world.makeStore(storing: [Recipe.self], options: DataStoreOptions())
            try store.setup()
            try store.tearDown()
            let admin = try ServerConnection(
                ServerHosts(world.connection, PostgreSQLOptions(), path: "admin"))
            defer { admin.close() }
            try body(Lab(schema: world.schema, folder: server.folder, admin: admin))
            try world.cleanUp()
        }
    }
#endif
