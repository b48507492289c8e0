import Larder

/// The tables of an item type as the store itself describes them.
struct StoredTables {
    let entity: StoredSchema.Entity
    private let directory: TableDirectory.Entity

    /// Those of everything in a store.
    ///
    /// - Throws: `.damaged` when the store does not describe itself.
    static func entities(in snapshot: any KeyValueSnapshot) throws(DataStoreError) -> [StoredTables] {
        guard let meta = try snapshot.table(named: MetaRecord.tableName, .bytes) else {
            throw DataStoreError(.damaged, "The store keeps nothing of itself.")
        }
        let schema = try MetaRecord.storedSchema(in: snapshot, meta)
        let directory = try MetaRecord.directory(in: snapshot, meta)
        var entities: [StoredTables] = []
        for entity in schema.entities {
            guard let position = directory.position(of: entity.name) else {
                throw DataStoreError(.damaged, "The store has no table for \(entity.name).")
            }
            entities.append(StoredTables(entity: entity, directory: directory.entities[position]))
        }
        return entities
    }

    /// - Throws: `.damaged` when one is missing.
    func open(in snapshot: any KeyValueSnapshot) throws(DataStoreError) -> EntityTable {
        try EntityTable(EntitySchema(entity), as: directory, in: snapshot)
    }
}
