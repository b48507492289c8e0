/// What a block works with: cells for one row, an arena for what it writes, and what earlier read blocks have left.
///
/// Kept by the ``StoreGate`` from block to block, so that a block allocates none of it.
final class BlockResources: @unchecked Sendable {
    // reason: a block has it to itself from the moment it is let in until it has left.
    let schema: StoreSchema
    let cells: UnsafeMutablePointer<Cell>
    let arena: RowArena
    private let capacity: Int
    // reason for unchecked: touched by the block's own thread only, by no access while another runs.
    @exclusivity(unchecked) private var reading = EndedTransaction<any StorageReading>()
    @exclusivity(unchecked) private var readContext: BlockContext?
    /// The item type that was asked for last, and its number; where blocks begin to look.
    @exclusivity(unchecked) private(set) var lastType: ObjectIdentifier?
    @exclusivity(unchecked) private(set) var lastNumber = 0

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

    /// The number of an item type; nil when the store does not store it.
    func number(of type: any DataStoreItem.Type) -> Int? {
        guard let number = schema.number(of: type) else { return nil }
        lastType = ObjectIdentifier(type)
        lastNumber = number
        return number
    }

    /// Begins a read transaction, with the one of an earlier block where the engine lets it begin again.
    func beginReading(in adapter: any StorageAdapter) throws(DataStoreError) -> any StorageReading {
        try reading.begin { reading throws(DataStoreError) in
            try reading.beginAgain()
        } anew: { () throws(DataStoreError) in
            try adapter.beginReading()
        }
    }

    /// The context of a read block that begins, which is that of the last one.
    ///
    /// Each block has an accessor of its own, so that one which somebody has kept stays refused.
    func openReadContext(for store: StoreCoordinator) -> BlockContext {
        if let readContext {
            readContext.isOpen = true
            return readContext
        }
        let context = BlockContext(store: store, resources: self)
        readContext = context
        return context
    }
}
