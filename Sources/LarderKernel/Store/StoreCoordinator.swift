package import LarderDiagnostics

/// The common part of all stores: life cycle, the one writer, blocks, commits and observation.
///
///     let coordinator = StoreCoordinator(adapter: MyAdapter(), storing: [Recipe.self])
///
/// An engine's store class keeps one, and is a ``DataStore`` by it.
public final class StoreCoordinator: Sendable {
    /// The engine.
    public let adapter: any StorageAdapter
    package let itemTypes: [any DataStoreItem.Type]
    package let options: DataStoreOptions
    /// As in the options; kept apart, as reading one option copies all of them.
    let makeWatch: (@Sendable (RowPipeline) -> any BlockWatch)?
    /// Makes the adapter in which a child stages its changes; nil if there are no children.
    package let staging: (@Sendable () -> any StorageAdapter)?
    /// The store whose child this is; nil for a store of its own.
    package let parent: StoreCoordinator?
    /// The schema of a store that is open without the app's types; nil if it follows from these.
    let untypedSchema: StoreSchema?
    /// The diagnostics of the store, for its log and for the app.
    package let diagnostics: StoreDiagnostics
    let writer = WriterQueue()
    let gate = StoreGate()
    /// Sends the change set of each commit, in the order of the commits.
    let broadcaster: StreamListeners<ChangeSet>
    let listeners = CommitListeners()
    let otherWriters = OtherWriterWatch()
    let events = StoreEvents()
    // reason: touched only with the writer's turn, which passes from thread to thread under the lock of the
    // queue.
    /// The memory of the last write transaction.
    @exclusivity(unchecked)
    nonisolated(unsafe) var reusableWriting = ReusableTransaction<any StorageWriting>()
    /// The schema of what children stage, once there has been one.
    let knownStagedSchema = Locked<StoreSchema?>(nil)
    let lifeCycle = LifeCycleLock()
    let callbacks = SerialThread()
    private let handler = Locked<(@Sendable (any Error) -> Void)?>(nil)

    /// A store over an engine, not yet open.
    ///
    /// - Parameter staging: Makes the memory in which a child store keeps its changes, a `MemoryAdapter`;
    ///   without it, the store makes no children.
    public convenience init(
        adapter: any StorageAdapter, storing itemTypes: [any DataStoreItem.Type],
        options: DataStoreOptions = DataStoreOptions(),
        staging: (@Sendable () -> any StorageAdapter)? = nil
    ) {
        self.init(adapter, itemTypes, options, staging: staging)
    }

    /// A store without the app's types, for tools; its blocks know rows only.
    package convenience init(adapter: any StorageAdapter, schema: StoreSchema, options: DataStoreOptions) {
        self.init(adapter, [], options, schema: schema)
    }

    /// The child of a store, not yet open.
    ///
    /// - Parameter adapter: Reads the parent, by a ``ParentPlace`` for each block.
    package convenience init(
        childOf parent: StoreCoordinator, adapter: any StorageAdapter, options: DataStoreOptions
    ) {
        self.init(adapter, parent.itemTypes, options, staging: parent.staging, parent: parent)
    }

    private init(
        _ adapter: any StorageAdapter, _ itemTypes: [any DataStoreItem.Type], _ options: DataStoreOptions,
        staging: (@Sendable () -> any StorageAdapter)? = nil, parent: StoreCoordinator? = nil,
        schema: StoreSchema? = nil
    ) {
        (self.adapter, self.itemTypes, self.options) = (adapter, itemTypes, options)
        makeWatch = options.watch
        (self.staging, self.parent, untypedSchema) = (staging, parent, schema)
        diagnostics = StoreDiagnostics(of: adapter, by: options)
        broadcaster = StreamListeners(countedBy: gate)
    }

    deinit {
        broadcaster.finish()
        listeners.close(under: parent)
        otherWriters.end()
        writer.stop()
        BlockWatchdog.shared.remove(gate)
        if gate.isOpen { do { try adapter.close() } catch { report(error, of: "closing", hasCaller: false) } }
        callbacks.stop()
    }

    /// The name of the store in errors and logs.
    package var name: String { "The store \(title)" }

    /// The store's own name, if it has one, and its place.
    var title: String { (options.name.map { "\"\($0)\" " } ?? "") + "(\(adapter.location))" }

    /// The store's own handler, or its parent's.
    var errorHandler: (@Sendable (any Error) -> Void)? {
        get { handler.withLock { $0 } ?? parent?.errorHandler }
        set { handler.exchange(newValue) }
    }
}

// MARK: Tools

extension StoreCoordinator {
    /// Refuses a call that would wait for the block it is made in.
    package func requireOutside(_ call: String) throws(DataStoreError) {
        let thread = ThreadBlocks.current
        if !thread.isAwaited { return }
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

    /// Runs a tool of the engine, such as a backup, while the store stays open.
    ///
    ///     public func backup(to url: URL) throws(DataStoreError) {
    ///         try coordinator.runTool("backup(to:)") { () throws(DataStoreError) in try adapter.backup(to: url) }
    ///     }
    ///
    /// *Rule:* runs on the calling thread. Not inside a block of the store, as the tool might wait for the place that the
    /// block has among the readers. `tearDown()` waits for it.
    ///
    /// - Parameters:
    ///   - call: The name of the tool in errors.
    ///   - needsWriter: True if the tool waits for its turn as the writer, after all pending writes.
    /// - Throws: `.notSetUp`, `.closed`, `.discarded` for a child; `.nestedTransaction` inside a block of the store; for a
    ///   tool that needs the writer `.wouldDeadlock`, if the writer waits for this thread; rethrows errors of the tool.
    public func runTool<Result>(
        _ call: String, needsWriter: Bool = false, _ tool: () throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        try reporting(call) { () throws(DataStoreError) -> Result in
            try requireOutside(call)
            return needsWriter
                ? try withTurn { () throws(DataStoreError) in try whileOpen(tool) } : try whileOpen(tool)
        }
    }

    /// Runs a body while the store stays open, even inside blocks of it; closing it waits for the body.
    ///
    /// - Throws: `.notSetUp`, `.closed`, `.discarded`, for the store or an ancestor; rethrows errors of the body.
    package func whileOpen<Result>(_ body: () throws(DataStoreError) -> Result) throws(DataStoreError)
        -> Result
    {
        try requireOpen()
        let place = try gate.enter(self, on: .current, for: .other)
        defer { gate.leave(place) }
        return try body()
    }

    /// - Throws: `.notSetUp`, `.closed`, `.discarded`, for the store or an ancestor.
    package func requireOpen() throws(DataStoreError) {
        try gate.requireOpen(self)
        try parent?.requireOpen()
    }
}

// MARK: Blocks

extension StoreCoordinator {
    @usableFromInline
    package func read(_ body: (DataStoreReadAccessor) throws -> Void) throws {
        try reporting("read()") { try readQuietly(body) }
    }

    /// Runs a read block for a caller that reports its errors itself.
    package func readQuietly(_ body: (DataStoreReadAccessor) throws -> Void) throws {
        let thread = ThreadBlocks.current
        if thread.isAwaited, let outer = try thread.blockToJoin(of: self) {
            outer.join()
            defer { outer.leave() }
            let accessor = DataStoreReadAccessor(outer)
            defer { accessor.expire() }
            return try body(accessor)
        }
        // The gate of a child does not know its ancestors. One that the thread reads stays open until it has read.
        var checked = parent == nil ? nil : self
        while let store = checked, thread.readBlock(of: store) == nil {
            try store.gate.requireOpen(store)
            checked = store.parent
        }
        let context = try gate.enter(self, on: thread, for: .reading, isBlock: true)
        let failure = run(body, in: context)
        gate.leave(context, on: thread)
        if let failure { throw failure }
    }

    private func run(
        _ body: (DataStoreReadAccessor) throws -> Void, in context: BlockContext
    ) -> (any Error)? {
        let accessor = DataStoreReadAccessor(context)
        defer {
            accessor.expire()
            context.endTransaction()
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
    /// Runs a callback on a thread that may block and call the store again.
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
