/// Knows whether a store is open and which blocks are running; nobody gets in once it is closing.
final class StoreGate: @unchecked Sendable {
    // reason: all mutable state is read and written with `condition`'s lock held; unchecked, as the lock
    // already keeps two accesses apart, and every block passes here twice.

    private enum Phase {
        case new
        case open(StoreSchema, columns: Int)
        case closed
    }

    private let condition = Condition()
    @exclusivity(unchecked) private var phase = Phase.new
    @exclusivity(unchecked) private var running = 0
    private var isWaiting = false
    /// The resources nobody is using.
    @exclusivity(unchecked) private var idle: [BlockResources] = []

    private static let maximumIdle = 16

    var isOpen: Bool {
        condition.withLock { if case .open = phase { true } else { false } }
    }

    func open(_ schema: StoreSchema) {
        let columns = schema.entities.map(\.attributes.count).max() ?? 1
        condition.withLock { phase = .open(schema, columns: columns) }
    }

    /// Refuses new blocks from now on.
    func close() {
        condition.withLock { phase = .closed }
    }

    func waitUntilEmpty() {
        condition.withLock {
            isWaiting = true
            while running > 0 { condition.wait() }
            isWaiting = false
            idle.removeAll()
        }
    }

    /// Lets a block in, with the memory it works with; it must ``leave(_:)``.
    ///
    /// - Throws: `.notSetUp`, `.closed`.
    func enter(_ store: StoreCoordinator) throws(DataStoreError) -> BlockResources {
        condition.lock()
        defer { condition.unlock() }
        guard case .open(let schema, let columns) = phase else { throw refusal(of: store) }
        running += 1
        return idle.popLast() ?? BlockResources(schema: schema, columns: columns)
    }

    func requireOpen(_ store: StoreCoordinator) throws(DataStoreError) {
        condition.lock()
        defer { condition.unlock() }
        guard case .open = phase else { throw refusal(of: store) }
    }

    /// Lets a block out again.
    func leave(_ resources: BlockResources) {
        resources.arena.reset()
        condition.lock()
        defer { condition.unlock() }
        if idle.count < Self.maximumIdle { idle.append(resources) }
        running -= 1
        if running == 0 && isWaiting { condition.signalAll() }
    }

    private func refusal(of store: StoreCoordinator) -> DataStoreError {
        if case .new = phase {
            return DataStoreError(.notSetUp, "\(store.name) was used before setup().")
        }
        return DataStoreError(.closed, "\(store.name) was used after it had been closed.")
    }
}
