/// Knows whether a store is open and which blocks are running; nobody gets in once it is closing.
final class StoreGate: @unchecked Sendable {
    // reason: all mutable state is read and written with `condition`'s lock held; unchecked, as the lock
    // already keeps two accesses apart, and every block passes here twice.

    private enum Phase {
        case new, open, closed
    }

    private let condition = Condition()
    @exclusivity(unchecked) private var phase = Phase.new
    @exclusivity(unchecked) private var running = 0
    /// What is stored, and the most columns a type of it has; nil before the store is first open.
    private var contents: (schema: StoreSchema, columns: Int)?
    private var isWaiting = false
    /// The contexts nobody is using, each leading to the next one.
    @exclusivity(unchecked) private var idle: BlockContext?
    @exclusivity(unchecked) private var idleCount = 0

    private static let maximumIdle = 16

    var isOpen: Bool {
        condition.withLock { phase == .open }
    }

    func open(_ schema: StoreSchema) {
        let columns = schema.entities.map(\.attributes.count).max() ?? 1
        condition.withLock {
            phase = .open
            contents = (schema, columns)
        }
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
            while takeIdle() != nil {}
        }
    }

    /// Lets a block in, with a context to read in and the memory to work with; it must ``leave(_:)``.
    ///
    /// - Throws: `.notSetUp`, `.closed`.
    func enter(_ store: StoreCoordinator) throws(DataStoreError) -> BlockContext {
        condition.lock()
        defer { condition.unlock() }
        guard phase == .open else { throw refusal(of: store) }
        guard let context = takeIdle() ?? makeContext(in: store) else { throw refusal(of: store) }
        running += 1
        return context
    }

    private func takeIdle() -> BlockContext? {
        guard let context = idle.take() else { return nil }
        idle = context.nextIdle.take()
        idleCount -= 1
        return context
    }

    private func makeContext(in store: StoreCoordinator) -> BlockContext? {
        guard let (schema, columns) = contents else { return nil }
        return BlockContext(store: store, resources: BlockResources(schema: schema, columns: columns))
    }

    func requireOpen(_ store: StoreCoordinator) throws(DataStoreError) {
        condition.lock()
        defer { condition.unlock() }
        guard phase == .open else { throw refusal(of: store) }
    }

    /// Lets a block out again.
    // Moved through, not copied: each reference that is counted costs as much as a small look-up.
    func leave(_ context: consuming BlockContext) {
        context.resources.arena.reset()
        condition.lock()
        defer { condition.unlock() }
        if idleCount < Self.maximumIdle {
            context.nextIdle = idle.take()
            idle = consume context
            idleCount += 1
        }
        running -= 1
        if running == 0 && isWaiting { condition.signalAll() }
    }

    private func refusal(of store: StoreCoordinator) -> DataStoreError {
        if phase == .new {
            return DataStoreError(.notSetUp, "\(store.name) was used before setup().")
        }
        return DataStoreError(.closed, "\(store.name) was used after it had been closed.")
    }
}
