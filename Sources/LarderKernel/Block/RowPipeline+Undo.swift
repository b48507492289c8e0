/// The right to change rows without undoing them: the frame that hands it out undoes the whole call, or fails its block,
/// when it throws.
///
/// Only ``RowPipeline/allOrNothing(_:)`` and ``RowPipeline/failingBlock(_:)`` hand it out. A caller without one changes rows
/// one call at a time, each of which undoes itself. *Rule:* not used after the body of its frame; debug builds check it.
@usableFromInline
package struct UndoneCall {
    /// Shared by the parts of a call that are judged after the last one; nil if each list is judged by itself.
    let parts: CallInParts?
    /// The number of calls that run while its frame does.
    fileprivate let depth: Int

    /// The same call in parts, which the caller ends by ``RowPipeline/judgeAtEnd(_:)``.
    package func inParts() -> UndoneCall { UndoneCall(parts: CallInParts(), depth: depth) }

    /// The same call without the memory of its parts.
    var withoutParts: UndoneCall { UndoneCall(parts: nil, depth: depth) }
}

extension RowPipeline {
    /// False if the frame of a call has ended, unless another one runs as deep.
    func mayRun(_ call: UndoneCall) -> Bool { call.depth <= openCalls }

    /// Runs a body, as a part of the call whose list is being made if there is one, and fails the block when it throws.
    func failingBlock(_ body: (UndoneCall) throws(DataStoreError) -> Void) throws(DataStoreError) {
        do {
            try body(listCall ?? UndoneCall(parts: nil, depth: openCalls))
        } catch {
            throw fail(with: error)
        }
    }

    /// Keeps the changes of the body when it returns, and undoes them when it throws.
    ///
    /// A savepoint for each list of mutations would make engines copy every page again that a list touches: 37 times
    /// the writes of SQLite.
    ///
    /// - Throws: The engine's error when it cannot undo; that fails the block.
    @usableFromInline
    package func allOrNothing<Value, Failure: Error>(
        _ body: (UndoneCall) throws(Failure) -> Value
    ) throws(DataStoreError) -> Result<Value, Failure> {
        try prepareToUndoBlock { .any }
        let position = changeLog.position
        let unshownCount = unshown.count
        if openCalls == 0 { forgetLinks() }
        openCalls += 1
        let (list, rows) = (listCall, followed)
        defer { (openCalls, listCall, followed) = (openCalls - 1, list, rows) }
        let way = undo.way(
            toUndo: .call(isTransactionUntouched: context.isUntouched), changing: .any)
        do {
            if case .savepoint = way { try setSavepoint() }
            let outcome = Result { () throws(Failure) in try body(UndoneCall(parts: nil, depth: openCalls)) }
            switch (outcome, way) {
            case (.success, .savepoint):
                try context.withWriting { writing throws(DataStoreError) in try writing.releaseSavepoint() }
            case (.failure, .savepoint): try rollBack()
            case (.failure, .wholeTransaction):
                // Restarting undoes as much, and the app has seen nothing of the transaction before.
                context.endTransaction()
                try context.beginWriting()
                watch?.transactionRestarted()
            case (.success, _), (.failure, .nothing), (.failure, .row): break
            }
            if case .failure = outcome {
                changeLog.rollBack(to: position)
                // Fewer if a call inside has shown them; the savepoint that it is in reloads all handles.
                if unshown.count > unshownCount { unshown.removeSubrange(unshownCount...) }
            }
            return outcome
        } catch {
            throw failTransaction(with: error)
        }
    }

    /// Keeps what the block has done, beside the changes of the blocks before it.
    func keepBlock() throws(DataStoreError) {
        guard undo.hasSavepoint else { return }
        try context.withWriting { writing throws(DataStoreError) in try writing.releaseSavepoint() }
    }

    /// Undoes what the block has done, and leaves the changes of the blocks before it.
    func undoBlock() throws(DataStoreError) {
        switch undo.sharing {
        case .alone, .first: context.endTransaction()
        case .further:
            if undo.hasSavepoint { try rollBack() }
            if let row = undo.insertedRow { try delete(row) }
        }
    }

    /// Sets a savepoint for the block if the next changes need one.
    ///
    /// - Returns: The way in which the block is undone; ``BlockUndo/note(_:)`` takes it after the changes.
    @discardableResult
    @inline(__always)
    func prepareToUndoBlock(
        _ changes: () -> BlockUndo.Changes
    ) throws(DataStoreError) -> UndoWay {
        let way = undo.way(toUndo: .block, changing: changes())
        if case .savepoint = way, !undo.hasSavepoint {
            do {
                try setSavepoint()
            } catch {
                throw failTransaction(with: error)
            }
            undo.hasSavepoint = true
        }
        return way
    }

    func changes(_ mutations: UnsafeBufferPointer<RowMutation>) -> BlockUndo.Changes {
        let isOne = mutations.count == 1 && mutations[0].kind == .insert && context.store.parent == nil
        return .mutations(mutations.count, insertedRow: isOne ? key(of: mutations[0]) : nil)
    }

    private func setSavepoint() throws(DataStoreError) {
        try context.withWriting { writing throws(DataStoreError) in try writing.setSavepoint() }
    }

    private func rollBack() throws(DataStoreError) {
        try context.withWriting { writing throws(DataStoreError) in try writing.rollBackToSavepoint() }
    }

    /// Deletes a row, past the rules: nothing that was done after its insertion is left.
    private func delete(_ key: ItemKey) throws(DataStoreError) {
        let arena = resources.arena
        arena.reset()
        let deletion = try RowMutation.deleting(
            try key.identifier.encode(in: arena), entity: key.entity, in: arena)
        let touched = try context.withWriting { writing throws(DataStoreError) in try writing.apply(deletion)
        }
        guard touched.count == 1 else {
            throw DataStoreError(
                .damaged, "An item that was just inserted could not be deleted again.",
                itemType: resources.schema.entities[key.entity].name, identifier: key.identifier)
        }
    }
}
