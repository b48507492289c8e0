#if PostgreSQL
    import CPostgreSQL
    import Foundation
    import Larder
    import LarderKernel
    import PostgreSQLTestSupport
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

        /// libpq reads a part of these passwords as a host, a port or a database, which errors name.
        @Test(arguments: [
            "postgresql://app:secret/x+y=@db.example.com/kitchen", "postgresql://app:p@secret@db.example.com",
            "postgres://app:5432/secret@db.example.com/kitchen", "postgresql://app:p@secret,@db/kitchen",
            "postgresql://app:p@db:secret@db.example.com/kitchen",
            "postgresql://app:secret@@db.example.com/kitchen",
        ])
        func `an address that its password divides is refused`(_ text: String) {
            let error = thrown { try PostgreSQLConnection(text) }

            #expect(error?.code == .invalidValue)
            #expect(!"\(error as Any)".contains("secret"))
        }

        @Test(arguments: [
            ("postgresql://app:p%40s%2Fs@a:1,b:2/kitchen", "postgresql://a,b:1,2/kitchen", "p@s/s"),
            ("postgresql://app:p@%2Frun%2Fpg%4015/my%40db", "postgresql:///run/pg@15/my@db", "p"),
            ("postgresql:///kitchen?host=@socket&user=app@home", "postgresql://@socket/kitchen", ""),
            ("host=/run/a@b dbname=k@b password=p@s/s", "postgresql:///run/a@b/k@b", "p@s/s"),
        ])
        func `a percent-encoded password, a socket with an @, and keywords are read`(
            _ text: String, _ description: String, _ password: String
        ) throws {
            let connection = try PostgreSQLConnection(text)

            #expect("\(connection)" == description)
            #expect(try connection.parameters(PostgreSQLOptions())["password"] == password)
        }

        /// Each keyword that a variable of the environment has a value for is given, so that the variable is not read.
        @Test(arguments: [
            "", "dbname=kitchen", "host=a,b", "hostaddr=10.0.0.1,10.0.0.2", "host=db.example.com",
        ])
        func `nothing is left to the environment but the name of the user`(_ text: String) throws {
            let hosts = ServerHosts(try PostgreSQLConnection(text), PostgreSQLOptions(), path: "here")
            let options = try #require(PQconninfoParse("", nil))
            defer { PQconninfoFree(options) }
            var names: Set<String> = []
            var option = options
            while let name = option.pointee.keyword {
                if option.pointee.envvar != nil { names.insert(String(cString: name)) }
                option += 1
            }
            // Newer versions of libpq have variables that lead nowhere else.
            names.subtract([
                "service", "user", "gsslib", "krbsrvname", "require_auth", "min_protocol_version",
                "max_protocol_version",
            ])

            for keywords in try hosts.alternatives(for: .primary) {
                #expect(names.subtracting(keywords.keys) == [])
            }
        }

        @Test func `a text without a host is the local socket, whatever a list of hosts lacks`() throws {
            let options = PostgreSQLOptions()
            let plain = try PostgreSQLConnection("dbname=kitchen user=app").parameters(options)
            let remote = try PostgreSQLConnection("hostaddr=10.0.0.1,10.0.0.2 password=secret")
            let all = try ServerHosts(remote, options, path: "here").alternatives(for: .primary)

            let names = ["host", "hostaddr", "password", "options", "passfile", "sslmode"]
            #expect(names.map { plain[$0] } == ["", "", "", "", "/dev/null/none", "prefer"])
            #expect(all.map { $0["host"] } == ["", ""])
            #expect(all.map { $0["hostaddr"] } == ["10.0.0.1", "10.0.0.2"])
            #expect(all.map { $0["password"] } == ["secret", "secret"])
            #expect(all.map { $0["sslmode"] } == ["verify-full", "verify-full"])
        }

        @Test func `a connection is given up that a network is silent on, unless the text has other times`()
            throws
        {
            let names = ["tcp_user_timeout", "keepalives_idle", "keepalives_interval", "keepalives_count"]
            let plain = try PostgreSQLConnection("host=a").parameters(PostgreSQLOptions())
            let patient = try PostgreSQLConnection("host=a tcp_user_timeout=60000")
                .parameters(PostgreSQLOptions())

            #expect(names.map { plain[$0] } == ["10000", "10", "5", "3"])
            #expect(names.map { patient[$0] } == ["60000", "10", "5", "3"])
        }

        @Test func `the server is told UTF-8, whatever encoding the text names`() throws {
            let texts = ["host=a", "host=a client_encoding=LATIN1", "postgresql://a/?client_encoding=auto"]

            let encodings = try texts.map { text in
                try PostgreSQLConnection(text).parameters(PostgreSQLOptions())["client_encoding"]
            }

            #expect(encodings == ["UTF8", "UTF8", "UTF8"])
        }

        @Test func `parts of a connection need no quotes`() throws {
            let connection = try PostgreSQLConnection(
                hosts: ["/tmp/it's", PostgreSQLConnection.Host("db.example.com", port: 5433)],
                database: #"a 'b' \c="#, user: "Käthe '\u{301} or", password: .text("pass' word"),
                settings: ["application_name": #"\'"#])
            let keywords = try connection.parameters(PostgreSQLOptions())
            let local = try PostgreSQLConnection(hosts: [], database: "kitchen")

            let names = ["host", "port", "dbname", "user", "password", "application_name", "sslmode"]
            #expect(
                names.map { keywords[$0] } == [
                    "/tmp/it's,db.example.com", "5432,5433", #"a 'b' \c="#, "Käthe '\u{301} or", "pass' word",
                    #"\'"#,
                    "verify-full",
                ])
            #expect("\(local)" == "postgresql://localhost/kitchen")
            #expect(try local.parameters(PostgreSQLOptions())["host"] == "")
        }

        @Test(arguments: [
            ["password": "secret"], ["host": "secret"], ["a b": "secret"], ["nothing": "secret"],
            ["sslrootcert": "secret\0"], ["service": "secret"],
        ])
        func `settings that are none are refused`(_ settings: [String: String]) {
            let error = thrown {
                try PostgreSQLConnection(hosts: ["a"], database: "kitchen", settings: settings)
            }
            let comma = thrown { try PostgreSQLConnection(hosts: ["a,b"], database: "kitchen") }

            #expect(error?.code == .invalidValue)
            #expect(!"\(error as Any)".contains("secret"))
            #expect(comma?.code == .invalidValue)
        }

        @Test func `a password is read from a file, whenever it is needed`() throws {
            let folder = try TemporaryFolder()
            let file = folder.url.appendingPathComponent("password")
            let connection = try PostgreSQLConnection("host=a").signingIn(with: .file(file.path))

            let missing = thrown { try connection.parameters(PostgreSQLOptions()) }
            try Data("first\n".utf8).write(to: file)
            let first = try connection.parameters(PostgreSQLOptions())["password"]
            try Data("second \r\n".utf8).write(to: file)
            let second = try connection.parameters(PostgreSQLOptions())["password"]
            try Data().write(to: file)
            let empty = try connection.parameters(PostgreSQLOptions())["password"]

            #expect(missing?.code == .cannotOpen)
            #expect([first, second, empty] == ["first", "second ", ""])
        }

        @Test func `a service is refused, as its file is not read`() {
            #expect(thrown { try PostgreSQLConnection("service=kitchen") }?.code == .invalidValue)
        }

        @Test func `a service of the environment is refused at once`() async throws {
            await #expect(processExitsWith: .success) {
                setenv("PGSERVICE", "kitchen", 1)
                let connection = try PostgreSQLConnection("host=/nowhere dbname=kitchen user=app")
                let hosts = ServerHosts(connection, PostgreSQLOptions(), path: "here")

                let error = thrown { try ServerConnection(hosts, waits: true) }

                if error?.code != .cannotOpen { exit(2) }
            }
        }

        @Test(arguments: [
            (
                "FATAL:  28P01: Passwort-Authentifizierung für Benutzer »app« fehlgeschlagen",
                "permissionDenied"
            ),
            ("致命错误:  53300: 已保留的连接位置", "busy"),
            ("FATAL:  remaining connection slots are reserved for superusers", "busy"),
            ("FATAL:  57P03: le système de bases de données se lance", "busy"),
            ("FATAL:  3D000: la base de données « FATAL: » n'existe pas", "cannotOpen"),
            ("FATAL:  08P01: Passwort", "connectionLost"),
            ("connection to server at \"HOSTS\", port 5432 failed: Connection refused", "connectionLost"),
        ])
        func `a refused connection is known by its SQLSTATE in any language`(message: String, code: String) {
            let message =
                "connection to server on socket \"/a\" failed: \(message) LOCATION:  auth, auth.c:330"

            #expect(ServerFailure.refused(message, path: "here").code.rawValue == code)
        }

        /// English words that are known say nothing of this.
        @Test(.enabled(if: TestServer.shared != nil))
        func `a user who may not sign in is refused once, and not waited for`() throws {
            let server = try #require(TestServer.shared)
            let name = "nologin\(UInt32.random(in: 0 ... .max))"
            _ = try server.answer(to: "CREATE ROLE \(name) NOLOGIN")
            let connection = try PostgreSQLConnection("host=\(server.folder) dbname=postgres user=\(name)")
            let hosts = ServerHosts(
                connection, PostgreSQLOptions(connectTimeout: .seconds(600)), path: "here")

            let error = thrown { try ServerConnection(hosts, waits: true) }

            #expect(error?.code == .permissionDenied)
            _ = try server.answer(to: "DROP ROLE \(name)")
        }

        /// Characters that are written otherwise in a text for libpq.
        @Test(.enabled(if: TestServer.shared != nil))
        func `the name of an app comes to the server as it is`() throws {
            let server = try #require(TestServer.shared)
            let name = #"it's a \ "name" = x"#
            let text = "host=\(server.folder) dbname=postgres user=larder application_name="
            let quoted = #"'it\'s a \\ "name" = x'"#
            let connection = try ServerConnection(
                ServerHosts(try PostgreSQLConnection(text + quoted), PostgreSQLOptions(), path: "here"))
            defer { connection.close() }

            #expect(try connection.execute("SHOW application_name").texts == [name])
        }

        /// Options come to the server in the same message as the encoding, which it takes last.
        @Test(
            .enabled(if: TestServer.shared != nil),
            arguments: ["client_encoding=LATIN1", "options='-c client_encoding=LATIN1'"])
        func `no encoding of a text changes what is stored`(_ setting: String) throws {
            let server = try #require(TestServer.shared)
            let text = "host=\(server.folder) dbname=postgres user=larder \(setting)"
            let connection = try ServerConnection(
                ServerHosts(try PostgreSQLConnection(text), PostgreSQLOptions(), path: "here"))
            defer { connection.close() }

            #expect(try connection.execute("SHOW client_encoding").texts == ["UTF8"])
            #expect(try connection.execute("SELECT char_length($1)::text", "Käthe").texts == ["5"])
        }
    }
#endif
