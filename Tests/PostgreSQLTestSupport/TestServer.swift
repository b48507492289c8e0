#if PostgreSQL
    package import LarderPostgreSQL
    import Foundation
    import Larder

    /// A PostgreSQL server for these tests alone: in a folder of its own, reached by a socket, ended with the process.
    ///
    /// Nothing of another server on the machine is touched.
    package final class TestServer: Sendable {
        /// The server that all tests share; nil if the package of the server is not installed.
        package static let shared: TestServer? = {
            guard let programs = programFolder() else {
                print("PostgreSQL's server is not installed: its tests are left out. Install postgresql.")
                return nil
            }
            do {
                return try TestServer(programs, .made)
            } catch {
                fatalError("The PostgreSQL server for the tests did not start: \(error)")
            }
        }()

        /// A standby of the server that all tests share; nil if there is no server.
        package static let sharedStandby: TestServer? = {
            do {
                return try shared?.standby()
            } catch {
                fatalError("The standby for the tests did not start: \(error)")
            }
        }()

        package let folder: String
        private let process: Process
        private let programs: String
        private let network: TestNetwork?
        /// Takes orders, one in a line; the server ends when this is closed, if the tests are killed too.
        private let leash: Pipe
        /// Has a line for each order that was carried out.
        private let reports: Pipe

        /// The newest version that is installed.
        private static func programFolder() -> String? {
            let root = "/usr/lib/postgresql"
            let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
            return versions.compactMap { Int($0) }.sorted().last.map { "\(root)/\($0)/bin" }
        }

        /// Another server, for a test that ends it.
        ///
        /// Its files are copied from the ones that the shared server began with, which is faster than to make them.
        ///
        /// - Parameter network: The network in which other hosts reach it; nil for a server that is reached by
        ///   its socket only.
        package static func another(in network: TestNetwork? = nil) throws -> TestServer? {
            guard let programs = programFolder() else { return nil }
            guard let shared else { return try TestServer(programs, .made, in: network) }
            return try TestServer(programs, .copied(from: shared.folder + "/template"), in: network)
        }

        /// A standby of this server, which follows it.
        ///
        /// - Parameter network: As of ``another(in:)``; this server is followed through the network then.
        package func standby(in network: TestNetwork? = nil) throws -> TestServer {
            try TestServer(programs, .following(host: self.network?.address ?? folder), in: network)
        }

        /// The origin of a server's files.
        private enum Filling {
            case made
            /// Files that no server has run on.
            case copied(from: String)
            case following(host: String)

            /// The order that fills a folder.
            func command(_ programs: String, into data: String) -> String {
                switch self {
                case .made:
                    // Another order of texts by default than the store's, which servers before version 15 do not have.
                    """
                    \(programs)/initdb -D \(data) -U larder -A trust -E UTF8 --locale=C.UTF-8 --no-sync \
                    $(\(programs)/initdb --help | grep -q icu-locale && echo --locale-provider=icu --icu-locale=en-US)
                    """
                case .copied(let template): "cp -a \(template) \(data)"
                case .following(let host):
                    "\(programs)/pg_basebackup -h \(host) -U larder -D \(data) -R -X stream -c fast --no-sync"
                }
            }

            /// The order that is given before the server starts for the first time.
            func next(in folder: String) -> String {
                switch self {
                case .made: "cp -a \(folder)/data \(folder)/template"
                case .copied: "true"
                // A reading that takes long, as under a sanitizer, is not ended for the changes that wait for it.
                case .following:
                    "sh -c 'echo max_standby_streaming_delay = -1 >>\(folder)/data/postgresql.conf'"
                }
            }
        }

        /// Kills the server and all of its processes.
        package func crash() throws { try order("crash") }

        /// Starts the server after a crash, without waiting until it takes connections.
        package func start() throws { try order("start") }

        /// Waits until the server takes connections, after ``start()``.
        package func waitUntilReady() throws {
            let end = Date(timeIntervalSinceNow: 60)
            while !answers() {
                guard Date() < end else { throw failure }
                usleep(10_000)
            }
        }

        /// Waits until something holds on servers; errors mean that it does not yet.
        package static func wait(_ isTrue: () throws -> Bool) throws {
            let end = Date(timeIntervalSinceNow: 60)
            while (try? isTrue()) != true {
                guard Date() < end else { throw NeverTrue() }
                usleep(20_000)
            }
        }

        private struct NeverTrue: Error {}

        /// Runs a statement without the engine that is tested, and returns the lines of its answer.
        package func answer(to sql: String, in database: String = "postgres") throws -> [String] {
            // Not a pipe: another process that is started meanwhile may inherit it, and keep it open.
            let file = NSTemporaryDirectory() + "/larder-answer-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: file) }
            let client = Process()
            client.executableURL = URL(fileURLWithPath: programs + "/psql")
            client.arguments = [
                "-X", "-q", "-A", "-t", "-h", folder, "-U", "larder", "-d", database, "-o", file, "-c", sql,
            ]
            client.standardInput = FileHandle.nullDevice
            client.standardOutput = FileHandle.nullDevice
            client.standardError = FileHandle.nullDevice
            try client.run()
            client.waitUntilExit()
            if client.terminationStatus != 0 { throw failure }
            let text = try String(contentsOfFile: file, encoding: .utf8)
            return text.split(separator: "\n").map { String($0) }
        }

        /// Ends the server for good, and removes its folder.
        package func end() throws { try order("end") }

        /// The query that ends the connections of an application, with a row for each of them.
        package static func ending(_ application: String, where condition: String = "true") -> String {
            """
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity \
            WHERE application_name = '\(application)' AND \(condition)
            """
        }

        /// Waits until an order was carried out.
        ///
        /// The answer is not the end of the script: Foundation would wait for the server's own processes too.
        private func order(_ word: String) throws {
            try leash.fileHandleForWriting.write(contentsOf: Data("\(word)\n".utf8))
            if reports.fileHandleForReading.availableData != Data("done\n".utf8) { throw failure }
        }

        private var failure: Failure {
            Failure(log: (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "")
        }

        private init(_ programs: String, _ filling: Filling, in network: TestNetwork? = nil) throws {
            self.programs = programs
            self.network = network
            // In memory if `make test` has found room there: a store's tables are made in a third of the time.
            // The path of a socket has room for 107 bytes.
            let inMemory = ProcessInfo.processInfo.environment["LARDER_MEMORY"] ?? ""
            folder = "\(inMemory.isEmpty ? "/tmp" : inMemory)/larder-pg-\(UInt32.random(in: 0 ... .max))"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            // The server refuses to run as root.
            let isRoot = geteuid() == 0
            let inNetwork = network.map { $0.command + " " } ?? ""
            let asOther =
                inNetwork + (isRoot ? "setpriv --reuid=nobody --regid=nogroup --clear-groups " : "")
            let data = folder + "/data"
            // Nothing but the hosts that a test has made reaches such a network.
            let access = network == nil ? "" : "host all,replication all all trust"
            let address = network?.address ?? ""
            let script = """
                set -e
                \(isRoot ? "chown nobody:nogroup \(folder)" : "true")
                cd \(folder)
                \(asOther)\(filling.command(programs, into: data)) >\(folder)/log 2>&1
                \(asOther)\(filling.next(in: folder)) >>\(folder)/log 2>&1
                echo '\(access)' >>\(data)/pg_hba.conf
                set +e
                start() {
                    rm -f \(data)/postmaster.pid \(folder)/.s.PGSQL.5432.lock
                    \(asOther)\(programs)/postgres -D \(data) -k \(folder) -c fsync=off \
                    -c listen_addresses=\(address) \
                    -c max_connections=500 -c shared_buffers=64MB -c full_page_writes=off \
                    -c max_wal_size=256MB -c wal_keep_size=256MB >>\(folder)/log 2>&1 &
                    server=$!
                }
                # A stopped server makes no more processes. One that is left would keep the next server from starting.
                crash() {
                    kill -STOP $server
                    children=$(pgrep -P $server)
                    kill -KILL $server $children
                    wait $server
                    for child in $children; do
                        while kill -0 $child 2>/dev/null; do sleep 0.01; done
                    done
                }
                # The signal is ignored until the server has begun to listen to it.
                end() {
                    while kill -QUIT $server 2>/dev/null; do sleep 0.02; done
                    rm -rf \(folder)
                }
                start
                while read order; do
                    $order
                    echo done
                    [ $order = end ] && exit
                done
                end
                """
            process = Process()
            leash = Pipe()
            reports = Pipe()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", script]
            process.standardInput = leash
            process.standardOutput = reports
            process.standardError = FileHandle.nullDevice
            try process.run()
            let end = Date(timeIntervalSinceNow: 120)
            while !FileManager.default.fileExists(atPath: folder + "/.s.PGSQL.5432") || !answers() {
                guard Date() < end, process.isRunning else { throw failure }
                usleep(50_000)
            }
        }

        struct Failure: Error {
            let log: String
        }

        private func answers() -> Bool {
            let store = PostgreSQLDataStore(
                connection: connection, schema: "probe", storing: [],
                options: PostgreSQLOptions(isReadOnly: true, createsStore: false))
            do throws(DataStoreError) {
                try store.setup()
                return true
            } catch {
                // There is no store, which only a server can say.
                return error.code == .cannotOpen && error.underlying == nil
            }
        }

        package var connection: PostgreSQLConnection { Self.connection("host=\(folder)") }

        /// A connection to this server or to another one of the same store.
        package func connection(or other: TestServer) -> PostgreSQLConnection {
            Self.connection("host=\(folder),\(other.folder)")
        }

        private static func connection(_ hosts: String) -> PostgreSQLConnection {
            do {
                return try PostgreSQLConnection("\(hosts) dbname=postgres user=larder")
            } catch {
                fatalError("\(error)")
            }
        }
    }

    /// A host in a network of its own.
    package struct TestNetwork: Sendable {
        /// The words before a command of the shell that runs it on the host.
        package let command: String
        package let address: String

        package init(command: String, address: String) {
            (self.command, self.address) = (command, address)
        }

        /// This machine, by one of its addresses.
        package static func onThisMachine() -> TestNetwork {
            // All of 127.0.0.0/8 is this machine, so that the usual port is free.
            let numbers = (1...3).map { _ in String(Int.random(in: 1...254)) }
            return TestNetwork(command: "", address: "127." + numbers.joined(separator: "."))
        }
    }
#endif
