#if PostgreSQL
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// The errors of the server as errors of the store.
    @Suite(.enabled(if: TestServer.shared != nil))
    struct ServerFailureTests {
        @Test(arguments: [
            ("53200", "busy"), ("54000", "valueTooLarge"), ("53100", "storeFull"), ("53400", "storeFull"),
            ("40P01", "busy"), ("40001", "busy"), ("XX001", "damaged"), ("XX002", "damaged"),
            // The limits of the server for transactions and for sessions.
            ("25P04", "timedOut"), ("57P05", "connectionLost"),
        ])
        func `an error of the server has the code of its SQLSTATE`(state: String, code: String) throws {
            let server = try #require(TestServer.shared)
            let connection = try ServerConnection(
                ServerHosts(server.connection, PostgreSQLOptions(), path: "here"))
            defer { connection.close() }

            let error = thrown { try connection.execute(Self.raising(state)) }

            #expect(error?.code.rawValue == code)
            #expect(error?.underlying?.message == "\(state): words")
            #expect(!"\(error as Any)".contains("secret"))
            #expect(connection.isLost == ["timedOut", "connectionLost"].contains(code))
        }

        @Test func `the limit of transactions that has ended one is a lost connection for the next`() throws {
            let server = try #require(TestServer.shared)
            let connection = try ServerConnection(
                ServerHosts(server.connection, PostgreSQLOptions(), path: "here"))
            defer { connection.close() }

            // As the end of a reading, for which nothing waits.
            connection.post([connection.passing(Self.raising("25P04"))])
            let error = thrown { try connection.execute("SELECT 1") }

            #expect(error?.code == .connectionLost)
            #expect(error?.underlying?.message == "25P04: words")
        }

        /// A statement with an error whose details, which may be values of the app, are in no error of the store.
        private static func raising(_ state: String) -> String {
            "DO $$ BEGIN RAISE 'words' USING ERRCODE = '\(state)', DETAIL = 'secret', HINT = 'secret'; END $$"
        }

        /// Functions of the server that throw 54000, which else says that a row is too large.
        @Test(arguments: [
            ("PreCommit_Notify", true), ("GetNewTransactionId", true), ("GetNewMultiXactId", true),
            ("index_form_tuple_context", false), (nil, false),
        ])
        func `a limit of the whole server is not one of a row`(function: String?, isOfServer: Bool) {
            #expect(ServerFailure.isLimitOfServer("54000", in: function) == isOfServer)
            #expect(!ServerFailure.isLimitOfServer("40001", in: function))
        }

        /// A server before version 17 has room for 8 GB of notifications, so another error gets the name of the function.
        @Test func `an error of the function that finds the queue of notifications full is a full store`()
            throws
        {
            let server = try #require(TestServer.shared)
            let proxy = try MessageProxy(
                to: server.folder, replacing: ("exec_stmt_raise", "PreCommit_Notify"))
            let hosts = ServerHosts(
                try PostgreSQLConnection("host=\(proxy.folder) dbname=postgres user=larder"),
                PostgreSQLOptions(), path: "here")
            let connection = try ServerConnection(hosts)

            let error = thrown { try connection.execute(Self.raising("54000")) }

            #expect(error?.code == .storeFull)
            #expect(error?.underlying?.message == "54000: words")
            connection.close()
            try proxy.close()
        }

        /// The queue of notifications, as small as a server of version 17 or newer lets it be.
        @Test(.enabled(if: DeadlineTests.hasTransactionLimit))
        func `a full queue of notifications is a full store`() throws {
            let server = try #require(try TestServer.another())
            _ = try server.answer(to: "ALTER SYSTEM SET max_notify_queue_pages = 64")
            try server.crash()
            try server.start()
            try server.waitUntilReady()
            let hosts = ServerHosts(server.connection, PostgreSQLOptions(), path: "here")
            let (listener, sender) = (try ServerConnection(hosts), try ServerConnection(hosts))
            defer {
                listener.close()
                sender.close()
            }
            // A session that listens and stays in a transaction keeps all that comes after it.
            try listener.execute("LISTEN crowd")
            try listener.execute("BEGIN")
            try listener.execute("SELECT 1")

            try sender.execute("BEGIN")
            try sender.execute(
                "SELECT count(pg_notify('crowd', repeat('x', 7000) || n)) FROM generate_series(1, 99) AS n")
            let error = thrown { try sender.execute("COMMIT") }

            #expect(error?.code == .storeFull)
            try server.end()
        }
    }
#endif
