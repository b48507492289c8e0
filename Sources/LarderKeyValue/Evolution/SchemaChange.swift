import Larder
import LarderEngine

/// Carries out a ``SchemaEvolution`` in one write transaction.
struct SchemaChange {
    private let schema: StoreSchema
    private(set) var directory: TableDirectory
    private let transaction: any KeyValueTransaction

    init(schema: StoreSchema, directory: TableDirectory, in transaction: any KeyValueTransaction) {
        self.schema = schema
        self.directory = directory
        self.transaction = transaction
    }

    /// - Throws: `.uniqueViolation` when items break the uniqueness that is asked for now.
    mutating func apply(_ evolution: SchemaEvolution) throws(DataStoreError) {
        for change in evolution.entities {
            if change.old == nil {
                try add(change)
            } else {
                try alter(change)
            }
        }
        for links in evolution.removedLinks { try remove(links) }
    }

    private mutating func remove(_ entity: StoredSchema.Entity) throws(DataStoreError) {
        guard let position = directory.position(of: entity.name) else {
            throw DataStoreError(.damaged, "The store has no table for \(entity.name).")
        }
        for index in entity.indexes { try removeIndex(on: index.attributes, ofEntityAt: position) }
        let stored = directory.entities.remove(at: position)
        let keys = try EntityTable.identifierForm(of: EntitySchema(entity)).keys
        if let rows = try transaction.table(named: stored.tableName, keys) {
            try transaction.removeTable(rows)
        }
    }

    private mutating func add(_ change: EntityEvolution) throws(DataStoreError) {
        let entity = schema.entities[change.entity]
        let keys = try EntityTable.identifierForm(of: entity).keys
        let position = directory.entities.count
        directory.entities.append(
            TableDirectory.Entity(
                number: change.new.number, name: change.new.name, layoutGeneration: 0, indexes: []))
        _ = try transaction.makeTable(named: directory.entities[position].tableName, keys)
        try makeIndexes(change.new.indexes, ofEntityAt: position)
    }

    private mutating func alter(_ change: EntityEvolution) throws(DataStoreError) {
        guard let old = change.old, let position = directory.position(of: old.name) else {
            throw DataStoreError(.damaged, "The store has no table for \(change.new.name).")
        }
        directory.entities[position].name = change.new.name
        // The values of an index may be written in another form once the columns have changed.
        let dropped = change.changesRows ? old.indexes : change.droppedIndexes
        let added = change.changesRows ? change.new.indexes : change.addedIndexes
        for index in dropped { try removeIndex(on: index.attributes, ofEntityAt: position) }
        if change.changesRows {
            let rewriting = try RowRewriting(
                change, of: schema.entities[change.entity], as: directory.entities[position], in: transaction)
            try rewriting.run()
            directory.entities[position].layoutGeneration = rewriting.newLayout.generation
        }
        try makeIndexes(added, ofEntityAt: position)
        let table = try EntityTable(
            schema.entities[change.entity], as: directory.entities[position], in: transaction)
        let indexes = table.indexes.filter { index in
            let names = index.schema.columns.map { table.schema.attributes[$0].name }
            return added.contains { $0.attributes.elementsEqual(names, by: UTF8Text.areEqual) }
        }
        try IndexBuilding(of: indexes, over: table, in: transaction).run()
    }

    private mutating func makeIndexes(
        _ indexes: [StoredSchema.Index], ofEntityAt position: Int
    ) throws(DataStoreError) {
        for index in indexes {
            let entry = directory.addIndex(on: index.attributes, ofEntityAt: position)
            _ = try transaction.makeTable(named: entry.tableName, .bytes)
        }
    }

    private mutating func removeIndex(
        on attributes: [String], ofEntityAt position: Int
    ) throws(DataStoreError) {
        guard let index = directory.entities[position].index(on: attributes) else { return }
        directory.entities[position].indexes.removeAll { $0 == index }
        if let table = try transaction.table(named: index.tableName, .bytes) {
            try transaction.removeTable(table)
        }
    }
}
