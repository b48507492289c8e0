/// The rows of some identifiers, in their order.
///
/// *Cost:* one call of the engine for some hundred rows, which are kept meanwhile; none if only the identifiers
/// are read.
final class IdentifiedCursor: RowCursor {
    private let snapshot: any StorageReading
    private let entity: Int
    private let columns: [Int]
    // reason for unchecked: used by one thread at a time, with every row.
    @exclusivity(unchecked) private var identifiers: ArraySlice<Constant>
    private let row: CellBuffer
    private let kept: KeptRows
    private let arena = RowArena()

    init(_ identifiers: ArraySlice<Constant>, of plan: RequestPlan, _ snapshot: any StorageReading) {
        self.snapshot = snapshot
        self.identifiers = identifiers
        entity = plan.entity
        columns = plan.columns.numbers(of: plan.schema)
        row = CellBuffer(count: plan.schema.attributes.count)
        kept = KeptRows(width: columns.count)
    }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        if columns == [0] {
            guard let identifier = identifiers.popFirst() else { return false }
            arena.reset()
            cells[0] = try arena.cell(of: identifier)
            return true
        }
        while !kept.next(into: cells, columns.count) {
            if identifiers.isEmpty { return false }
            try read(identifiers.prefix(WriteBlock.copiedBatchSize))
            identifiers = identifiers.dropFirst(WriteBlock.copiedBatchSize)
        }
        return true
    }

    /// Keeps the rows of some identifiers; one that was deleted since is left out.
    private func read(_ part: ArraySlice<Constant>) throws(DataStoreError) {
        kept.removeAll()
        arena.reset()
        var found: [Cell] = []
        for identifier in part { found.append(try arena.cell(of: identifier)) }
        let chosen = CellBuffer(count: columns.count)
        try snapshot.forEachRow(inBatches: found, of: entity, into: row.start) { _ throws(DataStoreError) in
            for (position, column) in columns.enumerated() { chosen.start[position] = row.start[column] }
            try kept.add(chosen.start)
        }
    }

    func close() {
        identifiers = []
        kept.removeAll()
    }
}
