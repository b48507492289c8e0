import LarderVersions
import LarderKernel
import LarderEngine

/// Rewrites all rows of an entity in the layout of its changed columns.
///
/// A cursor may not be in a table that changes, so rows are read in batches, each after the last key. A batch has as many
/// rows and bytes as ``RowBatches`` allows.
struct RowRewriting {
    let newLayout: RowLayout
    private let oldLayout: RowLayout
    private let columns: [EntityEvolution.ColumnSource]
    private let rows: KeyValueTable
    private let transaction: any KeyValueTransaction
    private let cells: CellBuffer

    /// A row in its new form; key and bytes are in the arena of the batch.
    private struct Rewritten {
        let key: UnsafeRawBufferPointer
        let bytes: UnsafeRawBufferPointer
    }

    /// - Throws: `.damaged` when the rows are missing.
    init(
        _ change: EntityEvolution, of entity: EntitySchema, as stored: TableDirectory.Entity,
        in transaction: any KeyValueTransaction
    ) throws(DataStoreError) {
        let keys = try EntityTable.identifierForm(of: entity).keys
        guard let old = change.old, let rows = try transaction.table(named: stored.tableName, keys) else {
            throw DataStoreError(.damaged, "The rows of \(entity.name) are missing.", itemType: entity.name)
        }
        oldLayout = RowLayout(
            of: old.attributes.map(\.type), named: old.name, generation: stored.layoutGeneration)
        newLayout = RowLayout(of: entity, generation: stored.layoutGeneration &+ 1)
        columns = change.columns
        cells = CellBuffer(count: change.columns.count)
        self.rows = rows
        self.transaction = transaction
    }

    func run() throws(DataStoreError) {
        let arena = RowArena()
        let lastKey = ByteBuffer()
        while true {
            let batch = try nextBatch(after: lastKey, in: arena)
            for row in batch {
                _ = try transaction.put(row.bytes, at: row.key, in: rows, overwrites: true)
            }
            guard let last = batch.last else { return }
            lastKey.truncate()
            lastKey.append(last.key)
            arena.reset()
        }
    }

    private func nextBatch(
        after lastKey: ByteBuffer, in arena: RowArena
    ) throws(DataStoreError) -> [Rewritten] {
        let cursor = try transaction.cursor(over: rows)
        defer { cursor.close() }
        var entry = KeyValueEntry()
        var isFound: Bool
        if lastKey.count == 0 {
            isFound = try cursor.first(&entry)
        } else {
            isFound = try cursor.seek(lastKey.bytes, &entry)
            if isFound, entry.key.elementsEqual(lastKey.bytes) { isFound = try cursor.next(&entry) }
        }
        let row = ByteBuffer()
        var batch: [Rewritten] = []
        var bytes = 0
        while isFound, batch.count < RowBatches.maximumRows, bytes < RowBatches.maximumBytes {
            try rewrite(entry.value, into: row, arena)
            bytes += row.count
            batch.append(Rewritten(key: try arena.copy(entry.key), bytes: try arena.copy(row.bytes)))
            isFound = try cursor.next(&entry)
        }
        return batch
    }

    private func rewrite(
        _ bytes: UnsafeRawBufferPointer, into row: ByteBuffer, _ arena: RowArena
    ) throws(DataStoreError) {
        let outline = try oldLayout.outline(of: bytes)
        for column in columns.indices.dropFirst() {
            switch columns[column] {
            case .stored(let position): cells.start[column] = try oldLayout.cell(at: position, of: outline)
            case .constant(let constant): cells.start[column] = try arena.cell(of: constant)
            case .folded(let folded):
                cells.start[column] = try arena.folded(cells.start[folded.source], folded.matching)
            }
        }
        row.truncate()
        try newLayout.encode(cells.start) { row.grow(by: $0) }
    }
}
