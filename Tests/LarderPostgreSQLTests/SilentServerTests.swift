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

        private struct Story: Sendable {
            /// The code of the error of the block that inserts the second item; nil if it hung.
            var answer: String?
            var stored: [Int64]
        }

        private static func run(on server: TestServer) throws -> Story {
            let world = PostgreSQLWorld(on: server)
            let proxy = try MessageProxy(to: server.folder)
            let connection = try PostgreSQLConnection("host=\(proxy.folder) dbname=postgres user=larder")
            let store: any DataStore = PostgreSQLDataStore(
                connection: connection, schema: world.schema, storing: [Recipe.self],
                options: PostgreSQLOptions(
                    durability: .normal, connectTimeout: .seconds(1), commitTimeout: .milliseconds(300)))
            try store.setup()
            try store.writeSync { _ = try $0.insert(Recipe(1)) }

            let answer: String? = try within(30) { () throws -> String in
                let error = thrown {
                    try store.writeSync { accessor in
                        try accessor.insert(Recipe(2))
                        _ = try accessor.countItems(for: Recipe.all)
                        proxy.fallSilent()
                    }
                }
                return error?.code.rawValue ?? "stored"
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
