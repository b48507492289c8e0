#if PostgreSQL && os(Linux)
    import Foundation
    import PostgreSQLTestSupport

    @testable import AdapterTestSupport

    /// Hosts with networks of their own, joined by a switch from which one can be cut off.
    ///
    /// They are namespaces of the kernel, which only the superuser can make. Nothing of the machine's own
    /// network is touched.
    final class NetworkLab {
        enum Host: String, CaseIterable {
            case primary, standby, client

            fileprivate var address: String {
                switch self {
                case .primary: "10.77.0.1"
                case .standby: "10.77.0.2"
                case .client: "10.77.0.3"
                }
            }
        }

        /// True if this machine lets networks be made; one line says so if not.
        static let isPossible: Bool = {
            if (try? NetworkLab()) != nil { return true }
            print("Network namespaces cannot be made here: the tests of partitions are left out.")
            return false
        }()

        private let name = "larder-\(UInt16.random(in: 0 ... .max))"
        private static let program: String? = {
            let places = ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip", "/bin/ip"]
            return places.first { FileManager.default.isExecutableFile(atPath: $0) }
        }()

        private struct NotPossible: Error {}

        init() throws {
            guard geteuid() == 0 else { throw NotPossible() }
            do {
                try run("netns add \(name)-switch")
                try run("-n \(name)-switch link add bridge type bridge")
                try run("-n \(name)-switch link set bridge up")
                for host in Host.allCases { try join(host) }
            } catch {
                remove()
                throw error
            }
        }

        deinit {
            remove()
        }

        private func join(_ host: Host) throws {
            let (inside, port) = (namespace(of: host), host.rawValue)
            try run("netns add \(inside)")
            try run("-n \(name)-switch link add \(port) type veth peer name eth0 netns \(inside)")
            try run("-n \(name)-switch link set \(port) master bridge up")
            try run("-n \(inside) addr add \(host.address)/24 dev eth0")
            try run("-n \(inside) link set eth0 up")
            try run("-n \(inside) link set lo up")
        }

        /// The network of a host, for a server.
        func network(of host: Host) -> TestNetwork {
            TestNetwork(command: command(on: host).joined(separator: " "), address: host.address)
        }

        /// The words before a command that is to run on a host.
        func command(on host: Host) -> [String] {
            [Self.program ?? "ip", "netns", "exec", namespace(of: host)]
        }

        /// Delivers nothing to a host and from it, without a word to either side.
        func cutOff(_ host: Host) throws { try run("-n \(name)-switch link set \(host.rawValue) nomaster") }

        func join(again host: Host) throws {
            try run("-n \(name)-switch link set \(host.rawValue) master bridge")
        }

        private func namespace(of host: Host) -> String { "\(name)-\(host.rawValue)" }

        private func remove() {
            for host in Host.allCases { try? run("netns delete \(namespace(of: host))") }
            try? run("netns delete \(name)-switch")
        }

        private func run(_ words: String) throws {
            guard let program = Self.program else { throw NotPossible() }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = words.split(separator: " ").map { String($0) }
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            if process.terminationStatus != 0 { throw NotPossible() }
        }
    }
#endif
