/// One line of the reports: a contender in a workload, against one baseline.
///
/// With the comparison `>=` the ratio says how many times faster than the baseline the contender is, with
/// `<= +` how much more it takes; otherwise it is how many times the baseline's figure that of the contender is.
struct ResultRow: Encodable {
    let workload: String
    let contender: ContenderName
    let median: Double
    let unit: Unit
    let spread: Double
    let baseline: ContenderName?
    let ratio: Double?
    let comparison: Comparison?
    let target: Double?
    let holds: Bool?

    private enum CodingKeys: String, CodingKey {
        case workload, contender, median, unit, spread, baseline, ratio, comparison, target, holds
        case medianNanoseconds = "median_ns"
    }

    /// One row per target of a contender; one row against its raw engine where it has none.
    static func rows(of result: WorkloadResult) -> [ResultRow] {
        result.contenders.flatMap { contender -> [ResultRow] in
            guard let samples = result.samples(of: contender) else { return [] }
            let judgements = result.judgements(of: contender)
            guard !judgements.isEmpty else {
                return [ResultRow(contender, samples: samples, in: result, judgement: nil)]
            }
            return judgements.map { ResultRow(contender, samples: samples, in: result, judgement: $0) }
        }
    }

    private init(
        _ contender: ContenderName, samples: Samples, in result: WorkloadResult, judgement: Judgement?
    ) {
        let target = judgement?.target
        let baseline = target.map(\.baseline) ?? contender.rawEngine
        let ratio = judgement?.figure ?? baseline.flatMap { result.ratio(of: contender, to: $0) }
        workload = result.workload.name
        self.contender = contender
        median = samples.median.rounded(toPlaces: 1)
        unit = result.workload.unit
        spread = samples.spread.rounded(toPlaces: 4)
        self.baseline = baseline
        self.ratio = ratio?.rounded(toPlaces: 4)
        comparison = target?.comparison
        self.target = target?.bound
        holds = judgement?.holds
    }

    /// By hand, because the synthesised one leaves out what is nil: every row has the same keys.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(workload, forKey: .workload)
        try container.encode(contender, forKey: .contender)
        try container.encode(unit == .nanoseconds ? median : nil, forKey: .medianNanoseconds)
        try container.encode(median, forKey: .median)
        try container.encode(unit, forKey: .unit)
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
