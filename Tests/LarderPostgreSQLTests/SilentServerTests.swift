#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import LarderPostgreSQL
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport

    /// A network that delivers nothing any more, and ends no connection either.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct SilentServerTests {
        // libpq gives up a connection after two seconds at the earliest.
        @Test(.enabled(if: Repetitions.isLong))
        func `a commit to a server that falls silent ends in time, and the store works again`() async throws {
            let server = try #require(TestServer.shared)

            let story = try await onOwnThread { try Self.run(on: server) }

            #expect(story.answer == "commitUncertain")
            #expect(story.stored == [1, 3] || story.stored == [1, 2, 3])
        }

        @Test func `the server gives up its end of a connection as soon as the client does`() throws {
            let network = TestNetwork.onThisMachine()
            let server = try #require(try TestServer.another(in: network))
            func limits(_ words: String) throws -> [String] {
                let text = "host=\(network.address) dbname=postgres user=larder sslmode=disable \(words)"
                let store = PostgreSQLDataStore(
                    connection: try PostgreSQLConnection(text), schema: "recipes", storing: [Recipe.self])
                try store.setup()
                let sql: SQLText = """
                    SELECT concat_ws(' ', current_setting('tcp_keepalives_idle'), \
                    current_setting('tcp_keepalives_interval'), current_setting('tcp_keepalives_count'), \
                    current_setting('tcp_user_timeout'))
                    """
                let found = try store.read { try $0.rows(sql: sql, as: String.self) }
                try store.tearDown()
                return found
            }

            #expect(try limits("") == ["10 5 3 10000"])
            #expect(try limits("keepalives_idle=60 tcp_user_timeout=60000") == ["60 5 3 60000"])
            try server.end()
        }

        /// The moments at which the network falls silent.
        enum Moment: String, Sendable, CaseIterable {
            case beforeReading, whileReading, beforeWriting, whileWriting
        }

        // As above, and a stop order is waited for.
        @Test(.enabled(if: Repetitions.isLong), arguments: Moment.allCases)
        func `a block of an app with a limit for statements ends in time`(moment: Moment) async throws {
            let server = try #require(TestServer.shared)

            let story = try await onOwnThread { try Self.run(moment, on: server) }

            #expect(story.answer == "connectionLost")
            #expect(story.stored == [1, 3])
        }

        private struct Story: Sendable {
            /// The code of the error of the block that meets the silence; nil if it hung.
            var answer: String?
            var stored: [Int64]
        }

        private static func run(on server: TestServer) throws -> Story {
            let options = PostgreSQLOptions(
                durability: .normal, connectTimeout: .seconds(1), commitTimeout: .milliseconds(300))
            return try run(options, on: server) { store, proxy in
                try store.writeSync { accessor in
                    try accessor.insert(Recipe(2))
                    _ = try accessor.countItems(for: Recipe.all)
                    proxy.fallSilent()
                }
            }
        }

        private static func run(_ moment: Moment, on server: TestServer) throws -> Story {
            let options = PostgreSQLOptions(
                durability: .normal, connectTimeout: .seconds(1), statementTimeout: .seconds(1))
            return try run(options, on: server) { store, proxy in
                switch moment {
                case .beforeReading, .whileReading:
                    try store.read { accessor in
                        if moment == .whileReading { _ = try accessor.countItems(for: Recipe.all) }
                        proxy.fallSilent()
                        _ = try accessor.countItems(for: Recipe.all)
                    }
                case .beforeWriting, .whileWriting:
                    try store.writeSync { accessor in
                        if moment == .whileWriting { _ = try accessor.countItems(for: Recipe.all) }
                        proxy.fallSilent()
                        try accessor.insert(Recipe(2))
                        _ = try accessor.countItems(for: Recipe.all)
                    }
                }
            }
        }

        /// Runs a block that makes the network silent.
        private static func run(
            _ options: PostgreSQLOptions, on server: TestServer,
            _ block: @escaping @Sendable (any DataStore, MessageProxy) throws -> Void
        ) throws -> Story {
            let world = PostgreSQLWorld(on: server)
            let proxy = try MessageProxy(to: server.folder)
            let connection = try PostgreSQLConnection("host=\(proxy.folder) dbname=postgres user=larder")
            let store: any DataStore = PostgreSQLDataStore(
                connection: connection, schema: world.schema, storing: [Recipe.self], options: options)
            try store.setup()
            try store.writeSync { _ = try $0.insert(Recipe(1)) }
            try store.read { _ = try $0.countItems(for: Recipe.all) }

            let answer: String? = try within(30) { () throws -> String in
                thrown { try block(store, proxy) }?.code.rawValue ?? "stored"
            } otherwise: {
                proxy.speakAgain()
            }

            proxy.speakAgain()
            try store.writeSync { _ = try $0.insert(Recipe(3)) }
            let stored = try store.read { try $0.ids(for: Recipe.all) }
            try store.tearDown()
            try proxy.close()
            try world.cleanUp()
            return Story(answer: answer, stored: stored)
        }
    }
#endif
