#if PostgreSQL
    package import LarderKernel

    /// Keeps rows in one schema of a PostgreSQL database: one table for each item type, with real columns that any SQL tool
    /// can read.
    ///
    /// Filters, orders, windows and counts run on the server, as far as it answers like the core; the core tests the rest
    /// of a filter on the rows that are left. There is one connection that writes and a pool of connections that read.
    package final class PostgreSQLAdapter: StorageAdapter {
        private let hosts: ServerHosts
        private let place: ServerPlace
        private let store = Locked<PostgreSQLStore?>(nil)

        /// - Parameter schema: The schema of the database, which need not exist yet.
        package init(on connection: PostgreSQLConnection, schema: String, options: PostgreSQLOptions) {
            place = ServerPlace(schema: schema)
            hosts = ServerHosts(connection, options, path: connection.location(ofSchema: schema))
        }

        deinit {
            try? close()
        }

        package var location: String { hosts.path }

        package var isReadOnly: Bool { hosts.options.isReadOnly }

        package var maximumReaders: Int { hosts.options.maximumReaders }

        package func storedSchema() throws(DataStoreError) -> StoredSchema? {
            hosts.forgetServers()
            let connection = try ServerConnection(hosts)
            defer { connection.close() }
            return try StoreMetadata(place: place, connection: connection).schema()
        }

        package func open(_ schema: StoreSchema, by plan: MigrationPlan?) throws(DataStoreError) {
            guard !place.schema.isEmpty, place.hasRoom, !place.schema.hasPrefix("pg_"),
                !place.schema.unicodeScalars.contains(where: { $0.value == 0 })
            else {
                throw DataStoreError(
                    .cannotOpen, "\"\(place.schema)\" cannot be the name of a store's schema.",
                    advice: "Choose a name of 1 to 50 bytes that does not begin with pg_.", path: location)
            }
            try store.withLock { store throws(DataStoreError) in
                if store != nil { return }
                hosts.forgetServers()
                store = try StoreOpening(hosts: hosts, place: place, schema: schema, plan: plan).run()
            }
        }

        package func close() throws(DataStoreError) {
            try store.withLock { store throws(DataStoreError) in
                try store?.close()
                store = nil
            }
        }

        package func destroy() throws(DataStoreError) {
            try removal.requireAllowed()
            try close()
            try removal.run()
        }

        package func setAside(
            if isNeeded: () throws(DataStoreError) -> Bool
        ) throws(DataStoreError) -> String? {
            try removal.setAside(if: isNeeded)
        }

        private var removal: StoreRemoval { StoreRemoval(hosts: hosts, place: place) }

        package func beginReading() throws(DataStoreError) -> any StorageReading {
            try ServerReadTransaction(of: try current(), endsWithTask: false)
        }

        package func beginCancellableReading() throws(DataStoreError) -> any StorageReading {
            try ServerReadTransaction(of: try current(), endsWithTask: true)
        }

        package func beginWriting() throws(DataStoreError) -> any StorageWriting {
            try current().beginWriting()
        }

        package func watchOtherWriters(
            _ body: @escaping @Sendable () -> Void
        ) throws(DataStoreError) -> (any StorageWatch)? {
            try current().watchOtherWriters(body)
        }

        /// The defects of the store, as ``PostgreSQLDataStore/checkIntegrity()`` says.
        func checkIntegrity() throws(DataStoreError) -> [String] {
            _ = try current()
            let connection = ServerConnection(unconnectedTo: hosts)
            connection.watchesTask = true
            defer { connection.close() }
            try connection.connect()
            return try StoreMetadata(place: place, connection: connection).problems()
        }

        private func current() throws(DataStoreError) -> PostgreSQLStore {
            guard let store = store.withLock({ $0 }) else {
                throw DataStoreError(.closed, "The store is not open.", path: location)
            }
            return store
        }
    }
#endif
