package import LarderKernel

/// The rows of a type in the order of their identifiers, some at a time, so that rows may be written between.
///
/// *Rule:* used by one thread at a time. *Cost:* keeps one batch in memory; opens a cursor for each.
package final class RowBatches {
    private let transaction: any StorageReading
    private let plan: RequestPlan
    private let arena = RowArena()
    private let buffer: CellBuffer
    private let columnCount: Int
    // reason for unchecked: used by one thread at a time.
    @exclusivity(unchecked) private var last: Constant?
    @exclusivity(unchecked) private var isAtEnd = false
    /// The identifier of the last row; nil if rows that are inserted after it count too.
    let bound: Constant?
    /// The rows of the present batch, valid until the next one is read.
    @exclusivity(unchecked) package private(set) var rows: [UnsafePointer<Cell>] = []

    /// The most rows of a batch.
    package static let maximumRows = 256
    /// The bytes of values after which a batch ends.
    package static let maximumBytes = 4 << 20

    /// - Parameter bound: The identifier of the last row; nil for all rows, those among them that are inserted meanwhile.
    package init(
        of entity: Int, in schema: StoreSchema, _ transaction: any StorageReading, to bound: Constant? = nil
    ) {
        let type = schema.entities[entity]
        self.transaction = transaction
        self.bound = bound
        var plan = RequestPlan(entity: entity, schema: type, limit: Self.maximumRows)
        if let bound { plan.predicate = .compare(column: 0, .lessOrEqual, bound) }
        self.plan = plan
        columnCount = type.attributes.count
        buffer = CellBuffer(count: columnCount)
    }

    /// The rows that are there now, without those that are inserted after the last of them.
    convenience init(
        present entity: Int, in schema: StoreSchema, _ transaction: any StorageReading
    ) throws(DataStoreError) {
        let type = schema.entities[entity]
        let plan = RequestPlan(
            entity: entity, schema: type, order: [.init(column: 0, isAscending: false)], limit: 1)
        let row = CellBuffer(count: type.attributes.count)
        let cursor = try transaction.rows(for: plan)
        defer { cursor.close() }
        let last: Constant? =
            try cursor.next(into: row.start)
            ? Constant(row.start[0], storage: type.storage(ofColumn: 0)) : nil
        self.init(of: entity, in: schema, transaction, to: last)
        isAtEnd = last == nil
    }

    /// Reads the next batch; false when there is none.
    ///
    /// - Throws: `.cancelled` when the task is cancelled; errors of the engine.
    package func readNext() throws(DataStoreError) -> Bool {
        try Cancellation.check("The migration")
        rows.removeAll(keepingCapacity: true)
        arena.reset()
        if isAtEnd { return false }
        var plan = plan
        if let last {
            let rest = RowPredicate.compare(column: 0, .greater, last)
            plan.predicate = bound == nil ? rest : .all([rest, plan.predicate])
        }
        let cursor = try transaction.rows(for: plan)
        defer { cursor.close() }
        var bytes = 0
        while bytes < Self.maximumBytes {
            guard try cursor.next(into: buffer.start) else { break }
            let cells = try arena.makeCells(columnCount)
            for column in 0..<columnCount {
                cells[column] = try arena.copy(buffer.start[column])
                bytes += Int(cells[column].length)
            }
            rows.append(UnsafePointer(cells))
        }
        guard let cells = rows.last else {
            isAtEnd = true
            return false
        }
        if rows.count < Self.maximumRows && bytes < Self.maximumBytes { isAtEnd = true }
        last = Constant(cells[0], storage: plan.schema.storage(ofColumn: 0))
        return true
    }
}
