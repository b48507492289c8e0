import Larder

/// Rows that come in the order of the plan, read as they are asked for.
final class StreamedRows: RowCursor {
    private let rows: MatchingRows
    private let projection: RowProjection
    /// How many rows are to be left out first, and how many still to be given.
    // reason for unchecked: a cursor is used by one thread at a time and calls nothing that calls it back.
    @exclusivity(unchecked) private var skipped: Int
    @exclusivity(unchecked) private var remaining: Int
    @exclusivity(unchecked) private var isClosed = false

    init(_ rows: MatchingRows, of plan: RequestPlan, _ projection: RowProjection) {
        self.rows = rows
        self.projection = projection
        skipped = plan.offset
        remaining = plan.limit ?? .max
    }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        guard remaining > 0, !isClosed else { return false }
        var row = FoundRow()
        if skipped > 0, try !skip() { return false }
        guard try rows.next(&row) else {
            close()
            return false
        }
        try projection.decode(row, into: cells)
        remaining -= 1
        return true
    }

    func close() {
        isClosed = true
        rows.close()
    }

    /// Passes over the rows before the window; false when there are no others.
    @inline(never)
    private func skip() throws(DataStoreError) -> Bool {
        let count = skipped
        skipped = 0
        if try rows.skip(count) { return true }
        close()
        return false
    }
}
