// The things that a child store asks of the coordinators of its ancestors. How it stages and merges, the kernel does
// not know.

extension StoreCoordinator {
    /// True if the store is a child of another one, or a child's child.
    func isDescendant(of other: StoreCoordinator) -> Bool {
        var next = parent
        while let ancestor = next {
            if ancestor === other { return true }
            next = ancestor.parent
        }
        return false
    }

    /// The ancestor that has no parent, or the store itself.
    var top: StoreCoordinator { parent?.top ?? self }

    /// The schema of what children of the store stage, children of children too; made once for all of them.
    package func stagedSchema(_ make: () -> StoreSchema) -> StoreSchema {
        if let parent { return parent.stagedSchema(make) }
        return knownStagedSchema.withLock { known in
            if let known { return known }
            let made = make()
            known = made
            return made
        }
    }

    /// Begins another epoch of the store: blocks that enter from now on see all that is committed.
    package func beginEpoch() -> Int { gate.beginEpoch() }

    /// Tells observations that anything may have changed.
    package func noteChange(from origin: WriteOrigin? = nil) {
        listeners.noteCommit(CommitNote(from: origin, touching: nil))
    }
}

// MARK: Turns

extension StoreCoordinator {
    /// Runs a body on the calling thread with the turn of the writer.
    ///
    /// - Throws: `.nestedTransaction` when the thread has the turn; `.wouldDeadlock`; rethrows errors of the body.
    @inline(__always)
    package func withTurn<Result>(_ body: () throws(DataStoreError) -> Result) throws(DataStoreError)
        -> Result
    {
        try acquireTurn()
        defer { writer.release() }
        return try body()
    }

    /// Waits for the turn of the writer; the caller must release it on the same thread.
    func acquireTurn() throws(DataStoreError) {
        do { try writer.acquire() } catch { throw DataStoreError(error) }
    }

    /// Runs work on the writer's thread when its turn comes, which begins and ends its own transaction.
    ///
    /// - Parameter call: The call that waits, as errors name it.
    /// - Throws: The error of the outcome; `CancellationError` if the task was cancelled before the turn
    ///   came.
    package func runAlone(
        for call: String, _ work: @escaping @Sendable () -> WriteOutcome
    ) async throws {
        try await PendingWrite.answer { listener in
            enqueue(PendingWrite(.alone(for: call, work), in: self, telling: listener))
        }
    }
}
