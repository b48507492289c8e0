import LarderKernel

/// The rows of one type that a child has touched, in the order of their identifiers: each as it was when the child
/// first touched it, and as the child has it.
///
///     let walk = try StagedRowWalk(of: entity, in: staged, staging)
///     defer { walk.close() }
///     while try walk.next() { … }
///
/// *Rule:* used by one thread, while nothing is staged. Rows are valid until the next call.
final class StagedRowWalk {
    /// The row as it was in the parent; nil for one that the child has inserted.
    private(set) var base: UnsafePointer<Cell>?
    /// The row in the child; nil for one that it has deleted.
    private(set) var child: UnsafePointer<Cell>?
    private let staged: any StorageReading
    private let entity: Int
    private let place: BaseRow
    private let cursor: any RowCursor
    private let rows: (base: CellBuffer, child: CellBuffer)

    init(of entity: Int, in staged: any StorageReading, _ staging: StagingSchema) throws(DataStoreError) {
        self.staged = staged
        self.entity = entity
        place = BaseRow(of: staging.schema.entities[entity])
        rows = (CellBuffer(count: place.count), CellBuffer(count: place.count))
        let base = staging.base(of: entity)
        cursor = try staged.rows(for: RequestPlan(entity: base, schema: staging.schema.entities[base]))
    }

    /// Reads the next row; false at the end.
    func next() throws(DataStoreError) -> Bool {
        guard try cursor.next(into: rows.base.start) else { return false }
        base = rows.base.start[place.exists].integer != 0 ? UnsafePointer(rows.base.start) : nil
        let isInChild = try staged.row(at: identifier, of: entity, into: rows.child.start)
        child = isInChild ? UnsafePointer(rows.child.start) : nil
        return true
    }

    var identifier: Cell { rows.base.start[0] }

    func close() { cursor.close() }
}
