import LarderEngine
import LarderKernel

/// The rows of requests of one shape.
///
/// The object is reused from request to request, with its memory if that is small and, in a
/// snapshot, its place in the engine.
///
/// Rows that come in the wanted order are read as they are asked for. Others are sorted before the first is
/// given: it keeps identifiers and the addresses of the rows. In a transaction, a change makes the engine's
/// pointers invalid, so it keeps copies of the rows in the window.
final class PlannedRows: RowCursor {
    private let access: AccessPlan
    private let rows: MatchingRows
    private let projection: RowProjection
    private let reading: PathReading
    // reason for unchecked: a cursor is used by one thread at a time and calls nothing that calls it back.
    /// The number of rows still to skip, and the number still to return.
    @exclusivity(unchecked) private var skipped = 0
    @exclusivity(unchecked) private var remaining = 0
    /// The rows that were sorted.
    @exclusivity(unchecked) private var window: ArraySlice<FoundRow> = []
    /// The process that has made the cursor; in a forked one the engine is asked for each row.
    private let forkCount = ForkCount()
    // The rows of a transaction, and its identifiers of text and bytes.
    private let arena = RowArena()
    /// True from the beginning of a request until its last row has been read or it is closed.
    @exclusivity(unchecked) private var isReading = false
    /// True from the beginning of a request until it is closed.
    @exclusivity(unchecked) private(set) var isInUse = false
    /// True if the reader releases it at its end.
    @exclusivity(unchecked) var isHeld = false

    init(
        _ access: AccessPlan, _ columns: RequestPlan.Columns, in reading: PathReading, isCounting: Bool
    ) {
        self.access = access
        self.reading = reading
        projection = RowProjection(columns, of: reading.entity, access)
        // Nothing changes while rows are counted.
        rows = MatchingRows(
            access, in: isCounting ? reading.withoutChanges : reading, readsRows: !projection.knowsEntries)
    }

    /// True if rows are read, and not only the keys that lead to them.
    var readsRows: Bool { rows.readsRows }

    /// Begins with a request of the shape.
    func begin(_ plan: RequestPlan) throws(DataStoreError) {
        isInUse = true
        isReading = true
        do throws(DataStoreError) {
            try rows.begin(plan.predicate)
            switch access.sorting {
            case .none, .truncatedRuns, .identifiers:
                skipped = plan.offset
                remaining = plan.limit ?? .max
            case .rows: try sort(for: plan)
            }
        } catch {
            close()
            throw error
        }
    }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        guard remaining > 0 else { return false }
        if !forkCount.isCurrent { try requireSameProcess() }
        var row = FoundRow()
        if skipped > 0, try !skip() { return false }
        if access.sorting == .rows {
            guard let first = window.popFirst() else { return false }
            row = first
        } else if try !rows.next(&row) {
            finish()
            return false
        }
        try projection.decode(row, isRead: rows.readsRows, into: cells)
        remaining -= 1
        return true
    }

    /// Counts the rows of a request of the shape, up to a number of them.
    func count(for plan: RequestPlan, upTo end: Int) throws(DataStoreError) -> Int {
        isInUse = true
        isReading = true
        defer { close() }
        try rows.begin(plan.predicate)
        return try rows.skip(end)
    }

    /// Adds the values of all rows to totals without keys.
    ///
    /// - Parameter columns: The column of each aggregate; nil if rows are only counted.
    func add(_ columns: [Int?], to totals: GroupTotals) throws(DataStoreError) {
        let layout = reading.entity.layout
        let size = 64
        let cells = CellBuffer(count: size * columns.count)
        for number in 0..<(size * columns.count) { cells.start[number] = .integer(0) }
        let identified = columns.contains(0)
        var count = size
        if columns.count == 1, let column = columns[0], !identified {
            // Nearly all sums are of one column, and the list of several costs a third of the time.
            let start = cells.start
            while count == size {
                count = try rows.next(upTo: size, identified: false) { number, row throws(DataStoreError) in
                    start[number] = try layout.cell(at: column, in: row.bytes)
                }
                try totals.add(UnsafeBufferPointer(start: start, count: count), toTerm: 0)
            }
            return finish()
        }
        while count == size {
            count = try rows.next(upTo: size, identified: identified) { number, row throws(DataStoreError) in
                for term in columns.indices {
                    guard let column = columns[term] else { continue }
                    cells.start[term &* size &+ number] = try layout.cell(at: column, in: row)
                }
            }
            for term in columns.indices {
                try totals.add(
                    UnsafeBufferPointer(start: cells.start + term * size, count: count), toTerm: term)
            }
        }
        finish()
    }

    func close() {
        guard isInUse else { return }
        finish()
        isInUse = false
        rows.forget()
        arena.forget()
    }

    /// Ends the request, and releases the place in the engine.
    func release() {
        close()
        rows.close(keepsCursor: false)
    }

    /// The size of the memory that rows point to, for tests.
    var keptBytes: Int { rows.keptBytes + arena.byteCount }

    private func finish() {
        guard isReading else { return }
        isReading = false
        remaining = 0
        if access.sorting == .rows { window = [] }
        rows.close(keepsCursor: !reading.invalidatesPointers)
    }

    /// Passes over the rows before the window; false when there are no others.
    @inline(never)
    private func skip() throws(DataStoreError) -> Bool {
        let count = skipped
        skipped = 0
        if try rows.skip(count) == count { return true }
        finish()
        return false
    }

    /// Refuses rows that were read before a fork, if the engine does: their memory is the other process's.
    @inline(never)
    private func requireSameProcess() throws(DataStoreError) {
        _ = try reading.snapshot.count(of: reading.entity.rows)
    }

    private func sort(for plan: RequestPlan) throws(DataStoreError) {
        var sorting = RowSorting(by: RowOrder(plan.order, of: reading.entity), keeping: plan.windowEnd)
        var row = FoundRow()
        while try rows.next(&row) { try sorting.add(row) }
        window = sorting.rows(from: plan.offset)
        if reading.invalidatesPointers {
            arena.reset()
            for position in window.indices {
                window[position].bytes = try arena.copy(window[position].bytes)
                window[position].identifier = try arena.copy(window[position].identifier)
            }
        }
        rows.close(keepsCursor: !reading.invalidatesPointers)
        skipped = 0
        remaining = .max
    }
}
