/// How far a long task has come.
struct ProgressFigures: Sendable, Hashable {
    /// What is being done: `"copying"`.
    var task: String
    var done: Int
    /// nil when nobody knows.
    var total: Int?
    var itemsPerSecond: Double?
    var timeLeft: Duration?

    /// 0 to 100; nil when nobody knows.
    var percent: Int? {
        guard let total else { return nil }
        return total == 0 ? 100 : min(100, done * 100 / total)
    }

    /// The counts as `450,000 of 1,000,000 items`.
    var countText: String {
        guard let total else { return FigureText.count(done, "item") }
        return "\(FigureText.count(done)) of \(FigureText.count(total, "item"))"
    }

    var rateText: String? { itemsPerSecond.map { "\(FigureText.count(Int($0)))/s" } }
    var timeLeftText: String? { timeLeft.map { "\(FigureText.duration($0)) left" } }
}
