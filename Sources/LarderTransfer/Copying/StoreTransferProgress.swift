import LarderKernel

/// The progress of a transfer.
public struct StoreTransferProgress: Sendable, Hashable {
    /// The present phase.
    public enum Phase: String, Sendable, Hashable {
        /// The items of an earlier run are compared with the source, and the rest is copied.
        case copying
        /// The copy is read again.
        case verifying
    }

    public let phase: Phase
    /// The items processed so far in this phase.
    public let itemsDone: Int
    /// The items to process in this phase; an upper bound if some rows cannot be decoded.
    public let itemsTotal: Int
    /// Items per second, or nil until it can be estimated.
    public let itemsPerSecond: Double?
    /// The time left for the phase at this rate, or nil until it can be estimated.
    public let timeLeft: Duration?

    public init(
        phase: Phase, itemsDone: Int, itemsTotal: Int, itemsPerSecond: Double?, timeLeft: Duration?
    ) {
        self.phase = phase
        self.itemsDone = itemsDone
        self.itemsTotal = itemsTotal
        self.itemsPerSecond = itemsPerSecond
        self.timeLeft = timeLeft
    }
}

/// Counts the items of a transfer, reports them, and notices when it is to stop.
final class TransferProgressTracker {
    private let options: StoreTransferOptions
    private let started: ContinuousClock.Instant
    private var phase = StoreTransferProgress.Phase.copying
    private var phaseStarted: ContinuousClock.Instant
    private var done = 0
    private var reported = 0
    private var total = 0

    init(_ options: StoreTransferOptions) {
        self.options = options
        started = options.now()
        phaseStarted = started
    }

    /// The time since the beginning of the transfer.
    var duration: Duration { options.now() - started }

    func begin(_ phase: StoreTransferProgress.Phase, total: Int) {
        finishPhase()
        self.phase = phase
        self.total = total
        phaseStarted = options.now()
        (done, reported) = (0, 0)
        report()
    }

    /// Reports that the phase has processed everything, including rows that were left out.
    func finishPhase() {
        guard reported < total else { return }
        done = total
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
        let seconds = (options.now() - phaseStarted) / .seconds(1)
        let rate = seconds > 0 && done > 0 ? Double(done) / seconds : nil
        progress(
            StoreTransferProgress(
                phase: phase, itemsDone: done, itemsTotal: total, itemsPerSecond: rate,
                timeLeft: rate.map { .seconds(Double(max(0, total - done)) / $0) }))
    }
}
