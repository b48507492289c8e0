#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// A server that is killed while blocks commit.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct CrashedServerTests {
        @Test func `no commit that was reported is lost, and none that was refused is kept`() throws {
            let server = try #require(try TestServer.another())
            let world = PostgreSQLWorld(on: server)
            let store = PostgreSQLDataStore(
                connection: world.connection, schema: world.schema, storing: [Recipe.self])
            try store.setup()

            let rounds = Repetitions.count(4, long: 100)
            let outcome = try Self.write(to: store, rounds: rounds, server)

            let stored = Set(try store.read { try $0.ids(for: Recipe.all) })
            #expect(outcome.reported.subtracting(stored) == [])
            #expect(stored.subtracting(outcome.reported).subtracting(outcome.uncertain) == [])
            #expect(outcome.starts.count == rounds)
            #expect(outcome.others == [])
            try store.tearDown()
            try server.end()
        }

        /// The outcome of blocks that have inserted one item each.
        private struct Outcome: Sendable {
            var reported: Set<Int64> = []
            /// Those of which nothing is known.
            var uncertain: Set<Int64> = []
            /// The moments at which the servers began that follow a crash, as they tell them.
            var starts: Set<String> = []
            /// The errors that no crash should cause.
            var others: [String] = []

            mutating func note(_ id: Int64, _ error: DataStoreError?) {
                switch error?.code {
                case nil: reported.insert(id)
                case .commitUncertain: uncertain.insert(id)
                case .connectionLost, .busy: break
                default: others.append("\(error, default: "")")
                }
            }
        }

        /// Inserts items while the server is killed again and again.
        private static func write(to store: any DataStore, rounds: Int, _ server: TestServer) throws
            -> Outcome
        {
            let outcome = Locked(Outcome())
            let isDone = Locked(false)
            func waitForCommits() throws {
                let end = ContinuousClock.now + .seconds(60)
                let count = outcome.withLock(\.reported.count) + 5
                while outcome.withLock(\.reported.count) < count {
                    try #require(ContinuousClock.now < end, "\(outcome.withLock(\.self))")
                    usleep(2000)
                }
            }
            try whileRunning {
                var id: Int64 = 0
                while !isDone.withLock({ $0 }) {
                    id += 1
                    let error = thrown {
                        try store.writeSync { accessor in _ = try accessor.insert(Recipe(id)) }
                    }
                    outcome.withLock { $0.note(id, error) }
                }
            } do: {
                defer { isDone.withLock { $0 = true } }
                for _ in 0..<rounds {
                    try waitForCommits()
                    try server.crash()
                    try server.start()
                    try server.waitUntilReady()
                    let start = try server.answer(to: "SELECT pg_postmaster_start_time()")
                    outcome.withLock { $0.starts.formUnion(start) }
                }
                try waitForCommits()
            }
            return outcome.withLock { $0 }
        }
    }
#endif
