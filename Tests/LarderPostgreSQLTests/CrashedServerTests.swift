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
            // The moments at which the servers began that follow a crash, as they tell them.
            var starts: Set<String> = []
            let outcome = try Self.write(to: store) { waitForCommits in
                for _ in 0..<rounds {
                    try waitForCommits()
                    try server.crash()
                    try server.start()
                    try server.waitUntilReady()
                    starts.formUnion(try server.answer(to: "SELECT pg_postmaster_start_time()"))
                }
            }

            let stored = Set(try store.read { try $0.ids(for: Recipe.all) })
            #expect(outcome.reported.subtracting(stored) == [])
            #expect(stored.subtracting(outcome.reported).subtracting(outcome.uncertain) == [])
            #expect(starts.count == rounds)
            #expect(outcome.others == [])
            try store.tearDown()
            try server.end()
        }

        @Test func `a synchronous standby that is promoted has each commit that was reported`() throws {
            for _ in Repetitions.rounds(3, long: 30) {
                let primary = try #require(try TestServer.another())
                // Its files lack the setting, so that it waits for no other when it is promoted.
                let standby = try primary.standby()
                _ = try primary.answer(to: "ALTER SYSTEM SET synchronous_standby_names = '*'")
                _ = try primary.answer(to: "SELECT pg_reload_conf()")
                // Commits wait for a standby as soon as the process that makes checkpoints has read the setting, which it
                // has before it begins the second one.
                for _ in 0..<2 { _ = try primary.answer(to: "CHECKPOINT") }
                let schema = PostgreSQLWorld(on: primary).schema
                let store = PostgreSQLDataStore(
                    connection: primary.connection(or: standby), schema: schema, storing: [Recipe.self])
                try store.setup()
                #expect(try primary.answer(to: "SELECT sync_state FROM pg_stat_replication") == ["sync"])

                let outcome = try Self.write(to: store) { waitForCommits in
                    try waitForCommits()
                    try primary.crash()
                    _ = try standby.answer(to: "SELECT pg_promote(true, 60)")
                }

                let ids = try standby.answer(to: "SELECT id FROM \(schema).\"Recipe\" ORDER BY id")
                let stored = Set(ids.compactMap { Int64($0) })
                #expect(outcome.reported.subtracting(stored) == [])
                #expect(stored.subtracting(outcome.reported).subtracting(outcome.uncertain) == [])
                #expect(outcome.others == [])
                #expect(Set(try store.read { try $0.ids(for: Recipe.all) }) == stored)
                try store.tearDown()
                for server in [primary, standby] { try server.end() }
            }
        }

        /// The outcome of blocks that have inserted one item each.
        private struct Outcome: Sendable {
            var reported: Set<Int64> = []
            /// Those of which nothing is known.
            var uncertain: Set<Int64> = []
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

        /// Inserts items while a body kills servers, and until five more are stored.
        private static func write(
            to store: any DataStore, while body: (_ waitForCommits: () throws -> Void) throws -> Void
        ) throws -> Outcome {
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
                try body(waitForCommits)
                try waitForCommits()
            }
            return outcome.withLock { $0 }
        }
    }
#endif
