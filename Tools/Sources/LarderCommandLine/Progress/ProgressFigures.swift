/// The progress of a long task.
struct ProgressFigures: Sendable, Hashable {
    /// The name of the task: `"copying"`.
    var task: String
    var done: Int
    /// nil when the total is not known.
    var total: Int?
    var itemsPerSecond: Double?
    var timeLeft: Duration?
    /// The time so far; for tasks that report nothing else.
    var elapsed: Duration?

    /// 0 to 100; nil when the total is not known.
    var percent: Int? {
        guard let total else { return nil }
        return total == 0 ? 100 : min(100, done * 100 / total)
    }

    /// The counts as `450,000 of 1,000,000 items`; nil for a task that counts nothing.
    var countText: String? {
        if let total { return "\(FigureText.count(done)) of \(FigureText.count(total, "item"))" }
        return done == 0 && elapsed != nil ? nil : FigureText.count(done, "item")
    }

    var rateText: String? { itemsPerSecond.map { "\(FigureText.count(Int($0)))/s" } }
    var timeLeftText: String? { timeLeft.map { "\(FigureText.duration($0)) left" } }
    /// nil if there is more to show than the time.
    var elapsedText: String? { total == nil ? elapsed.map { FigureText.duration($0) } : nil }

    /// Computes the rate and the time left from the time so far.
    mutating func measure(_ elapsed: Duration) {
        guard let total, done > 0, elapsed > .zero else { return }
        let rate = Double(done) / (elapsed / .seconds(1))
        itemsPerSecond = rate
        timeLeft = .seconds(Double(max(0, total - done)) / rate)
    }
}
