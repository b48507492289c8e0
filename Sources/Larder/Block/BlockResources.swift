/// What a block works with: cells for one row, and an arena for what it writes.
///
/// Kept from block to block, so that a block allocates none of it.
@usableFromInline
final class BlockResources: @unchecked Sendable {
    // reason: a block has it to itself from the moment it is let in until it has left.
    let schema: StoreSchema
    let cells: UnsafeMutablePointer<Cell>
    @usableFromInline let arena: RowArena
    private let row: CellBuffer
    // reason for unchecked: touched by the block's own thread only, by no access while another runs.
    /// The item type that was asked for last, and its number; where blocks begin to look.
    @exclusivity(unchecked) private(set) var lastType: ObjectIdentifier?
    @exclusivity(unchecked) private(set) var lastNumber = 0

    /// - Parameter columns: The most columns any item type has.
    init(schema: StoreSchema, columns: Int) {
        self.schema = schema
        row = CellBuffer(count: max(1, columns))
        cells = row.start
        arena = RowArena()
    }

    /// The number of an item type; nil when the store does not store it.
    func number(of type: any DataStoreItem.Type) -> Int? {
        guard let number = schema.number(of: type) else { return nil }
        lastType = ObjectIdentifier(type)
        lastNumber = number
        return number
    }
}
