#if PostgreSQL
    import LarderEngine
    import LarderKernel
    import LarderSQL
    import struct Foundation.UUID

    /// The description that a store keeps of itself, in the table `larder_store` of its schema.
    struct StoreMetadata {
        let place: ServerPlace
        let connection: ServerConnection

        /// The word by which a table of the name is known as one of Larder's.
        private static let mark = "Larder"

        /// The state of the schema in the database.
        enum Finding {
            /// There is none, or one without tables in which a store can be made.
            case nothing(hasSchema: Bool)
            /// There are tables, but not a store.
            case foreign
            case store
        }

        /// *Cost:* a search by name if there is a store, however many tables the database has.
        func look() throws(DataStoreError) -> Finding {
            let answer = try connection.execute(
                """
                SELECT CASE WHEN EXISTS (SELECT FROM pg_class AS c \
                WHERE c.relname = '\(StoreNames.store)' AND c.relnamespace = n.oid) THEN 'store' \
                WHEN EXISTS (SELECT FROM pg_class AS c WHERE c.relnamespace = n.oid) THEN 'foreign' END \
                FROM pg_namespace AS n WHERE n.nspname = $1
                """, place.schema)
            guard answer.rowCount > 0 else { return .nothing(hasSchema: false) }
            switch answer.text(0, 0) {
            case "store": return .store
            case "foreign": return .foreign
            default: return .nothing(hasSchema: true)
            }
        }

        /// The schema of the rows in the store; nil if there is no store.
        ///
        /// - Throws: `.foreignStore`, `.newerFormat`; `.damaged` if the description is missing or inconsistent.
        func schema() throws(DataStoreError) -> StoredSchema? {
            switch try look() {
            case .nothing: return nil
            case .foreign: throw foreignError
            case .store: return try storedSchema()
            }
        }

        private func storedSchema() throws(DataStoreError) -> StoredSchema? {
            let answer: ServerAnswer
            do throws(DataStoreError) {
                answer = try connection.execute(
                    "SELECT mark, format, generation, schema FROM \(place.store)")
            } catch {
                guard ServerFailure.isAboutSchema(error) else { throw error }
                // Another process may have removed the store since it was looked for.
                if case .nothing? = try? look() { return nil }
                throw DataStoreError(
                    .foreignStore, "The table \(StoreNames.store) is not one of Larder's.",
                    path: connection.path,
                    underlying: error.underlying)
            }
            guard answer.rowCount == 1, answer.text(0, 0) == Self.mark else { throw foreignError }
            let format = answer.integer(0, 1).map(Int.init) ?? 0
            guard format <= StoredSchema.newestFormatVersion else {
                throw DataStoreError(
                    .newerFormat,
                    "The store has format \(format), which is newer than this version of Larder.",
                    path: connection.path)
            }
            do throws(DataStoreError) {
                let stored = try StoredSchema(decoding: Array(answer.text(0, 3).utf8))
                guard answer.integer(0, 2).map(Int.init) == stored.generation else {
                    throw DataStoreError(
                        .damaged,
                        "The store has generation \(answer.integer(0, 2) ?? 0), but its schema has \(stored.generation)."
                    )
                }
                return stored
            } catch {
                throw error.about(path: connection.path)
            }
        }

        private var foreignError: DataStoreError {
            DataStoreError(
                .foreignStore, "The schema \"\(place.schema)\" has tables, but is not a store of Larder.",
                advice: "Choose another schema for the store; nothing was changed.", path: connection.path)
        }

        /// Makes the tables of a new store; within a transaction.
        func create(hasSchema: Bool) throws(DataStoreError) {
            if !hasSchema { try connection.execute("CREATE SCHEMA \(place.schema.asSQLName)") }
            try connection.execute(
                """
                CREATE TABLE \(place.store) (one boolean PRIMARY KEY DEFAULT true CHECK (one), mark text NOT NULL, \
                format bigint NOT NULL, generation bigint NOT NULL, identity uuid, schema text COLLATE "C" NOT NULL)
                """)
            try connection.execute(
                """
                CREATE TABLE \(place.commits) (number bigint PRIMARY KEY, token uuid NOT NULL, writer uuid NOT NULL)
                """)
            try connection.execute(
                """
                CREATE TABLE \(place.leases) (number integer PRIMARY KEY, holder uuid NOT NULL, until timestamptz NOT NULL)
                """)
        }

        /// Stores a schema; within a transaction.
        func set(_ schema: StoredSchema) throws(DataStoreError) {
            let parameters = ParameterList()
            parameters.append(name: Self.mark)
            parameters.append(schema.formatVersion)
            parameters.append(schema.generation)
            parameters.append(name: String(decoding: schema.encoded(), as: UTF8.self))
            parameters.append(name: schema.identity?.uuidString ?? "")
            _ = try connection.perform(
                connection.passing(
                    """
                    INSERT INTO \(place.store) (mark, format, generation, schema, identity) \
                    VALUES ($1, $2, $3, $4, nullif($5, '')::uuid) ON CONFLICT (one) DO UPDATE SET \
                    mark = $1, format = $2, generation = $3, schema = $4, identity = nullif($5, '')::uuid
                    """, parameters))
        }

        /// Runs a body in a transaction without limits of time, which is committed unless the body throws.
        func inTransaction<Result>(
            _ body: () throws(DataStoreError) -> Result
        ) throws(DataStoreError) -> Result {
            let begin =
                connection.beginningWithoutLimits(ServerConnection.beginWriting)
                + [ServerConnection.withoutTransactionLimit]
            _ = try connection.perform(begin.map { connection.passing($0) })
            do throws(DataStoreError) {
                let result = try body()
                try commit()
                return result
            } catch {
                _ = try? connection.execute("ROLLBACK")
                throw error
            }
        }

        /// - Throws: `.commitUncertain` if the connection is lost: the schema was changed as a whole, or not at all.
        private func commit() throws(DataStoreError) {
            do throws(DataStoreError) {
                let commit = connection.passing("COMMIT")
                _ = try connection.perform([commit], within: connection.options.commitTimeout)
            } catch {
                guard error.code == .connectionLost || connection.isLost else { throw error }
                throw DataStoreError(
                    .commitUncertain, "The connection was lost while the store was made, changed or removed.",
                    advice: "Do it again: what was done is found, and not done twice.", path: connection.path,
                    underlying: error.underlying)
            }
        }

        /// Waits until no other process makes, removes or moves a store under the name; within a transaction.
        ///
        /// - Parameter purpose: Names another lock, which only those take that have the same purpose.
        func lockName(_ purpose: String = "") throws(DataStoreError) {
            try connection.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", "larder:" + purpose + place.schema)
        }
    }
#endif
