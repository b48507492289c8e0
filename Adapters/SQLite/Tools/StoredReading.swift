import Larder

/// Reads item types as the store describes them, also those the app does not know, inside a transaction that
/// another part has begun.
final class StoredReading: StorageReading {
    private let session: SQLiteSession

    /// A reading of stored item types by statements of its own.
    ///
    /// *Rule:* the connection has read the schema that the item types are from, and stays open.
    convenience init(of entities: [StoredSchema.Entity], on connection: SQLiteConnection) {
        let tables = entities.enumerated().map { number, entity in
            EntityTable(number: number, schema: EntitySchema(entity), stored: entity)
        }
        self.init(
            SQLiteSession(connection: connection, tables: tables, generation: 0, isSchemaKnown: true))
    }

    /// A reading by the statements of a session.
    init(_ session: SQLiteSession) {
        self.session = session
    }

    func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        try session.row(at: identifier, of: entity, into: cells)
    }

    func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor { try session.rows(for: plan) }

    func count(for plan: RequestPlan) throws(DataStoreError) -> Int { try session.count(for: plan) }

    func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] { try session.explain(plan) }

    /// Resets the statements; the transaction is not this reading's to end.
    func end() {
        session.reset()
    }
}
