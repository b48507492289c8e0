/// A write that waits for its turn, then for the end of its batch.
final class PendingWrite: @unchecked Sendable {
    // reason: `outcome` is written by the writer's thread while it has the turn, and read by the one that answers,
    // to which the write is handed under a lock.

    typealias Body = @Sendable (DataStoreReadWriteAccessor) throws -> Void

    let store: StoreCoordinator
    private let body: Body?
    private let finishesQuickly: Bool
    /// Called once, when the batch is committed or has failed.
    let finish: @Sendable ((any Error)?) -> Void
    private var outcome = WriteOutcome(error: nil)

    /// - Parameters:
    ///   - body: What is to be done; nil for one who only waits for those before.
    ///   - finishesQuickly: Whether `finish` runs no code of the app.
    init(
        _ body: Body?, in store: StoreCoordinator, finishesQuickly: Bool,
        finish: @escaping @Sendable ((any Error)?) -> Void
    ) {
        self.body = body
        self.store = store
        self.finishesQuickly = finishesQuickly
        self.finish = finish
    }

    func run(in batch: WriteBatch) {
        if let body { outcome = batch.run(body) }
    }

    /// Whether answering runs code of the app, which may take its time and call the store.
    var runsForeignCode: Bool { !finishesQuickly || !outcome.hooks.isEmpty }

    /// Tells how it has ended.
    ///
    /// - Parameter failure: Why nothing of the batch was stored; nil when it was.
    func answer(_ failure: DataStoreError?) {
        if outcome.error == nil, let failure { return finish(failure) }
        for hook in outcome.hooks { hook() }
        finish(outcome.error)
    }
}

/// What became of a write block, and what is to run after the writer is released.
struct WriteOutcome: Sendable {
    let error: (any Error)?
    var hooks: [@Sendable () -> Void] = []
}
