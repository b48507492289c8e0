#if PostgreSQL
    import Foundation
    import Larder
    import LarderEngine
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// What other processes do to a store; a connection of its own has the part of the other process.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct OtherProcessTests {
        @Test func `commits of others are reported, and the store's own are not`() throws {
            try trial { world, other in
                let adapter = PostgreSQLAdapter(
                    on: world.connection, schema: world.schema, options: world.options)
                try adapter.open(try StoreSchema(storing: [Recipe.self]))
                let count = Locked(0)
                let watch = try #require(try adapter.watchOtherWriters { count.withLock { $0 += 1 } })

                for _ in 0..<3 { try Self.insert(through: adapter) }
                // Several questions later there is still nothing to report.
                usleep(350_000)
                #expect(count.withLock { $0 } == 0)
                try other.execute(
                    """
                    INSERT INTO \(world.schema).larder_commits (number, token, writer) SELECT max(number) + 1, \
                    gen_random_uuid(), gen_random_uuid() FROM \(world.schema).larder_commits
                    """)
                let end = Date(timeIntervalSinceNow: 60)
                while count.withLock({ $0 }) == 0, Date() < end { usleep(10_000) }
                #expect(count.withLock { $0 } == 1)

                watch.end()
                try adapter.close()
            }
        }

        @Test func `a watch that begins while the server is lost reports commits when it answers again`()
            throws
        {
            try trial { world, other in
                let proxy = try CuttingProxy(to: try #require(TestServer.shared).folder)
                let adapter = PostgreSQLAdapter(
                    on: try PostgreSQLConnection("host=\(proxy.folder) dbname=postgres user=larder"),
                    schema: world.schema, options: world.options)
                try adapter.open(try StoreSchema(storing: [Recipe.self]))
                let count = Locked(0)
                func waitForReport(_ number: Int) {
                    let end = Date(timeIntervalSinceNow: 60)
                    while count.withLock({ $0 }) < number, Date() < end { usleep(10_000) }
                    #expect(count.withLock { $0 } == number)
                }

                // Its first question.
                proxy.cut(.before, at: "bool_or(writer")
                let watch = try #require(try adapter.watchOtherWriters { count.withLock { $0 += 1 } })
                #expect(proxy.hasCut)
                // Others may have committed before the first answer.
                waitForReport(1)
                try other.execute(
                    """
                    INSERT INTO \(world.schema).larder_commits (number, token, writer) \
                    VALUES (1, gen_random_uuid(), gen_random_uuid())
                    """)
                waitForReport(2)

                watch.end()
                try adapter.close()
                try proxy.close()
            }
        }

        // The server may lack them after a crash, or be a promoted standby that never got them.
        @Test
        func `the loss of the store's own commits is reported with the first answer of the next server`()
            throws
        {
            try trial { world, other in
                let store = try world.makeStore(storing: [Recipe.self], options: DataStoreOptions())
                try store.setup()
                let (count, identity) = (Locked(0), UUID())
                let writer = "'\(identity.uuidString)'"
                try other.execute(
                    """
                    INSERT INTO \(world.schema).larder_commits (number, token, writer) \
                    VALUES (1, gen_random_uuid(), \(writer)), (2, gen_random_uuid(), \(writer))
                    """)
                let connection = try PostgreSQLConnection(
                    "host=\(try #require(TestServer.shared).folder) dbname=postgres user=larder "
                        + "application_name=\(world.schema)")
                let hosts = ServerHosts(connection, world.options, path: "watch")
                // It asks nothing between the loss of the commit and the loss of the connection.
                let isHeld = Locked(true)
                let watch = try CommitWatch(
                    in: ServerPlace(schema: world.schema), on: hosts, besides: identity
                ) {
                    count.withLock { $0 += 1 }
                } beforeQuestion: {
                    while isHeld.withLock({ $0 }) { usleep(1000) }
                }

                try other.execute("DELETE FROM \(world.schema).larder_commits WHERE number = 2")
                try other.execute(TestServer.ending(world.schema))
                isHeld.withLock { $0 = false }
                let end = Date(timeIntervalSinceNow: 60)
                while count.withLock({ $0 }) == 0, Date() < end { usleep(10_000) }
                #expect(count.withLock { $0 } == 1)

                watch.end()
                try store.tearDown()
            }
        }

        @Test func `a store that was restored in its place is reported, and what is committed after it`()
            throws
        {
            try trial { world, other in
                let store = try world.makeStore(storing: [Recipe.self], options: DataStoreOptions())
                try store.setup()
                let (count, commits) = (Locked(0), "\(world.schema).larder_commits")
                func commit(_ numbers: ClosedRange<Int>) throws {
                    try other.execute(
                        """
                        INSERT INTO \(commits) (number, token, writer) SELECT n, gen_random_uuid(), gen_random_uuid() \
                        FROM generate_series(\(numbers.lowerBound), \(numbers.upperBound)) AS n
                        """)
                }
                func waitForReport(_ number: Int) {
                    let end = Date(timeIntervalSinceNow: 60)
                    while count.withLock({ $0 }) < number, Date() < end { usleep(10_000) }
                    #expect(count.withLock { $0 } == number)
                }
                try commit(1...3)
                let hosts = ServerHosts(world.connection, world.options, path: "watch")
                let watch = try CommitWatch(
                    in: ServerPlace(schema: world.schema), on: hosts, besides: UUID()
                ) { count.withLock { $0 += 1 } }

                // A dump with one commit, and one that came after it, with a number below the newest that was seen.
                try other.execute("BEGIN")
                try other.execute("DELETE FROM \(commits) WHERE number > 1")
                try commit(2...2)
                try other.execute("COMMIT")
                waitForReport(1)
                // Standbys are asked for what there is now.
                #expect(hosts.newestCommit.number == 2)
                try commit(3...3)
                waitForReport(2)
                #expect(hosts.newestCommit.number == 3)

                watch.end()
                try store.tearDown()
            }
        }

        @Test func `a commit of the store's own is reported if its outcome was not known`() throws {
            try trial { world, other in
                let store = try world.makeStore(storing: [Recipe.self], options: DataStoreOptions())
                try store.setup()
                let (count, identity) = (Locked(0), UUID())
                let hosts = ServerHosts(world.connection, world.options, path: "watch")
                let watch = try CommitWatch(
                    in: ServerPlace(schema: world.schema), on: hosts, besides: identity
                ) { count.withLock { $0 += 1 } }
                func waitForReport(_ number: Int) {
                    let end = Date(timeIntervalSinceNow: 60)
                    while count.withLock({ $0 }) < number, Date() < end { usleep(10_000) }
                    #expect(count.withLock { $0 } == number)
                }

                // The commit may be kept already, or later, or by the time that another one has succeeded.
                hosts.note(isUncertain: true)
                waitForReport(1)
                try other.execute(
                    """
                    INSERT INTO \(world.schema).larder_commits (number, token, writer) \
                    VALUES (1, gen_random_uuid(), '\(identity.uuidString)')
                    """)
                waitForReport(2)
                hosts.note(isUncertain: false)
                waitForReport(3)

                watch.end()
                try store.tearDown()
            }
        }

        @Test func `a notification wakes the observers of another process at once`() throws {
            try trial { world, _ in
                let store = PostgreSQLDataStore(
                    connection: world.connection, schema: world.schema, storing: [Recipe.self],
                    options: PostgreSQLOptions(durability: .normal, wakesObservers: true))
                try store.setup()
                let count = Locked(0)
                let hosts = ServerHosts(world.connection, world.options, path: "watch")
                // It would ask by itself after an hour.
                let watch = try CommitWatch(
                    in: ServerPlace(schema: world.schema), on: hosts, besides: UUID(), pause: .seconds(3600)
                ) { count.withLock { $0 += 1 } }

                try store.writeSync { _ = try $0.insert(Recipe(1)) }
                let end = Date(timeIntervalSinceNow: 60)
                while count.withLock({ $0 }) == 0, Date() < end { usleep(10_000) }
                #expect(count.withLock { $0 } == 1)

                watch.end()
                try store.tearDown()
            }
        }

        /// - Parameter isConnecting: True if the server falls silent while the watch connects again, not within a question.
        @Test(arguments: [false, true])
        func `a watch whose server is silent ends soon, and calls nothing afterwards`(
            isConnecting: Bool
        ) throws {
            try trial { world, other in
                let server = try #require(TestServer.shared)
                let store = try world.makeStore(storing: [Recipe.self], options: DataStoreOptions())
                try store.setup()
                let proxy = try MessageProxy(to: server.folder)
                let connection = try PostgreSQLConnection(
                    "host=\(proxy.folder) dbname=postgres user=larder application_name=\(world.schema)")
                let hosts = ServerHosts(
                    connection, PostgreSQLOptions(connectTimeout: .seconds(60)), path: "watch")
                let (count, questions, isHeld) = (Locked(0), Locked(0), Locked(true))
                // The messages that the watch had sent when the server fell silent.
                let sent = Locked<Int?>(nil)
                let watch = try CommitWatch(
                    in: ServerPlace(schema: world.schema), on: hosts, besides: UUID()
                ) {
                    count.withLock { $0 += 1 }
                } beforeQuestion: {
                    let number = questions.withLock { number -> Int in
                        number += 1
                        return number
                    }
                    while isHeld.withLock({ $0 }) { usleep(1000) }
                    // The first question finds that the connection is lost, and the next one makes another.
                    guard number == (isConnecting ? 2 : 1) else { return }
                    proxy.fallSilent()
                    sent.withLock { $0 = proxy.count(of: .client) }
                }
                try TestServer.wait { questions.withLock { $0 } == 1 }
                if isConnecting { try other.execute(TestServer.ending(world.schema)) }
                isHeld.withLock { $0 = false }
                try TestServer.wait {
                    sent.withLock { $0 }.map { proxy.count(of: .client) > $0 } ?? false
                }

                let start = ContinuousClock.now
                watch.end()
                let time = ContinuousClock.now - start

                #expect(time < .seconds(10))
                // The watch closes its connection by itself.
                proxy.speakAgain()
                let sessions =
                    "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(world.schema)'"
                try TestServer.wait { try server.answer(to: sessions) == ["0"] }
                #expect(count.withLock { $0 } == 0)
                try proxy.close()
                try store.tearDown()
            }
        }

        @Test func `a watch does not end while its body runs`() throws {
            try trial { world, _ in
                let store = try world.makeStore(storing: [Recipe.self], options: DataStoreOptions())
                try store.setup()
                let hosts = ServerHosts(world.connection, world.options, path: "watch")
                let (hasBegun, hasEnded) = (Locked(false), Locked(false))
                let watch = try CommitWatch(
                    in: ServerPlace(schema: world.schema), on: hosts, besides: UUID()
                ) {
                    hasBegun.withLock { $0 = true }
                    // Longer than a silent server is waited for.
                    usleep(1_500_000)
                    hasEnded.withLock { $0 = true }
                }
                // A commit may be kept that was not reported.
                hosts.note(isUncertain: true)
                try TestServer.wait { hasBegun.withLock { $0 } }

                watch.end()

                #expect(hasEnded.withLock { $0 })
                try store.tearDown()
            }
        }

        @Test func `the first commit of an opening forgets some of the oldest commits of others`() throws {
            try trial { world, other in
                let commits = "\(world.schema).larder_commits"
                let store = try world.makeStore(storing: [Recipe.self], options: DataStoreOptions())
                try store.setup()
                try other.execute(
                    """
                    INSERT INTO \(commits) (number, token, writer) \
                    SELECT n, gen_random_uuid(), gen_random_uuid() FROM generate_series(1, 17000) AS n
                    """)
                var first: [Int64?] = []
                for number in 1...2 {
                    try store.writeSync { _ = try $0.insert(Recipe(Int64(number))) }
                    first.append(try other.execute("SELECT min(number) FROM \(commits)").integer(0, 0))
                    try store.tearDown()
                    try store.setup()
                }

                #expect(first == [5001, 7002])
                try store.tearDown()
            }
        }

        @Test func `a schema that another process has changed ends the use of the store`() throws {
            try trial { world, other in
                let store = try world.makeStore(storing: [Recipe.self], options: DataStoreOptions())
                try store.setup()
                try store.writeSync { _ = try $0.insert(Recipe(1)) }
                try other.execute("UPDATE \(world.schema).larder_store SET generation = generation + 1")

                #expect(thrown { try store.read { try $0.items(for: Recipe.all) } }?.code == .schemaChanged)
                #expect(
                    thrown { try store.writeSync { _ = try $0.insert(Recipe(2)) } }?.code == .schemaChanged)

                try other.execute("UPDATE \(world.schema).larder_store SET generation = generation - 1")
                #expect(try store.read { try $0.ids(for: Recipe.all) } == [1])
                try store.tearDown()
            }
        }

        /// - Parameter isUsed: True if the session has prepared its statements before.
        @Test(arguments: [false, true])
        func `a reading that waits for a change of the schema finds the change`(isUsed: Bool) throws {
            try trial { world, other in
                let server = try #require(TestServer.shared)
                let store = PostgreSQLDataStore(
                    connection: world.connection, schema: world.schema, storing: [Recipe.self],
                    options: PostgreSQLOptions(durability: .normal, busyTimeout: .seconds(60)))
                try store.setup()
                try store.writeSync { _ = try $0.insert(Recipe(1)) }
                if isUsed { #expect(try store.read { try $0.items(for: Recipe.all) } == [Recipe(1)]) }
                let (table, items) = ("\(world.schema).larder_store", "\(world.schema).\"Recipe\"")
                try other.execute("BEGIN")
                try other.execute("LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE")

                let error = try whileRunning {
                    thrown { try store.read { try $0.items(for: Recipe.all) } }
                } do: {
                    let waiting =
                        "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '\(table)'::regclass"
                    let end = Date(timeIntervalSinceNow: 60)
                    while try server.answer(to: waiting) != ["1"], Date() < end { usleep(10_000) }
                    // Each column has the values of the other one then.
                    for (old, new) in [("name", "other"), ("slug", "name"), ("other", "slug")] {
                        try other.execute("ALTER TABLE \(items) RENAME COLUMN \(old) TO \(new)")
                    }
                    try other.execute("UPDATE \(table) SET generation = generation + 1")
                    try other.execute("COMMIT")
                }

                #expect(error?.code == .schemaChanged)
                try store.tearDown()
            }
        }

        @Test func `a change of the schema waits for a reading, which reads on`() throws {
            try trial { world, other in
                let store = try world.makeStore(storing: [Recipe.self], options: DataStoreOptions())
                try store.setup()
                try store.writeSync { _ = try $0.insert(Recipe(1)) }

                let (error, items) = try store.read { accessor in
                    _ = try accessor.countItems(for: Recipe.all)
                    try other.execute("BEGIN")
                    try other.execute("SET LOCAL lock_timeout = 50")
                    let error = thrown {
                        try other.execute("LOCK TABLE \(world.schema).larder_store IN ACCESS EXCLUSIVE MODE")
                    }
                    try other.execute("ROLLBACK")
                    let items = try accessor.items(for: Recipe.all)
                    return (error, items)
                }

                #expect(error?.underlying?.message.hasPrefix("55P03") == true)
                #expect(items == [Recipe(1)])
                try store.tearDown()
            }
        }

        @Test func `a block whose first request failed after a savepoint has the store checked again`() throws
        {
            try trial { world, other in
                let store = try world.makeStore(storing: [Tag.self], options: DataStoreOptions())
                try store.setup()
                // The first request of the block fails, and the answer to the check of the store comes with it.
                try store.writeSync { _ = try $0.insert(Tag("first")) }
                let errors = Locked<[DataStoreError.Code?]>([])
                func writeTwoBlocks() throws {
                    try store.writeSync { _ in
                        store.writeAsync { accessor in
                            let first = thrown {
                                try accessor.savepoint { try accessor.insert(Tag("first")) }
                            }
                            let next = thrown { try accessor.insert(Tag("one")) }
                            errors.withLock { $0 += [first?.code, next?.code] }
                        }
                        store.writeAsync { accessor in _ = try accessor.insert(Tag("two")) }
                    }
                    try store.flush()
                }

                try other.execute("UPDATE \(world.schema).larder_store SET generation = generation + 1")
                try writeTwoBlocks()
                try other.execute("UPDATE \(world.schema).larder_store SET generation = generation - 1")
                #expect(try store.read { try $0.countItems(for: Tag.all) } == 1)
                try writeTwoBlocks()

                #expect(
                    errors.withLock { $0 } == [.schemaChanged, .schemaChanged, .duplicateIdentifier, nil])
                #expect(try store.read { try $0.ids(for: Tag.all) } == ["first", "one", "two"])
                try store.tearDown()
            }
        }

        private static func insert(through adapter: PostgreSQLAdapter) throws {
            let transaction = try adapter.beginWriting()
            let cells = CellBuffer(count: 5)
            let text: StaticString = "text"
            for column in 0..<5 {
                cells.start[column] = .text(
                    UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
            }
            cells.start[0] = .integer(Int64.random(in: 0 ... .max))
            cells.start[2] = .real(1)
            let mutations = [RowMutation(.insert, entity: 0, cells: cells.start)]
            _ = try mutations.withUnsafeBufferPointer { try transaction.apply($0) }
            try transaction.commit()
        }

        private func trial(_ body: (PostgreSQLWorld, ServerConnection) throws -> Void) throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let other = try ServerConnection(
                ServerHosts(world.connection, PostgreSQLOptions(), path: "other"))
            defer { other.close() }
            try body(world, other)
            try world.cleanUp()
        }
    }
#endif
