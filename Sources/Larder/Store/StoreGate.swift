/// Knows whether a store is open and which blocks are running; nobody gets in once it is closing.
final class StoreGate: @unchecked Sendable {
    // reason: all mutable state is read and written with `condition`'s lock held.

    private enum Phase {
        case new
        case open(OpenStore)
        case closed
    }

    private let condition = Condition()
    private var phase = Phase.new
    private var running = 0

    var isOpen: Bool {
        condition.withLock { if case .open = phase { true } else { false } }
    }

    func open(_ schema: StoreSchema) {
        let columns = schema.entities.map(\.attributes.count).max() ?? 1
        condition.withLock {
            phase = .open(OpenStore(schema: schema, resources: BlockResourcePool(columns: columns)))
        }
    }

    /// Refuses new blocks from now on.
    func close() {
        condition.withLock { phase = .closed }
    }

    func waitUntilEmpty() {
        condition.withLock { while running > 0 { condition.wait() } }
    }

    /// Lets a block in.
    ///
    /// - Throws: `.notSetUp`, `.closed`.
    func enter(_ store: StoreCoordinator) throws(DataStoreError) -> OpenStore {
        try condition.withLock { () throws(DataStoreError) in
            let state = try state(of: store)
            running += 1
            return state
        }
    }

    func requireOpen(_ store: StoreCoordinator) throws(DataStoreError) {
        _ = try condition.withLock { () throws(DataStoreError) in try state(of: store) }
    }

    /// Lets a block out again.
    func leave() {
        condition.withLock {
            running -= 1
            if running == 0 { condition.signalAll() }
        }
    }

    private func state(of store: StoreCoordinator) throws(DataStoreError) -> OpenStore {
        switch phase {
        case .open(let state): return state
        case .new: throw DataStoreError(.notSetUp, "\(store.name) was used before setup().")
        case .closed: throw DataStoreError(.closed, "\(store.name) was used after it had been closed.")
        }
    }
}

/// What the blocks of an open store share.
final class OpenStore: Sendable {
    let schema: StoreSchema
    let resources: BlockResourcePool

    init(schema: StoreSchema, resources: BlockResourcePool) {
        self.schema = schema
        self.resources = resources
    }
}
