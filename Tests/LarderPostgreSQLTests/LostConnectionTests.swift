#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// Connections that end at the worst moments.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct LostConnectionTests {
        @Test func `a connection that was lost between blocks is replaced without a trace`() throws {
            try trial { store, lab in
                try store.writeSync { try $0.insert(Recipe(1)) }
                _ = try store.read { try $0.item(id: 1, of: Recipe.self) }

                #expect(try lab.endConnections() >= 2)

                #expect(try store.read { try $0.item(id: 1, of: Recipe.self) } == Recipe(1))
                try store.writeSync { try $0.insert(Recipe(2)) }
                #expect(try store.read { try $0.countItems(for: Recipe.all) } == 2)
            }
        }

        @Test func `a block that loses its connection stores nothing and says so`() throws {
            try trial { store, lab in
                let error = thrown {
                    try store.writeSync { accessor in
                        try accessor.insert(Recipe(1))
                        _ = try lab.endConnections()
                        try accessor.insert(Recipe(2))
                    }
                }

                #expect(error?.code == .connectionLost)
                #expect(try store.read { try $0.countItems(for: Recipe.all) } == 0)
                try store.writeSync { try $0.insert(Recipe(3)) }
                #expect(try store.read { try $0.items(for: Recipe.all) } == [Recipe(3)])
            }
        }

        @Test func `a commit that was never sent is not asked about`() throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let asked = Locked(false)
            var options = world.options
            options.journeyProbe = { statements in
                if statements.contains(where: { $0.contains("WHERE token") }) { asked.withLock { $0 = true } }
            }
            let connection = try PostgreSQLConnection(
                "host=\(server.folder) dbname=postgres user=larder application_name=\(world.schema)")
            let adapter = PostgreSQLAdapter(on: connection, schema: world.schema, options: options)
            try adapter.open(try StoreSchema(storing: [Recipe.self]))

            let transaction = try adapter.beginWriting()
            let cells = CellBuffer(count: 5)
            func find() throws -> Bool { try transaction.row(at: .integer(1), of: 0, into: cells.start) }
            #expect(try !find())
            _ = try server.answer(to: TestServer.ending(world.schema))
            #expect(thrown { try find() }?.code == .connectionLost)
            #expect(thrown { try transaction.commit() }?.code == .connectionLost)

            #expect(!asked.withLock { $0 })
            try adapter.close()
            try world.cleanUp()
        }

        @Test func `a read that loses its connection in the middle says so`() throws {
            try trial { store, lab in
                try store.writeSync { try $0.insert(Recipe(1)) }

                let error = thrown {
                    try store.read { accessor in
                        #expect(try accessor.item(id: 1, of: Recipe.self) == Recipe(1))
                        _ = try lab.endConnections()
                        _ = try accessor.countItems(for: Recipe.all)
                    }
                }

                #expect(error?.code == .connectionLost)
            }
        }

        // The word is sent with the first commit of a store, which prepares the statement.
        @Test func `a commit that was kept is a success, although its answer was lost`() throws {
            try trial { store, lab in
                lab.proxy.cut(.after, at: "COMMIT\0")
                try store.writeSync { try $0.insert(Recipe(1)) }

                #expect(lab.proxy.hasCut)
                #expect(try store.read { try $0.items(for: Recipe.all) } == [Recipe(1)])
            }
        }

        @Test func `a commit that did not reach the server is an error, and nothing of it is stored`() throws
        {
            try trial { store, lab in
                lab.proxy.cut(.before, at: "COMMIT\0")
                let error = thrown { try store.writeSync { try $0.insert(Recipe(1)) } }

                #expect(lab.proxy.hasCut)
                #expect(error?.code == .connectionLost)
                #expect(try store.read { try $0.countItems(for: Recipe.all) } == 0)
                try store.writeSync { try $0.insert(Recipe(1)) }
                #expect(try store.read { try $0.items(for: Recipe.all) } == [Recipe(1)])
            }
        }

        // The server remembers some thousands of commits, which is not long where many write.
        @Test
        func `a commit that was kept and is forgotten on the server is uncertain, and never a lost one`()
            throws
        {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let proxy = try CuttingProxy(to: server.folder)
            let commits = "\(world.schema).larder_commits"
            var options = world.options
            // Others commit before the question for the outcome.
            options.journeyProbe = { statements in
                guard statements.contains(where: { $0.contains("WHERE token = $1") }) else { return }
                _ = try? server.answer(
                    to: """
                        INSERT INTO \(commits) (number, token, writer) \
                        SELECT n + 1, gen_random_uuid(), gen_random_uuid() FROM generate_series(1, 11000) AS n; \
                        DELETE FROM \(commits) WHERE number <= 1000
                        """)
            }
            let store = PostgreSQLDataStore(
                connection: try PostgreSQLConnection("host=\(proxy.folder) dbname=postgres user=larder"),
                schema: world.schema, storing: [Recipe.self], options: options)
            try store.setup()

            proxy.cut(.after, at: "COMMIT\0")
            let error = thrown { try store.writeSync { try $0.insert(Recipe(1)) } }

            #expect(proxy.hasCut)
            #expect(error?.code == .commitUncertain)
            #expect(try server.answer(to: "SELECT min(number) FROM \(commits)") == ["1001"])
            #expect(try store.read { try $0.items(for: Recipe.all) } == [Recipe(1)])
            try store.tearDown()
            try proxy.close()
            try world.cleanUp()
        }

        // Two processes would make the same identifiers if one of them had lost its number without a trace.
        @Test func `a store that lost the connection of its number at the opening has one when it writes`()
            throws
        {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let proxy = try CuttingProxy(to: server.folder)
            let admin = try ServerConnection(ServerHosts(world.connection, world.options, path: "test"))
            defer { admin.close() }
            let connection = try PostgreSQLConnection(
                "host=\(proxy.folder) dbname=postgres user=larder application_name=\(world.schema)")
            let store = PostgreSQLDataStore(
                connection: connection, schema: world.schema, storing: [Recipe.self], options: world.options)

            proxy.cut(.before, at: "pg_try_advisory_lock")
            let error = thrown { try store.setup() }
            #expect(proxy.hasCut)
            if error != nil {
                #expect(error?.code == .connectionLost)
                try store.setup()
            }
            try store.writeSync { try $0.insert(Recipe(1)) }

            // The lock for the name of a store has one key, and a number's lock has two.
            let locks = try admin.execute(
                """
                SELECT count(*) FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid \
                WHERE a.application_name = '\(world.schema)' AND l.locktype = 'advisory' AND l.objsubid = 2 \
                AND l.granted
                """)
            #expect(locks.integer(0, 0) == 1)
            try store.tearDown()
            try proxy.close()
            try world.cleanUp()
        }

        /// A proxy to the server, and a way to end the connections of a store.
        private struct Lab {
            let proxy: CuttingProxy
            let name: String
            let admin: ServerConnection

            /// Ends all connections of the store on the server, and returns their number.
            func endConnections() throws -> Int {
                try admin.execute(TestServer.ending(name)).rowCount
            }
        }

        private func trial(_ body: (any DataStore, Lab) throws -> Void) throws {
            let server = try #require(TestServer.shared)
            let world = PostgreSQLWorld(on: server)
            let proxy = try CuttingProxy(to: server.folder)
            let admin = try ServerConnection(ServerHosts(world.connection, world.options, path: "test"))
            defer { admin.close() }
            let connection = try PostgreSQLConnection(
                "host=\(proxy.folder) dbname=postgres user=larder application_name=\(world.schema)")
            let store = PostgreSQLDataStore(
                connection: connection, schema: world.schema, storing: [Recipe.self], options: world.options)
            try store.setup()
            try body(store, Lab(proxy: proxy, name: world.schema, admin: admin))
            try store.tearDown()
            try proxy.close()
            try world.cleanUp()
        }
    }
#endif
