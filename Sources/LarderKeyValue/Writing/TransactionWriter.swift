import LarderEngine
import LarderKernel

/// Applies mutations to the tables of an engine and keeps the indexes right.
final class TransactionWriter: SnapshotReader, StorageWriting {
    private let transaction: any KeyValueTransaction
    // reason for unchecked: used by one thread at a time, and never by functions it calls.
    @exclusivity(unchecked) private var uniqueEntries: UniqueEntries
    // Used again for every mutation: the new row, the old row, and the keys of their index entries.
    private let newRow = ByteBuffer()
    private let oldRow = ByteBuffer()
    private let newKey = ByteBuffer()
    private let oldKey = ByteBuffer()
    private let oldCells: CellBuffer
    private let newCells: CellBuffer

    init(_ transaction: any KeyValueTransaction, _ catalog: Catalog) {
        self.transaction = transaction
        uniqueEntries = UniqueEntries(transaction, catalog.schema)
        oldCells = CellBuffer(count: catalog.schema.rowWidth)
        newCells = CellBuffer(count: catalog.schema.rowWidth)
        super.init(transaction, catalog)
    }

    override var invalidatesPointers: Bool { true }

    override func end() {
        uniqueEntries.end()
        super.end()
        // The writer is kept for the next block, without what only a large row has needed.
        newRow.reset()
        oldRow.reset()
    }

    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        var touched = TouchedRows()
        // By position, as a copy of a mutation would retain its columns.
        for position in mutations.indices {
            let number = mutations[position].entity
            let entity = catalog.entities[number]
            switch mutations[position].kind {
            case .insert:
                try insert(mutations[position].cells, into: entity, number)
                touched.add(1)
            case .update: touched.add(try update(mutations[position], in: entity, number) ? 1 : 0)
            case .delete: touched.add(try delete(mutations[position].cells[0], from: entity) ? 1 : 0)
            case .deleteAll: touched.add(try deleteAll(from: entity))
            }
        }
        return touched
    }

    var conditionalInserting: (any ConditionalInserting)? { nil }

    func setSavepoint() throws(DataStoreError) {
        try transaction.setSavepoint()
    }

    func releaseSavepoint() throws(DataStoreError) {
        try transaction.releaseSavepoint()
    }

    func rollBackToSavepoint() throws(DataStoreError) {
        try transaction.rollBackToSavepoint()
    }

    func commit() throws(DataStoreError) {
        defer { end() }
        for (entity, index) in try uniqueEntries.doubtful() {
            let clash = try UniqueClash.first(
                in: index.schema, of: entity, catalog.entities[entity].schema, self)
            if let clash { throw clash.refusal }
        }
        try transaction.commit()
    }

    private func insert(
        _ cells: UnsafePointer<Cell>, into entity: EntityTable, _ number: Int
    ) throws(DataStoreError) {
        try require(cells[0], of: entity)
        try encode(cells, of: entity)
        let isNew = try put(at: cells[0], of: entity, overwrites: false)
        guard isNew else { throw entity.schema.duplicateIdentifier(cells[0]) }
        for index in entity.indexes {
            newKey.truncate()
            index.form.append(cells, to: newKey)
            try addNewKey(to: index, of: number)
        }
    }

    private func update(
        _ mutation: RowMutation, in entity: EntityTable, _ number: Int
    ) throws(DataStoreError) -> Bool {
        let identifier = mutation.cells[0]
        guard try loadOldRow(identifier, of: entity) else { return false }
        for column in entity.schema.attributes.indices.dropFirst() {
            let isChanged = mutation.columns.contains(column)
            newCells.start[column] = isChanged ? mutation.cells[column] : oldCells.start[column]
        }
        newCells.start[0] = identifier
        try encode(newCells.start, of: entity)
        _ = try put(at: identifier, of: entity, overwrites: true)
        for index in entity.indexes where index.columns.contains(where: mutation.columns.contains) {
            try replaceEntry(in: index, of: number)
        }
        return true
    }

    private func delete(_ identifier: Cell, from entity: EntityTable) throws(DataStoreError) -> Bool {
        guard entity.identifier.accepts(identifier) else { return false }
        if !entity.indexes.isEmpty, try !loadOldRow(identifier, of: entity) { return false }
        let isDeleted = try entity.identifier.withKey(identifier) { key throws(DataStoreError) in
            try transaction.delete(key, in: entity.rows)
        }
        guard isDeleted else { return false }
        for index in entity.indexes {
            oldKey.truncate()
            index.form.append(oldCells.start, to: oldKey)
            _ = try transaction.delete(oldKey.bytes, in: index.entries)
        }
        return true
    }

    private func deleteAll(from entity: EntityTable) throws(DataStoreError) -> Int {
        let count = try snapshot.count(of: entity.rows)
        try transaction.clear(entity.rows)
        for index in entity.indexes { try transaction.clear(index.entries) }
        return count
    }

    /// Copies the row away, as the first change makes the engine's bytes invalid, and decodes it.
    private func loadOldRow(_ identifier: Cell, of entity: EntityTable) throws(DataStoreError) -> Bool {
        guard entity.identifier.accepts(identifier),
            let bytes = try entity.bytes(ofRow: identifier, in: snapshot)
        else { return false }
        oldRow.truncate()
        oldRow.append(bytes)
        try entity.layout.decode(oldRow.bytes, into: oldCells.start)
        oldCells.start[0] = identifier
        return true
    }

    private func encode(_ cells: UnsafePointer<Cell>, of entity: EntityTable) throws(DataStoreError) {
        newRow.truncate()
        try entity.layout.encode(cells) { newRow.grow(by: $0) }
    }

    private func put(
        at identifier: Cell, of entity: EntityTable, overwrites: Bool
    ) throws(DataStoreError) -> Bool {
        try entity.identifier.withKey(identifier) { key throws(DataStoreError) in
            try transaction.put(newRow.bytes, at: key, in: entity.rows, overwrites: overwrites)
        }
    }

    private func addNewKey(to index: IndexTable, of entity: Int) throws(DataStoreError) {
        _ = try transaction.put(Self.nothing, at: newKey.bytes, in: index.entries, overwrites: true)
        if index.schema.isUnique { try uniqueEntries.note(newKey.bytes, index, of: entity) }
    }

    /// Moves the entry of the old cells to where the new cells say, unless that is the same place.
    private func replaceEntry(in index: IndexTable, of entity: Int) throws(DataStoreError) {
        oldKey.truncate()
        index.form.append(oldCells.start, to: oldKey)
        newKey.truncate()
        index.form.append(newCells.start, to: newKey)
        if oldKey.bytes.elementsEqual(newKey.bytes) { return }
        _ = try transaction.delete(oldKey.bytes, in: index.entries)
        try addNewKey(to: index, of: entity)
    }

    private func require(_ identifier: Cell, of entity: EntityTable) throws(DataStoreError) {
        guard entity.identifier.accepts(identifier) else {
            throw DataStoreError(
                .identifierTooLong,
                "The identifier has \(identifier.length) bytes, more than any row can have.",
                itemType: entity.schema.name)
        }
    }

    private static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}
