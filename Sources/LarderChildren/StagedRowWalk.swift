import LarderKernel

/// The rows of one type that a child has touched, in the order of their identifiers: each in the version that the
/// child has first touched and in its own version; for a merge and a refresh also in the parent's.
///
///     let walk = try StagedRowWalk(of: entity, in: staged, staging, over: parent)
///     defer { walk.close() }
///     while try walk.next() { … }
///
/// *Rule:* used by one thread, while nothing is staged. Rows are valid until the next call. *Cost:* memory for some
/// hundred rows, which the parent is asked for at once.
final class StagedRowWalk {
    /// The parent's row at the first touch; nil for one that the child has inserted.
    private(set) var base: UnsafePointer<Cell>?
    /// The row in the child; nil for one that it has deleted.
    private(set) var child: UnsafePointer<Cell>?
    /// The row in the parent; nil if it has none, or was not asked.
    private(set) var parent: UnsafePointer<Cell>?
    private(set) var identifier = Cell.null
    private let staged: any StorageReading
    private let parentReading: (any StorageReading)?
    private let entity: Int
    private let columns: BaseRow
    private let cursor: any RowCursor
    private let cells: CellBuffer
    private let arena = RowArena()
    private var rows: [Row] = []
    private var position = 0

    private struct Row {
        let base: UnsafeMutablePointer<Cell>
        var child: UnsafePointer<Cell>?
        var parent: UnsafePointer<Cell>?
    }

    /// - Parameter parent: Asked for its rows; nil if they are not needed.
    init(
        of entity: Int, in staged: any StorageReading, _ staging: StagingSchema,
        over parent: (any StorageReading)? = nil
    ) throws(DataStoreError) {
        self.staged = staged
        self.entity = entity
        parentReading = parent
        columns = BaseRow(of: staging.schema.entities[entity])
        cells = CellBuffer(count: columns.count)
        let base = staging.base(of: entity)
        cursor = try staged.rows(for: RequestPlan(entity: base, schema: staging.schema.entities[base]))
    }

    /// Reads the next row; false at the end.
    func next() throws(DataStoreError) -> Bool {
        if position == rows.count {
            try readRows()
            if rows.isEmpty { return false }
        }
        let row = rows[position]
        position += 1
        identifier = row.base[0]
        base = row.base[columns.exists].integer != 0 ? UnsafePointer(row.base) : nil
        (child, parent) = (row.child, row.parent)
        return true
    }

    func close() { cursor.close() }

    /// Copies the next rows.
    private func readRows() throws(DataStoreError) {
        rows.removeAll(keepingCapacity: true)
        position = 0
        arena.reset()
        // Only the parent may be far away; what is staged is in this process.
        let size = parentReading == nil ? 1 : WriteBlock.copiedBatchSize
        while rows.count < size, try cursor.next(into: cells.start) {
            rows.append(Row(base: try copy(columns.count)))
        }
        let identifiers = rows.map { $0.base[0] }
        try staged.forEachRow(inBatches: identifiers, of: entity, into: cells.start) {
            position throws(DataStoreError) in
            rows[position].child = UnsafePointer(try copy(columns.width))
        }
        try parentReading?.forEachRow(inBatches: identifiers, of: entity, into: cells.start) {
            position throws(DataStoreError) in
            rows[position].parent = UnsafePointer(try copy(columns.width))
        }
    }

    private func copy(_ width: Int) throws(DataStoreError) -> UnsafeMutablePointer<Cell> {
        try arena.copy(row: cells.start, width)
    }
}
