/// The times of all contenders in one workload: one figure per contender and round, rounds in the same order.
struct WorkloadResult {
    let workload: Workload
    /// Those who took part, in the order of the roster.
    let contenders: [ContenderName]
    private var rounds: [ContenderName: [Double]] = [:]

    init(_ workload: Workload, contenders: [ContenderName]) {
        self.workload = workload
        self.contenders = contenders
    }

    mutating func record(_ nanoseconds: Double, for contender: ContenderName) {
        rounds[contender, default: []].append(nanoseconds)
    }

    /// The times of a contender, nil when it did not run.
    func samples(of contender: ContenderName) -> Samples? {
        rounds[contender].map { Samples($0) }
    }

    /// The median of the ratios round by round: what is slow for all in one round cancels out.
    func ratio(of contender: ContenderName, to baseline: ContenderName) -> Double? {
        guard let times = rounds[contender], let baselineTimes = rounds[baseline] else { return nil }
        return Samples(zip(times, baselineTimes).map { $0 / $1 }).median
    }
}
