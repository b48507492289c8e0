import LarderKernel
import LarderSQL

/// The rows of a store while its schema changes, in the transaction of its opening.
///
/// *Rule:* neither commits nor ends the transaction.
final class SQLiteUpgradeRows: SessionWriting {
    let session: SQLiteSession
    var failure: DataStoreError?
    private let statements: RowStatements

    init(
        of schema: StoreSchema, as entities: [StoredSchema.Entity], on connection: SQLiteConnection
    ) throws(DataStoreError) {
        let tables = zip(schema.entities, entities).enumerated().map { number, entity in
            EntityTable(number: number, schema: entity.0, stored: entity.1)
        }
        // Stored last of all, so that it is still the one that was there before.
        let generation = try connection.integer(StoreMetadata.generationQuery)
        session = SQLiteSession(
            connection: connection, tables: tables, generation: generation, isSchemaKnown: true)
        statements = RowStatements(session)
    }

    /// Gives everything back that is prepared, so that tables can change.
    func finalize() {
        statements.finalize()
        session.reset()
    }

    func end() { session.reset() }

    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        try attempt { session throws(DataStoreError) in
            session.resetRowStatement()
            return try statements.apply(mutations)
        }
    }

    func commit() throws(DataStoreError) {
        throw DataStoreError(
            .unsupported, "The transaction of an opening is committed by the store.",
            path: session.connection.path)
    }
}
