public import LarderKernel

extension DataStoreProgress {
    /// Items per second in this phase; nil until it can be estimated, or if the time is not measured.
    public var itemsPerSecond: Double? {
        guard let elapsed, elapsed > .zero, done > 0 else { return nil }
        return Double(done) / (elapsed / .seconds(1))
    }

    /// The time left for the phase at this rate; nil until it can be estimated, or if the total is unknown.
    public var timeLeft: Duration? {
        guard let itemsPerSecond, let total else { return nil }
        return .seconds(Double(max(0, total - done)) / itemsPerSecond)
    }
}
