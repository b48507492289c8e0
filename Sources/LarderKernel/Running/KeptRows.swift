/// Rows in memory of their own, which stay after the cursor has moved.
final class KeptRows {
    private let arena = RowArena()
    private let width: Int
    // reason for unchecked: see BlockContext.
    @exclusivity(unchecked) private(set) var rows: [UnsafeMutablePointer<Cell>] = []
    /// The row that ``next(into:)`` gives.
    @exclusivity(unchecked) private var position = 0

    /// - Parameter width: The number of cells of each row.
    init(width: Int) {
        self.width = width
    }

    /// Copies a row.
    func add(_ cells: UnsafePointer<Cell>) throws(DataStoreError) {
        rows.append(try arena.copy(row: cells, width))
    }

    func removeAll() {
        rows.removeAll(keepingCapacity: true)
        position = 0
        arena.reset()
    }

    /// Sorts the rows, and keeps only those in a window.
    func arrange(by rank: (UnsafePointer<Cell>) -> Int, offset: Int, limit: Int?) {
        let ranked = rows.map { (rank: rank($0), row: $0) }.sorted { $0.rank < $1.rank }
        rows = ranked.dropFirst(offset).prefix(limit ?? .max).map(\.row)
    }

    /// Fills cells with the next row; false when there is none.
    func next(into cells: UnsafeMutablePointer<Cell>, _ count: Int) -> Bool {
        guard position < rows.count else { return false }
        cells.update(from: rows[position], count: count)
        position += 1
        return true
    }
}

/// Rows that were read and put into an order that the engine does not know.
final class ArrangedRows: RowCursor {
    private let kept: KeptRows
    private let width: Int

    /// - Parameter width: The number of cells that were asked for; the rows may have more.
    init(_ kept: KeptRows, width: Int) {
        self.kept = kept
        self.width = width
    }

    func next(into cells: UnsafeMutablePointer<Cell>) -> Bool { kept.next(into: cells, width) }

    func close() {}
}

/// Rows some of which are read ahead, so that related items can be read for many of them at once.
final class PrefetchingRows: RowCursor {
    private let source: any RowCursor
    private let kept: KeptRows
    private let width: Int
    /// The rows that are read ahead at a time.
    private let size: Int
    // reason for unchecked: see BlockContext.
    @exclusivity(unchecked) private var isAtEnd = false
    private let prefetch: (KeptRows) throws(DataStoreError) -> Void

    /// - Parameter prefetch: Reads the related items of the rows that come next.
    init(
        _ source: any RowCursor, width: Int, size: Int,
        prefetch: @escaping (KeptRows) throws(DataStoreError) -> Void
    ) {
        self.source = source
        self.width = width
        self.size = size
        self.prefetch = prefetch
        kept = KeptRows(width: width)
    }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        if kept.next(into: cells, width) { return true }
        if isAtEnd { return false }
        kept.removeAll()
        while kept.rows.count < size, try source.next(into: cells) { try kept.add(cells) }
        isAtEnd = kept.rows.isEmpty
        if isAtEnd { return false }
        if kept.rows.count < size {
            // The engine's cursor is not needed while other plans run.
            isAtEnd = true
            source.close()
        }
        try prefetch(kept)
        return kept.next(into: cells, width)
    }

    func close() {
        isAtEnd = true
        source.close()
    }
}
