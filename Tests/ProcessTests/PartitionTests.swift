#if PostgreSQL && os(Linux)
    import Foundation
    import Larder
    import PostgreSQLTestSupport
    import ProcessFixtures
    import Testing

    @testable import AdapterTestSupport

    /// A primary that is cut off from its standby and from a client, each of them on a host of its own.
    ///
    /// Only in the long form: a host that does not answer is given up after two seconds at the earliest.
    @Suite(.enabled(if: Repetitions.isLong && TestServer.shared != nil && NetworkLab.isPossible))
    struct PartitionTests {
        @Test func `a client that is cut off says so in time, and continues with the promoted standby`()
            async throws
        {
            let story = try await onOwnThread { try Story(readsInPartition: true) }

            #expect(story.before == ["done", "1"])
            #expect(story.cutOff == "error connectionLost")
            #expect(story.timeCutOff < .seconds(20))
            #expect(story.promoted == ["done", "1 3"])
            #expect(story.healed == ["1 3", "done", "1 3 4"])
            #expect(story.onOldPrimary == ["1"])
            #expect(story.onNewPrimary == ["1", "3", "4"])
        }

        // The reading connection is older than the partition, and was not used while it lasted.
        @Test func `a client that has seen the new primary reads nothing from the old one any more`()
            async throws
        {
            let story = try await onOwnThread { try Story(readsInPartition: false) }

            #expect(story.before == ["done", "1"])
            #expect(story.cutOff == "error connectionLost")
            #expect(story.promoted == ["done"])
            #expect(story.healed == ["1 3", "done", "1 3 4"])
            #expect(story.onOldPrimary == ["1"])
            #expect(story.onNewPrimary == ["1", "3", "4"])
        }
    }

    /// The answers of a client, from before a partition to after its end.
    private struct Story: Sendable {
        private(set) var before: [String] = []
        private(set) var cutOff = ""
        private(set) var timeCutOff = Duration.zero
        private(set) var promoted: [String] = []
        private(set) var healed: [String] = []
        private(set) var onOldPrimary: [String] = []
        private(set) var onNewPrimary: [String] = []

        private struct NoServer: Error {}

        /// - Parameter readsInPartition: True if the client reads while the primary is cut off.
        init(readsInPartition: Bool) throws {
            let lab = try NetworkLab()
            let first = try TestServer.another(in: lab.network(of: .primary))
            guard let primary = first else { throw NoServer() }
            let standby = try primary.standby(in: lab.network(of: .standby))
            let folder = try TemporaryFolder()
            let file = folder.file("store")
            let hosts = "\(lab.network(of: .primary).address),\(lab.network(of: .standby).address)"
            // Data that no host confirms is given up after half a second. A connection without any stays.
            let words = "sslmode=disable tcp_user_timeout=500 keepalives=0"
            let client = try ChildProcess(
                [Engine.postgresql.rawValue, "obey", file.path], by: lab.command(on: .client),
                environment: [ServerPlace.variable: "\(hosts) \(words)"])
            _ = client.nextLine()
            before = [Self.ask(client, "write 1"), Self.ask(client, "read")]
            try TestServer.wait { try Self.rows(of: file, on: standby) == ["1"] }

            try lab.cutOff(.primary)
            let start = ContinuousClock.now
            cutOff = Self.ask(client, "write 2")
            timeCutOff = ContinuousClock.now - start
            // Waits until it is the primary.
            _ = try standby.answer(to: "SELECT pg_promote(true, 60)")
            promoted = [Self.ask(client, "write 3")]
            if readsInPartition { promoted.append(Self.ask(client, "read")) }

            try lab.join(again: .primary)
            healed = [Self.ask(client, "read"), Self.ask(client, "write 4"), Self.ask(client, "read")]
            onOldPrimary = try Self.rows(of: file, on: primary)
            onNewPrimary = try Self.rows(of: file, on: standby)

            client.kill()
            try standby.end()
            try primary.end()
            withExtendedLifetime(lab) {}
        }

        /// Gives a client an order, and returns its answer.
        private static func ask(_ client: ChildProcess, _ order: String) -> String {
            client.answer(order)
            return client.nextLine() ?? "nothing"
        }

        /// The identifiers that are on a server, asked for by its socket.
        private static func rows(of file: URL, on server: TestServer) throws -> [String] {
            let table = ServerPlace.schema(of: file) + ".\"Entry\""
            return try server.answer(to: "SELECT id FROM \(table) ORDER BY id")
        }
    }
#endif
