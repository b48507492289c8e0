import struct Foundation.Data
import struct Foundation.Date
import struct Foundation.Decimal
import struct Foundation.UUID
package import LarderKernel

extension BlockContext {
    /// The values of an item in some columns, as the store orders it by them.
    ///
    /// An item may show a fallback for a stored value that the app does not know, while the store orders it by the stored
    /// one. So the stored value counts in place of a value that the stored item shows too.
    ///
    /// *Cost:* a look-up by key if the Swift type of a column may refuse stored values, as an enum does.
    ///
    /// - Parameter columns: Columns of the item's schema, folded texts among them.
    /// - Throws: `.invalidValue` for an item that cannot be stored; rethrows errors from the engine.
    package func orderedValues<Item: DataStoreItem>(
        of item: Item, at columns: [Int]
    ) throws(DataStoreError) -> [Constant] {
        let schema = Item.schema
        let arena = resources.arena
        arena.reset()
        var values = try item.shownValues(at: columns, in: arena)
        guard columns.contains(where: schema.mayShowFallback(at:)),
            let row = try findRow(item.id, of: Item.self),
            let stored = try? Item(row: RowReader(cells: row, of: schema)),
            let shown = try? stored.shownValues(at: columns, in: RowArena(chunkBytes: 1024))
        else { return values }
        for (position, column) in columns.enumerated() where shown[position] == values[position] {
            values[position] = Constant(row[column], storage: schema.storage(ofColumn: column))
        }
        return values
    }
}

extension DataStoreItem {
    /// The values that the item shows in some columns.
    fileprivate func shownValues(
        at columns: [Int], in arena: RowArena
    ) throws(DataStoreError) -> [Constant] {
        let schema = Self.schema
        let cells = try RowWriter.encoding(self, in: arena).cells
        defer { withExtendedLifetime(arena) {} }
        try schema.fold(cells, in: arena)
        return columns.map { Constant(cells[$0], storage: schema.storage(ofColumn: $0)) }
    }
}

extension EntitySchema {
    /// True if items may show a fallback in a column, or in the text that it folds.
    fileprivate func mayShowFallback(at column: Int) -> Bool {
        let attribute = attributes[declaredColumn(of: column)]
        return column > 0 && (attribute.valueType as? any AttributeValue.Type)?.mayRefuse ?? false
    }
}

extension AttributeValue {
    /// True if the type may refuse a stored value, as an enum does; false for types that take all that apps store.
    fileprivate static var mayRefuse: Bool {
        switch Unwrapped.self {
        case is String.Type, is Bool.Type, is any FixedWidthInteger.Type, is any BinaryFloatingPoint.Type,
            is Decimal.Type, is Duration.Type, is Date.Type, is Data.Type, is UUID.Type,
            is any ItemReference.Type:
            false
        default: true
        }
    }
}
