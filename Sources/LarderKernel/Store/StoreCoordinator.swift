import Logging

/// The common part of all stores: life cycle, the one writer, blocks, commits and observation.
///
///     let coordinator = StoreCoordinator(adapter: MyAdapter(), storing: [Recipe.self])
///
/// An engine's store class keeps one, and is a ``DataStore`` by it.
public final class StoreCoordinator: Sendable {
    /// The engine.
    public let adapter: any StorageAdapter
    let itemTypes: [any DataStoreItem.Type]
    package let options: DataStoreOptions
    /// Makes the adapter in which a child stages its changes; nil where there are no children.
    package let staging: (@Sendable () -> any StorageAdapter)?
    /// The store whose child this is; nil for a store of its own.
    package let parent: StoreCoordinator?
    /// The schema of a store that is open without the app's types; nil where it follows from these.
    private let untypedSchema: StoreSchema?
    let log: StoreLog
    let writer = WriterQueue()
    let gate: StoreGate
    let broadcaster: ChangeBroadcaster
    let observations: ObservationRegistry
    let otherWriters = OtherWriterWatch()
    let events = StoreEvents()
    // reason: touched only with the writer's turn, which passes from thread to thread under the lock of the
    // queue.
    /// The memory of the last write transaction.
    @exclusivity(unchecked)
    nonisolated(unsafe) var reusableWriting = ReusableTransaction<any StorageWriting>()
    /// The schema of what children stage, once there has been one.
    let knownStagedSchema = Locked<StoreSchema?>(nil)
    private let lifeCycle = LifeCycleLock()
    private let callbacks = SerialThread()
    private let handler = Locked<(@Sendable (any Error) -> Void)?>(nil)

    /// A store over an engine, not yet open.
    ///
    /// - Parameter staging: Makes the memory in which a child store keeps its changes, a `MemoryAdapter`;
    ///   without it, the store makes no children.
    public init(
        adapter: any StorageAdapter, storing itemTypes: [any DataStoreItem.Type],
        options: DataStoreOptions = DataStoreOptions(),
        staging: (@Sendable () -> any StorageAdapter)? = nil
    ) {
        self.adapter = adapter
        self.itemTypes = itemTypes
        self.options = options
        self.staging = staging
        parent = nil
        untypedSchema = nil
        log = StoreLog(options: options)
        (gate, broadcaster, observations) = Self.makeGate()
    }

    /// A store without the app's types, for tools; its blocks know rows only.
    package init(adapter: any StorageAdapter, schema: StoreSchema, options: DataStoreOptions) {
        self.adapter = adapter
        itemTypes = []
        self.options = options
        staging = nil
        parent = nil
        untypedSchema = schema
        log = StoreLog(options: options)
        (gate, broadcaster, observations) = Self.makeGate()
    }

    /// The child of a store, not yet open.
    ///
    /// - Parameters:
    ///   - adapter: Reads the parent, by a ``ParentPlace`` for each block.
    ///   - options: Those of the parent, unless others are given.
    package init(childOf parent: StoreCoordinator, adapter: any StorageAdapter, options: DataStoreOptions?) {
        self.adapter = adapter
        self.parent = parent
        untypedSchema = nil
        itemTypes = parent.itemTypes
        self.options = options ?? parent.options
        staging = parent.staging
        log = StoreLog(options: self.options)
        (gate, broadcaster, observations) = Self.makeGate()
    }

    /// The gate of blocks, and the two that learn of commits, whose audience it counts.
    private static func makeGate() -> (StoreGate, ChangeBroadcaster, ObservationRegistry) {
        let gate = StoreGate()
        return (gate, ChangeBroadcaster(countedBy: gate), ObservationRegistry(countedBy: gate))
    }

    deinit {
        broadcaster.finish()
        endObservations()
        otherWriters.end()
        writer.stop()
        callbacks.stop()
        if gate.isOpen {
            do {
                try adapter.close()
            } catch {
                log.logger.error("\(name) could not be closed: \(error)")
            }
        }
    }

    /// The name of the store in errors and logs.
    package var name: String { "The store (\(adapter.location))" }

    var errorHandler: (@Sendable (any Error) -> Void)? {
        get { handler.withLock { $0 } }
        set { handler.withLock { $0 = newValue } }
    }
}

// MARK: Life cycle

extension StoreCoordinator {
    /// Opens the store.
    ///
    /// - Returns: The changes of its schema; nil where there were none, or the store is new or was open.
    @discardableResult
    package func setup() throws(DataStoreError) -> StoreMigration? {
        // Open, as a block is running; the lock may belong to a tearDown() that waits for the block.
        if ThreadBlocks.current.isInside(self) { return nil }
        let migration = Locked<StoreMigration?>(nil)
        let backup = Locked<SchemaBackup?>(nil)
        // Also where something throws afterwards: the backup is not made a second time.
        defer { reportBackup(backup.withLock { $0 }) }
        let aside = try lifeCycle.withLock { () throws(DataStoreError) -> SetAsideStore? in
            if gate.isOpen { return nil }
            try gate.requireNotDiscarded(self)
            let known = untypedSchema ?? parent?.gate.schema?.ofChild()
            let schema = if let known { known } else { try declaredSchema() }
            let aside: SetAsideStore?
            do throws(DataStoreError) {
                var plan: MigrationPlan? = known == nil ? self.plan(noting: backup) : nil
                plan?.report = { made in migration.withLock { $0 = made } }
                aside = try openAdapter(schema, by: plan)
            } catch {
                events.note(error)
                throw error
            }
            broadcaster.start()
            observations.start()
            gate.open(
                schema, rules: options.rules,
                maximumReaders: options.maximumReaders ?? adapter.maximumReaders)
            // An observation may have begun just before.
            otherWriters.update(for: self)
            if let made = migration.withLock({ $0 }) { events.send(.migrated(made)) }
            events.send(.opened)
            return aside
        }
        if let aside, case .recreate(let report) = options.recovery { report(aside) }
        return migration.withLock { $0 }
    }

    private func declaredSchema() throws(DataStoreError) -> StoreSchema {
        if let versions = options.versions {
            try versions.schemaOfTypes()
        } else {
            try StoreSchema(storing: itemTypes)
        }
    }

    /// The steps that bring a store of an earlier version to today's types; small changes only without versions.
    private func plan(noting backup: Locked<SchemaBackup?>) -> MigrationPlan {
        guard var plan = options.versions?.plan(progress: options.schemaProgress) ?? options.migration else {
            return .smallChanges
        }
        plan.mode = options.schemaUpgrade
        plan.probe = options.upgradeProbe
        if case .copying(.some) = options.schemaUpgrade {
            plan.mode = .copying(keepingBackup: { kept in backup.withLock { $0 = kept } })
        }
        return plan
    }

    private func reportBackup(_ backup: SchemaBackup?) {
        if let backup, case .copying(let report?) = options.schemaUpgrade { report(backup) }
    }

    package func tearDown() throws(DataStoreError) {
        try requireOutside("tearDown()")
        try lifeCycle.withLock { () throws(DataStoreError) in try close() }
    }

    /// *Rule:* the caller has the life cycle, for all that it does with the store: another thread that waits
    /// in `setup()` opens it before or afterwards.
    private func close() throws(DataStoreError) {
        guard gate.isOpen else { return }
        try closeGate()
        otherWriters.end()
        broadcaster.finish()
        writer.stop()
        callbacks.stop()
        // The gate is closed, also where the engine cannot close its file.
        events.send(.closed)
        try adapter.close()
    }

    /// Ends the observations, also with the ancestors, which they follow too.
    private func endObservations() {
        for watcher in observations.finish() { parent?.unwatch(watcher) }
    }

    /// Lets all blocks end, the pending writes first, and no new ones in.
    ///
    /// - Throws: `.wouldDeadlock` when one of them waits for the calling thread; the gate stays open then.
    private func closeGate() throws(DataStoreError) {
        let thread = ThreadBlocks.current.thread
        try writer.acquire()
        do {
            defer { writer.release() }
            try DeadlockWatch.shared.beginWaiting(thread, for: .end(gate))
            // Before blocks are refused, so that no observation takes that for an error.
            endObservations()
            gate.close()
            reusableWriting.forget()
        }
        gate.waitUntilEmpty()
        DeadlockWatch.shared.endWaiting(thread)
    }

    /// - Parameter isDiscarding: True for a child that is never opened again.
    package func destroy(isDiscarding: Bool = false) throws(DataStoreError) {
        try requireOutside(isDiscarding ? "discard()" : "destroy()")
        // Before the store is closed: one that is not destroyed stays as it is.
        if adapter.isReadOnly { throw DataStoreError.readOnly(destroying: adapter.location) }
        try lifeCycle.withLock { () throws(DataStoreError) in
            try close()
            try adapter.destroy()
            if isDiscarding { gate.noteDiscarding() }
        }
    }

    /// Refuses a call that would wait for the block it is made in.
    package func requireOutside(_ call: String) throws(DataStoreError) {
        let thread = ThreadBlocks.current
        if !thread.isInBlock { return }
        // First, as a block of a child has a place in the store too.
        if thread.isInsideDescendant(of: self) {
            throw DataStoreError(
                .nestedTransaction, "\(call) was called inside a block or a merge of a child of the store.",
                advice: "Make the call after the block.")
        }
        if thread.isInside(self) {
            let place = thread.isInBlock(of: self) ? "a block" : "a tool or a merge"
            throw DataStoreError(.nestedTransaction, "\(call) was called inside \(place) of the same store.")
        }
    }
}

// MARK: Tools

extension StoreCoordinator {
    /// Runs a tool of the engine, such as a backup, while the store stays open.
    ///
    ///     public func backup(to url: URL) throws(DataStoreError) {
    ///         try coordinator.runTool("backup(to:)") { () throws(DataStoreError) in try adapter.backup(to: url) }
    ///     }
    ///
    /// *Rule:* runs on the calling thread and in no block of the store, whose place among the readers it
    /// might wait for; `tearDown()` waits for it.
    ///
    /// - Parameters:
    ///   - call: How an error names the tool.
    ///   - needsWriter: True if the tool waits for its turn as the writer, after all pending writes.
    /// - Throws: `.notSetUp`, `.closed`; `.nestedTransaction` inside a block of the store; rethrows errors of
    ///   the tool.
    public func runTool<Result>(
        _ call: String, needsWriter: Bool = false, _ tool: () throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        try requireOutside(call)
        return needsWriter
            ? try withTurn { () throws(DataStoreError) in try whileOpen(tool) } : try whileOpen(tool)
    }

    /// Runs a body while the store stays open, also inside blocks of it; closing it waits for the body.
    ///
    /// - Throws: `.notSetUp`, `.closed`, `.discarded`; rethrows errors of the body.
    package func whileOpen<Result>(_ body: () throws(DataStoreError) -> Result) throws(DataStoreError)
        -> Result
    {
        let place = try gate.enter(self, on: .current, for: .other)
        defer { gate.leave(place) }
        return try body()
    }

    package func requireOpen() throws(DataStoreError) { try gate.requireOpen(self) }
}

// MARK: Blocks

extension StoreCoordinator {
    @usableFromInline
    package func read(_ body: (DataStoreReadAccessor) throws -> Void) throws {
        let thread = ThreadBlocks.current
        if thread.isInBlock, let outer = try thread.blockToJoin(of: self) {
            outer.join()
            defer { outer.leave() }
            let accessor = DataStoreReadAccessor(outer)
            defer { accessor.expire() }
            return try body(accessor)
        }
        let context = try gate.enter(self, on: thread, for: .reading)
        let failure = run(body, in: context)
        gate.leave(context, on: thread)
        if let failure { throw failure }
    }

    private func run(
        _ body: (DataStoreReadAccessor) throws -> Void, in context: BlockContext
    ) -> (any Error)? {
        let started = log.blockBegins()
        let accessor = DataStoreReadAccessor(context)
        defer {
            accessor.expire()
            context.endTransaction()
            log.blockEnded(since: started, kind: "read")
        }
        do {
            try body(accessor)
            return nil
        } catch {
            events.note(error)
            return error
        }
    }
}

// MARK: Calling back

extension StoreCoordinator {
    /// Tells the error handler, off the calling thread.
    package func report(_ error: any Error) {
        log.logger.error("An error had no caller to report to: \(error)")
        if let handler = errorHandler { callBack { handler(error) } }
    }

    /// Runs a callback where it may block and call the store again.
    func callBack(_ body: @escaping @Sendable () -> Void) {
        do {
            try callbacks.run {
                ThreadBlocks.current.isCallingBack = true
                body()
            }
        } catch {
            body()
        }
    }
}

extension DataStoreError {
    /// The refusal to delete a store that was given to be read only.
    package static func readOnly(destroying location: String) -> DataStoreError {
        DataStoreError(
            .readOnly, "The store was opened read-only, so it is not destroyed.",
            advice: "Destroy it by a store whose options let it write.", path: location)
    }
}
