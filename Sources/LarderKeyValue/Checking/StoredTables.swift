import LarderKernel

/// The tables of all item types as the store itself describes them, including types that the app does not
/// know.
struct StoredTables {
    let schema: StoredSchema
    private let directory: TableDirectory

    /// - Throws: `.damaged` when the store does not describe itself.
    init(in snapshot: any KeyValueSnapshot) throws(DataStoreError) {
        guard let meta = try snapshot.table(named: MetaRecord.tableName, .bytes) else {
            throw DataStoreError(.damaged, "The store has no metadata.")
        }
        try MetaRecord.checkFormat(in: snapshot, meta)
        schema = try MetaRecord.storedSchema(in: snapshot, meta)
        directory = try MetaRecord.directory(in: snapshot, meta)
        try directory.requireAgreement(with: schema)
    }

    /// The tables of one item type.
    ///
    /// - Throws: `.damaged` when one is missing.
    func table(of entity: StoredSchema.Entity, in snapshot: any KeyValueSnapshot) throws(DataStoreError)
        -> EntityTable
    {
        guard let position = directory.position(of: entity.name) else {
            throw DataStoreError(.damaged, "The store has no table for \(entity.name).")
        }
        return try EntityTable(EntitySchema(entity), as: directory.entities[position], in: snapshot)
    }
}
