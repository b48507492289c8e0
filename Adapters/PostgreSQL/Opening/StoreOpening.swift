#if PostgreSQL
    import LarderEngine
    import LarderKernel
    import LarderSQL
    import LarderVersions

    /// Opens a store on a server: finds or creates it, checks it, and brings it to the schema.
    ///
    /// *Rule:* nothing is deleted or repaired, whatever is wrong.
    struct StoreOpening {
        let hosts: ServerHosts
        let place: ServerPlace
        let schema: StoreSchema
        let plan: MigrationPlan?

        private var path: String { hosts.path }
        private var options: PostgreSQLOptions { hosts.options }

        func run() throws(DataStoreError) -> PostgreSQLStore {
            let connection = try ServerConnection(hosts)
            let metadata = StoreMetadata(place: place, connection: connection)
            let cluster = metadata.cluster()
            do throws(DataStoreError) {
                let stored = try OpeningAttempts.run(at: path) { () throws(DataStoreError) -> StoredSchema? in
                    try prepare(metadata, in: cluster)
                }
                return try open(stored, metadata, in: cluster)
            } catch {
                connection.close()
                throw error.about(path: path)
            }
        }

        private func open(
            _ stored: StoredSchema, _ metadata: StoreMetadata, in cluster: Int64?
        ) throws(DataStoreError) -> PostgreSQLStore {
            let connection = metadata.connection
            guard let identity = stored.identity else {
                throw DataStoreError(.damaged, "The store has no identity.", path: path)
            }
            // The gathering of statistics may have lost it.
            if connection.isLost { try connection.reconnect() }
            let key = try metadata.key(of: identity, in: cluster)
            try OpenStores.shared.claim(key, at: path)
            let tables = schema.entities.enumerated().compactMap { number, entity in
                stored.entity(named: entity.name).map {
                    EntityTable(number: number, schema: entity, stored: $0, in: place)
                }
            }
            let opened = OpenedStore(
                hosts: hosts, place: place, tables: tables, generation: stored.generation, key: key)
            do throws(DataStoreError) {
                try noteNewestCommit(connection)
                return PostgreSQLStore(opened, first: connection, try takeNumber(key))
            } catch {
                OpenStores.shared.release(key)
                throw error
            }
        }

        /// A standby may be read from once it has what was committed before the store was opened.
        private func noteNewestCommit(_ connection: ServerConnection) throws(DataStoreError) {
            guard options.reads == .standby else { return }
            let answer = try connection.execute(place.newestCommit)
            if let newest = answer.commit(at: 0, on: connection.timeline) { hosts.note(newest) }
        }

        private func takeNumber(_ key: OpenStores.Key) throws(DataStoreError) -> ServerNumbers? {
            if options.isReadOnly { return nil }
            let numbers = ServerNumbers(of: key, in: place, on: try ServerConnection(hosts))
            try numbers.take()
            return numbers
        }

        /// Finds or makes the store and brings it to the schema; returns its new schema, or nil if another process has
        /// changed the store meanwhile.
        private func prepare(
            _ metadata: StoreMetadata, in cluster: Int64?
        ) throws(DataStoreError) -> StoredSchema? {
            guard let stored = try metadata.schema() else { return try create(metadata) }
            if try OpenStores.shared.isOpen(stored.identity, metadata, in: cluster) {
                throw DataStoreError(.alreadyOpen, "The store is already open in this process.", path: path)
            }
            do throws(DataStoreError) {
                return try bring(stored, metadata)
            } catch {
                // Another process may have changed or removed the store since its schema was read.
                let isOfTables = error.code == .damaged || ServerFailure.isAboutSchema(error)
                if isOfTables, try metadata.schema() != stored { return nil }
                throw error
            }
        }

        /// Checks the tables of the store, and brings it to the schema.
        private func bring(
            _ stored: StoredSchema, _ metadata: StoreMetadata
        ) throws(DataStoreError) -> StoredSchema {
            try TableAgreement(schema: stored, metadata: metadata).require()
            let migration = try SchemaMigration(from: stored, to: schema, by: plan)
            let isDue = try migration.isDue(inStoreAt: path, isReadOnly: options.isReadOnly)
            return isDue ? try upgrade(metadata) : stored
        }

        /// Makes the store, whole or not at all; nil if another process was faster.
        private func create(_ metadata: StoreMetadata) throws(DataStoreError) -> StoredSchema? {
            guard options.createsStore, !options.isReadOnly else {
                throw DataStoreError(
                    .cannotOpen, "There is no store in the schema \"\(place.schema)\".",
                    advice: "Check the database and the schema, or open it for writing with createsStore.",
                    path: path)
            }
            let migration = try SchemaMigration(from: .empty, to: schema)
            return try metadata.inTransaction { () throws(DataStoreError) -> StoredSchema? in
                try metadata.lockName()
                guard case .nothing(let hasSchema) = try metadata.look() else { return nil }
                try metadata.create(hasSchema: hasSchema)
                try ServerSchemaTransaction(metadata).run(migration)
                return migration.target
            }
        }

        /// Changes the store; its schema is read again with the lock held, as another process may be faster.
        private func upgrade(_ metadata: StoreMetadata) throws(DataStoreError) -> StoredSchema {
            let migration = try metadata.inTransaction { () throws(DataStoreError) in
                try metadata.connection.execute("LOCK TABLE \(place.store) IN ACCESS EXCLUSIVE MODE")
                let stored = try metadata.schema() ?? .empty
                let migration = try SchemaMigration(from: stored, to: schema, by: plan)
                if migration.isNeeded || migration.completesStore {
                    try ServerSchemaTransaction(metadata).run(migration)
                }
                return migration
            }
            // If it is a part of a store, the other parts commit next, and must not wait.
            // Not by `==`, which takes closures with a typed error only from macOS 15 on.
            if case .none = plan?.bodyAtEnd { analyze(migration, metadata) }
            return migration.target
        }

        /// Gathers the statistics for the server's plans: of all tables after a transfer or steps, else of those whose
        /// columns have changed.
        ///
        /// It may take any time, and no reader or writer waits for it. The server does the same later, so it does not
        /// matter if it fails.
        private func analyze(_ migration: SchemaMigration, _ metadata: StoreMetadata) {
            var isOfAll = migration.stepCount > 0
            if case .finishing = schema.purpose { isOfAll = true }
            let touched = migration.touchedEntities
            let tables = migration.target.entities.filter { isOfAll || touched.contains($0.number) }
            if tables.isEmpty { return }
            let names = tables.map { place.table(of: $0) }.joined(separator: ", ")
            _ = try? metadata.inTransaction { () throws(DataStoreError) in
                try metadata.connection.execute("ANALYZE (SKIP_LOCKED) \(names)")
            }
        }
    }
#endif
