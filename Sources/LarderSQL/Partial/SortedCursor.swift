import LarderKernel

/// The window of rows that the core sorts.
final class SortedCursor: RowCursor {
    private let width: Int
    private let terms: [Term]
    /// The number of rows that are kept; nil for all.
    private let kept: Int?
    private var rows: [[Constant]] = []
    /// The position of the next row.
    private var position: Int
    private let arena = RowArena()

    /// One term of the order.
    private struct Term {
        /// The position of the value among the columns that are read.
        let position: Int
        let storage: AttributeType.Storage
        let isAscending: Bool
    }

    /// Reads all rows.
    init(_ tested: TestedRows, of plan: RequestPlan) throws(DataStoreError) {
        width = plan.columns.numbers(of: plan.schema).count
        kept = plan.windowEnd
        position = plan.offset
        terms = plan.order.compactMap { term in
            tested.columns.firstIndex(of: term.column).map {
                Term(
                    position: $0, storage: plan.schema.storage(ofColumn: term.column),
                    isAscending: term.isAscending)
            }
        }
        let storages = tested.columns.map { plan.schema.storage(ofColumn: $0) }
        while kept != 0, try tested.next() {
            rows.append(storages.indices.map { Constant(tested.cells.start[$0], storage: storages[$0]) })
            if let kept, rows.count / 2 > max(kept, 64) { sort() }
        }
        sort()
    }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        guard position < rows.count else { return false }
        arena.reset()
        for column in 0..<width { cells[column] = try arena.cell(of: rows[position][column]) }
        position += 1
        return true
    }

    func close() {
        rows = []
    }

    /// Sorts the rows and forgets those after the window.
    private func sort() {
        let terms = terms
        rows.sort { left, right in
            for term in terms {
                let order = left[term.position].order(to: right[term.position], storage: term.storage)
                if order != 0 { return (order < 0) == term.isAscending }
            }
            return false
        }
        if let kept, rows.count > kept { rows.removeSubrange(kept...) }
    }
}
