package import LarderDiagnostics

/// The part of a ``BlockContext`` that belongs to the gate, which alone changes it, with its lock held.
struct GatePlace {
    /// The next context that waits in the gate.
    fileprivate(set) var nextIdle: BlockContext?
    /// The thread that has entered; nil while the context waits in the gate.
    var thread: ThreadIdentity?
    /// True if the thread has entered to read.
    fileprivate(set) var isReading = false
    /// The epoch of the store when the thread has entered.
    fileprivate(set) var epoch = 0
    /// The time from which on the block is long; 0 for a tool, and if long blocks are not reported.
    fileprivate(set) var limit: UInt64 = 0
    /// True if the block was reported while it is open.
    fileprivate var isReported = false
}

/// Knows whether a store is open and which blocks are running; no block gets in once it is closing.
package final class StoreGate: ThreadPlaces, @unchecked Sendable {
    // reason: all mutable state is read and written with the lock of `gate` held; unchecked, as the lock already keeps two
    // accesses apart.

    private let gate = ReaderGate(isOpen: false)
    /// The stored types and their rules; nil before the store is first open.
    @exclusivity(unchecked) private var contents: (schema: StoreSchema, rules: RowRules)?
    /// Every context in use or kept, for the deadlock watch.
    @exclusivity(unchecked) private var contexts: [BlockContext] = []
    /// The contexts that no block uses, each leading to the next one.
    @exclusivity(unchecked) private var idle: BlockContext?
    @exclusivity(unchecked) private var idleCount = 0

    private static let maximumIdle = 16

    /// The audience of the commits, which each block learns as it enters.
    @exclusivity(unchecked) private var commitAudience = CommitAudience()

    /// Distinguishes blocks that have entered after some commits from those that may not see them.
    @exclusivity(unchecked) private var epoch = 0

    @exclusivity(unchecked) private var watch = LongBlockWatch(limit: nil)

    /// True if the store is a child that was discarded.
    @exclusivity(unchecked) private var isDiscarded = false

    var isOpen: Bool {
        gate.withLock { gate.isOpen }
    }

    /// The stored types; nil before the store is first open.
    var schema: StoreSchema? {
        gate.withLock { contents?.schema }
    }

    /// The audience of the commits at this moment.
    var audience: CommitAudience {
        gate.withLock { commitAudience }
    }

    /// Counts streams of change sets and observations that come or go.
    package func count(streams: Int = 0, observations: Int = 0, rowObservations: Int = 0) {
        gate.withLock {
            commitAudience.streams += streams
            commitAudience.observations += observations
            commitAudience.rowObservations += rowObservations
        }
    }

    /// Begins another epoch: blocks that enter from now on see all that is committed.
    func beginEpoch() -> Int {
        gate.withLock {
            epoch += 1
            return epoch
        }
    }

    /// Lets the refusal of blocks say that the store was discarded.
    func noteDiscarding() {
        gate.withLock { isDiscarded = true }
    }

    /// - Throws: `.discarded`.
    func requireNotDiscarded(_ store: StoreCoordinator) throws(DataStoreError) {
        gate.lock()
        defer { gate.unlock() }
        if isDiscarded { throw refusal(of: store) }
    }

    /// - Parameters:
    ///   - maximumReaders: The number of blocks that may read at once; further ones wait.
    ///   - blockLimit: The nanoseconds after which an open block is reported.
    func open(
        _ schema: StoreSchema, rules: [any RowRule] = [], maximumReaders: Int, blockLimit: UInt64? = nil
    ) {
        let rules = RowRules(rules, for: schema)
        gate.withLock {
            contents = (schema, rules)
            watch = LongBlockWatch(limit: blockLimit)
            gate.open(maximumReaders: maximumReaders)
        }
    }

    /// Refuses new blocks from now on.
    func close() {
        gate.withLock { gate.close() }
    }

    func waitUntilEmpty() {
        gate.withLock {
            gate.waitUntilEmpty()
            idle = nil
            idleCount = 0
            for context in contexts {
                context.gatePlace.nextIdle = nil
                // If the app has kept a handle, the handle may keep the context.
                context.forgetTransaction()
            }
            contexts.removeAll()
        }
    }

    func requireOpen(_ store: StoreCoordinator) throws(DataStoreError) {
        gate.lock()
        defer { gate.unlock() }
        guard gate.isOpen else { throw refusal(of: store) }
    }

    private func refusal(of store: StoreCoordinator) -> DataStoreError {
        if isDiscarded {
            return DataStoreError(.discarded, "\(store.name) was used after it had been discarded.")
        }
        if contents == nil {
            return DataStoreError(.notSetUp, "\(store.name) was used before setup().")
        }
        return DataStoreError(.closed, "\(store.name) was used after it had been closed.")
    }
}

// MARK: Coming and going

extension StoreGate {
    /// Lets a thread in, with a context to read in and the memory to work with, and lists the place with what
    /// the thread holds; it must ``leave(_:on:)``.
    ///
    /// - Parameters:
    ///   - purpose: `.reading` waits for a place while as many read as may; `.other` is for a writer or a
    ///     tool, which needs the memory or only keeps the store open.
    ///   - child: The child whose block enters its parent; nil for all others.
    ///   - isBlock: True for a read block of the app, which is reported if it stays for long.
    /// - Throws: `.notSetUp`, `.closed`; `.wouldDeadlock` when the readers wait, perhaps through others, for
    ///   the calling thread.
    @inline(__always)
    func enter(
        _ store: StoreCoordinator, on thread: ThreadBlocks, for purpose: ReaderGate.Purpose,
        around child: ObjectIdentifier? = nil, isBlock: Bool = false
    ) throws(DataStoreError) -> BlockContext {
        let context = try admit(thread, to: store, for: purpose, isBlock)
        if let child { thread.push(context, around: child) } else { thread.push(context) }
        return context
    }

    private func admit(
        _ thread: ThreadBlocks, to store: StoreCoordinator, for purpose: ReaderGate.Purpose, _ isBlock: Bool
    ) throws(DataStoreError) -> BlockContext {
        gate.lock()
        if gate.mustWait(purpose) {
            gate.unlock()
            return try waitAndTake(thread, store, for: purpose, isBlock)
        }
        defer { gate.unlock() }
        return try take(thread, store, for: purpose, isBlock)
    }

    private func waitAndTake(
        _ thread: ThreadBlocks, _ store: StoreCoordinator, for purpose: ReaderGate.Purpose, _ isBlock: Bool
    ) throws(DataStoreError) -> BlockContext {
        do {
            try thread.beginWaiting(for: .place(self, held: thread.readerPlaces(in: self)))
        } catch {
            throw DataStoreError(error)
        }
        // The lock is free again when the watch is left, as the watch takes that lock within its own.
        defer { thread.endWaiting() }
        gate.lock()
        defer { gate.unlock() }
        return try take(thread, store, for: purpose, isBlock)
    }

    @inline(__always)
    private func take(
        _ thread: ThreadBlocks, _ store: StoreCoordinator, for purpose: ReaderGate.Purpose, _ isBlock: Bool
    ) throws(DataStoreError) -> BlockContext {
        guard gate.enter(purpose), let context = takeIdle() ?? makeContext(in: store) else {
            throw refusal(of: store)
        }
        context.gatePlace.thread = thread.thread
        context.gatePlace.isReading = purpose == .reading
        context.gatePlace.epoch = epoch
        context.commitAudience = commitAudience
        context.gatePlace.limit = isBlock ? newLimit() : 0
        context.gatePlace.isReported = false
        return context
    }

    /// The time from which on a block is long that begins now.
    @inline(__always)
    private func newLimit() -> UInt64 { watch.limit == nil ? 0 : watch.enter(at: CoarseClock.now) }

    /// Begins the time of a write block, unless it has begun: after the wait for another process, which ends by itself.
    func beginTime(of context: BlockContext) {
        if context.gatePlace.limit > 0 || context.store.options.slowBlockWarning == nil { return }
        gate.withLock { context.gatePlace.limit = newLimit() }
    }

    private func takeIdle() -> BlockContext? {
        guard let context = idle.take() else { return nil }
        idle = context.gatePlace.nextIdle.take()
        idleCount -= 1
        return context
    }

    private func makeContext(in store: StoreCoordinator) -> BlockContext? {
        guard let (schema, rules) = contents else { return nil }
        let context = BlockContext(store: store, resources: BlockResources(schema: schema, rules: rules))
        contexts.append(context)
        return context
    }

    /// Lets a thread out again.
    // Moved through, not copied: each reference that is counted costs as much as a small look-up.
    func leave(_ context: consuming BlockContext, on thread: ThreadBlocks = .current) {
        thread.remove(context)
        context.reset()
        gate.lock()
        defer { gate.unlock() }
        let limit = context.gatePlace.limit
        if limit > 0, CoarseClock.now > limit { reportSlowBlock(context, on: thread) }
        gate.leave(context.isReading ? .reading : .other)
        context.gatePlace.thread = nil
        if idleCount < Self.maximumIdle {
            context.gatePlace.nextIdle = idle.take()
            idle = consume context
            idleCount += 1
        } else {
            contexts.removeAll { $0 === context }
            context.forgetTransaction()
        }
    }
}

// MARK: For the watches

extension StoreGate: WatchedGate {
    /// Reports a block that was long, without the lock, and inside of the block as far as handlers can tell.
    private func reportSlowBlock(_ context: BlockContext, on thread: ThreadBlocks) {
        let duration = watch.duration(exceedingBy: CoarseClock.now &- context.gatePlace.limit)
        context.gatePlace.limit = 0
        gate.unlock()
        defer { gate.lock() }
        thread.push(context)
        context.store.diagnostics.sendInOrder(.slowBlock(duration), in: context.kind)
        thread.remove(context)
        // A handler may have read.
        context.endTransaction()
        context.reset()
    }

    package func enqueueLongBlocks(in diagnostics: StoreDiagnostics) -> Bool {
        gate.withLock {
            let now = CoarseClock.now
            let open = contexts.filter { $0.gatePlace.thread != nil && $0.gatePlace.limit > 0 }
            for context in open where !context.gatePlace.isReported && now > context.gatePlace.limit {
                context.gatePlace.isReported = true
                let duration = watch.duration(exceedingBy: now &- context.gatePlace.limit)
                diagnostics.enqueue(.longBlock(duration), in: context.kind)
            }
            return watch.endTick(withOpenBlock: !open.isEmpty)
        }
    }

    /// The threads that are inside.
    package var threads: [ThreadIdentity] {
        gate.withLock { contexts.compactMap(\.gatePlace.thread) }
    }

    package var threadsOfFullPlaces: [ThreadIdentity]? {
        gate.withLock {
            gate.isFull ? contexts.filter(\.isReading).compactMap(\.gatePlace.thread) : nil
        }
    }
}
