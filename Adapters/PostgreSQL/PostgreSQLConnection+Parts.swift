#if PostgreSQL
    public import LarderKernel

    extension PostgreSQLConnection {
        /// A server, or the folder of its local socket.
        public struct Host: Sendable, Hashable, ExpressibleByStringLiteral {
            public var name: String
            public var port: Int

            public init(_ name: String, port: Int = 5432) {
                self.name = name
                self.port = port
            }

            public init(stringLiteral name: String) { self.init(name) }
        }

        /// A connection by its parts, none of which has to be quoted or escaped.
        ///
        ///     let connection = try PostgreSQLConnection(
        ///         hosts: ["db1.example.com", PostgreSQLConnection.Host("db2.example.com", port: 5433)],
        ///         database: "recipes", user: "app", password: .file("/run/secrets/recipes"),
        ///         settings: ["sslrootcert": "/etc/ssl/recipes.pem"])
        ///
        /// - Parameters:
        ///   - hosts: The one that may be written to is used. If there is none, the local socket is.
        ///   - user: As in libpq, the user of the process by default.
        ///   - settings: Other keywords of libpq.
        /// - Throws: `.invalidValue` for a keyword that libpq does not know or that is another parameter here, and for a
        ///   text that cannot be a value. No value is in the error.
        public init(
            hosts: [Host], database: String, user: String? = nil, password: Password = .none,
            settings: [String: String] = [:]
        ) throws(DataStoreError) {
            var parts = ["dbname": database]
            parts["user"] = user
            if !hosts.isEmpty {
                parts["host"] = hosts.map(\.name).joined(separator: ",")
                parts["port"] = hosts.map { String($0.port) }.joined(separator: ",")
            }
            let own = ["host", "port", "dbname", "user", "password"]
            if let keyword = settings.keys.sorted().first(where: {
                own.contains($0) || !$0.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (97...122).contains($0) }
            }) {
                throw Self.invalid("has the setting \"\(keyword)\", which is not another keyword of libpq.")
            }
            parts.merge(settings) { own, _ in own }
            if hosts.contains(where: { $0.name.contains(",") }) {
                throw Self.invalid("has a comma in a host.")
            }
            if let keyword = parts.filter({ $0.value.utf8.contains(0) }).keys.min() {
                throw Self.invalid("has a NUL in its \(keyword).")
            }
            try self.init(Self.text(of: parts))
            self.password = password
        }

        /// Keywords of libpq as one text.
        static func text(of keywords: [String: String]) -> String {
            // By scalars: a quote may have a combining mark.
            func quoted(_ value: String) -> String {
                "'" + value.unicodeScalars.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
                    + "'"
            }
            return keywords.map { "\($0)=\(quoted($1))" }.joined(separator: " ")
        }

        private static func invalid(_ fault: String) -> DataStoreError {
            DataStoreError(
                .invalidValue, "The connection to PostgreSQL \(fault)",
                advice:
                    "Use the parameters for hosts, database, user and password, and settings for all else."
            )
        }
    }
#endif
