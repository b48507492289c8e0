extension DataStore {
    /// Stores what a child has staged, all of it or nothing, and leaves the child with nothing staged.
    ///
    ///     let draft = try store.makeChildDataStore()
    ///     try draft.writeSync { try $0.insert(order) }
    ///     try store.merge(draft)
    ///
    /// Three versions of each item are compared, attribute by attribute and link by link: as the child first
    /// saw it, as the child has it, and as this store has it now. A change of one side alone is kept. A change of
    /// both sides to different values is a conflict, which the policy settles. Where this store has not changed
    /// meanwhile, it equals the child after the merge. Delete rules act again only on items and links of this store
    /// that the child could not see. The child may go on, and be merged again.
    ///
    /// *Rule:* one atomic write of this store, after all pending writes of the child. The store is the one that
    /// made the child; a child's child is merged into the child. *Cost:* memory for the changed rows; a look-up
    /// for each item that the child has touched; again where conflicts of rules were settled.
    ///
    /// - Parameter origin: Tells the observers of this store and of the child who merges; the origins of the child's
    ///   own writes were told to the child's observers.
    /// - Throws: `.mergeConflict` with ``DataStoreError/conflicts``; `.foreignChild`; `.discarded`, `.closed`;
    ///   `.nestedTransaction` inside a block of either store; errors of the policy and of the write. Neither
    ///   store has changed then.
    @available(*, noasync, message: "Await merge(_:policy:origin:) instead.")
    @discardableResult
    public func merge(
        _ child: any DataStore, policy: MergePolicy = .fail, origin: WriteOrigin? = nil
    ) throws -> MergeResult {
        try coordinator.merge(child.coordinator, policy: policy, origin: origin)
    }

    /// Stores what a child has staged, in its turn among the writes of this store.
    ///
    /// *Rule:* as for the other `merge`, off the calling thread; after everything that was given to
    /// `writeAsync` of this store before.
    ///
    /// - Throws: As the other `merge`; `CancellationError` where its task was cancelled before its turn came.
    @discardableResult
    public func merge(
        _ child: any DataStore, policy: MergePolicy = .fail, origin: WriteOrigin? = nil
    ) async throws -> MergeResult {
        try await coordinator.merge(child.coordinator, policy: policy, origin: origin)
    }

    /// Tells what a merge would do now, and changes nothing.
    ///
    ///     let preview = try store.mergePreview(draft)
    ///     if preview.conflicts.isEmpty { try store.merge(draft) }
    ///
    /// *Rule:* takes the writer's turn, as the merge would, and undoes everything. *Cost:* as a merge without
    /// its commit.
    ///
    /// - Throws: The errors of the merge, except `.mergeConflict`: its conflicts are in the result.
    @available(*, noasync, message: "It waits for the writer of the store.")
    public func mergePreview(_ child: any DataStore, policy: MergePolicy = .fail) throws -> MergeResult {
        try coordinator.merge(child.coordinator, policy: policy, isPreview: true)
    }
}

extension StoreCoordinator {
    func merge(
        _ child: StoreCoordinator, policy: MergePolicy, origin: WriteOrigin? = nil, isPreview: Bool = false
    ) throws -> MergeResult {
        let overlay = try requireChild(child, isPreview ? "mergePreview()" : "merge()")
        try writer.acquire()
        let merge = Merge(
            of: overlay, in: child, into: self, policy: policy, origin: origin, isPreview: isPreview)
        let outcome = merge.runWithTurn()
        writer.release()
        return try merge.result(of: outcome)
    }

    func merge(
        _ child: StoreCoordinator, policy: MergePolicy, origin: WriteOrigin?
    ) async throws -> MergeResult {
        let overlay = try requireChild(child, "merge()")
        let merge = Merge(of: overlay, in: child, into: self, policy: policy, origin: origin)
        try await PendingWrite.answer { listener in
            enqueue(PendingWrite(.alone { merge.runWithTurn() }, in: self, telling: listener))
        }
        return try merge.result(of: WriteOutcome(error: nil))
    }

    /// - Throws: `.foreignChild`; `.nestedTransaction` inside a block of either store.
    private func requireChild(
        _ child: StoreCoordinator, _ call: String
    ) throws(DataStoreError) -> OverlayAdapter {
        guard let overlay = child.overlay, overlay.parent === self else {
            throw DataStoreError(
                .foreignChild, "\(child.name) is not a child of \(name).", path: adapter.location)
        }
        try requireOutside(call)
        try child.requireOutside(call)
        try child.gate.requireOpen(child)
        return overlay
    }
}

/// The way of one merge through the turns of the two writers.
package final class Merge: @unchecked Sendable {
    // reason: `found` is set by the thread that has both turns, and read by the caller after the merge has ended.

    private let overlay: OverlayAdapter
    private let child: StoreCoordinator
    private let parent: StoreCoordinator
    private let policy: MergePolicy
    private let origin: WriteOrigin?
    private let isPreview: Bool
    private var found = MergeResult()

    init(
        of overlay: OverlayAdapter, in child: StoreCoordinator, into parent: StoreCoordinator,
        policy: MergePolicy, origin: WriteOrigin? = nil, isPreview: Bool = false
    ) {
        self.overlay = overlay
        self.child = child
        self.parent = parent
        self.policy = policy
        self.origin = origin
        self.isPreview = isPreview
    }

    /// Merges what an overlay has staged, for a test that has the turn of the child's writer itself.
    package static func run(of overlay: OverlayAdapter, in child: StoreCoordinator) throws {
        let merge = Merge(of: overlay, in: child, into: overlay.parent, policy: .fail)
        try overlay.parent.writer.acquire()
        let outcome = merge.run()
        overlay.parent.writer.release()
        _ = try merge.result(of: outcome)
    }

    /// Waits for the child's turn, and merges; the caller has the parent's turn.
    func runWithTurn() -> WriteOutcome {
        do throws(DataStoreError) {
            try child.writer.acquire()
        } catch {
            return WriteOutcome(error: error)
        }
        defer { child.writer.release() }
        do throws(DataStoreError) {
            // The child may have been closed meanwhile.
            let place = try child.gate.enter(child, on: .current, for: .other)
            defer { child.gate.leave(place) }
            return run()
        } catch {
            return WriteOutcome(error: error)
        }
    }

    /// Merges; the caller has the turns of both writers.
    func run() -> WriteOutcome {
        do throws(DataStoreError) {
            guard let staging = overlay.stagingSchema, let staged = try overlay.beginReadingStaged() else {
                return WriteOutcome(error: nil)
            }
            let outcome = parent.runAlone(WriteTerms(origin: origin)) { accessor in
                let run = MergeRun(
                    into: try accessor.preparedBlock(), from: staged, staging, policy: policy)
                found = try run.run(isPreview: isPreview)
            }
            staged.end()
            if outcome.error == nil, !isPreview, found.conflicts.isEmpty {
                try overlay.removeStaged()
                child.observations.noteCommit(CommitNote(from: origin, touching: nil))
            }
            return outcome
        } catch {
            return WriteOutcome(error: error)
        }
    }

    /// The result of the merge, or of the preview.
    func result(of outcome: WriteOutcome) throws -> MergeResult {
        for hook in outcome.hooks { hook() }
        if let error = outcome.error { throw error }
        if !isPreview, !found.conflicts.isEmpty { throw DataStoreError.mergeConflict(found.conflicts) }
        return found
    }
}
