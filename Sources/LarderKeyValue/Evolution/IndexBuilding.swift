import Larder
import LarderEngine

/// Fills new indexes from the rows of their entity, and checks the unique ones.
struct IndexBuilding {
    private let indexes: [IndexTable]
    private let entity: EntityTable
    private let transaction: any KeyValueTransaction

    init(of indexes: [IndexTable], over entity: EntityTable, in transaction: any KeyValueTransaction) {
        self.indexes = indexes
        self.entity = entity
        self.transaction = transaction
    }

    /// - Throws: `.uniqueViolation` naming two items that share a value which has to be unique.
    func run() throws(DataStoreError) {
        guard !indexes.isEmpty else { return }
        try fill()
        let reader = SnapshotReader(transaction, Catalog(of: entity))
        for index in indexes where index.schema.isUnique {
            let clash = try UniqueClash.first(in: index.schema, of: 0, entity.schema, reader)
            if let clash { throw clash.violation }
        }
    }

    private func fill() throws(DataStoreError) {
        let rows = try transaction.cursor(over: entity.rows)
        defer { rows.close() }
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        let columns = ColumnSet(indexes.flatMap(\.schema.columns)).filter { $0 != 0 }
        let key = ByteBuffer()
        var cells = [Cell](repeating: .null, count: entity.schema.attributes.count)
        var entry = KeyValueEntry()
        var isFound = try rows.first(&entry)
        while isFound {
            let outline = try entity.layout.outline(of: entry.value)
            cells[0] = try entity.identifier.identifier(inKey: entry.key)
            for column in columns { cells[column] = try entity.layout.cell(at: column, of: outline) }
            // One after the other: a change makes what the cells point to invalid, so the keys come first.
            key.truncate()
            var ends: [Int] = []
            for index in indexes {
                index.form.append(cells, to: key)
                ends.append(key.count)
            }
            for (position, index) in indexes.enumerated() {
                let start = position == 0 ? 0 : ends[position - 1]
                let bytes = UnsafeRawBufferPointer(rebasing: key.bytes[start..<ends[position]])
                _ = try transaction.put(nothing, at: bytes, in: index.entries, overwrites: true)
            }
            isFound = try rows.next(&entry)
        }
    }
}
