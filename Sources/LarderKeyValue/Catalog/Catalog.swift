import LarderKernel

/// The parts of an open store: the tables of its entities and indexes, and the forms of their bytes.
///
/// *Rule:* immutable; made when the store is opened.
final class Catalog: Sendable {
    let schema: StoreSchema
    let meta: KeyValueTable
    /// The generation of the stored schema when the store was opened.
    let generation: UInt64
    /// By the entity's number in the store's schema.
    let entities: [EntityTable]

    init(of schema: StoreSchema, meta: KeyValueTable, generation: UInt64, entities: [EntityTable]) {
        self.schema = schema
        self.meta = meta
        self.generation = generation
        self.entities = entities
    }

    /// A catalog of one item type, for a reading by its tables alone.
    convenience init(of entity: EntityTable) {
        self.init(of: StoreSchema(of: entity.schema), meta: entity.rows, generation: 0, entities: [entity])
    }

    /// Finds the tables of a schema in the directory of a store.
    ///
    /// - Throws: `.damaged` when one is missing.
    convenience init(
        of schema: StoreSchema, in directory: TableDirectory, generation: UInt64, meta: KeyValueTable,
        _ snapshot: any KeyValueSnapshot
    ) throws(DataStoreError) {
        var entities: [EntityTable] = []
        for entity in schema.entities {
            guard let position = directory.position(of: entity.name) else {
                throw DataStoreError(.damaged, "The store has no table for \(entity.name).")
            }
            entities.append(try EntityTable(entity, as: directory.entities[position], in: snapshot))
        }
        self.init(of: schema, meta: meta, generation: generation, entities: entities)
    }

    /// Refuses a store whose schema another process has changed since it was opened, and ends the snapshot
    /// then.
    ///
    /// - Throws: `.schemaChanged`; rethrows errors of the engine.
    func requireGeneration(of snapshot: any KeyValueSnapshot) throws(DataStoreError) {
        do throws(DataStoreError) {
            let stored = try MetaRecord.storedGeneration(in: snapshot, meta)
            guard stored == generation else {
                throw DataStoreError(
                    .schemaChanged,
                    "The store's schema has generation \(stored), and had \(generation) before.")
            }
        } catch {
            snapshot.end()
            throw error
        }
    }
}

/// The rows of one entity.
final class EntityTable: Sendable {
    let schema: EntitySchema
    let rows: KeyValueTable
    let layout: RowLayout
    let identifier: IdentifierForm
    let indexes: [IndexTable]

    init(
        _ schema: EntitySchema, rows: KeyValueTable, layout: RowLayout, identifier: IdentifierForm,
        indexes: [IndexTable]
    ) {
        self.schema = schema
        self.rows = rows
        self.layout = layout
        self.identifier = identifier
        self.indexes = indexes
    }

    /// - Throws: `.damaged` when a table is missing, `.invalidSchema` for an entity that cannot be kept.
    convenience init(
        _ schema: EntitySchema, as stored: TableDirectory.Entity, in snapshot: any KeyValueSnapshot
    ) throws(DataStoreError) {
        let identifier = try Self.identifierForm(of: schema)
        guard let rows = try snapshot.table(named: stored.tableName, identifier.keys) else {
            throw DataStoreError(.damaged, "The rows of \(schema.name) are missing.", itemType: schema.name)
        }
        var indexes: [IndexTable] = []
        for index in schema.indexes {
            let names = index.columns.map { schema.attributes[$0].name }
            guard let entry = stored.index(on: names),
                let table = try snapshot.table(named: entry.tableName, .bytes)
            else {
                throw DataStoreError(
                    .damaged, "The index on \(names.joined(separator: ", ")) is missing.",
                    itemType: schema.name)
            }
            indexes.append(try IndexTable(index, of: schema, entries: table, identifiedBy: identifier))
        }
        let layout = RowLayout(of: schema, generation: stored.layoutGeneration)
        self.init(schema, rows: rows, layout: layout, identifier: identifier, indexes: indexes)
    }

    /// - Throws: `.invalidSchema` when the type cannot identify items.
    static func identifierForm(of schema: EntitySchema) throws(DataStoreError) -> IdentifierForm {
        let type = schema.attributes[0].type
        guard let form = IdentifierForm(type) else {
            throw DataStoreError(
                .invalidSchema, "A \(type.rawValue) cannot identify items.", itemType: schema.name,
                attribute: "id")
        }
        return form
    }
}

/// The entries of one index: keys without values.
final class IndexTable: Sendable {
    let schema: IndexSchema
    let entries: KeyValueTable
    let form: IndexKeyForm
    /// The name in `explain`: `Recipe(slug)`.
    let name: String
    /// The columns as a set, to find the indexes an update touches.
    let columns: ColumnSet

    /// - Throws: `.invalidSchema` for a column that cannot be indexed.
    init(
        _ schema: IndexSchema, of entity: EntitySchema, entries: KeyValueTable,
        identifiedBy identifier: IdentifierForm
    ) throws(DataStoreError) {
        let names = schema.columns.map { entity.attributes[$0].name }.joined(separator: ", ")
        guard let form = IndexKeyForm(columns: schema.columns, of: entity, identifiedBy: identifier) else {
            throw DataStoreError(
                .invalidSchema, "The index on \(names) holds an attribute that cannot be indexed.",
                itemType: entity.name)
        }
        self.schema = schema
        self.entries = entries
        self.form = form
        name = "\(entity.name)(\(names))"
        columns = ColumnSet(schema.columns)
    }
}
