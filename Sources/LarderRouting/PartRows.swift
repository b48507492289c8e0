import LarderKernel

/// The rows of a plan in several parts, merged in the plan's order.
///
/// *Cost:* a comparison with each other part for each row. Each part is asked for the rows up to the end of the window.
final class PartRows: RowCursor {
    private let sources: [Source]
    private let terms: [Term]
    private let width: Int
    // reason for unchecked: used by one thread at a time, with every row.
    @exclusivity(unchecked) private var skipped: Int
    @exclusivity(unchecked) private var left: Int

    /// One term of the order.
    private struct Term {
        /// The position of its column among those that the parts give.
        let position: Int
        let storage: AttributeType.Storage
        let isAscending: Bool
    }

    /// - Parameter isChanging: True if rows may change while the cursor is open.
    init(
        of plan: RequestPlan, in places: [RoutedSchema.Place], of reading: RoutedReading, isChanging: Bool
    ) throws(DataStoreError) {
        var asked = plan.untilWindowEnd
        var columns = plan.columns.numbers(of: plan.schema)
        width = columns.count
        if case .some = plan.columns {
            for term in plan.order where !columns.contains(term.column) { columns.append(term.column) }
            asked.columns = .some(columns)
        }
        terms = plan.order.map { term in
            Term(
                position: columns.firstIndex(of: term.column) ?? 0,
                storage: plan.schema.storage(ofColumn: term.column), isAscending: term.isAscending)
        }
        skipped = plan.offset
        left = plan.limit ?? .max
        var sources: [Source] = []
        do throws(DataStoreError) {
            for place in places {
                let rows = try reading.transaction(of: place.part).rows(for: asked.moved(to: place.entity))
                sources.append(Source(rows, width: columns.count, isChanging: isChanging))
            }
        } catch {
            for source in sources { source.cursor.close() }
            throw error
        }
        self.sources = sources
    }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        while left > 0 {
            var first: Source?
            for source in sources where try source.hold() {
                if let known = first, !precedes(source.cells, known.cells) { continue }
                first = source
            }
            guard let first else { return false }
            first.isHolding = false
            if skipped > 0 {
                skipped -= 1
                continue
            }
            left -= 1
            cells.update(from: first.cells, count: width)
            return true
        }
        return false
    }

    private func precedes(_ left: UnsafePointer<Cell>, _ right: UnsafePointer<Cell>) -> Bool {
        for term in terms {
            let order = left[term.position].order(to: right[term.position], storage: term.storage)
            if order != 0 { return (order < 0) == term.isAscending }
        }
        return false
    }

    func close() {
        left = 0
        for source in sources { source.cursor.close() }
    }

    /// The rows of one part, and the one that comes next.
    private final class Source {
        let cursor: any RowCursor
        private let row: CellBuffer
        private let width: Int
        // The row of a writing transaction is copied, as the next change may move what it points to.
        private let arena: RowArena?
        // reason for unchecked: see PartRows.
        @exclusivity(unchecked) var isHolding = false
        @exclusivity(unchecked) private var isAtEnd = false

        init(_ cursor: any RowCursor, width: Int, isChanging: Bool) {
            self.cursor = cursor
            self.width = width
            row = CellBuffer(count: width)
            arena = isChanging ? RowArena(chunkBytes: 1024) : nil
        }

        var cells: UnsafePointer<Cell> { UnsafePointer(row.start) }

        /// Reads the next row unless one is held; false at the end.
        func hold() throws(DataStoreError) -> Bool {
            if isHolding { return true }
            if isAtEnd { return false }
            guard try cursor.next(into: row.start) else {
                isAtEnd = true
                cursor.close()
                return false
            }
            if let arena {
                arena.reset()
                try arena.copy(row.start, to: row.start, width)
            }
            isHolding = true
            return true
        }
    }
}

extension RequestPlan {
    /// The same from the first row to the end of the window.
    var untilWindowEnd: RequestPlan {
        var plan = self
        (plan.offset, plan.limit) = (0, windowEnd)
        return plan
    }
}
