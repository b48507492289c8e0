import LarderKernel
import LarderSQL

/// A session as a tool's reading, inside a transaction that another part has begun and ends itself.
extension SQLiteSession: StorageReading {
    /// A session that reads item types as the store describes them, including types that the app does not
    /// know.
    ///
    /// *Rule:* the connection has read the schema that the item types are from, and stays open.
    convenience init(reading entities: [StoredSchema.Entity], on connection: SQLiteConnection) {
        let tables = entities.enumerated().map { number, entity in
            EntityTable(number: number, schema: EntitySchema(entity), stored: entity)
        }
        self.init(connection: connection, tables: tables, generation: 0, isSchemaKnown: true)
    }

    /// Resets the statements; the transaction continues.
    func end() { reset() }

    func beginAgain() -> Bool { false }
}
