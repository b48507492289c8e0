#if PostgreSQL
    import LarderEngine
    import LarderKernel
    import LarderSQL

    /// Deletes a store that is not open, or sets it aside: the schema of the database with all that is in it.
    struct StoreRemoval {
        let hosts: ServerHosts
        let place: ServerPlace

        private var path: String { hosts.path }

        /// Deletes the schema if it is a store, even a damaged one; nothing happens if there is none.
        ///
        /// - Throws: `.readOnly`; `.foreignStore` if it is not a store, or if objects of other tools are in the schema or
        ///   depend on its tables; `.alreadyOpen`.
        func run() throws(DataStoreError) {
            _ = try withStore { metadata throws(DataStoreError) in
                do throws(DataStoreError) {
                    let tables = try ownTables(metadata.connection).joined(separator: ", ")
                    // The server refuses to drop what anything else depends on, and names it.
                    try metadata.connection.execute("DROP TABLE \(tables) RESTRICT")
                    try metadata.connection.execute("DROP SCHEMA \(place.schema.asSQLName) RESTRICT")
                } catch {
                    guard ServerFailure.isAboutDependents(error) else { throw error }
                    throw DataStoreError(
                        .foreignStore,
                        "Objects of other tools would vanish with the store: \(error.underlying?.message ?? "")",
                        advice: "Drop them first, or move them; nothing was changed.", path: path)
                }
            }
        }

        /// The tables of the schema that the store has made, known by their primary keys, as the store may be damaged.
        private func ownTables(_ connection: ServerConnection) throws(DataStoreError) -> [String] {
            try connection.execute(
                """
                SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class AS c \
                JOIN pg_namespace AS n ON n.oid = c.relnamespace \
                WHERE n.nspname = $1 AND c.relkind = 'r' AND (EXISTS (SELECT 1 FROM pg_constraint AS k \
                WHERE k.conrelid = c.oid AND k.conname ~ '^larder_key_[0-9]+$') \
                OR c.relname IN ('\(StoreNames.store)', '\(StoreNames.commits)', '\(StoreNames.leases)'))
                """, place.schema
            ).texts
        }

        /// Gives the schema another name, and returns its place; nil if nothing was moved.
        ///
        /// - Parameter isNeeded: Called while other processes that set the store aside wait; it may open the store.
        func setAside(if isNeeded: () throws(DataStoreError) -> Bool) throws(DataStoreError) -> String? {
            try requireAllowed()
            let gate = StoreMetadata(place: place, connection: try ServerConnection(hosts))
            defer { gate.connection.close() }
            return try gate.inTransaction { () throws(DataStoreError) -> String? in
                // An opening in the closure takes the lock of the name itself.
                try gate.lockName("aside:")
                guard try isNeeded() else { return nil }
                return try giveOtherName()
            }
        }

        private func giveOtherName() throws(DataStoreError) -> String? {
            try withStore { metadata throws(DataStoreError) in
                var number = 1
                var name: String { place.schema + ServerPlace.asideMark + "\(number)" }
                while try isTaken(name, metadata.connection) { number += 1 }
                try metadata.connection.execute(
                    "ALTER SCHEMA \(place.schema.asSQLName) RENAME TO \(name.asSQLName)")
                return hosts.target.location(ofSchema: name)
            }
        }

        /// - Throws: `.readOnly`.
        func requireAllowed() throws(DataStoreError) {
            if hosts.options.isReadOnly { throw DataStoreError.readOnly(destroying: path) }
        }

        private func isTaken(_ name: String, _ connection: ServerConnection) throws(DataStoreError) -> Bool {
            try connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = $1", name).rowCount > 0
        }

        /// Runs a body in a transaction, on a schema that is a store and not open here; nil if there is none.
        private func withStore<Result>(
            _ body: (StoreMetadata) throws(DataStoreError) -> Result
        ) throws(DataStoreError) -> Result? {
            try requireAllowed()
            let connection = try ServerConnection(hosts)
            defer { connection.close() }
            let metadata = StoreMetadata(place: place, connection: connection)
            let cluster = metadata.cluster()
            return try metadata.inTransaction { () throws(DataStoreError) -> Result? in
                try metadata.lockName()
                do throws(DataStoreError) {
                    guard let stored = try metadata.schema() else { return nil }
                    if try OpenStores.shared.isOpen(stored.identity, metadata, in: cluster) {
                        throw DataStoreError(.alreadyOpen, "The store is open in this process.", path: path)
                    }
                } catch {
                    // A damaged store may go, and one of a newer version; a foreign schema may not.
                    if error.code != .damaged && error.code != .newerFormat { throw error }
                }
                return try body(metadata)
            }
        }
    }
#endif
