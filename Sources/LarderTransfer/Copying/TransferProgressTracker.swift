import LarderKernel

/// The phase of a transfer.
enum TransferPhase: String {
    /// The items of an earlier run are compared with the source, and the rest is copied.
    case copying
    /// The copy is read again.
    case verifying
}

/// Counts the items of a transfer, reports them, and notices when it is to stop.
final class TransferProgressTracker {
    private let options: StoreTransferOptions
    /// The number of phases.
    private let phases: Int
    private let started: ContinuousClock.Instant
    private var phase = TransferPhase.copying
    private var phaseStarted: ContinuousClock.Instant
    private var done = 0
    private var reported = 0
    private var total: Int?

    init(_ options: StoreTransferOptions, verifies: Bool = true) {
        self.options = options
        phases = verifies ? 2 : 1
        started = options.now()
        phaseStarted = started
    }

    /// The time since the beginning of the transfer.
    var duration: Duration { options.now() - started }

    func begin(_ phase: TransferPhase, total: Int?) {
        finishPhase()
        self.phase = phase
        self.total = total
        phaseStarted = options.now()
        (done, reported) = (0, 0)
        report()
    }

    /// Reports that the phase has processed everything, including rows that were left out.
    func finishPhase() {
        guard reported < total ?? done else { return }
        done = total ?? done
        report()
    }

    /// Notes an item that was only read; reports periodically.
    ///
    /// - Throws: `.cancelled`.
    func passItem() throws(DataStoreError) {
        done += 1
        if done - reported >= options.itemsPerBatch { try pause() }
    }

    /// Notes a batch that was committed.
    ///
    /// - Throws: `.cancelled`.
    func passBatch(of count: Int) throws(DataStoreError) {
        done += count
        try pause()
    }

    private func pause() throws(DataStoreError) {
        report()
        try requireNotCancelled()
    }

    /// - Throws: `.cancelled`.
    func requireNotCancelled() throws(DataStoreError) {
        if Task.isCancelled || options.isCancelled?() == true {
            throw Cancellation.error("The transfer")
        }
    }

    private func report() {
        reported = done
        guard let progress = options.progress else { return }
        progress(
            DataStoreProgress(
                phase.rawValue, step: phase == .copying ? 1 : phases, of: phases, done: done, total: total,
                elapsed: options.now() - phaseStarted))
    }
}
