import LarderKernel

/// The plans for the two sides of a child store, made from one.
struct OverlayPlan {
    /// For the parent: long enough for the window, even if the child has touched its first rows.
    let parent: RequestPlan
    let staged: RequestPlan

    init(_ plan: RequestPlan, touchedCount: Int) {
        // Identifiers and sorted columns are compared, and links by their ends.
        staged = plan.forMerging(
            besides: plan.schema.isLink ? [LinkEntity.source, LinkEntity.target] : [])
        var parent = staged
        parent.limit = staged.limit.map { end in
            let (long, isTooLarge) = end.addingReportingOverflow(touchedCount)
            return isTooLarge ? Int.max : long
        }
        self.parent = parent
    }
}

/// The rows of a plan on a parent and on what a child has staged over it, merged in the plan's order.
///
/// It holds one row of each side, which is not advanced before it was given. *Cost:* a comparison for each
/// row, and for each row of the parent a check whether the child has touched it.
final class OverlayCursor: RowCursor {
    private let parent: HeldRows
    private let staged: HeldRows
    private let touched: StagedRows
    private let window: MergeWindow

    /// - Parameter isChanging: True if staged rows may change while the cursor is open.
    init(
        of plan: RequestPlan, touched: StagedRows, isChanging: Bool, parent: any StorageReading,
        staged: any StorageReading
    ) throws(DataStoreError) {
        let plans = OverlayPlan(plan, touchedCount: try touched.count())
        self.touched = touched
        window = MergeWindow(of: plan)
        let cursor = try parent.rows(for: plans.parent)
        self.parent = HeldRows(cursor, of: plans.parent, isChanging: false)
        do {
            self.staged = HeldRows(
                try staged.rows(for: plans.staged), of: plans.staged, isChanging: isChanging)
        } catch {
            cursor.close()
            throw error
        }
    }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        while window.isOpen {
            while !parent.isHolding, try parent.advance() {
                if try !touched.hides(parent.cells) { parent.isHolding = true }
            }
            if !staged.isHolding, try staged.advance() { try staged.hold() }
            let side: HeldRows
            if !staged.isHolding {
                if !parent.isHolding { return false }
                side = parent
            } else {
                side = !parent.isHolding || window.precedes(staged.cells, parent.cells) ? staged : parent
            }
            side.isHolding = false
            if window.give(side.cells, to: cells) { return true }
        }
        return false
    }

    func close() {
        window.close()
        parent.cursor.close()
        staged.cursor.close()
    }
}
