import LarderKernel

/// The rows of a store while its schema changes, in the transaction of its opening.
///
/// *Rule:* neither commits nor ends the transaction.
final class SQLiteUpgradeRows: StorageWriting {
    private let session: SQLiteSession
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

    func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        try session.row(at: identifier, of: entity, into: cells)
    }

    func runsWhole(_ plan: RequestPlan) -> Bool { session.runsWhole(plan) }

    func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor { try session.rows(for: plan) }

    func count(for plan: RequestPlan) throws(DataStoreError) -> Int { try session.count(for: plan) }

    func groups(for plan: AggregatePlan) throws(DataStoreError) -> GroupRows? {
        try session.groups(for: plan)
    }

    func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] { try session.explain(plan) }

    func explain(_ plan: AggregatePlan) throws(DataStoreError) -> [String]? { try session.explain(plan) }

    func end() { session.reset() }

    func beginAgain() -> Bool { false }

    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        session.resetRowStatement()
        return try statements.apply(mutations)
    }

    func setSavepoint() throws(DataStoreError) { try session.commands.run(.setSavepoint) }

    func releaseSavepoint() throws(DataStoreError) { try session.commands.run(.releaseSavepoint) }

    func rollBackToSavepoint() throws(DataStoreError) {
        session.resetRowStatement()
        try session.commands.run(.rollBackToSavepoint)
        try session.commands.run(.releaseSavepoint)
    }

    func commit() throws(DataStoreError) {
        throw DataStoreError(
            .unsupported, "The transaction of an opening is committed by the store.",
            path: session.connection.path)
    }
}
