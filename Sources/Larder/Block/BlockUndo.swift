/// How a block of a batch is undone while the blocks before it stay: by what costs least.
///
/// A savepoint costs more than most blocks do: two statements in SQLite, a copy of each page touched behind it in the
/// other engines. Most blocks need none, as an engine applies one mutation whole or not at all: what inserts a
/// single row is undone by deleting it, and nothing can fail behind the last change of a block, that of a handle.
struct BlockUndo {
    /// Whether there is anything to be kept; undoing the first block is undoing the whole transaction.
    let isNeeded: Bool
    /// Whether the block has ended, and only what was set on one handle is still to be written.
    var isLastChange = false
    /// The row the block has inserted before anything else.
    fileprivate(set) var insertion: ItemKey?
    /// Whether what was done since, or since the block began, is behind a savepoint.
    fileprivate(set) var hasSavepoint = false

    init(isNeeded: Bool) {
        self.isNeeded = isNeeded
    }

    /// Whether a change needs a savepoint first.
    // Inlined, as a call would copy the whole of it.
    @inline(__always)
    fileprivate func needsSavepoint(before kind: RowMutation.Kind?) -> Bool {
        if !isNeeded || isLastChange || hasSavepoint { return false }
        return kind != .insert || insertion != nil
    }
}

extension WriteContext {
    /// Sees to it that the block can be undone when it changes more.
    ///
    /// - Parameter kind: What is done, where it is a single mutation.
    func prepareToUndo(_ kind: RowMutation.Kind? = nil) throws(DataStoreError) {
        guard undo.needsSavepoint(before: kind) else { return }
        do {
            try writing.setSavepoint()
            undo.hasSavepoint = true
        } catch {
            throw engineFailed(error)
        }
    }

    /// Notes a mutation that no savepoint was set for.
    func noteForUndo(_ mutation: RowMutation) {
        guard undo.isNeeded, !undo.hasSavepoint, mutation.kind == .insert else { return }
        let type = schema.entities[mutation.entity].attributes[0].type
        undo.insertion = AnyItemID(mutation.cells[0], type: type).map {
            ItemKey(entity: mutation.entity, identifier: $0)
        }
    }

    /// Keeps what the block has done, with what the blocks before it have.
    func keepChanges() throws(DataStoreError) {
        if undo.hasSavepoint { try writing.releaseSavepoint() }
    }

    /// Undoes what the block has done, and leaves what the blocks before it have.
    func undoChanges() throws(DataStoreError) {
        if undo.hasSavepoint { try writing.rollBackToSavepoint() }
        if let insertion = undo.insertion { try delete(insertion) }
    }

    private func delete(_ key: ItemKey) throws(DataStoreError) {
        resources.arena.reset()
        let cells = try resources.arena.makeCells(1)
        cells[0] = try key.identifier.encode(in: resources.arena)
        let deletion = [RowMutation(.delete, entity: key.entity, cells: cells)]
        let count = try deletion.withUnsafeBufferPointer { deletion in
            Result { () throws(DataStoreError) in try writing.apply(deletion) }
        }.get()
        guard count == 1 else {
            throw DataStoreError(
                .damaged, "An item that was just inserted could not be deleted again.",
                itemType: schema.entities[key.entity].name, identifier: key.identifier)
        }
    }
}
