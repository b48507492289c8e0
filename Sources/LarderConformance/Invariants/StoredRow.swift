import Larder

/// The stored values of an item in column order, compared bit by bit.
struct StoredRow: Hashable, Sendable {
    let values: [Constant]

    init(values: [Constant]) {
        self.values = values
    }

    init<Item: DataStoreItem>(_ item: Item) throws(DataStoreError) {
        let schema = Item.schema
        let arena = RowArena(chunkBytes: 1024)
        let stored = CellBuffer(count: schema.attributes.count)
        let cells = stored.start
        var row = RowWriter(cells: cells, arena: arena, of: schema)
        try item.encode(to: &row)
        try schema.fold(cells, in: arena)
        values = schema.attributes.indices.map { column in
            let type = schema.attributes[column].type
            // Sets and dictionaries are encoded in a different order each time, so only their presence
            // counts.
            let isJSON = type == .json && !cells[column].isNull
            return isJSON ? .text("JSON") : Constant(cells[column], storage: type.storage)
        }
        withExtendedLifetime((arena, stored)) {}
    }

    var identifier: Constant { values[0] }

    /// True if the row comes before another by these columns.
    func precedes(_ other: StoredRow, by columns: [Int], of schema: EntitySchema) -> Bool {
        for column in columns {
            let order = values[column].order(
                to: other.values[column], storage: schema.storage(ofColumn: column))
            if order != 0 { return order < 0 }
        }
        return false
    }
}

extension Constant {
    func order(to other: Constant, storage: AttributeType.Storage) -> Int {
        withCell { left in other.withCell { left.order(to: $0, storage: storage) } }
    }
}

/// The contents of a store, for comparison with another store.
struct StoreContents: Equatable, CustomStringConvertible {
    var rows: [String: [StoredRow]] = [:]

    var description: String {
        rows.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.count) rows" }.joined(separator: ", ")
    }
}
