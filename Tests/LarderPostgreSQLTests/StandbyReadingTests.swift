#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// Reads from a standby, which may be behind, busy or gone.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct StandbyReadingTests {
        @Test func `a standby is read from, but never behind what the app has seen`() throws {
            try trial { lab in
                let store = lab.store()
                try store.setup()
                try store.writeSync { try $0.insert(contentsOf: (1...10).map { Recipe($0) }) }
                try lab.waitForStandby()
                #expect(try Self.ids(in: store) == Array(1...10))

                try lab.onStandby.execute("SELECT pg_wal_replay_pause()")
                // The commit of another process, of which the app has seen nothing yet.
                try lab.onPrimary.execute("DELETE FROM \(lab.schema).\"Recipe\" WHERE id = 1")
                #expect(try Self.ids(in: store) == Array(1...10))
                // Its own commit is not on the standby, so it reads from the primary.
                try store.writeSync { _ = try $0.insert(Recipe(11)) }
                #expect(try Self.ids(in: store) == Array(2...11))
                #expect(try Self.ids(in: store) == Array(2...11))
                // So does SQL, also after a mistake.
                let counts = try store.read { accessor in
                    _ = try? accessor.rows(sql: "SELECT nothing_of_this_name", as: Int.self)
                    return try accessor.rows(sql: "SELECT count(*) FROM \(Recipe.self)", as: Int.self)
                }
                #expect(counts == [10])

                try lab.onStandby.execute("SELECT pg_wal_replay_resume()")
                try lab.waitForStandby()
                // The standby alone answers.
                try lab.primary.crash()
                #expect(try Self.ids(in: store) == Array(2...11))
                try lab.primary.start()
                try lab.reconnect()
                try store.writeSync { _ = try $0.insert(Recipe(12)) }
                #expect(try Self.ids(in: store) == Array(2...12))

                // Without the standby, the primary is read from.
                try lab.standby.crash()
                #expect(try Self.ids(in: store) == Array(2...12))
                try store.tearDown()
            }
        }

        @Test func `a standby is not read from if it is behind a write block that changed nothing`() throws {
            try trial { lab in
                let store = lab.store()
                try store.setup()
                try store.writeSync { _ = try $0.insert(Recipe(1)) }
                try lab.waitForStandby()
                try lab.onStandby.execute("SELECT pg_wal_replay_pause()")
                try lab.onPrimary.execute(
                    """
                    WITH item AS (INSERT INTO \(lab.schema)."Recipe" (id, name, rating, slug) \
                    VALUES (2, 'Two', 0, 'two')) \
                    INSERT INTO \(lab.schema).larder_commits (number, token, writer) \
                    SELECT max(number) + 1, gen_random_uuid(), gen_random_uuid() FROM \(lab.schema).larder_commits
                    """)
                #expect(try Self.ids(in: store) == [1])

                #expect(try store.writeSync { try $0.countItems(for: Recipe.all) } == 2)

                #expect(try Self.ids(in: store) == [1, 2])
                try store.tearDown()
            }
        }

        @Test func `a standby without a commit that was uncertain is not read from after the next commit`()
            throws
        {
            try trial { lab in
                let (proxy, primary) = (try CuttingProxy(to: lab.primary.folder), lab.primary)
                let (commits, isFirst) = ("\(lab.schema).larder_commits", Locked(true))
                var options = PostgreSQLOptions(reads: .standby)
                // Others push the first commit out of the table before the question for its outcome.
                options.journeyProbe = { statements in
                    guard statements.contains(where: { $0.contains("WHERE token = $1") }) else { return }
                    guard isFirst.withLock({ $0 }) else { return }
                    isFirst.withLock { $0 = false }
                    _ = try? primary.answer(
                        to: """
                            INSERT INTO \(commits) (number, token, writer) \
                            SELECT n + 1, gen_random_uuid(), gen_random_uuid() FROM generate_series(1, 11000) AS n; \
                            DELETE FROM \(commits) WHERE number <= 1000
                            """)
                }
                let hosts = "\(proxy.folder),\(lab.standby.folder)"
                let store = PostgreSQLDataStore(
                    connection: try PostgreSQLConnection("host=\(hosts) dbname=postgres user=larder"),
                    schema: lab.schema, storing: [Recipe.self], options: options)
                try store.setup()
                try lab.waitForStandby()
                try lab.onStandby.execute("SELECT pg_wal_replay_pause()")

                proxy.cut(.after, at: "COMMIT\0")
                let uncertain = thrown { try store.writeSync { _ = try $0.insert(Recipe(1)) } }
                proxy.cut(.before, at: "COMMIT\0")
                let lost = thrown { try store.writeSync { _ = try $0.insert(Recipe(2)) } }

                #expect([uncertain?.code, lost?.code] == [.commitUncertain, .connectionLost])
                #expect(try Self.ids(in: store) == [1])
                try store.tearDown()
                try proxy.close()
            }
        }

        @Test func `standbys are read from again after the store was restored in its place`() throws {
            try trial { lab in
                let store = try lab.storeWithThreeCommits()
                try lab.restoreFirstCommit()
                try lab.waitForStandby()
                // The primary is asked, as the standby lacks the third commit.
                #expect(try Self.ids(in: store) == [1])

                try lab.onStandby.execute("SELECT pg_wal_replay_pause()")
                try lab.onPrimary.execute("DELETE FROM \(lab.schema).\"Recipe\"")

                #expect(try Self.ids(in: store) == [1])
                try store.tearDown()
            }
        }

        @Test func `a standby that has what a restored store has lost is not read from after a commit`()
            throws
        {
            try trial { lab in
                let store = try lab.storeWithThreeCommits()
                try lab.waitForStandby()
                try lab.onStandby.execute("SELECT pg_wal_replay_pause()")
                try lab.restoreFirstCommit()

                try store.writeSync { _ = try $0.insert(Recipe(4)) }

                #expect(try Self.ids(in: store) == [1, 4])
                try store.tearDown()
            }
        }

        @Test func `the commits of a restored store take the place of the ones that it has lost`() throws {
            let hosts = ServerHosts(
                try PostgreSQLConnection("host=/nowhere"), PostgreSQLOptions(), path: "here")
            func commit(_ number: Int64) -> ServerCommit {
                ServerCommit(timeline: 1, number: number, token: UUID())
            }
            var newest: UUID? { hosts.newestCommit.token }
            let (seen, own, last) = (commit(5), commit(3), commit(2))
            hosts.note(seen)

            // A standby may have shown it before the primary does.
            hosts.note(commit(4), after: seen, hasSeen: false)
            #expect(newest == seen.token)
            // Two questions find the loss, and the app commits between their answers.
            hosts.note(commit(2), after: seen, hasSeen: false)
            hosts.note(own)
            hosts.note(commit(2), after: seen, hasSeen: false)
            #expect(newest == own.token)
            // The answer to a question from before the loss comes late.
            hosts.note(commit(6), after: seen, hasSeen: true)
            #expect(newest == own.token)
            // A writer has the lock, so that no commit is on its way.
            hosts.note(last, after: hosts.newestCommit, hasSeen: false, isCertain: true)
            #expect(newest == last.token)
        }

        @Test func `a reading that the standby cannot continue says so, and can be repeated`() throws {
            try trial { lab in
                let store = lab.store()
                try store.setup()
                try store.writeSync { try $0.insert(contentsOf: (1...10).map { Recipe($0) }) }
                try lab.waitForStandby()
                try lab.onStandby.execute("ALTER SYSTEM SET max_standby_streaming_delay = 0")
                try lab.onStandby.execute("SELECT pg_reload_conf()")

                let error = thrown {
                    try store.read { accessor in
                        #expect(try accessor.countItems(for: Recipe.all) == 10)
                        try lab.onPrimary.execute(
                            "DO $$ BEGIN LOCK TABLE \(lab.schema).larder_store IN ACCESS EXCLUSIVE MODE; END $$"
                        )
                        try lab.waitForStandby()
                        _ = try accessor.countItems(for: Recipe.all)
                    }
                }

                #expect(error?.code == .snapshotLost)
                #expect(try Self.ids(in: store) == Array(1...10))
                try store.tearDown()
            }
        }

        @Test func `each request of a block that found neither standby nor primary says so`() throws {
            try trial { lab in
                let adapter = PostgreSQLAdapter(
                    on: lab.primary.connection(or: lab.standby), schema: lab.schema,
                    options: PostgreSQLOptions(reads: .standby, connectTimeout: .seconds(1)))
                try adapter.open(try StoreSchema(storing: [Tag.self]))
                func ask(_ reader: any StorageReading) throws -> Bool {
                    let cells = CellBuffer(count: 2)
                    let text: StaticString = "planet"
                    let identifier = Cell.text(
                        UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
                    return try reader.row(at: identifier, of: 0, into: cells.start)
                }
                try lab.waitForStandby()
                try lab.onStandby.execute("SELECT pg_wal_replay_pause()")
                // A commit that the app has seen, and the standby has not.
                try lab.onPrimary.execute(
                    """
                    INSERT INTO \(lab.schema).larder_commits (number, token, writer) \
                    VALUES (1, gen_random_uuid(), gen_random_uuid())
                    """)
                let watch = try #require(try adapter.watchOtherWriters {})
                // It has the only connection to the primary.
                let other = try adapter.beginReading()
                #expect(try !ask(other))

                let reader = try adapter.beginReading()
                try lab.primary.crash()
                let errors = (1...2).map { _ in thrown { try ask(reader) }?.code }

                #expect(errors == [.connectionLost, .connectionLost])
                reader.end()
                other.end()
                watch.end()
                try adapter.close()
            }
        }

        @Test func `a standby that answers nothing is tried seldom, as a block waits for it`() throws {
            let attempts = Locked(0)
            let clock = Locked(ContinuousClock.now)
            let readers = try Self.readers(now: { clock.withLock { $0 } }) {
                attempts.withLock { $0 += 1 }
                // The time that the host takes.
                clock.withLock { $0 += .milliseconds(300) }
            }
            func attemptsAfterReading(in time: Duration) throws -> Int {
                clock.withLock { $0 += time }
                readers.release(try readers.acquireOfStandby())
                return attempts.withLock { $0 }
            }

            #expect(try attemptsAfterReading(in: .zero) == 1)
            #expect(try attemptsAfterReading(in: .milliseconds(2999)) == 1)
            #expect(try attemptsAfterReading(in: .milliseconds(1)) == 2)
        }

        @Test func `a reading that is cancelled soon says nothing about the standbys`() async throws {
            let attempts = Locked(0)
            let readers = try Self.readers { attempts.withLock { $0 += 1 } }

            let error = await thrownWhenCancelled { _ = try readers.acquireOfStandby(endsWithTask: true) }
            #expect(error?.code == .cancelled)
            #expect(attempts.withLock { $0 } == 1)

            // The next one asks them at once.
            readers.release(try readers.acquireOfStandby())
            #expect(attempts.withLock { $0 } == 2)
        }

        @Test func `a reading that is cancelled late says that no standby answers`() async throws {
            let attempts = Locked(0)
            let clock = Locked(ContinuousClock.now)
            let readers = try Self.readers(now: { clock.withLock { $0 } }) {
                attempts.withLock { $0 += 1 }
                // The time that the host takes.
                clock.withLock { $0 += .seconds(3) }
            }

            let error = await thrownWhenCancelled { _ = try readers.acquireOfStandby(endsWithTask: true) }
            #expect(error?.code == .cancelled)

            clock.withLock { $0 += .milliseconds(29_999) }
            readers.release(try readers.acquireOfStandby())
            #expect(attempts.withLock { $0 } == 1)
            clock.withLock { $0 += .milliseconds(1) }
            readers.release(try readers.acquireOfStandby())
            #expect(attempts.withLock { $0 } == 2)
        }

        /// Readers without a standby that answers.
        ///
        /// - Parameter attempt: Called for each attempt to reach one.
        private static func readers(
            now: @escaping () -> ContinuousClock.Instant = { .now }, _ attempt: @escaping () -> Void
        ) throws -> ServerReaders {
            let hosts = ServerHosts(
                try PostgreSQLConnection("host=/nowhere"), PostgreSQLOptions(reads: .standby), path: "here")
            let opened = OpenedStore(hosts)
            let primary = opened.session(.reading, on: ServerConnection(unconnectedTo: hosts))
            return ServerReaders(first: primary, now: now) { _ throws(DataStoreError) -> ServerSession in
                attempt()
                throw ServerFailure.lost("It answers nothing.", path: "here")
            }
        }

        private static func ids(in store: any DataStore) throws -> [Int64] {
            try store.read { try $0.ids(for: Recipe.all) }
        }

        private final class Lab {
            let primary: TestServer
            let standby: TestServer
            let schema: String
            private(set) var onPrimary: ServerConnection
            let onStandby: ServerConnection

            init(_ primary: TestServer) throws {
                self.primary = primary
                standby = try primary.standby()
                schema = PostgreSQLWorld(on: primary).schema
                onPrimary = try Self.admin(of: primary, isReadOnly: false)
                onStandby = try Self.admin(of: standby, isReadOnly: true)
            }

            private static func admin(of server: TestServer, isReadOnly: Bool) throws -> ServerConnection {
                try ServerConnection(
                    ServerHosts(server.connection, PostgreSQLOptions(isReadOnly: isReadOnly), path: "admin"))
            }

            func reconnect() throws {
                try TestServer.wait {
                    onPrimary = try Self.admin(of: primary, isReadOnly: false)
                    return true
                }
            }

            func store() -> PostgreSQLDataStore {
                PostgreSQLDataStore(
                    connection: primary.connection(or: standby), schema: schema, storing: [Recipe.self],
                    options: PostgreSQLOptions(reads: .standby))
            }

            /// A store with three items, each of a commit of its own.
            func storeWithThreeCommits() throws -> PostgreSQLDataStore {
                let store = self.store()
                try store.setup()
                for number in 1...3 { try store.writeSync { _ = try $0.insert(Recipe(Int64(number))) } }
                return store
            }

            /// Takes the store back to its first commit, as a dump does that is restored in its place.
            func restoreFirstCommit() throws {
                try onPrimary.execute(
                    """
                    WITH lost AS (DELETE FROM \(schema).larder_commits WHERE number > 1) \
                    DELETE FROM \(schema)."Recipe" WHERE id > 1
                    """)
            }

            /// Waits until the standby has all that the primary has.
            func waitForStandby() throws {
                let end = try onPrimary.execute("SELECT pg_current_wal_insert_lsn()::text").text(0, 0)
                try TestServer.wait {
                    try onStandby.execute("SELECT pg_last_wal_replay_lsn() >= '\(end)'::pg_lsn").bool(0, 0)
                }
            }
        }

        private func trial(_ body: (Lab) throws -> Void) throws {
            let lab = try Lab(try #require(try TestServer.another()))
            try body(lab)
            lab.onPrimary.close()
            lab.onStandby.close()
            try lab.standby.end()
            try lab.primary.end()
        }
    }
#endif
