/// The plans for the two sides of a child store, made from one.
struct MergedPlan {
    /// For the parent: long enough for the window, even where the child has touched its first rows.
    let parent: RequestPlan
    let staged: RequestPlan

    init(_ plan: RequestPlan, touchedCount: Int) {
        var plan = plan
        if case .some(let columns) = plan.columns {
            // Identifiers and sorted columns are compared.
            var all = columns
            for term in plan.order where !all.contains(term.column) { all.append(term.column) }
            plan.columns = .some(all)
        }
        let end = plan.limit.map { limit in
            let (end, isTooLarge) = plan.offset.addingReportingOverflow(limit)
            return isTooLarge ? Int.max : end
        }
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
final class MergedCursor: RowCursor {
    private let plan: RequestPlan
    private let parent: Side
    private let staged: Side
    private let isTouched: (Cell) throws(DataStoreError) -> Bool
    private var skipped: Int
    private var left: Int
    private let columns: [Int]

    /// One side, with the row that is held of it.
    private final class Side {
        let cursor: any RowCursor
        /// The row by column number.
        let row: CellBuffer
        /// The columns in the order in which the cursor gives them; nil for all.
        private let columns: [Int]?
        private let given: CellBuffer
        // Held rows of a writing transaction are copied, as the next change may move what they point to.
        private let arena: RowArena?
        var isHolding = false
        private var isAtEnd = false

        init(_ cursor: any RowCursor, of plan: RequestPlan, isChanging: Bool) {
            self.cursor = cursor
            row = CellBuffer(count: plan.schema.attributes.count)
            if case .some(let columns) = plan.columns { self.columns = columns } else { columns = nil }
            given = CellBuffer(count: max(1, columns?.count ?? 0))
            arena = isChanging ? RowArena(chunkBytes: 1024) : nil
        }

        /// Holds the next row; false at the end.
        func advance() throws(DataStoreError) -> Bool {
            if isAtEnd { return false }
            guard try cursor.next(into: columns == nil ? row.start : given.start) else {
                isAtEnd = true
                cursor.close()
                return false
            }
            if let columns {
                for (position, column) in columns.enumerated() { row.start[column] = given.start[position] }
            }
            return true
        }

        /// Keeps the row until it is given.
        func hold(_ count: Int) throws(DataStoreError) {
            isHolding = true
            guard let arena else { return }
            arena.reset()
            if let columns {
                for column in columns { row.start[column] = try arena.copy(row.start[column]) }
            } else {
                for column in 0..<count { row.start[column] = try arena.copy(row.start[column]) }
            }
        }
    }

    /// - Parameters:
    ///   - touchedCount: The number of touched items of the plan's type.
    ///   - isChanging: True if staged rows may change while the cursor is open.
    init(
        of plan: RequestPlan, touchedCount: Int, isChanging: Bool,
        parent: (RequestPlan) throws(DataStoreError) -> any RowCursor,
        staged: (RequestPlan) throws(DataStoreError) -> any RowCursor,
        isTouched: @escaping (Cell) throws(DataStoreError) -> Bool
    ) throws(DataStoreError) {
        let plans = MergedPlan(plan, touchedCount: touchedCount)
        self.plan = plan
        self.isTouched = isTouched
        columns = plan.columns.numbers(of: plan.schema)
        skipped = plan.offset
        left = plan.limit ?? .max
        let cursor = try parent(plans.parent)
        self.parent = Side(cursor, of: plans.parent, isChanging: false)
        do {
            self.staged = Side(try staged(plans.staged), of: plans.staged, isChanging: isChanging)
        } catch {
            cursor.close()
            throw error
        }
    }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        while left > 0 {
            guard let side = try nextSide() else { return false }
            side.isHolding = false
            if skipped > 0 {
                skipped -= 1
                continue
            }
            left -= 1
            for (position, column) in columns.enumerated() { cells[position] = side.row.start[column] }
            return true
        }
        return false
    }

    /// The side that has the next row; nil when neither has one.
    private func nextSide() throws(DataStoreError) -> Side? {
        while !parent.isHolding, try parent.advance() {
            if try !isTouched(parent.row.start[0]) { try parent.hold(plan.schema.attributes.count) }
        }
        if !staged.isHolding, try staged.advance() { try staged.hold(plan.schema.attributes.count) }
        if !parent.isHolding { return staged.isHolding ? staged : nil }
        if !staged.isHolding { return parent }
        return plan.precedes(staged.row.start, parent.row.start) ? staged : parent
    }

    func close() {
        left = 0
        parent.cursor.close()
        staged.cursor.close()
    }
}
