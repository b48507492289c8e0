/// One line of the reports: a contender in a workload, against one baseline.
///
/// With the comparison `>=` the ratio says how many times faster than the baseline the contender is;
/// otherwise how many times the baseline's time it takes.
struct ResultRow: Encodable {
    let workload: Workload
    let contender: ContenderName
    let medianNanoseconds: Double
    let spread: Double
    let baseline: ContenderName
    let ratio: Double?
    let comparison: Comparison?
    let target: Double?
    let holds: Bool?

    private enum CodingKeys: String, CodingKey {
        case workload, contender, spread, baseline, ratio, comparison, target, holds
        case medianNanoseconds = "median_ns"
    }

    /// One row per target of a contender; one row against its raw engine where it has none.
    static func rows(of result: WorkloadResult) -> [ResultRow] {
        result.contenders.flatMap { contender -> [ResultRow] in
            guard let samples = result.samples(of: contender) else { return [] }
            let targets = Target.targets(for: contender, in: result)
            guard !targets.isEmpty else {
                return [ResultRow(contender, samples: samples, in: result, target: nil)]
            }
            return targets.map { ResultRow(contender, samples: samples, in: result, target: $0) }
        }
    }

    private init(_ contender: ContenderName, samples: Samples, in result: WorkloadResult, target: Target?) {
        let baseline = target?.baseline ?? contender.rawEngine
        let ratio = target.map { $0.figure(in: result) } ?? result.ratio(of: contender, to: baseline)
        workload = result.workload
        self.contender = contender
        medianNanoseconds = samples.median.rounded(toPlaces: 1)
        spread = samples.spread.rounded(toPlaces: 4)
        self.baseline = baseline
        self.ratio = ratio?.rounded(toPlaces: 4)
        comparison = target?.comparison
        self.target = target?.bound
        holds = target.flatMap { target in ratio.map { target.isHeld(by: $0) } }
    }

    /// By hand, because the synthesised one leaves out what is nil: every row has the same keys.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(workload, forKey: .workload)
        try container.encode(contender, forKey: .contender)
        try container.encode(medianNanoseconds, forKey: .medianNanoseconds)
        try container.encode(spread, forKey: .spread)
        try container.encode(baseline, forKey: .baseline)
        try container.encode(ratio, forKey: .ratio)
        try container.encode(comparison, forKey: .comparison)
        try container.encode(target, forKey: .target)
        try container.encode(holds, forKey: .holds)
    }
}

extension Double {
    fileprivate func rounded(toPlaces places: Int) -> Double {
        let factor = (0..<places).reduce(1.0) { power, _ in power * 10 }
        return (self * factor).rounded() / factor
    }
}
