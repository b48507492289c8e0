import LarderKernel

/// The rows of a plan in several parts, merged in the plan's order.
///
/// *Cost:* a comparison with each other part for each row. Each part is asked for the rows up to the end of the window.
final class PartRows: RowCursor {
    private let sources: [HeldRows]
    private let order: MergeOrder
    // reason for unchecked: used by one thread at a time, with every row.
    @exclusivity(unchecked) private var skipped: Int
    @exclusivity(unchecked) private var left: Int

    /// - Parameter isChanging: True if rows may change while the cursor is open.
    init(
        of plan: RequestPlan, in places: [RoutedSchema.Place], of reading: RoutedReading, isChanging: Bool
    ) throws(DataStoreError) {
        let asked = plan.forMerging()
        order = MergeOrder(of: plan)
        skipped = plan.offset
        left = plan.limit ?? .max
        var sources: [HeldRows] = []
        do throws(DataStoreError) {
            for place in places {
                let rows = try reading.transaction(of: place.part).rows(for: asked.moved(to: place.entity))
                sources.append(HeldRows(rows, of: asked, isChanging: isChanging))
            }
        } catch {
            for source in sources { source.cursor.close() }
            throw error
        }
        self.sources = sources
    }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        while left > 0 {
            var first: HeldRows?
            for source in sources {
                if !source.isHolding, try source.advance() { try source.hold() }
                guard source.isHolding else { continue }
                if let known = first, !order.precedes(source.cells, known.cells) { continue }
                first = source
            }
            guard let first else { return false }
            first.isHolding = false
            if skipped > 0 {
                skipped -= 1
                continue
            }
            left -= 1
            order.give(first.cells, to: cells)
            return true
        }
        return false
    }

    func close() {
        left = 0
        for source in sources { source.cursor.close() }
    }
}
