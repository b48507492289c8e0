/// The figures of all contenders in one workload: one per contender and round, rounds in the same order.
struct WorkloadResult {
    let workload: any Workload
    let items: Int
    /// Those who took part, in the order of the roster.
    let contenders: [ContenderName]
    private var rounds: [ContenderName: [Double]] = [:]

    init(_ workload: any Workload, items: Int, contenders: [ContenderName]) {
        self.workload = workload
        self.items = items
        self.contenders = contenders
    }

    mutating func record(_ figure: Double, for contender: ContenderName) {
        rounds[contender, default: []].append(figure)
    }

    /// The figures of a contender, nil when it did not run.
    func samples(of contender: ContenderName) -> Samples? {
        rounds[contender].map { Samples($0) }
    }

    /// The median of the ratios round by round: what is slow for all in one round cancels out.
    func ratio(of contender: ContenderName, to baseline: ContenderName) -> Double? {
        compare(contender, with: baseline) { $0 / $1 }
    }

    /// The median of the differences round by round.
    func difference(of contender: ContenderName, to baseline: ContenderName) -> Double? {
        compare(contender, with: baseline) { $0 - $1 }
    }

    private func compare(
        _ contender: ContenderName, with baseline: ContenderName, by comparison: (Double, Double) -> Double
    ) -> Double? {
        guard let figures = rounds[contender], let baselineFigures = rounds[baseline] else { return nil }
        return Samples(zip(figures, baselineFigures).map(comparison)).median
    }

    /// The targets of a contender whose baseline ran too, with the figure for each.
    func judgements(of contender: ContenderName) -> [Judgement] {
        let targets = workload.targets.filter { $0.contender == contender && $0.leastItems <= items }
        return targets.compactMap { target in
            target.figure(in: self).map { Judgement(target: target, figure: $0) }
        }
    }

    var judgements: [Judgement] { contenders.flatMap { judgements(of: $0) } }

    var missedTargets: [Judgement] { judgements.filter { !$0.holds } }
}
