#if PostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderPostgreSQL

    /// A server that is reached by TLS, with a certificate that it has made itself.
    ///
    /// The package of the server depends on `openssl`.
    @Suite(
        .enabled(
            if: TestServer.shared != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")))
    struct CertificateTests {
        @Test func `a server is trusted by its certificate and its name alone`() throws {
            let (server, address) = try Self.startServer()
            func store(host: String, _ rest: String) throws -> PostgreSQLDataStore {
                PostgreSQLDataStore(
                    connection: try PostgreSQLConnection(
                        "host=\(host) hostaddr=\(address) dbname=postgres user=larder \(rest)"),
                    schema: "recipes", storing: [Recipe.self])
            }
            func refusal(host: String = "larder.test", _ rest: String) throws -> String? {
                let error = thrown { try store(host: host, rest).setup() }
                return error?.underlying?.message
            }
            let (own, other) = ("\(server.folder)/data/server.crt", "\(server.folder)/data/other.crt")

            // The file of the user, if there is one, has not this certificate.
            #expect(try refusal("")?.contains("certificate") == true)
            #expect(try refusal("sslrootcert=\(other)")?.contains("certificate verify failed") == true)
            #expect(
                try refusal(host: "another.test", "sslrootcert=\(own)")?.contains("does not match host name")
                    == true)

            let trusted = try store(host: "larder.test", "sslrootcert=\(own)")
            try trusted.setup()
            try trusted.writeSync { _ = try $0.insert(Recipe(1)) }
            let isEncrypted = try trusted.read {
                try $0.rows(sql: "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()", as: Bool.self)
            }
            #expect(isEncrypted == [true])
            try trusted.tearDown()
            // The text may ask for less, here for any name.
            let unverified = try store(host: "another.test", "sslmode=require sslrootcert=\(own)")
            try unverified.setup()
            #expect(try unverified.read { try $0.ids(for: Recipe.all) } == [1])
            try unverified.tearDown()
            try server.end()
        }

        // OpenSSL may hold the rest of a large record, which the socket does not tell. No server at hand sends such records.
        @Test func `a wait for a server that is reached by TLS reads after each pause`() throws {
            let (server, address) = try Self.startServer()
            let plain = try ServerConnection(
                ServerHosts(server.connection, PostgreSQLOptions(), path: "here"))
            let encrypted = try ServerConnection(
                ServerHosts(
                    try PostgreSQLConnection(
                        "host=larder.test hostaddr=\(address) dbname=postgres user=larder sslmode=require "
                            + "sslrootcert=\(server.folder)/data/server.crt"),
                    PostgreSQLOptions(), path: "here"))

            #expect(plain.pause == -1)
            #expect(encrypted.pause == 50)
            // After the first pauses, there is nothing to read.
            #expect(try encrypted.execute("SELECT '1' FROM pg_sleep(0.2)").texts == ["1"])
            for connection in [plain, encrypted] { connection.close() }
            #expect(encrypted.pause == -1)
            try server.end()
        }

        /// A server that is reached by TLS, and its address.
        private static func startServer() throws -> (server: TestServer, address: String) {
            let network = TestNetwork.onThisMachine()
            let server = try #require(try TestServer.another(in: network))
            for name in ["server", "other"] { try makeCertificate(name, of: server) }
            _ = try server.answer(to: "ALTER SYSTEM SET ssl = on")
            _ = try server.answer(to: "SELECT pg_reload_conf()")
            let end = Date(timeIntervalSinceNow: 60)
            while try server.answer(to: "SHOW ssl") != ["on"] {
                try #require(Date() < end)
                usleep(1000)
            }
            return (server, network.address)
        }

        /// Lets the server make a key and a certificate in the folder of its data, as the user that it runs as.
        private static func makeCertificate(_ name: String, of server: TestServer) throws {
            let program = """
                cat >/dev/null; /usr/bin/openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
                -keyout \(name).key -out \(name).crt -days 2 -subj /CN=larder.test \
                -addext subjectAltName=DNS:larder.test >/dev/null 2>&1 && chmod 600 \(name).key
                """
            _ = try server.answer(to: "COPY (SELECT 1) TO PROGRAM '\(program)'")
        }
    }
#endif
