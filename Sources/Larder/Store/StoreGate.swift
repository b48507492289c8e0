/// Knows whether a store is open and which blocks are running; no block gets in once it is closing.
final class StoreGate: @unchecked Sendable {
    // reason: all mutable state is read and written with `condition`'s lock held; unchecked, as the lock
    // already keeps two accesses apart, and every block passes here twice.

    private enum Phase {
        case new, open, closed
    }

    private let condition = Condition()
    @exclusivity(unchecked) private var phase = Phase.new
    @exclusivity(unchecked) private var running = 0
    @exclusivity(unchecked) private var readers = 0
    @exclusivity(unchecked) private var maximumReaders = Int.max
    /// What is stored, its rules, and the most columns a type of it has; nil before the store is first open.
    private var contents: (schema: StoreSchema, rules: RowRules, columns: Int)?
    /// The threads that wait for a place, or for the end of all blocks.
    @exclusivity(unchecked) private var waiting = 0
    /// Every context in use or kept, for the deadlock watch.
    private var contexts: [BlockContext] = []
    /// The contexts that no block uses, each leading to the next one.
    @exclusivity(unchecked) private var idle: BlockContext?
    @exclusivity(unchecked) private var idleCount = 0

    private static let maximumIdle = 16

    var isOpen: Bool {
        condition.withLock { phase == .open }
    }

    /// - Parameter maximumReaders: How many blocks may read at the same time; further ones wait.
    func open(_ schema: StoreSchema, rules: [any RowRule] = [], maximumReaders: Int) {
        let rules = RowRules(rules, for: schema)
        let columns = schema.entities.map(\.attributes.count).max() ?? 1
        condition.withLock {
            phase = .open
            contents = (schema, rules, columns)
            self.maximumReaders = max(1, maximumReaders)
        }
    }

    /// Refuses new blocks from now on.
    func close() {
        condition.withLock {
            phase = .closed
            if waiting > 0 { condition.signalAll() }
        }
    }

    func waitUntilEmpty() {
        condition.withLock {
            waiting += 1
            while running > 0 { condition.wait() }
            waiting -= 1
            idle = nil
            idleCount = 0
            for context in contexts {
                context.nextIdle = nil
                // A handle that the app has kept may keep the context.
                context.forgetTransaction()
            }
            contexts.removeAll()
        }
    }

    func requireOpen(_ store: StoreCoordinator) throws(DataStoreError) {
        condition.lock()
        defer { condition.unlock() }
        guard phase == .open else { throw refusal(of: store) }
    }

    private func refusal(of store: StoreCoordinator) -> DataStoreError {
        if phase == .new {
            return DataStoreError(.notSetUp, "\(store.name) was used before setup().")
        }
        return DataStoreError(.closed, "\(store.name) was used after it had been closed.")
    }
}

// MARK: Coming and going

extension StoreGate {
    /// What a thread comes for.
    enum Purpose {
        /// To read; waits for a place while as many read as may.
        case reading
        /// To write, or for a tool: it needs the memory, or only keeps the store open.
        case other
    }

    /// Lets a thread in, with a context to read in and the memory to work with; it must ``leave(_:)``.
    ///
    /// - Throws: `.notSetUp`, `.closed`; `.wouldDeadlock` when the readers wait, perhaps through others, for the
    ///   calling thread.
    func enter(
        _ store: StoreCoordinator, on thread: ThreadBlocks, for purpose: Purpose
    ) throws(DataStoreError) -> BlockContext {
        condition.lock()
        let mustWait = purpose == .reading && readers >= maximumReaders && phase == .open
        if mustWait {
            condition.unlock()
            return try waitAndEnter(store, on: thread)
        }
        defer { condition.unlock() }
        return try admit(thread, to: store, for: purpose)
    }

    private func waitAndEnter(
        _ store: StoreCoordinator, on thread: ThreadBlocks
    ) throws(DataStoreError) -> BlockContext {
        let isWatched = thread.isInBlock
        if isWatched { try DeadlockWatch.shared.beginWaiting(thread.thread, for: .place(self)) }
        // Taken out after the lock is free again, as the watch takes that lock within its own.
        defer { if isWatched { DeadlockWatch.shared.endWaiting(thread.thread) } }
        return try condition.withLock { () throws(DataStoreError) in
            waiting += 1
            while phase == .open && readers >= maximumReaders { condition.wait() }
            waiting -= 1
            return try admit(thread, to: store, for: .reading)
        }
    }

    @inline(__always)
    private func admit(
        _ thread: ThreadBlocks, to store: StoreCoordinator, for purpose: Purpose
    ) throws(DataStoreError) -> BlockContext {
        guard phase == .open, let context = takeIdle() ?? makeContext(in: store) else {
            throw refusal(of: store)
        }
        running += 1
        context.thread = thread.thread
        context.isReading = purpose == .reading
        if context.isReading { readers += 1 }
        return context
    }

    private func takeIdle() -> BlockContext? {
        guard let context = idle.take() else { return nil }
        idle = context.nextIdle.take()
        idleCount -= 1
        return context
    }

    private func makeContext(in store: StoreCoordinator) -> BlockContext? {
        guard let (schema, rules, columns) = contents else { return nil }
        let context = BlockContext(
            store: store, resources: BlockResources(schema: schema, rules: rules, columns: columns))
        contexts.append(context)
        return context
    }

    /// Lets a thread out again.
    // Moved through, not copied: each reference that is counted costs as much as a small look-up.
    func leave(_ context: consuming BlockContext) {
        context.reset()
        condition.lock()
        defer { condition.unlock() }
        running -= 1
        if context.isReading { readers -= 1 }
        context.thread = nil
        if idleCount < Self.maximumIdle {
            context.nextIdle = idle.take()
            idle = consume context
            idleCount += 1
        } else {
            contexts.removeAll { $0 === context }
            context.forgetTransaction()
        }
        if waiting > 0 { condition.signalAll() }
    }
}

// MARK: For the deadlock watch

extension StoreGate {
    /// The threads that are inside.
    var threads: [ThreadIdentity] {
        condition.withLock { contexts.compactMap(\.thread) }
    }

    /// The threads that read, when all places are taken; nil when one is free.
    var threadsOfFullPlaces: [ThreadIdentity]? {
        condition.withLock {
            readers < maximumReaders ? nil : contexts.filter(\.isReading).compactMap(\.thread)
        }
    }
}
