import LarderVersions
import LarderKernel
import LarderEngine

/// The changes of a store's tables in the write transaction of its opening, one evolution after the other.
final class SchemaChange: SchemaTransaction {
    private(set) var directory: TableDirectory
    private let meta: KeyValueTable
    private let transaction: any KeyValueTransaction

    init(directory: TableDirectory, meta: KeyValueTable, in transaction: any KeyValueTransaction) {
        self.directory = directory
        self.meta = meta
        self.transaction = transaction
    }

    func apply(_ evolution: SchemaEvolution, of schema: StoreSchema) throws(DataStoreError) {
        for entity in evolution.removed { try remove(entity) }
        for change in evolution.entities {
            if change.old == nil {
                try add(change, schema.entities[change.entity])
            } else {
                try alter(change, schema.entities[change.entity])
            }
        }
    }

    func withRows(
        of schema: StoreSchema, as entities: [StoredSchema.Entity],
        _ body: (any StorageWriting) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        let tables = try entities.enumerated().map { number, entity throws(DataStoreError) in
            guard let position = directory.position(ofNumber: entity.number) else {
                throw DataStoreError(.damaged, "The store has no table for \(entity.name).")
            }
            return try EntityTable(schema.entities[number], as: directory.entities[position], in: transaction)
        }
        // The generation is compared when a transaction begins, and this one has.
        let catalog = Catalog(of: schema, meta: meta, generation: 0, entities: tables)
        let writer = TransactionWriter(transaction, catalog)
        defer { writer.release() }
        try body(writer)
    }

    private func remove(_ entity: StoredSchema.Entity) throws(DataStoreError) {
        guard let position = directory.position(ofNumber: entity.number) else {
            throw DataStoreError(.damaged, "The store has no table for \(entity.name).")
        }
        for index in entity.indexes { try removeIndex(on: index.attributes, ofEntityAt: position) }
        let stored = directory.entities.remove(at: position)
        let keys = try EntityTable.identifierForm(of: EntitySchema(entity)).keys
        if let rows = try transaction.table(named: stored.tableName, keys) {
            try transaction.removeTable(rows)
        }
    }

    private func add(_ change: EntityEvolution, _ entity: EntitySchema) throws(DataStoreError) {
        let keys = try EntityTable.identifierForm(of: entity).keys
        let position = directory.entities.count
        directory.entities.append(
            TableDirectory.Entity(
                number: change.new.number, name: change.new.name, layoutGeneration: 0, indexes: []))
        _ = try transaction.makeTable(named: directory.entities[position].tableName, keys)
        try makeIndexes(change.new.indexes, ofEntityAt: position)
    }

    private func alter(_ change: EntityEvolution, _ entity: EntitySchema) throws(DataStoreError) {
        guard let old = change.old, let position = directory.position(ofNumber: old.number) else {
            throw DataStoreError(.damaged, "The store has no table for \(change.new.name).")
        }
        directory.entities[position].name = change.new.name
        // The values of an index may be written in another form once the columns have changed.
        let dropped = change.changesRows ? old.indexes : change.droppedIndexes
        let added = change.changesRows ? change.new.indexes : change.addedIndexes
        for index in dropped { try removeIndex(on: index.attributes, ofEntityAt: position) }
        if change.changesRows {
            let rewriting = try RowRewriting(
                change, of: entity, as: directory.entities[position], in: transaction)
            try rewriting.run()
            directory.entities[position].layoutGeneration = rewriting.newLayout.generation
        }
        try makeIndexes(added, ofEntityAt: position)
        let table = try EntityTable(entity, as: directory.entities[position], in: transaction)
        let indexes = table.indexes.filter { index in
            let names = index.schema.columns.map { table.schema.attributes[$0].name }
            return added.contains { $0.attributes.elementsEqual(names, by: UTF8Text.areEqual) }
        }
        try IndexBuilding(of: indexes, over: table, in: transaction).run()
    }

    private func makeIndexes(
        _ indexes: [StoredSchema.Index], ofEntityAt position: Int
    ) throws(DataStoreError) {
        for index in indexes {
            let entry = directory.addIndex(on: index.attributes, ofEntityAt: position)
            _ = try transaction.makeTable(named: entry.tableName, .bytes)
        }
    }

    private func removeIndex(
        on attributes: [String], ofEntityAt position: Int
    ) throws(DataStoreError) {
        guard let index = directory.entities[position].index(on: attributes) else { return }
        directory.entities[position].indexes.removeAll { $0 == index }
        if let table = try transaction.table(named: index.tableName, .bytes) {
            try transaction.removeTable(table)
        }
    }
}
