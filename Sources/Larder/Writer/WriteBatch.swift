/// Blocks of `writeAsync` that share one engine transaction, and so one wait for the disk.
///
/// Each block is undone alone when it fails: the first by rolling back, as nothing else is in the transaction
/// yet, the others by a savepoint. An engine that fails, in the middle or in the commit, fails them all, and
/// nothing of them is stored. *Rule:* lives on the writer's thread, while it has the writer's turn.
final class WriteBatch {
    private let store: StoreCoordinator
    private let limits: WriteBatchLimits
    private let end: UInt64
    private var place: BlockContext?
    private var transaction: (any StorageWriting)?
    private var blocks = 0
    private var bytes = 0
    private var hasChanges = false
    private var changeSets: [ChangeSet] = []
    private var failure: DataStoreError?

    init(of store: StoreCoordinator) {
        self.store = store
        limits = store.options.batchLimits
        end = CoarseClock.now &+ CoarseClock.nanoseconds(limits.duration)
    }

    /// Whether the batch is to be committed before further blocks run.
    var isFull: Bool {
        failure != nil || blocks >= limits.blocks || bytes >= limits.bytes || CoarseClock.now >= end
    }

    /// Runs a block; what it has done counts when ``commit()`` has succeeded.
    func run(_ block: (DataStoreReadWriteAccessor) throws -> Void) -> WriteOutcome {
        do {
            let context = try makeContext()
            let outcome = store.run(block, in: context)
            let isKept = outcome.error == nil
            try end(context, isKept: isKept)
            return isKept ? WriteOutcome(error: nil, hooks: context.pendingHooks) : outcome
        } catch {
            return WriteOutcome(error: error)
        }
    }

    /// Makes everything permanent, and ends the batch.
    ///
    /// - Returns: Why nothing of the batch was stored; nil when all of it is.
    func commit() -> DataStoreError? {
        defer { if let place { store.gate.leave(place) } }
        guard let transaction else { return failure }
        self.transaction = nil
        if !hasChanges {
            transaction.end()
            return nil
        }
        do {
            try transaction.commit()
        } catch {
            return error
        }
        for changes in changeSets { store.broadcaster.send(changes) }
        return nil
    }

    /// The context of the next block; all of them work with the same memory, one after the other.
    private func makeContext() throws(DataStoreError) -> WriteContext {
        blocks += 1
        let place =
            if let known = self.place { known } else {
                try store.gate.enter(store, on: ThreadBlocks.current, for: .other)
            }
        self.place = place
        let memory = place.resources
        if let transaction {
            return WriteContext(
                store: store, resources: memory, writing: transaction, undo: BlockUndo(isNeeded: true))
        }
        let begun = try store.beginWriting()
        transaction = begun
        return WriteContext(store: store, resources: memory, writing: begun, undo: BlockUndo(isNeeded: false))
    }

    /// Keeps what a block has done, or undoes it.
    private func end(_ context: WriteContext, isKept: Bool) throws(DataStoreError) {
        if let engineFailure = context.engineFailure { throw failed(engineFailure) }
        do {
            if isKept {
                try context.keepChanges()
                keep(context)
            } else if context.undo.isNeeded {
                try context.undoChanges()
            } else {
                transaction?.end()
                transaction = nil
            }
        } catch {
            throw failed(error)
        }
    }

    private func keep(_ context: WriteContext) {
        bytes += context.writtenBytes
        guard !context.changeLog.isEmpty else { return }
        hasChanges = true
        if context.changeLog.isRecording {
            changeSets.append(context.changeLog.changeSet(of: context.schema))
        }
    }

    /// Ends the batch, with nothing of it stored.
    private func failed(_ error: DataStoreError) -> DataStoreError {
        failure = error
        transaction?.end()
        transaction = nil
        return error
    }
}

/// Where a batch of write blocks ends, whichever comes first.
package struct WriteBatchLimits: Sendable {
    package var blocks = 64
    package var bytes = 4 << 20
    package var duration = Duration.milliseconds(10)
}
