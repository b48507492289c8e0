/// A write that waits for its turn, then for the end of its batch.
final class PendingWrite: QueuedWrite, @unchecked Sendable {
    // reason: `outcome` is written by the writer's thread while it has the turn, and read by the one that
    // answers, to which the write is handed under a lock.

    typealias Body = @Sendable (DataStoreReadWriteAccessor) throws -> Void

    /// The party that learns how the write has ended.
    enum Listener {
        /// The store only, to which an error is reported.
        case store
        /// Code of the app, which may take its time and call the store.
        case completion(@Sendable ((any Error)?) -> Void)
        /// A task that waits; see ``answer(to:)``.
        case task(CheckedContinuation<Void, Never>, Locked<Answer>)
    }

    /// The state of a task that waits.
    struct Answer {
        var error: (any Error)?
        /// True if the task was cancelled.
        var isCancelled = false
    }

    /// The work for the turn of the writer.
    enum Work {
        /// Nothing; it only waits for the writes before.
        case wait
        /// A block, which may share its transaction with others.
        case block(Body, WriteTerms)
        /// Work that begins and ends its own transaction, with the writer's turn that it finds.
        case alone(for: String, @Sendable () -> WriteOutcome)
    }

    let store: StoreCoordinator
    let role = ThreadRole.current
    private let work: Work
    private let listener: Listener
    private var outcome = WriteOutcome(error: nil)

    init(_ work: Work, in store: StoreCoordinator, telling listener: Listener) {
        self.work = work
        self.store = store
        self.listener = listener
    }

    var runsAlone: Bool { if case .alone = work { true } else { false } }

    /// True if the task that waits was cancelled: the write does not run then.
    private var isCancelled: Bool {
        if case .task(_, let answer) = listener { answer.withLock { $0.isCancelled } } else { false }
    }

    func runWithTurn() { store.runBatch(startingWith: self) }

    func endUndone(because refusal: ThreadRefusal) { endUndone(because: DataStoreError(refusal)) }

    /// Answers a task at once, which no completion of another write delays, and all else as a completion.
    func endUndone(because error: DataStoreError) {
        if case .task = listener { return notifyListener(error) }
        store.callBack { self.notifyListener(error) }
    }

    /// The call that waits, as errors name it.
    private var call: String {
        switch work {
        case .wait: "flush()"
        case .block: "writeAsync()"
        case .alone(let call, _): call
        }
    }

    func runAlone() {
        guard case .alone(_, let work) = work else { return }
        outcome = isCancelled ? WriteOutcome(error: CancellationError()) : work()
    }

    func run(in batch: WriteBatch) {
        guard case .block(let body, let terms) = work else { return }
        // Before a transaction begins, which may wait for another process, and again afterwards.
        if isCancelled { return outcome = WriteOutcome(error: CancellationError()) }
        guard case .task = listener else { return outcome = batch.run(body, on: terms) }
        outcome = batch.run(
            { accessor in
                if isCancelled { throw CancellationError() }
                try body(accessor)
            }, on: terms)
    }

    /// True if answering runs code of the app, which may take its time and call the store.
    var runsForeignCode: Bool { if case .completion = listener { true } else { !outcome.hooks.isEmpty } }

    /// Runs the hooks, and notifies the listener of the end of the write.
    ///
    /// - Parameter failure: The reason why nothing of the batch was stored; nil if it was.
    func answer(failureOfBatch failure: DataStoreError?) {
        // A write that only waits cannot have failed, and one alone knows by itself how it has ended.
        if case .block = work, outcome.error == nil, let failure { return notifyListener(failure) }
        for hook in outcome.hooks { role.run(hook) }
        notifyListener(outcome.error)
    }

    /// Called once: when the batch is committed or has failed, or when the write could not even wait.
    func notifyListener(_ error: (any Error)?) {
        let hasCaller = if case .store = listener { false } else { true }
        if let error { role.run { store.report(error, of: call, hasCaller: hasCaller) } }
        switch listener {
        case .store: break
        case .completion(let completion): role.run { completion(error) }
        case .task(let continuation, let answer):
            answer.withLock { $0.error = error }
            continuation.resume()
        }
    }

    /// Waits in a task for the answer to a write, which does not run if the task is cancelled before it starts.
    ///
    /// The answer is handed over under a lock. If it comes before the task has begun to wait, the thread
    /// sanitizer does not see that the runtime hands it over in order, and would report a race.
    static func answer(to start: (Listener) -> Void) async throws {
        let answer = Locked(Answer())
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in start(.task(continuation, answer)) }
        } onCancel: {
            answer.withLock { $0.isCancelled = true }
        }
        if let error = answer.withLock({ $0.error }) { throw error }
    }
}
