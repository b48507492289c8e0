/// The memory a block works with: cells for one row, and an arena for what it writes.
///
/// Kept by the ``StoreGate`` from block to block, so that a block allocates neither.
final class BlockResources: @unchecked Sendable {
    // reason: a block has it to itself from the moment it is let in until it has left.
    let schema: StoreSchema
    let cells: UnsafeMutablePointer<Cell>
    let arena: RowArena
    private let capacity: Int

    /// - Parameter columns: The most columns any item type has.
    init(schema: StoreSchema, columns: Int) {
        self.schema = schema
        capacity = max(1, columns)
        cells = .allocate(capacity: capacity)
        cells.initialize(repeating: .null, count: capacity)
        arena = RowArena()
    }

    deinit {
        cells.deinitialize(count: capacity)
        cells.deallocate()
    }
}
