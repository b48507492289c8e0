/// The rows of one source of several whose rows are merged, with the row that is held of it.
///
/// *Rule:* used by one thread at a time; the cursor of the plan that ``RequestPlan/forMerging(besides:)`` makes.
package final class HeldRows {
    package let cursor: any RowCursor
    /// The columns in the order in which the cursor gives them; nil for all.
    private let columns: [Int]?
    /// The row by column number.
    private let row: CellBuffer
    private let given: CellBuffer
    private let width: Int
    // The held rows of a writing transaction are copied, as the next change may move what they point to.
    private let arena: RowArena?
    // reason for unchecked: used by one thread at a time, with every row.
    @exclusivity(unchecked) package var isHolding = false
    @exclusivity(unchecked) private var isAtEnd = false

    /// - Parameter isChanging: True if rows may change while the cursor is open.
    package init(_ cursor: any RowCursor, of plan: RequestPlan, isChanging: Bool) {
        self.cursor = cursor
        width = plan.schema.attributes.count
        row = CellBuffer(count: width)
        if case .some(let columns) = plan.columns { self.columns = columns } else { columns = nil }
        given = CellBuffer(count: max(1, columns?.count ?? 0))
        arena = isChanging ? RowArena(chunkBytes: 1024) : nil
    }

    package var cells: UnsafePointer<Cell> { UnsafePointer(row.start) }

    /// Reads the next row; false at the end.
    package func advance() throws(DataStoreError) -> Bool {
        if isAtEnd { return false }
        guard try cursor.next(into: columns == nil ? row.start : given.start) else {
            isAtEnd = true
            cursor.close()
            return false
        }
        if let columns {
            for position in columns.indices { row.start[columns[position]] = given.start[position] }
        }
        return true
    }

    /// Keeps the row until it is given.
    package func hold() throws(DataStoreError) {
        isHolding = true
        guard let arena else { return }
        arena.reset()
        if let columns {
            for column in columns { row.start[column] = try arena.copy(row.start[column]) }
        } else {
            try arena.copy(row.start, to: row.start, width)
        }
    }
}

/// The order of a plan's rows that are merged, the window of them that is given, and the columns.
///
/// It looks up storages once, and ``RequestPlan/precedes(_:_:)`` for each pair. *Rule:* used by one thread at a time.
// An object, as the order would be copied for each row out of a variable with the counts.
package final class MergeWindow {
    private struct Term {
        let column: Int
        let storage: AttributeType.Storage
        let isAscending: Bool
    }

    private let terms: [Term]
    /// The columns that are given; nil for all.
    private let columns: [Int]?
    private let width: Int
    // reason for unchecked: used by one thread at a time, with every row.
    @exclusivity(unchecked) private var skipped: Int
    @exclusivity(unchecked) private var left: Int

    package init(of plan: RequestPlan) {
        skipped = plan.offset
        left = plan.limit ?? .max
        terms = plan.order.map { term in
            Term(
                column: term.column, storage: plan.schema.storage(ofColumn: term.column),
                isAscending: term.isAscending)
        }
        if case .some(let columns) = plan.columns { self.columns = columns } else { columns = nil }
        width = plan.schema.attributes.count
    }

    /// True if rows of the window are still to be given.
    package var isOpen: Bool { left > 0 }

    package func close() { left = 0 }

    /// True if a row comes before another; cells by column number.
    package func precedes(_ left: UnsafePointer<Cell>, _ right: UnsafePointer<Cell>) -> Bool {
        for term in terms {
            let order = left[term.column].order(to: right[term.column], storage: term.storage)
            if order != 0 { return (order < 0) == term.isAscending }
        }
        return false
    }

    /// Gives the next row, with cells by column number, in the columns of the plan; false if it is before the window.
    package func give(_ row: UnsafePointer<Cell>, to cells: UnsafeMutablePointer<Cell>) -> Bool {
        if skipped > 0 {
            skipped -= 1
            return false
        }
        left -= 1
        if let columns {
            for position in columns.indices { cells[position] = row[columns[position]] }
        } else {
            cells.update(from: row, count: width)
        }
        return true
    }
}

extension RequestPlan {
    /// The same from the first row to the end of the window.
    package var untilWindowEnd: RequestPlan {
        var plan = self
        (plan.offset, plan.limit) = (0, windowEnd)
        return plan
    }

    /// The plan for each of several sources whose rows are merged: to the end of the window, with the columns of the order.
    ///
    /// - Parameter others: Further columns that the merge reads.
    package func forMerging(besides others: [Int] = []) -> RequestPlan {
        var plan = untilWindowEnd
        if case .some(var columns) = plan.columns {
            for column in plan.order.map(\.column) + others where !columns.contains(column) {
                columns.append(column)
            }
            plan.columns = .some(columns)
        }
        return plan
    }
}
