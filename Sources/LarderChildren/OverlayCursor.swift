import LarderKernel

/// The plans for the two sides of a child store, made from one.
struct OverlayPlan {
    /// For the parent: long enough for the window, even if the child has touched its first rows.
    let parent: RequestPlan
    let staged: RequestPlan

    init(_ plan: RequestPlan, touchedCount: Int) {
        var plan = plan
        if case .some(let columns) = plan.columns {
            // Identifiers and sorted columns are compared, and links by their ends.
            var all = columns
            let ends = plan.schema.isLink ? [LinkEntity.source, LinkEntity.target] : []
            for column in plan.order.map(\.column) + ends where !all.contains(column) { all.append(column) }
            plan.columns = .some(all)
        }
        let end = plan.windowEnd
        (plan.offset, plan.limit) = (0, end)
        staged = plan
        plan.limit = end.map { end in
            let (long, isTooLarge) = end.addingReportingOverflow(touchedCount)
            return isTooLarge ? Int.max : long
        }
        parent = plan
    }
}

/// The rows of a plan on a parent and on what a child has staged over it, merged in the plan's order.
///
/// It holds one row of each side, which is not advanced before it was given. *Cost:* a comparison for each
/// row, and for each row of the parent a check whether the child has touched it.
final class OverlayCursor: RowCursor {
    private let parent: OverlaySide
    private let staged: OverlaySide
    private let touched: StagedRows
    private let terms: [Term]
    /// The columns that are given; nil for all.
    private let columns: [Int]?
    private let width: Int
    // reason for unchecked: used by one thread at a time, with every row.
    @exclusivity(unchecked) private var skipped: Int
    @exclusivity(unchecked) private var left: Int

    /// One term of the order, with its storage, which would be looked up for each row.
    private struct Term {
        let column: Int
        let storage: AttributeType.Storage
        let isAscending: Bool
    }

    /// - Parameter isChanging: True if staged rows may change while the cursor is open.
    init(
        of plan: RequestPlan, touched: StagedRows, isChanging: Bool, parent: any StorageReading,
        staged: any StorageReading
    ) throws(DataStoreError) {
        let plans = OverlayPlan(plan, touchedCount: try touched.count())
        self.touched = touched
        width = plan.schema.attributes.count
        if case .some(let columns) = plan.columns { self.columns = columns } else { columns = nil }
        terms = plan.order.map { term in
            Term(
                column: term.column, storage: plan.schema.storage(ofColumn: term.column),
                isAscending: term.isAscending)
        }
        skipped = plan.offset
        left = plan.limit ?? .max
        let cursor = try parent.rows(for: plans.parent)
        self.parent = OverlaySide(cursor, of: plans.parent, isChanging: false)
        do {
            self.staged = OverlaySide(
                try staged.rows(for: plans.staged), of: plans.staged, isChanging: isChanging)
        } catch {
            cursor.close()
            throw error
        }
    }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        while left > 0 {
            while !parent.isHolding, try parent.advance() {
                if try !touched.hides(parent.cells) { parent.isHolding = true }
            }
            if !staged.isHolding, try staged.advance() { try staged.hold() }
            let side: OverlaySide
            if !staged.isHolding {
                if !parent.isHolding { return false }
                side = parent
            } else {
                side = !parent.isHolding || precedes(staged.cells, parent.cells) ? staged : parent
            }
            side.isHolding = false
            if skipped > 0 {
                skipped -= 1
                continue
            }
            left -= 1
            if let columns {
                for position in columns.indices { cells[position] = side.cells[columns[position]] }
            } else {
                cells.update(from: side.cells, count: width)
            }
            return true
        }
        return false
    }

    private func precedes(_ left: UnsafePointer<Cell>, _ right: UnsafePointer<Cell>) -> Bool {
        for position in terms.indices {
            let column = terms[position].column
            let order = left[column].order(to: right[column], storage: terms[position].storage)
            if order != 0 { return (order < 0) == terms[position].isAscending }
        }
        return false
    }

    func close() {
        left = 0
        parent.cursor.close()
        staged.cursor.close()
    }
}

/// One side of a merge, with the row that is held of it.
private final class OverlaySide {
    let cursor: any RowCursor
    /// The columns in the order in which the cursor gives them; nil for all.
    private let columns: [Int]?
    /// The row by column number.
    private let row: CellBuffer
    private let given: CellBuffer
    private let width: Int
    // The held rows of a writing transaction are copied, as the next change may move what they point to.
    private let arena: RowArena?
    // reason for unchecked: see OverlayCursor.
    @exclusivity(unchecked) var isHolding = false
    @exclusivity(unchecked) private var isAtEnd = false

    init(_ cursor: any RowCursor, of plan: RequestPlan, isChanging: Bool) {
        self.cursor = cursor
        width = plan.schema.attributes.count
        row = CellBuffer(count: width)
        if case .some(let columns) = plan.columns { self.columns = columns } else { columns = nil }
        given = CellBuffer(count: max(1, columns?.count ?? 0))
        arena = isChanging ? RowArena(chunkBytes: 1024) : nil
    }

    var cells: UnsafePointer<Cell> { UnsafePointer(row.start) }

    /// Reads the next row; false at the end.
    func advance() throws(DataStoreError) -> Bool {
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
    func hold() throws(DataStoreError) {
        isHolding = true
        guard let arena else { return }
        arena.reset()
        if let columns {
            for column in columns { row.start[column] = try arena.copy(row.start[column]) }
        } else {
            for column in 0..<width { row.start[column] = try arena.copy(row.start[column]) }
        }
    }
}
