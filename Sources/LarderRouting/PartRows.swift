import LarderKernel

/// The rows of a plan in several parts, merged in the plan's order.
///
/// *Cost:* a comparison with each other part for each row. Each part is asked for the rows up to the end of the window.
final class PartRows: RowCursor {
    private let sources: [HeldRows]
    private let window: MergeWindow

    /// - Parameter isChanging: True if rows may change while the cursor is open.
    init(
        of plan: RequestPlan, in places: [RoutedSchema.Place], of reading: RoutedReading, isChanging: Bool
    ) throws(DataStoreError) {
        let asked = plan.forMerging()
        window = MergeWindow(of: plan)
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
        while window.isOpen {
            var first: HeldRows?
            for source in sources {
                if !source.isHolding, try source.advance() { try source.hold() }
                guard source.isHolding else { continue }
                if let known = first, !window.precedes(source.cells, known.cells) { continue }
                first = source
            }
            guard let first else { return false }
            first.isHolding = false
            if window.give(first.cells, to: cells) { return true }
        }
        return false
    }

    func close() {
        window.close()
        for source in sources { source.cursor.close() }
    }
}
