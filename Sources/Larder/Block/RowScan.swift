/// Rows being read, one at a time, into the block's cells; each must be decoded before the next.
@usableFromInline
struct RowScan {
    @usableFromInline let cursor: any RowCursor
    @usableFromInline let cells: UnsafeMutablePointer<Cell>
    @usableFromInline let schema: EntitySchema

    @usableFromInline
    init(cursor: any RowCursor, cells: UnsafeMutablePointer<Cell>, schema: EntitySchema) {
        self.cursor = cursor
        self.cells = cells
        self.schema = schema
    }

    /// The row that ``next()`` has found.
    @inlinable
    var row: RowReader { RowReader(cells: cells, of: schema) }

    @inlinable
    func next() throws(DataStoreError) -> Bool {
        try cursor.next(into: cells)
    }

    @inlinable
    func close() {
        cursor.close()
    }
}
