import LarderKernel

/// The rows of an engine that pass the core's part of a filter.
final class TestedRows {
    private let cursor: any RowCursor
    private let rest: RowPredicate
    private let schema: EntitySchema
    /// The columns that are read, in the order of ``cells``.
    let columns: [Int]
    /// The cells of the row that was read last, valid until the next one is read.
    let cells: CellBuffer
    /// The same cells, by column number.
    private let row: CellBuffer

    /// - Parameter plan: The plan of the cursor.
    init(_ cursor: any RowCursor, of plan: RequestPlan, passing rest: RowPredicate) {
        self.cursor = cursor
        self.rest = rest
        schema = plan.schema
        columns = plan.columns.numbers(of: plan.schema)
        cells = CellBuffer(count: columns.count)
        row = CellBuffer(count: plan.schema.attributes.count)
    }

    /// Goes to the next row that passes; false when there is none.
    func next() throws(DataStoreError) -> Bool {
        while try cursor.next(into: cells.start) {
            for position in columns.indices { row.start[columns[position]] = cells.start[position] }
            if rest.matches(row.start, of: schema) { return true }
        }
        return false
    }

    func close() { cursor.close() }
}

/// The window of rows that come in their order.
final class WindowCursor: RowCursor {
    private let rows: TestedRows
    private let width: Int
    /// The number of rows still to skip, and the number still to return.
    private var skipped: Int
    private var remaining: Int

    init(_ rows: TestedRows, of plan: RequestPlan) {
        self.rows = rows
        width = plan.columns.numbers(of: plan.schema).count
        skipped = plan.offset
        remaining = plan.limit ?? .max
    }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        while remaining > 0, try rows.next() {
            if skipped > 0 {
                skipped -= 1
                continue
            }
            remaining -= 1
            for position in 0..<width { cells[position] = rows.cells.start[position] }
            return true
        }
        return false
    }

    func close() {
        remaining = 0
        rows.close()
    }
}
