import Larder

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

    /// - Throws: `.schemaMismatch` naming two items that share a value which has to be unique.
    func run() throws(DataStoreError) {
        guard !indexes.isEmpty else { return }
        try fill()
        for index in indexes where index.schema.isUnique { try checkUniqueness(of: index) }
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

    /// Looks at entries with the same values, which stand together.
    private func checkUniqueness(of index: IndexTable) throws(DataStoreError) {
        let entries = try transaction.cursor(over: index.entries)
        defer { entries.close() }
        var entry = KeyValueEntry()
        var previous = UnsafeRawBufferPointer(start: nil, count: 0)
        var alike: [Cell] = []
        var isFound = try entries.first(&entry)
        while isFound {
            let end = try index.form.identifierStart(in: entry.key)
            let values = UnsafeRawBufferPointer(rebasing: entry.key[..<end.offset])
            let rest = UnsafeRawBufferPointer(rebasing: entry.key[end.offset...])
            if !values.elementsEqual(previous) { alike.removeAll() }
            previous = values
            if !index.form.holdsNil(entry.key) {
                let identifier = try entity.identifier.identifier(inRest: rest)
                let isExact = end.extent == .whole && index.form.isComplete
                for other in alike {
                    let isClash = isExact ? true : try haveSameValues(identifier, other, index)
                    if isClash { throw clash(of: identifier, with: other, in: index) }
                }
                // Of exact entries one is enough, as a second throws.
                alike.append(identifier)
            }
            isFound = try entries.next(&entry)
        }
    }

    /// Whether two items, whose index entries look alike, have the same values in the columns of the index.
    private func haveSameValues(
        _ first: Cell, _ second: Cell, _ index: IndexTable
    ) throws(DataStoreError) -> Bool {
        let (first, second) = (try row(of: first), try row(of: second))
        for column in index.schema.columns {
            guard column != 0 else { return false }
            let left = try entity.layout.cell(at: column, of: first)
            let right = try entity.layout.cell(at: column, of: second)
            if left.isNull || !left.hasSameBytes(as: right) { return false }
        }
        return true
    }

    private func row(of identifier: Cell) throws(DataStoreError) -> RowOutline {
        let bytes = try entity.identifier.withKey(identifier) { key throws(DataStoreError) in
            try transaction.value(at: key, in: entity.rows)
        }
        guard let bytes else {
            throw DataStoreError(
                .damaged, "An index entry of \(entity.schema.name) leads to no row.",
                itemType: entity.schema.name)
        }
        return try entity.layout.outline(of: bytes)
    }

    private func clash(of identifier: Cell, with other: Cell, in index: IndexTable) -> DataStoreError {
        let schema = entity.schema
        let names = index.schema.columns.map { schema.attributes[$0].name }.joined(separator: ", ")
        let items = [other, identifier].compactMap { AnyItemID($0, type: schema.attributes[0].type) }
        return DataStoreError(
            .schemaMismatch,
            "\(schema.name).\(names) cannot be unique: the items "
                + items.map(\.description).joined(separator: " and ") + " hold the same value.",
            advice: "Change one of the values before the attribute becomes unique.",
            itemType: schema.name, attribute: names, identifier: items.first)
    }
}
