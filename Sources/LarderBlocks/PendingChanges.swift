public import LarderKernel

extension DataStoreReadWriteAccessor {
    /// True if the block has inserted, changed or deleted anything that is not committed yet.
    ///
    ///     try store.writeSync { accessor in
    ///         try accessor.deleteItems(for: Recipe.where(\.rating < 1))
    ///         if try accessor.hasChanges { try accessor.insert(recipe) }
    ///     }
    ///
    /// Also true if the block has taken its change back by another one, such as the deletion of an item that it has
    /// inserted; ``pendingChanges`` leaves those out. A savepoint that throws takes its changes with it.
    ///
    /// *Rule:* as for a request, what was set on handles is saved before. *Cost:* none.
    ///
    /// - Throws: `.accessorExpired`; the error of a set that cannot be stored.
    public var hasChanges: Bool {
        get throws(DataStoreError) { !(try preparedBlock().pipeline.changeLog.isEmpty) }
    }

    /// The changes that the block has not committed yet, each item once.
    ///
    ///     try store.writeSyncReportingChanges { accessor in
    ///         try accessor.update(open, .set(\.isDone, to: true))
    ///         for (id, _) in try accessor.pendingChanges.updated(Request.self) { print(id) }
    ///     }
    ///
    /// Changes that follow by a delete rule are included.
    ///
    /// *Rule:* only in a block that reports its changes, as they are not recorded in others. Sets on handles are saved
    /// before. *Cost:* a pass over all changes of the block.
    ///
    /// - Throws: `.unsupported` in a block of `writeSync` or `writeAsync`, `.accessorExpired`; the error of a set that
    ///   cannot be stored.
    public var pendingChanges: ChangeSet {
        get throws(DataStoreError) {
            if let changes = try preparedBlock().pipeline.pendingChanges { return changes }
            throw DataStoreError(
                .unsupported, "pendingChanges was asked for in a block whose changes are not recorded.",
                advice: "Run the block by writeSyncReportingChanges or writeAsyncReportingChanges.")
        }
    }
}
