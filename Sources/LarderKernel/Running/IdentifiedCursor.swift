/// The rows of some identifiers, in their order.
///
/// *Cost:* one look-up by key for each row; none where only the identifiers are read.
final class IdentifiedCursor: RowCursor {
    private let snapshot: any StorageReading
    private let entity: Int
    private let columns: [Int]
    // reason for unchecked: used by one thread at a time, with every row.
    @exclusivity(unchecked) private var identifiers: ArraySlice<Constant>
    private let row: CellBuffer
    private let arena = RowArena()

    init(_ identifiers: ArraySlice<Constant>, of plan: RequestPlan, _ snapshot: any StorageReading) {
        self.snapshot = snapshot
        self.identifiers = identifiers
        entity = plan.entity
        columns = plan.columns.numbers(of: plan.schema)
        row = CellBuffer(count: plan.schema.attributes.count)
    }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        while let identifier = identifiers.popFirst() {
            arena.reset()
            let cell = try arena.cell(of: identifier)
            if columns == [0] {
                cells[0] = cell
                return true
            }
            // A row that was deleted since is left out.
            guard try snapshot.row(at: cell, of: entity, into: row.start) else { continue }
            for (position, column) in columns.enumerated() {
                cells[position] = try arena.copy(row.start[column])
            }
            return true
        }
        return false
    }

    func close() {
        identifiers = []
    }
}
