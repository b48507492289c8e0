import LarderDiagnostics
package import LarderKernel

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

    /// - Throws: `.foreignChild`; `.nestedTransaction` inside a block of either store; `.discarded`, `.closed`.
    convenience init(
        of child: any DataStore, into parent: any DataStore, _ policy: MergePolicy,
        origin: WriteOrigin? = nil, isPreview: Bool = false
    ) throws(DataStoreError) {
        let (child, parent) = (child.coordinator, parent.coordinator)
        guard child.parent === parent, let overlay = child.overlay else {
            throw DataStoreError(
                .foreignChild, "\(child.name) is not a child of \(parent.name).",
                path: parent.adapter.location)
        }
        let call = Self.call(isPreview: isPreview)
        try parent.requireOutside(call)
        try child.requireOutside(call)
        try child.requireOpen()
        self.init(of: overlay, in: child, policy, origin: origin, isPreview: isPreview)
    }

    private init(
        of overlay: OverlayAdapter, in child: StoreCoordinator, _ policy: MergePolicy,
        origin: WriteOrigin? = nil,
        isPreview: Bool = false
    ) {
        self.overlay = overlay
        self.child = child
        parent = overlay.parent
        self.policy = policy
        self.origin = origin
        self.isPreview = isPreview
    }

    /// The name of the call in errors.
    private static func call(isPreview: Bool) -> String { isPreview ? "mergePreview()" : "merge()" }

    /// Merges what an overlay has staged, for a test that has the turn of the child's writer itself.
    package static func run(of overlay: OverlayAdapter, in child: StoreCoordinator) throws {
        let merge = Merge(of: overlay, in: child, .fail)
        _ = try merge.result(of: overlay.parent.withTurn { merge.runWithTurns() })
    }

    /// Merges on the calling thread.
    func run() throws -> MergeResult { try result(of: parent.withTurn { runWithTurn() }) }

    /// Merges after everything that waits for the parent's writer, on the writer's thread.
    func runInTurn() async throws -> MergeResult {
        try await parent.runAlone(for: Self.call(isPreview: isPreview)) { self.runWithTurn() }
        return found
    }

    /// Waits for the child's turn, and merges; the caller has the parent's turn.
    private func runWithTurn() -> WriteOutcome {
        do throws(DataStoreError) {
            // The child may have been closed meanwhile.
            try child.requireOutside(Self.call(isPreview: isPreview))
            return try child.withTurn { () throws(DataStoreError) in try child.whileOpen { runWithTurns() } }
        } catch {
            return WriteOutcome(error: error)
        }
    }

    /// Merges; the caller has the turns of both writers.
    private func runWithTurns() -> WriteOutcome {
        do throws(DataStoreError) {
            guard let staging = overlay.stagingSchema, let staged = try overlay.beginReadingStaged() else {
                return WriteOutcome(error: nil)
            }
            if !isPreview { overlay.noteMerge() }
            let start = ContinuousClock.now
            let outcome = parent.runAlone(WriteTerms(origin: origin)) { accessor in
                let run = MergeRun(
                    into: try MergeAccess(to: accessor), from: staged, staging, policy: policy)
                found = try run.run(isPreview: isPreview)
                // Nothing is left to undo, but the block reports what it has written, and so that it is undone.
                if isPreview { throw MergePreview() }
                if !found.conflicts.isEmpty { throw DataStoreError.mergeConflict(found.conflicts) }
            }
            staged.end()
            if outcome.error is MergePreview { return WriteOutcome(error: nil) }
            if outcome.error == nil {
                overlay.removeStaged()
                child.noteChange(from: origin)
                parent.diagnostics.send(
                    .merged(
                        inserted: found.inserted, updated: found.updated, deleted: found.deleted,
                        start.duration(to: .now)))
            }
            return outcome
        } catch {
            return WriteOutcome(error: error)
        }
    }

    /// The result of the merge, or of the preview.
    private func result(of outcome: WriteOutcome) throws -> MergeResult {
        for hook in outcome.hooks { hook() }
        if let error = outcome.error { throw error }
        return found
    }
}

/// Ends the block of a preview; not an error of the call.
private struct MergePreview: Error {}
