#if PostgreSQL
    import Foundation

    /// The place of a store on the benchmark's server: a schema of its own, named for the store's folder.
    struct ServerPlace {
        let server: BenchServer
        let schema: String

        /// - Parameter folder: The folder that a store in a file would have.
        init(of folder: URL) throws {
            let run = folder.deletingLastPathComponent()
            server = try BenchServer.running(in: run.deletingLastPathComponent())
            let letters: String = run.lastPathComponent.lowercased().filter { $0.isLetter || $0.isNumber }
            schema = "s\(letters.suffix(12))_\(folder.lastPathComponent)"
        }

        var address: String { server.address }

        /// The names of its tables as SQL.
        func tables() throws -> [String] {
            try server.run(
                """
                SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) FROM pg_class AS c \
                JOIN pg_namespace AS n ON n.oid = c.relnamespace \
                WHERE n.nspname = '\(schema)' AND c.relkind = 'r'
                """)
        }

        /// The bytes of its tables with their indexes.
        func size() throws -> Int {
            let texts = try server.run(
                """
                SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class AS c \
                JOIN pg_namespace AS n ON n.oid = c.relnamespace \
                WHERE n.nspname = '\(schema)' AND c.relkind = 'r'
                """)
            guard let text = texts.first, let bytes = Int(text) else {
                throw BenchServerFailure(message: "The server gave no size of \(schema).")
            }
            return bytes
        }
    }
#endif
