#if PostgreSQL
    package import LarderPostgreSQL
    import Foundation
    import Larder

    /// A pgbouncer in front of the tests' server, which gives each transaction any of its few sessions.
    package final class TestPooler: Sendable {
        /// The pooler that all tests share; nil if pgbouncer is not there.
        package static let shared: TestPooler? = {
            guard let server = TestServer.shared, let program = program() else { return nil }
            do {
                return try TestPooler(program, before: server)
            } catch {
                fatalError("The pooler for the tests did not start: \(error)")
            }
        }()

        /// True if pgbouncer is there.
        package static var isInstalled: Bool { program() != nil }

        /// Another pooler, for a test that changes the server behind it; nil if pgbouncer is not there.
        ///
        /// - Parameter sessions: The sessions of the server that all connections share.
        package static func another(before server: TestServer, sessions: Int = 20) throws -> TestPooler? {
            try program().map { try TestPooler($0, before: server, sessions: sessions) }
        }

        package let folder: String
        private let process: Process
        /// The pooler ends when this is closed, if the tests are killed too.
        private let leash: Pipe

        /// The one of the machine, or the one that Tests/set-up-postgresql.sh has fetched.
        private static func program() -> String? {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent().path
            let places = ["/usr/sbin/pgbouncer", root + "/.build/pgbouncer/usr/sbin/pgbouncer"]
            return places.first { FileManager.default.isExecutableFile(atPath: $0) }
        }

        private init(_ program: String, before server: TestServer, sessions: Int = 20) throws {
            // The path of a socket has room for 107 bytes.
            folder = "/tmp/larder-pooler-\(UInt32.random(in: 0 ... .max))"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            try Self.link(folder, to: server)
            let settings = """
                [databases]
                postgres = host=\(folder)/server user=larder
                [pgbouncer]
                listen_port = 5432
                unix_socket_dir = \(folder)
                auth_type = any
                pool_mode = transaction
                max_client_conn = 1000
                default_pool_size = \(sessions)
                logfile = \(folder)/log
                """
            try settings.write(toFile: folder + "/settings", atomically: false, encoding: .utf8)
            let isRoot = geteuid() == 0
            let asOther = isRoot ? "setpriv --reuid=nobody --regid=nogroup --clear-groups " : ""
            let script = """
                \(isRoot ? "chown -R nobody:nogroup \(folder)" : "true")
                cd \(folder)
                \(asOther)\(program) -q \(folder)/settings >>\(folder)/output 2>&1 &
                pooler=$!
                read order
                while kill -KILL $pooler 2>/dev/null; do sleep 0.02; done
                rm -rf \(folder)
                """
            process = Process()
            leash = Pipe()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", script]
            process.standardInput = leash
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            let end = Date(timeIntervalSinceNow: 60)
            while !FileManager.default.fileExists(atPath: folder + "/.s.PGSQL.5432") {
                guard Date() < end, process.isRunning else { throw Failure() }
                usleep(20_000)
            }
        }

        /// Sends the connections that are made from now on to another server.
        package func turn(to server: TestServer) throws { try Self.link(folder, to: server) }

        private static func link(_ folder: String, to server: TestServer) throws {
            let link = folder + "/server"
            try? FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: server.folder)
        }

        /// Ends the pooler for good.
        package func end() throws { try leash.fileHandleForWriting.write(contentsOf: Data("end\n".utf8)) }

        struct Failure: Error {}

        package var connection: PostgreSQLConnection {
            do {
                return try PostgreSQLConnection("host=\(folder) dbname=postgres user=larder")
            } catch {
                fatalError("\(error)")
            }
        }
    }
#endif
