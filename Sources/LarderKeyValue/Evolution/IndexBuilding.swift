import LarderKernel
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
            guard try mayClash(in: index) else { continue }
            let clash = try UniqueClash.first(in: index.schema, of: 0, entity.schema, reader)
            if let clash { throw clash.violation }
        }
    }

    private func fill() throws(DataStoreError) {
        let rows = try transaction.cursor(over: entity.rows)
        defer { rows.close() }
        let columns = ColumnSet(indexes.flatMap(\.schema.columns)).filter { $0 != 0 }
        var entries = indexes.map { SortedEntries(of: $0.form, among: indexes.count) }
        let cells = CellBuffer(count: entity.schema.attributes.count)
        var entry = KeyValueEntry()
        var isFound = try rows.first(&entry)
        while isFound {
            let outline = try entity.layout.outline(of: entry.value)
            cells.start[0] = try entity.identifier.identifier(inKey: entry.key)
            for column in columns { cells.start[column] = try entity.layout.cell(at: column, of: outline) }
            // A change makes what the cells point to invalid, so the keys of all indexes come first.
            for position in entries.indices { entries[position].add(cells.start) }
            for position in entries.indices where entries[position].isFull {
                try put(&entries[position], into: indexes[position])
            }
            isFound = try rows.next(&entry)
        }
        for position in entries.indices { try put(&entries[position], into: indexes[position]) }
    }

    private func put(_ entries: inout SortedEntries, into index: IndexTable) throws(DataStoreError) {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        try entries.removeAll { key throws(DataStoreError) in
            _ = try transaction.put(nothing, at: key, in: index.entries, overwrites: true)
        }
    }

    /// True if two rows may share a value: their entries then follow each other, with the same bytes in front of
    /// the identifiers.
    ///
    /// Values that are truncated at the same place look alike too. *Cost:* one walk over the entries, without
    /// the rows.
    private func mayClash(in index: IndexTable) throws(DataStoreError) -> Bool {
        let cursor = try transaction.cursor(over: index.entries)
        defer { cursor.close() }
        let last = ByteBuffer()
        var entry = KeyValueEntry()
        var isFound = try cursor.first(&entry)
        while isFound {
            let start = try index.form.identifierStart(in: entry.key).offset
            let values = UnsafeRawBufferPointer(rebasing: entry.key[..<start])
            if values.isEqual(to: last.bytes), !index.form.holdsNil(entry.key) { return true }
            last.truncate()
            last.append(values)
            isFound = try cursor.next(&entry)
        }
        return false
    }
}
