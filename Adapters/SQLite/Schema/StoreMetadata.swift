import CSQLite
import LarderKernel
import LarderEngine

/// The metadata of a store: the table `larder_meta`, and two numbers in the file's header.
enum StoreMetadata {
    /// "Lrdr", in the header of every store of ours.
    static let applicationID: UInt32 = 0x4C72_6472
    /// The newest version of what is described here that this code reads, in the header too; it writes the
    /// oldest one that holds the schema.
    static let newestFormat = StoredSchema.newestFormatVersion

    /// The query for the number that grows with each change of the schema.
    static let generationQuery = "SELECT value FROM larder_meta WHERE key = 'generation'"

    /// Makes the table in a new store.
    static func create(on connection: SQLiteConnection) throws(DataStoreError) {
        try connection.execute(
            """
            PRAGMA application_id = \(applicationID);
            CREATE TABLE larder_meta (key TEXT PRIMARY KEY NOT NULL, value ANY NOT NULL) STRICT, WITHOUT ROWID
            """)
    }

    /// The schema of the rows in the store.
    ///
    /// - Throws: `.damaged` when there is none, or it is inconsistent or does not match the number beside it.
    static func schema(on connection: SQLiteConnection) throws(DataStoreError) -> StoredSchema {
        do throws(DataStoreError) {
            let statement = try connection.prepare(
                "SELECT value, (\(generationQuery)), (SELECT typeof(value) FROM larder_meta "
                    + "WHERE key = 'generation') FROM larder_meta WHERE key = 'schema'")
            guard try statement.step() else {
                throw DataStoreError(.damaged, "The store's file does not hold its own schema.")
            }
            let stored = try StoredSchema(decoding: Array(statement.text(at: 0).utf8))
            guard statement.text(at: 2) == "integer", statement.integer(at: 1) == stored.generation else {
                let generation = statement.text(at: 1)
                throw DataStoreError(
                    .damaged,
                    "The store has generation \(generation), but its schema has \(stored.generation).")
            }
            return stored
        } catch {
            // Without memory, the table may be as it should be.
            guard SQLiteFailure.isWrongStatement(error) else { throw error.about(path: connection.path) }
            throw DataStoreError(
                .damaged,
                "The table larder_meta, which contains the store's schema, is missing or has other columns.",
                path: connection.path, underlying: error.underlying)
        }
    }

    static func setSchema(
        _ schema: StoredSchema, on connection: SQLiteConnection
    ) throws(DataStoreError) {
        let sql = "INSERT OR REPLACE INTO larder_meta (key, value) VALUES ('schema', ?), ('generation', ?)"
        let statement = try connection.prepare(sql)
        let text = Array(schema.encoded())
        text.withUnsafeBytes { statement.bindText($0, at: 1, .copied) }
        statement.bind(schema.generation, at: 2)
        try statement.run()
        if try connection.integer("PRAGMA user_version") != schema.formatVersion {
            try connection.execute("PRAGMA user_version = \(schema.formatVersion)")
        }
    }
}
