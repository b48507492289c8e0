/// A running write block: how it ends, and whether it may continue.
///
/// Handles collect sets; ``prepareForRequest()`` saves them before each request and at the end. All changes of rows pass
/// through the ``RowPipeline``. *Rule:* the handles of the block keep it; it refuses them once it has ended.
@usableFromInline
package final class WriteBlock {
    @usableFromInline package let context: BlockContext
    @usableFromInline package let handles: BlockHandles
    @usableFromInline package let pipeline: RowPipeline
    // Handles that the app has kept report to the store.
    private let store: StoreCoordinator
    // reason for unchecked: see BlockContext.
    @exclusivity(unchecked) @usableFromInline var isOpen = true
    /// The hooks that run after the next commit.
    @exclusivity(unchecked) private(set) var pendingHooks: [@Sendable () -> Void] = []
    /// The hooks that run after the writer is released, because their changes are committed.
    @exclusivity(unchecked) private(set) var committedHooks: [@Sendable () -> Void] = []

    /// - Parameter context: Its write transaction has begun.
    init(in context: BlockContext, sharing: BlockUndo.Sharing, on terms: WriteTerms) {
        self.context = context
        handles = context.makeHandles()
        pipeline = handles.pipeline
        store = context.store
        pipeline.begin(sharing, on: terms)
        context.writeBlock = Unmanaged.passUnretained(self)
    }

    /// Ends the block; what is not committed is undone, unless the transaction is shared.
    func close() {
        isOpen = false
        context.writeBlock = nil
        handles.removeAll()
        if !pipeline.isShared { context.endTransaction() }
    }

    /// Saves what was set on handles, so that a request finds it.
    @usableFromInline
    package func prepareForRequest() throws(DataStoreError) {
        if let failure = pipeline.failure { throw failure }
        if handles.changedCount > 0 { try handles.flush() }
    }

    @usableFromInline
    func requireOpen() throws(DataStoreError) {
        guard isOpen else {
            throw DataStoreError(.accessorExpired, "The accessor was used after its block had ended.")
        }
    }
}

// MARK: Ending the block

extension WriteBlock {
    /// Saves the handles, and commits unless the transaction is shared.
    func finish() throws(DataStoreError) {
        if handles.changedCount <= 1, pipeline.watch == nil { pipeline.undo.isLastChange = true }
        try prepareToCommit()
        if !pipeline.isShared { try commit() }
        pipeline.report()
    }

    /// Commits the changes so far, and continues with a new transaction.
    func commitMidway() throws(DataStoreError) {
        try requireOpen()
        if let place = placeWithoutCommit {
            throw DataStoreError(
                .unsupported, "commit() was called inside \(place).",
                advice:
                    "Call it in a writeSync block, outside savepoints, insert(contentsOf:) and forEachItem.")
        }
        try prepareToCommit()
        do { try commit() } catch { throw pipeline.fail(with: error) }
        // The commit is stored: what cannot begin or be read now fails the rest of the block, and not this call.
        do {
            try context.beginWriting()
        } catch {
            pipeline.fail(
                with: error.advising("Repeat only the part after commit(): everything before it is stored."))
            return
        }
        pipeline.noteCommit()
        try? handles.reloadHeld()
    }

    /// Saves the handles, and lets the hooks of the store have the last word.
    private func prepareToCommit() throws(DataStoreError) {
        try prepareForRequest()
        do { try pipeline.watch?.blockEnds() } catch { throw pipeline.fail(with: error) }
    }

    /// The place in the block at which a commit would tear something apart.
    private var placeWithoutCommit: String? {
        if pipeline.isShared { return "writeAsync" }
        if pipeline.openCalls > 0 { return "a savepoint" }
        return pipeline.iterations.isIterating ? "forEachItem" : nil
    }

    private func commit() throws(DataStoreError) {
        if pipeline.changeLog.isEmpty {
            context.endTransaction()
        } else {
            try context.commit(
                CommitNote(from: pipeline.terms.origin, touching: pipeline.changeLog.touched))
            if let changes = pipeline.changeSet, !changes.isEmpty { store.broadcaster.send(changes) }
        }
        if pendingHooks.isEmpty { return }
        committedHooks += pendingHooks
        pendingHooks.removeAll()
    }

    func addHook(_ hook: @escaping @Sendable () -> Void) throws(DataStoreError) {
        try requireOpen()
        pendingHooks.append(hook)
    }

    /// Runs a body whose changes are undone when it throws, or when values set on handles cannot be stored;
    /// handles then show the stored values again.
    ///
    /// - Parameter isSeen: False if no code of the app runs in it that may read.
    package func savepoint<Value>(
        isSeen: Bool = true, _ body: (UndoneCall) throws -> Value
    ) throws -> Value {
        try requireOpen()
        try prepareForRequest()
        if isSeen { context.noteSeen() }
        let hooks = pendingHooks.count
        let outcome = try pipeline.allOrNothing { call in
            // Its sets are judged with it, even if it runs while a list is made.
            pipeline.listCall = nil
            let value = try body(call)
            try prepareForRequest()
            return value
        }
        if case .failure = outcome {
            pendingHooks.removeSubrange(hooks...)
            // Changes that cannot be stored are undone with the rest.
            pipeline.recover()
            try reloadHandles()
        }
        return try outcome.get()
    }

    /// Shows in all handles what is stored, after a call that may have run code of the app was undone.
    @usableFromInline
    package func reloadHandles() throws(DataStoreError) {
        if pipeline.failure == nil { try handles.reloadHeld() }
    }

    /// Runs a body that reads items of a type one after the other; they may not be changed meanwhile.
    func iterating<Result>(_ entity: Int, _ body: () throws -> Result) rethrows -> Result {
        pipeline.iterations.begin(entity)
        defer { pipeline.iterations.end(entity) }
        return try body()
    }
}

// MARK: Handles

extension WriteBlock {
    /// The handle of an item: the one it has, or a new one.
    @inlinable
    func handle<Item: DataStoreItem>(for item: consuming Item, entity: Int) -> Mutable<Item> {
        let key = ItemKey(entity: entity, identifier: item.id.anyItemID)
        if let known = handles[key] as? Mutable<Item> {
            // Inserted again after a deletion: the same handle, as a savepoint may undo both.
            if known.state == .deleted { known.revive(as: item) }
            return known
        }
        let handle = Mutable(item, entity: entity, in: self)
        handles.add(handle, for: key)
        return handle
    }

    /// The handles of stored items; what was set on others stays unsaved.
    func handles<Item: DataStoreItem>(
        _ ids: ArraySlice<Item.ID>, of number: Int
    ) throws(DataStoreError) -> [Mutable<Item>] {
        var (found, cells): ([Mutable<Item>], [Cell]) = ([], [])
        context.resources.arena.reset()
        for id in ids { cells.append(try id.encode(in: context.resources.arena)) }
        try context.forEachRow(at: cells, of: number) { _, row throws(DataStoreError) in
            guard let row else { return }
            found.append(handle(for: try Item(row: RowReader(cells: row, of: Item.schema)), entity: number))
        }
        return found
    }

    /// True if a set on the handle counts; if not, it is reported, or fails the block.
    @inlinable
    @inline(__always)
    func accepts(_ handle: some TrackedHandle) -> Bool {
        if isOpen, handle.state == .live { return true }
        refuse(handle)
        return false
    }

    @usableFromInline
    func refuse(_ handle: some TrackedHandle) {
        do {
            try require(handle)
        } catch  where !isOpen {
            store.report(error, of: "a handle", hasCaller: false)
            if store.options.assertsOnMisuse { assertionFailure(error.description) }
        } catch {
            pipeline.fail(with: error)
        }
    }

    /// Checks that the block is running and the handle's item exists.
    func require(_ handle: some TrackedHandle) throws(DataStoreError) {
        func refused(_ code: DataStoreError.Code, _ message: String) -> DataStoreError {
            DataStoreError(
                code, message, itemType: handle.entitySchema.name, identifier: handle.identifier)
        }
        guard isOpen else {
            throw refused(
                .accessorExpired, "An item was changed through a handle whose block had ended.")
        }
        switch handle.state {
        case .live: return
        case .deleted: throw refused(.itemNotFound, "An item was changed after it had been deleted.")
        case .expired:
            throw refused(
                .accessorExpired,
                "An item was changed through a handle of forEachMutableItem after its turn.")
        }
    }

    @usableFromInline
    func noteChange(of handle: any TrackedHandle) {
        handles.noteChange(of: handle)
    }

    /// Expires handles after saving them, except those returned, which wait for the end of their walk.
    ///
    /// What cannot be saved fails the block.
    func expireHandles(_ keys: [ItemKey], isMidway: Bool) -> [ItemKey] {
        // Also what a body set before it threw.
        if pipeline.failure == nil { try? handles.flush(isMidway: isMidway) }
        var (ended, waiting): ([ItemKey], [ItemKey]) = ([], [])
        for key in keys {
            if isMidway, handles[key]?.isChanged ?? false { waiting.append(key) } else { ended.append(key) }
        }
        handles.expire(ended)
        return waiting
    }
}
