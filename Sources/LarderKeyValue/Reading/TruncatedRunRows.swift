import LarderKernel

/// Rows in the order of an index, even if its texts are too long for the keys.
///
/// Entries whose texts are cut at the same place follow each other in no order of theirs. Such a run is read
/// whole and sorted by the rows; all others pass through.
final class TruncatedRunRows: RowSource {
    private let rows: IndexRows
    private let order: RowOrder
    /// True if the engine's pointers may become invalid before a row that was read ahead is returned.
    private let invalidatesPointers: Bool
    private var run: ArraySlice<FoundRow> = []
    /// The row after the run, and where its text is cut, if it is.
    private var ahead: (row: FoundRow, beginning: [UInt8]?)?
    // In a transaction, the rows of the run and the row after it.
    private var arena = RowArena(chunkBytes: 1024)
    // The same of the run before, whose row after it begins the run.
    private var earlierArena = RowArena(chunkBytes: 1024)

    init(_ rows: IndexRows, in order: RowOrder, invalidatesPointers: Bool) {
        self.rows = rows
        self.order = order
        self.invalidatesPointers = invalidatesPointers
    }

    func begin(_ predicate: RowPredicate) throws(DataStoreError) -> Bool {
        arena.reset()
        earlierArena.reset()
        return try rows.begin(predicate)
    }

    func next(_ row: inout FoundRow) throws(DataStoreError) -> Bool {
        if let first = run.popFirst() {
            row = first
            return true
        }
        var beginning: [UInt8]?
        if let (next, cut) = ahead {
            (row, beginning) = (next, cut)
            ahead = nil
        } else {
            guard try rows.next(&row) else { return false }
            beginning = self.beginning
        }
        guard let beginning else { return true }
        try readRun(of: beginning, from: row)
        return try next(&row)
    }

    func close(keepsCursor: Bool) {
        run = []
        ahead = nil
        rows.close(keepsCursor: keepsCursor)
    }

    func forget() {
        arena.forget()
        earlierArena.forget()
    }

    var keptBytes: Int { arena.byteCount + earlierArena.byteCount }

    /// The key up to where its first text is cut; nil when none is.
    private var beginning: [UInt8]? {
        guard rows.isCut,
            let end = rows.scan.index.form.endOfCut(in: rows.entry.key, behind: rows.scan.fixedCount)
        else { return nil }
        return Array(rows.entry.key[..<end])
    }

    private func readRun(of beginning: [UInt8], from first: FoundRow) throws(DataStoreError) {
        // So that a walk keeps two runs, however many there are.
        swap(&arena, &earlierArena)
        arena.reset()
        var sorting = RowSorting(by: order, keeping: nil)
        try sorting.add(try kept(first))
        var row = FoundRow()
        while try rows.next(&row) {
            guard rows.entry.key.starts(with: beginning) else {
                ahead = (try kept(row), self.beginning)
                break
            }
            try sorting.add(try kept(row))
        }
        run = sorting.rows(from: 0)
    }

    private func kept(_ row: FoundRow) throws(DataStoreError) -> FoundRow {
        guard invalidatesPointers else { return row }
        var row = row
        row.bytes = try arena.copy(row.bytes)
        row.identifier = try arena.copy(row.identifier)
        return row
    }
}
