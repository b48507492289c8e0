#if PostgreSQL
    import CPostgreSQLRaw
    import Foundation

    /// A PostgreSQL server for the benchmark alone, as its package sets it up; it ends with the process.
    ///
    /// Nothing of another server on the machine is touched.
    final class BenchServer: Sendable {
        private static let current = SharedValue<BenchServer?>(nil)
        private static let port = "5432"

        /// The folder with the server's socket.
        let folder: String
        private let data: String
        private let process: Process
        /// The server ends at a word, or when this is closed, even if the benchmark is killed.
        private let leash: Pipe
        /// Has a line when the server has ended.
        private let reports: Pipe

        /// The server of this process, which is started if there is none.
        ///
        /// - Parameter parent: The folder for the folder with its data.
        static func running(in parent: URL) throws -> BenchServer {
            if let server = current.value { return server }
            let server = try BenchServer(in: parent)
            current.value = server
            return server
        }

        /// Ends the server of this process, if there is one, and removes its folders.
        static func end() {
            guard let server = current.value else { return }
            current.value = nil
            server.end()
        }

        /// The text by which libpq finds a server.
        static func address(inFolder folder: String) -> String {
            "host=\(folder) port=\(port) dbname=postgres user=larder"
        }

        static func socket(inFolder folder: String) -> String { "\(folder)/.s.PGSQL.\(port)" }

        var address: String { Self.address(inFolder: folder) }

        private init(in parent: URL) throws {
            let programs: String = try Self.programFolder()
            let name: String = "larder-bench-pg-\(UInt32.random(in: 0 ... .max))"
            // The path of a socket has room for 107 bytes.
            folder = "/tmp/\(name)"
            data = parent.appending(path: "\(name)-data").path
            process = Process()
            leash = Pipe()
            reports = Pipe()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", Self.script, "larder-bench", folder, data, programs, Self.port]
            process.standardInput = leash
            process.standardOutput = reports
            process.standardError = FileHandle.nullDevice
            do {
                let files = FileManager.default
                try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
                try files.createDirectory(atPath: data, withIntermediateDirectories: true)
                try process.run()
                try waitUntilItAnswers()
            } catch {
                abandon()
                throw error
            }
        }

        /// The script ends with the leash, and ignores the signals that end the benchmark.
        ///
        /// The server refuses to run as root. It ignores the signal to end until it listens for it.
        private static let script = """
            folder=$1 data=$2 programs=$3 port=$4
            as_other=
            trap '' INT HUP TERM
            if [ "$(id -u)" = 0 ]; then
                chown nobody:nogroup "$folder" "$data"
                as_other="setpriv --reuid=nobody --regid=nogroup --clear-groups"
            fi
            cd "$folder" || exit 1
            $as_other "$programs/initdb" -D "$data" -U larder -A trust -E UTF8 --locale=C.UTF-8 --no-sync \
            >"$folder/log" 2>&1 || exit 1
            $as_other "$programs/postgres" -D "$data" -k "$folder" -p "$port" -c listen_addresses= \
            >>"$folder/log" 2>&1 &
            server=$!
            read order
            while kill -QUIT $server 2>/dev/null; do sleep 0.02; done
            rm -rf "$folder" "$data"
            echo done
            """

        /// The newest version that is installed.
        private static func programFolder() throws -> String {
            let root = "/usr/lib/postgresql"
            let names: [String] = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
            let versions: [Int] = names.compactMap { Int($0) }.sorted()
            guard let newest = versions.last else {
                throw BenchServerFailure(message: "PostgreSQL's server is not in \(root).")
            }
            return "\(root)/\(newest)/bin"
        }

        private func waitUntilItAnswers() throws {
            let end = Date(timeIntervalSinceNow: 120)
            while PQping(address) != PQPING_OK {
                guard Date() < end, process.isRunning else { throw failure }
                usleep(50_000)
            }
        }

        private var failure: BenchServerFailure {
            let log: String? = try? String(contentsOfFile: folder + "/log", encoding: .utf8)
            return BenchServerFailure(message: "PostgreSQL's server did not start. \(log ?? "")")
        }

        private func end() {
            guard process.isRunning else { return abandon() }
            do {
                try leash.fileHandleForWriting.write(contentsOf: Data("end\n".utf8))
                // Not the end of the script: Foundation would wait for processes of the server too.
                _ = reports.fileHandleForReading.availableData
            } catch {
                abandon()
            }
        }

        /// Has the script end everything that it has begun.
        private func abandon() {
            try? leash.fileHandleForWriting.close()
            try? FileManager.default.removeItem(atPath: folder)
            try? FileManager.default.removeItem(atPath: data)
        }
    }

    extension BenchServer {
        /// Runs a statement on a connection of its own, and returns the first column of its rows.
        @discardableResult
        func run(_ sql: String) throws -> [String] {
            guard let connection = PQconnectdb(address) else {
                throw LibpqFailure(message: "There is no memory for a connection.")
            }
            defer { PQfinish(connection) }
            guard PQstatus(connection) == CONNECTION_OK else { throw LibpqFailure(of: connection) }
            // Else a removal would list everything that goes with a schema.
            PQsetNoticeProcessor(connection, { _, _ in }, nil)
            guard let result = PQexec(connection, sql) else { throw LibpqFailure(of: connection) }
            defer { PQclear(result) }
            let status = PQresultStatus(result)
            guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
                throw LibpqFailure(result: result)
            }
            var texts: [String] = []
            for row in 0..<PQntuples(result) {
                guard let text = PQgetvalue(result, row, 0) else { continue }
                texts.append(String(cString: text))
            }
            return texts
        }
    }

    /// The benchmark's server does not run.
    struct BenchServerFailure: Error, CustomStringConvertible {
        let message: String

        var description: String { message }
    }
#endif
