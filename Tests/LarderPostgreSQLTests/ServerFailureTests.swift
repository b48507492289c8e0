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
            ("53200", "busy"), ("54000", "valueTooLarge"), ("53100", "storeFull"), ("40P01", "busy"),
            // The limits of the server for transactions and for sessions.
            ("25P04", "connectionLost"), ("57P05", "connectionLost"),
        ])
        func `an error of the server has the code of its SQLSTATE`(state: String, code: String) throws {
            let server = try #require(TestServer.shared)
            let connection = try ServerConnection(
                ServerHosts(server.connection, PostgreSQLOptions(), path: "here"))
            defer { connection.close() }

            let error = thrown {
                try connection.execute("DO $$ BEGIN RAISE 'words' USING ERRCODE = '\(state)'; END $$")
            }

            #expect(error?.code.rawValue == code)
            #expect(error?.underlying?.message == "\(state): words")
        }
    }
#endif
