#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// The number of a process, which is held when a write commits.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct HeldNumberTests {
        @Test func `a number that is lost as a write begins is held again before it commits`() throws {
            try trial { lab in
                lab.endsConnections.withLock { $0 = true }
                try lab.store.writeSync { _ = try $0.insert(Recipe(2)) }

                #expect(lab.locksAtCommit.withLock { $0 } == [["1"], ["1"]])
                #expect(try lab.store.read { try $0.ids(for: Recipe.all) } == [1, 2])
            }
        }

        @Test func `a number that is lost in a block is held again before it commits`() throws {
            try trial { lab in
                try lab.store.writeSync { accessor in
                    _ = try accessor.insert(Recipe(2))
                    try lab.end("pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')")
                }

                #expect(lab.locksAtCommit.withLock { $0 } == [["1"], ["1"]])
                #expect(try lab.store.read { try $0.ids(for: Recipe.all) } == [1, 2])
            }
        }

        @Test func `the server is asked about the number only after the writer has connected`() throws {
            try trial { lab in
                let question = ["SELECT 1"]
                var questions: Int { lab.journeys.withLock { all in all.count { $0 == question } } }
                #expect(questions == 1)
                try lab.store.writeSync { _ = try $0.insert(Recipe(2)) }
                #expect(questions == 1)

                try lab.end("pid NOT IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')")
                try lab.store.writeSync { _ = try $0.insert(Recipe(3)) }
                #expect(questions == 2)
                #expect(lab.locksAtCommit.withLock { $0 } == [["1"], ["1"], ["1"]])
            }
        }

        /// A store with one item, whose journeys to the server are seen before they are made.
        private final class Lab: Sendable {
            /// True if all connections of the store end before the next write begins on the server.
            let endsConnections = Locked(false)
            /// The number of locks that the store holds on the server, as each commit is sent.
            let locksAtCommit = Locked<[[String]]>([])
            let journeys = Locked<[[String]]>([])
            let store: PostgreSQLDataStore
            private let server: TestServer
            private let name: String

            init(on server: TestServer, _ schema: String) throws {
                self.server = server
                name = "held" + schema
                let (endsConnections, locksAtCommit, journeys) = (endsConnections, locksAtCommit, journeys)
                let ofStore = "application_name = '\(name)'"
                let ending = TestServer.ending(name)
                var options = PostgreSQLOptions()
                options.journeyProbe = { statements in
                    journeys.withLock { $0.append(statements) }
                    let isFirst = statements.first == "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
                    if isFirst, endsConnections.withLock({ $0 }) {
                        endsConnections.withLock { $0 = false }
                        _ = try? server.answer(to: ending)
                    }
                    guard statements.last == "COMMIT", statements.count > 1 else { return }
                    let locks = try? server.answer(
                        to: """
                            SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) \
                            WHERE locktype = 'advisory' AND \(ofStore)
                            """)
                    locksAtCommit.withLock { $0.append(locks ?? []) }
                }
                store = PostgreSQLDataStore(
                    connection: try PostgreSQLConnection(
                        "host=\(server.folder) dbname=postgres user=larder application_name=\(name)"),
                    schema: schema, storing: [Recipe.self], options: options)
                try store.setup()
                try store.writeSync { _ = try $0.insert(Recipe(1)) }
            }

            /// Ends the connections of the store for which a condition holds.
            func end(_ condition: String) throws {
                _ = try server.answer(to: TestServer.ending(name, where: condition))
            }
        }

        private func trial(_ body: (Lab) throws -> Void) throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let lab = try Lab(on: server, world.schema)
            try body(lab)
            try lab.store.tearDown()
            try world.cleanUp()
        }
    }
#endif
