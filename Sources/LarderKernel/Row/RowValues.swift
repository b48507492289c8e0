/// One row of an item, copied, so that it may be kept and sent anywhere.
package struct RowValues: Sendable, Hashable {
    package let schema: EntitySchema
    package let values: [Constant]

    /// - Parameter cells: One for each attribute.
    package init(_ cells: UnsafePointer<Cell>, of schema: EntitySchema) {
        self.schema = schema
        values = schema.attributes.indices.map { Constant(cells[$0], storage: schema.storage(ofColumn: $0)) }
    }

    package static func == (left: RowValues, right: RowValues) -> Bool {
        left.schema === right.schema && left.values == right.values
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(values)
    }

    /// The identifier of the item.
    package var identifier: AnyItemID? {
        values[0].withCell { AnyItemID($0, type: schema.attributes[0].type) }
    }

    /// The value of a column in the standard type for it.
    func value(at column: Int) -> (any AttributeStorable)? {
        values[column].withCell { $0.value(of: schema.attributes[column].type) }
    }

    /// The item; nil if it is of another type.
    ///
    /// - Throws: `.undecodable`.
    package func item<Item: DataStoreItem>(_ type: Item.Type) throws(DataStoreError) -> Item? {
        guard schema === Item.schema else { return nil }
        return try withCells { cells throws(DataStoreError) in
            try Item(row: RowReader(cells: cells, of: schema))
        }
    }

    /// The columns whose values differ from another row of the same item.
    package func changedColumns(to other: RowValues) -> ColumnSet {
        var columns = ColumnSet()
        for column in schema.declaredAttributes.indices.dropFirst() {
            let isUnchanged = values[column].withCell { old in
                other.values[column].withCell { schema.isUnchanged(at: column, from: old, to: $0) }
            }
            if !isUnchanged { columns.insert(column) }
        }
        return columns
    }

    /// Calls the body with the row as cells, which are valid only during the call.
    func withCells<Value>(
        _ body: (UnsafePointer<Cell>) throws(DataStoreError) -> Value
    ) throws(DataStoreError) -> Value {
        let arena = RowArena(chunkBytes: 1024)
        let cells = CellBuffer(count: max(1, values.count))
        for (column, value) in values.enumerated() { cells.start[column] = try arena.cell(of: value) }
        defer { withExtendedLifetime((arena, cells)) {} }
        return try body(cells.start)
    }
}
