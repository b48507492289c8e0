#if PostgreSQL
    import CPostgreSQL
    import Larder
    import LarderKernel
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// The text of a connection, and what libpq is told.
    struct ConnectionTextTests {
        @Test(arguments: [
            "postgresql://app:secret@db.example.com:5433/kitchen?sslpassword=secret",
            "host=db.example.com port=5433 dbname=kitchen user=app password=secret sslpassword=secret",
        ])
        func `no password is printed`(_ text: String) throws {
            let connection = try PostgreSQLConnection(text)
            let store = PostgreSQLDataStore(connection: connection, schema: "recipes", storing: [])
            var dumps = ["", ""]
            dump(connection, to: &dumps[0])
            dump(store.adapter, to: &dumps[1])

            #expect("\(connection)" == "postgresql://db.example.com:5433/kitchen")
            #expect(String(reflecting: connection) == "postgresql://db.example.com:5433/kitchen")
            #expect("\(connection.password)" == "***")
            #expect(dumps.map { $0.contains("secret") } == [false, false])
            #expect(dumps[1].contains("kitchen"))
        }

        @Test func `no password is in an error`() throws {
            let unreadable = thrown { try PostgreSQLConnection("host=a secret") }
            let connection = try PostgreSQLConnection(
                "host=/nowhere dbname=kitchen user=app password=secret sslpassword=secret")
            let unreachable = thrown {
                try ServerConnection(ServerHosts(connection, PostgreSQLOptions(), path: "here"))
            }

            #expect(unreadable?.code == .invalidValue)
            #expect(unreachable?.code == .connectionLost)
            #expect([unreadable, unreachable].map { "\($0 as Any)".contains("secret") } == [false, false])
        }
    }
#endif
