/// What a contender must reach in a workload.
struct Target: Sendable {
    let contender: ContenderName
    let comparison: Comparison
    let bound: Double
    /// Nil where the bound is the figure itself.
    let baseline: ContenderName?
    /// With fewer items the target is not judged.
    var leastItems = 0

    /// How far a figure may miss its bound on a shared machine.
    static let slack = 0.10

    /// The figure that is compared with the bound; nil when one of the two contenders did not run.
    func figure(in result: WorkloadResult) -> Double? {
        guard let baseline else { return result.samples(of: contender)?.median }
        return switch comparison {
        case .atMost: result.ratio(of: contender, to: baseline)
        case .atLeast: result.ratio(of: baseline, to: contender)
        case .atMostMore: result.difference(of: contender, to: baseline)
        }
    }

    func isHeld(by figure: Double) -> Bool {
        switch comparison {
        case .atMost, .atMostMore: figure <= bound * (1 + Self.slack)
        case .atLeast: figure >= bound * (1 - Self.slack)
        }
    }
}

/// Which side of its bound a figure must stay on.
enum Comparison: String, Codable {
    /// At most this many times the baseline's figure; without a baseline, at most this.
    case atMost = "<="
    /// At least this many times faster than the baseline.
    case atLeast = ">="
    /// At most this much more than the baseline.
    case atMostMore = "<= +"
}

/// A target and what was measured for it.
struct Judgement {
    let target: Target
    let figure: Double

    var holds: Bool { target.isHeld(by: figure) }
}
