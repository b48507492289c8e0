import Larder

/// An item as its stored values, in column order: equal when every bit is.
struct StoredRow: Hashable, Sendable {
    let values: [Constant]

    init<Item: DataStoreItem>(_ item: Item) throws(DataStoreError) {
        let schema = Item.schema
        let arena = RowArena(chunkBytes: 1024)
        let stored = CellBuffer(count: schema.attributes.count)
        let cells = stored.start
        var row = RowWriter(cells: cells, arena: arena, of: schema)
        try item.encode(to: &row)
        values = schema.attributes.indices.map { column in
            let type = schema.attributes[column].type
            // Sets and dictionaries are encoded in another order each time; only whether there is one counts.
            let isJSON = type == .json && !cells[column].isNull
            return isJSON ? .text("JSON") : Constant(cells[column], storage: type.storage)
        }
        withExtendedLifetime((arena, stored)) {}
    }

    var identifier: Constant { values[0] }

    /// Whether the row comes before another by these columns.
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

/// What a store holds, to be compared with what another holds.
struct StoreContents: Equatable, CustomStringConvertible {
    var rows: [String: [StoredRow]] = [:]

    var description: String {
        rows.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.count) rows" }.joined(separator: ", ")
    }
}
