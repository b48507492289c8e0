import LarderKernel

/// The rows of another type that belong to the rows of a batch, read together.
struct JoinedRows {
    private let reader: SourceReader
    private let other: Int
    /// The column of a row with the identifier of the other one.
    private let column: Int
    private let arena = RowArena()
    /// One for each row of the batch, nil if there is none; fewer if they are larger than a batch may be.
    private var rows: [UnsafePointer<Cell>?] = []

    /// Nil if the mapping joins no rows.
    init?(_ run: PreparedStep.MappingRun, _ reader: SourceReader) {
        guard case .joined(let reference, _) = run.mapping.body, let source = run.source,
            let other = run.other
        else { return nil }
        self.reader = reader
        self.other = other
        column = reference.flatMap { reader.columns[source].position(of: $0) } ?? 0
    }

    /// Reads the rows that belong to the rows of a batch.
    mutating func read(for batch: [UnsafePointer<Cell>]) throws(DataStoreError) {
        arena.reset()
        let count = reader.types[other].count
        let buffer = CellBuffer(count: count)
        let positions = batch.indices.filter { !batch[$0][column].isNull }
        var found: [UnsafePointer<Cell>?] = Array(repeating: nil, count: batch.count)
        var (end, bytes) = (batch.count, 0)
        try reader.transaction.forEachRow(
            inBatches: positions.map { batch[$0][column] }, of: other, into: buffer.start
        ) { number throws(DataStoreError) in
            if bytes >= RowBatches.maximumBytes {
                end = min(end, positions[number])
                return
            }
            let cells = try arena.copy(row: buffer.start, count)
            for column in 0..<count { bytes += Int(cells[column].length) }
            found[positions[number]] = UnsafePointer(cells)
        }
        rows = Array(found.prefix(end))
    }

    /// The row that belongs to the one at a position of the batch; nil if there is none.
    ///
    /// *Rule:* valid during the present call of the reader.
    func row(_ position: Int, for cells: UnsafePointer<Cell>) throws(DataStoreError) -> SourceRow? {
        if position >= rows.count { return try reader.row(at: cells[column], of: other) }
        return rows[position].map { SourceRow($0, of: other, in: reader) }
    }
}
