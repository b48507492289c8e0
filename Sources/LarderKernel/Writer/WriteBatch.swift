import LarderDiagnostics

/// Blocks of `writeAsync` that share one engine transaction, and so one wait for the disk.
///
/// Each block is undone alone when it fails, as ``BlockUndo`` decides. An engine that fails, in the middle or in the commit,
/// fails them all, and nothing of them is stored. *Rule:* lives on the writer's thread, while it has the writer's turn.
final class WriteBatch {
    private let store: StoreCoordinator
    private let limits: WriteBatchLimits
    private let end: UInt64
    /// The context of all its blocks, with their transaction; nil before the first block.
    private var context: BlockContext?
    private var blocks = 0
    private var bytes = 0
    private var hasChanges = false
    /// The blocks that count when the batch is committed.
    private var keptBlocks = 0
    private var changeSets: [ChangeSet] = []
    /// The rows that the kept blocks have touched.
    private var note = CommitNote()
    private var failure: DataStoreError?

    init(of store: StoreCoordinator) {
        self.store = store
        limits = store.options.batchLimits
        end = CoarseClock.now &+ CoarseClock.nanoseconds(limits.duration)
    }

    /// True if the batch must be committed before further blocks run.
    var isFull: Bool {
        failure != nil || blocks >= limits.blocks || bytes >= limits.bytes || CoarseClock.now >= end
    }

    /// Runs a block; its changes count when ``commit()`` has succeeded.
    func run(
        _ body: (DataStoreReadWriteAccessor) throws -> Void, on terms: WriteTerms
    ) -> WriteOutcome {
        do {
            let block = try makeBlock(on: terms)
            let outcome = store.run(body, in: block)
            let isKept = outcome.error == nil
            try end(block.pipeline, isKept: isKept)
            return isKept ? WriteOutcome(error: nil, hooks: block.pendingHooks) : outcome
        } catch {
            store.events.note(error)
            return WriteOutcome(error: error)
        }
    }

    /// Makes everything permanent, and ends the batch.
    ///
    /// - Returns: The reason why nothing of the batch was stored; nil if all of it is.
    func commit() -> DataStoreError? {
        guard let context else { return failure }
        defer { store.gate.leave(context) }
        if !context.hasWriteTransaction { return failure }
        if !hasChanges {
            context.endTransaction()
            return nil
        }
        do { try context.commit(note) } catch { return failed(error) }
        for changes in changeSets where !changes.isEmpty { store.broadcaster.send(changes) }
        return nil
    }

    /// The next block; all of them work with the same context, one after the other.
    private func makeBlock(on terms: WriteTerms) throws(DataStoreError) -> WriteBlock {
        blocks += 1
        let context =
            if let known = self.context { known } else {
                try store.gate.enter(store, on: ThreadBlocks.current, for: .other)
            }
        self.context = context
        // Observers may have come since the block before.
        if blocks > 1 { context.commitAudience = store.gate.audience }
        if context.hasWriteTransaction { return WriteBlock(in: context, sharing: .further, on: terms) }
        try context.beginWriting()
        return WriteBlock(in: context, sharing: .first, on: terms)
    }

    /// Keeps what a block has done, or undoes it.
    private func end(_ pipeline: RowPipeline, isKept: Bool) throws(DataStoreError) {
        if let engineFailure = pipeline.engineFailure { throw failed(engineFailure) }
        do {
            if isKept {
                keptBlocks += 1
                try pipeline.keepBlock()
                keep(pipeline)
            } else {
                try pipeline.undoBlock()
            }
        } catch {
            throw failed(error)
        }
    }

    private func keep(_ pipeline: RowPipeline) {
        bytes += pipeline.writtenBytes
        guard !pipeline.changeLog.isEmpty else { return }
        hasChanges = true
        if let changes = pipeline.changeSet { changeSets.append(changes) }
        note.add(pipeline.changeLog.touched, from: pipeline.terms.origin)
    }

    /// Ends the batch, with nothing of it stored.
    private func failed(_ error: DataStoreError) -> DataStoreError {
        failure = error
        context?.endTransaction()
        context?.reportRollBack(error, ofBlocks: keptBlocks)
        return error
    }
}

/// The limits of a batch of write blocks, whichever is reached first.
package struct WriteBatchLimits: Sendable {
    package var blocks = 64
    package var bytes = 4 << 20
    package var duration = Duration.milliseconds(10)
}
