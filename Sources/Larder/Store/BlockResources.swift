/// The memory a block works with: cells for one row, and an arena for what it writes.
///
/// Kept by the store from block to block, so that a block allocates neither.
final class BlockResources: @unchecked Sendable {
    // reason: a block has it to itself from the moment it is taken from the pool until it is given back.
    let cells: UnsafeMutablePointer<Cell>
    let arena: RowArena
    private let capacity: Int

    init(columns: Int) {
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

/// The resources nobody is using.
final class BlockResourcePool: Sendable {
    private let idle = Locked<[BlockResources]>([])
    private let columns: Int

    /// - Parameter columns: The most columns any item type has.
    init(columns: Int) {
        self.columns = columns
    }

    func take() -> BlockResources {
        idle.withLock { $0.popLast() } ?? BlockResources(columns: columns)
    }

    func giveBack(_ resources: BlockResources) {
        resources.arena.reset()
        idle.withLock { if $0.count < 16 { $0.append(resources) } }
    }
}
