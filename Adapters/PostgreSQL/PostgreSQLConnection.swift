#if PostgreSQL
    import CPostgreSQL
    import Foundation
    public import LarderKernel
    import LarderPlatform

    /// The server and the database in which a store is kept, and the way to sign in.
    ///
    ///     let connection = try PostgreSQLConnection("postgresql://app@db.example.com/recipes")
    ///         .signingIn(with: .environment("DB_PASSWORD"))
    ///
    /// *Rule:* a value; no server is asked before a store is set up. The environment (`PGHOST`, `PGPASSWORD` and so on),
    /// service files and `~/.pgpass` are not read, except the name of the user. While the environment names a service
    /// (`PGSERVICE`), a store is not opened (`.cannotOpen`), as libpq would read its file. The password is in no error, log,
    /// description or store.
    public struct PostgreSQLConnection: Sendable, CustomStringConvertible, CustomReflectable {
        /// The password of the user.
        public struct Password: Sendable, CustomStringConvertible {
            fileprivate let read: @Sendable () throws -> String?

            /// No password: a local socket that knows the user, or a certificate.
            public static let none = Password { nil }

            /// A password in the memory of the app.
            public static func text(_ password: String) -> Password { Password { password } }

            /// The value of a variable of the environment, read for each connection.
            public static func environment(_ name: String) -> Password {
                Password { getenv(name).map { String(cString: $0) } }
            }

            /// The contents of a file, such as a mounted secret of a container, without the newline at its end.
            ///
            /// It is read for each connection, so the file may be replaced.
            public static func file(_ path: String) -> Password {
                Password {
                    let text = try String(contentsOfFile: path, encoding: .utf8)
                    return String(text.last?.isNewline ?? false ? text.dropLast() : text[...])
                }
            }

            /// The password that a closure returns; it is called for each connection, on any thread.
            public static func provided(by read: @escaping @Sendable () throws -> String) -> Password {
                Password { try read() }
            }

            public var description: String { "***" }
        }

        /// The keywords of libpq with their values, without the password of the user.
        let keywords: [String: String]
        /// The values of the other keywords, which libpq would take from the environment.
        private let defaults: [String: String]
        /// The password of the user.
        public var password: Password

        /// A connection by its text: a `postgresql://` address, or keywords such as `host=… dbname=…`.
        ///
        /// Several hosts may be named, separated by commas; the one that may be written to is used. Anything but a local
        /// socket is reached by TLS with a certificate that is verified for the host's name (`sslmode=verify-full`),
        /// unless the text has another `sslmode`. A password in an address must be percent-encoded: `p%40ss` for `p@ss`.
        ///
        /// - Throws: `.invalidValue` for a text that libpq does not understand, or that names a service, and for an address
        ///   that a "/" or an "@" in its password divides; the text is not in the error.
        public init(_ text: String) throws(DataStoreError) {
            var message: UnsafeMutablePointer<CChar>?
            guard let options = PQconninfoParse(text, &message) else {
                if let message { PQfreemem(message) }
                throw DataStoreError(
                    .invalidValue, "The text of a connection to PostgreSQL cannot be understood.",
                    advice: "Write postgresql://user@host:port/database, or host=… port=… dbname=… user=….")
            }
            defer { PQconninfoFree(options) }
            var (keywords, defaults): ([String: String], [String: String]) = ([:], [:])
            var option = options
            while let keyword = option.pointee.keyword.map({ String(cString: $0) }) {
                if let value = option.pointee.val {
                    keywords[keyword] = String(cString: value)
                } else if option.pointee.envvar != nil {
                    let value = option.pointee.compiled.map { String(cString: $0) }
                    defaults[keyword] = value ?? Self.defaults[keyword]
                }
                option += 1
            }
            guard keywords["service"] == nil else {
                throw DataStoreError(
                    .invalidValue, "The text of a connection to PostgreSQL names a service.",
                    advice: "Write the settings of the service into the text: its file is not read.")
            }
            try Self.requireUndivided(text, keywords)
            self.defaults = defaults
            password = keywords.removeValue(forKey: "password").map { .text($0) } ?? .none
            self.keywords = keywords
        }

        /// Refuses an address whose password libpq has read as parts of the other values, which errors and logs name.
        private static func requireUndivided(
            _ text: String, _ keywords: [String: String]
        ) throws(DataStoreError) {
            let hasNumbers = keywords["port", default: ""].utf8.allSatisfy {
                (48...57).contains($0) || $0 == UInt8(ascii: ",")
            }
            if hasNumbers, !isDivided(text) { return }
            throw DataStoreError(
                .invalidValue,
                "A connection to PostgreSQL has a port that is not a number, or an @ that does not end its user and password.",
                advice: "Percent-encode the password of an address: %2F for /, %40 for @.")
        }

        /// True for an address with an "@" in its hosts or its database, as libpq divides it: its user and password end with
        /// the first "@" before any "/", and its options begin with the first "?" after that.
        private static func isDivided(_ text: String) -> Bool {
            guard text.utf8.starts(with: "postgres".utf8), let start = text.range(of: "://")?.upperBound
            else {
                return false
            }
            var rest = text[start...].utf8
            if let end = rest.prefix(while: { $0 != UInt8(ascii: "/") }).firstIndex(of: UInt8(ascii: "@")) {
                rest = rest[end...].dropFirst()
            }
            return rest.prefix { $0 != UInt8(ascii: "?") }.contains(UInt8(ascii: "@"))
        }

        /// The values of keywords for which libpq has none of its own: empty, or a file that cannot be there.
        private static let defaults = [
            "host": "", "hostaddr": "", "dbname": "", "password": "", "passfile": "/dev/null/none",
            "options": "",
            "sslcert": "", "sslkey": "", "sslrootcert": "", "sslcrl": "", "sslcrldir": "", "requirepeer": "",
            "ssl_max_protocol_version": "", "sslcertmode": "allow",
        ]

        /// The same connection with another password.
        public func signingIn(with password: Password) -> PostgreSQLConnection {
            var connection = self
            connection.password = password
            return connection
        }

        /// The place of a store for people: hosts, port, database and schema.
        func location(ofSchema schema: String) -> String { "\(description)?schema=\(schema)" }

        /// The hosts, the port and the database.
        public var description: String {
            let hosts = keywords["host"] ?? keywords["hostaddr"] ?? "localhost"
            let port = keywords["port"].map { ":" + $0 } ?? ""
            let database = keywords["dbname"] ?? keywords["user"] ?? ""
            return "postgresql://\(hosts)\(port)/\(database)"
        }

        /// Nothing more than the description: libpq knows other secrets, such as `sslpassword`.
        public var customMirror: Mirror { Mirror(self, children: []) }

        /// True if every host is a folder with a socket.
        private var isLocal: Bool {
            keywords["hostaddr"] == nil
                && (keywords["host"] ?? "").split(separator: ",").allSatisfy {
                    $0.hasPrefix("/") || $0.hasPrefix("@")
                }
        }

        /// All keywords for libpq, with the password; an empty value keeps libpq from its environment.
        ///
        /// - Throws: `.cannotOpen` if the closure for the password throws, or if the environment names a service.
        func parameters(_ options: PostgreSQLOptions) throws(DataStoreError) -> [String: String] {
            // libpq looks for it even if the text has an empty one.
            if getenv("PGSERVICE") != nil {
                throw DataStoreError(
                    .cannotOpen, "The environment names a service of PostgreSQL (PGSERVICE).",
                    advice: "Unset PGSERVICE: libpq would read its file. Write its settings into the text.",
                    path: location(ofSchema: ""))
            }
            var all = keywords
            if all["sslmode"] == nil { all["sslmode"] = isLocal ? "prefer" : "verify-full" }
            if all["gssencmode"] == nil { all["gssencmode"] = "disable" }
            if all["target_session_attrs"] == nil, !options.isReadOnly {
                all["target_session_attrs"] = "read-write"
            }
            let defaults = [
                "application_name": "Larder",
                "connect_timeout": String(max(2, options.connectTimeout.milliseconds / 1000)),
                "keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "3",
                "tcp_user_timeout": "10000",
            ]
            all.merge(defaults) { given, _ in given }
            all.merge(self.defaults) { given, _ in given }
            // All texts are sent as UTF-8: with another encoding, the server would store other characters.
            all["client_encoding"] = "UTF8"
            do {
                if let password = try password.read() { all["password"] = password }
            } catch {
                throw DataStoreError(
                    .cannotOpen, "The password of the connection could not be read.",
                    path: location(ofSchema: ""))
            }
            return all
        }
    }
#endif
