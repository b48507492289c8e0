public import LarderKernel

extension DataStore {
    /// Stores what a child has staged, all of it or nothing, and leaves the child with nothing staged.
    ///
    ///     let draft = try store.makeChildDataStore()
    ///     try draft.writeSync { try $0.insert(order) }
    ///     try store.merge(draft)
    ///
    /// Three versions of each item are compared, attribute by attribute and link by link: as the child first
    /// saw it, as the child has it, and as this store has it now. A change of one side alone is kept. A change of
    /// both sides to different values is a conflict, which the policy settles. If this store has not changed
    /// meanwhile, it equals the child after the merge. Delete rules act again only on items and links of this store
    /// that the child could not see. The child may be changed and merged again.
    ///
    /// *Rule:* one atomic write of this store, after all pending writes of the child. The store is the one that
    /// made the child; a child's child is merged into the child. *Cost:* memory for the changed rows; a look-up
    /// for each item that the child has touched; again if conflicts of rules were settled.
    ///
    /// - Parameter origin: Tells the observers of this store and of the child who merges; the child's
    ///   observers received the origins of the child's own writes.
    /// - Throws: `.mergeConflict` with ``DataStoreError/conflicts``; `.foreignChild`; `.discarded`, `.closed`;
    ///   `.nestedTransaction` inside a block of either store, `.wouldDeadlock` if the writer of one waits for the
    ///   thread that merges; errors of the policy and the write. Neither store has changed then, unless `.commitUncertain`.
    @available(*, noasync, message: "Await merge(_:policy:origin:) instead.")
    @discardableResult
    public func merge(
        _ child: any DataStore, policy: MergePolicy = .fail, origin: WriteOrigin? = nil
    ) throws -> MergeResult {
        try coordinator.reporting("merge()") {
            try Merge(of: child, into: self, policy, origin: origin).run()
        }
    }

    /// Stores what a child has staged, in its turn among the writes of this store.
    ///
    /// *Rule:* as for the other `merge`, off the calling thread; after everything that was given to
    /// `writeAsync` of this store before.
    ///
    /// - Throws: As the other `merge`; `CancellationError` if its task was cancelled before its turn came.
    @discardableResult
    public func merge(
        _ child: any DataStore, policy: MergePolicy = .fail, origin: WriteOrigin? = nil
    ) async throws -> MergeResult {
        let merge = try coordinator.reporting("merge()") { () throws(DataStoreError) in
            try Merge(of: child, into: self, policy, origin: origin)
        }
        return try await merge.runInTurn()
    }

    /// Returns the result that a merge would have now, and changes nothing.
    ///
    ///     let preview = try store.mergePreview(draft)
    ///     if preview.conflicts.isEmpty { try store.merge(draft) }
    ///
    /// *Rule:* takes the writer's turn, as the merge would, and undoes everything. Runs no hooks, so it does not find
    /// what they would refuse or change. *Cost:* as a merge without its commit.
    ///
    /// - Throws: The errors of the merge, except `.mergeConflict`, whose conflicts are in the result, and errors of
    ///   hooks, as `.invalidItems`.
    @available(*, noasync, message: "Await mergePreview(_:policy:) instead.")
    public func mergePreview(_ child: any DataStore, policy: MergePolicy = .fail) throws -> MergeResult {
        try coordinator.reporting("mergePreview()") {
            try Merge(of: child, into: self, policy, isPreview: true).run()
        }
    }

    /// Returns the result that a merge would have, in its turn among the writes of this store, and changes nothing.
    ///
    ///     let preview = try await store.mergePreview(draft)
    ///
    /// *Rule:* as for the other `mergePreview`, off the calling thread; after everything that was given to
    /// `writeAsync` of this store before.
    ///
    /// - Throws: As the other `mergePreview`; `CancellationError` if its task was cancelled before its turn came.
    public func mergePreview(
        _ child: any DataStore, policy: MergePolicy = .fail
    ) async throws -> MergeResult {
        let merge = try coordinator.reporting("mergePreview()") { () throws(DataStoreError) in
            try Merge(of: child, into: self, policy, isPreview: true)
        }
        return try await merge.runInTurn()
    }
}
