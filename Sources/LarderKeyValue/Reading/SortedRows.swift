import Larder

/// Rows brought into the order of the plan before the first is given.
///
/// Kept are identifiers and where the rows are, not the rows themselves. In a transaction, where a change makes
/// the engine's pointers invalid, the rows of the window are copied.
final class SortedRows: RowCursor {
    private let projection: RowProjection
    private var window: ArraySlice<FoundRow>
    // Never read again: the rows of a list of identifiers point into it.
    private let rows: MatchingRows
    // The rows of a transaction, and its identifiers of text and bytes.
    private let arena = RowArena()

    init(
        _ rows: MatchingRows, of plan: RequestPlan, over entity: EntityTable, invalidatesPointers: Bool,
        _ projection: RowProjection
    ) throws(DataStoreError) {
        self.projection = projection
        self.rows = rows
        defer { rows.close() }
        var sorting = RowSorting(by: RowOrder(plan.order, of: entity), keeping: plan.windowEnd)
        var row = FoundRow()
        while try rows.next(&row) { try sorting.add(row) }
        window = sorting.rows(from: plan.offset)
        if invalidatesPointers {
            for position in window.indices { try keep(&window[position]) }
        }
    }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        guard let row = window.popFirst() else { return false }
        try projection.decode(row, into: cells)
        return true
    }

    func close() {
        window = []
    }

    private func keep(_ row: inout FoundRow) throws(DataStoreError) {
        row.bytes = try arena.copy(row.bytes)
        row.identifier = try arena.copy(row.identifier)
    }
}

extension RequestPlan {
    /// How many rows from the first are needed at most; nil for all.
    var windowEnd: Int? {
        guard let limit else { return nil }
        let (end, isTooLarge) = offset.addingReportingOverflow(limit)
        return isTooLarge ? nil : end
    }
}
