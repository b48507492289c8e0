#if PostgreSQL
    public import LarderKernel

    extension StoreAddress {
        /// The store in a schema of a PostgreSQL database.
        ///
        ///     let transfer = StoreTransfer(
        ///         from: .sqlite(at: url), to: .postgreSQL(connection, schema: "recipes"))
        ///
        /// - Parameter options: For what is written. In any case, reading opens the store read-only.
        public static func postgreSQL(
            _ connection: PostgreSQLConnection, schema: String,
            options: PostgreSQLOptions = PostgreSQLOptions()
        ) -> StoreAddress {
            let prefix = connection.location(ofSchema: "")
            return StoreAddress(engine: "PostgreSQL", location: prefix + schema) { location, access in
                var options = options
                // A transfer takes as long as it takes: these are limits for the blocks of an app.
                (options.statementTimeout, options.idleTimeout) = (nil, .seconds(2_000_000))
                options.isOfTransfer = true
                switch access {
                case .reading, .readingQuickly: options.isReadOnly = true
                case .writing: break
                case .updating: options.createsStore = false
                }
                // Another schema of the same database if the store was set aside.
                let schema = location.hasPrefix(prefix) ? String(location.dropFirst(prefix.count)) : schema
                return PostgreSQLAdapter(on: connection, schema: schema, options: options)
            }
        }
    }
#endif
