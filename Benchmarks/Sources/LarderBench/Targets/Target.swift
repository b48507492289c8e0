/// What a contender must reach in a workload, measured against another contender.
struct Target {
    let workload: Workload
    let contender: ContenderName
    let baseline: ContenderName
    let comparison: Comparison
    let bound: Double

    /// How far a figure may miss its bound on a shared machine.
    static let slack = 0.10

    /// The figure that is compared with the bound; nil when one of the two contenders did not run.
    func figure(in result: WorkloadResult) -> Double? {
        switch comparison {
        case .atMost: result.ratio(of: contender, to: baseline)
        case .atLeast: result.ratio(of: baseline, to: contender)
        }
    }

    func isHeld(by figure: Double) -> Bool {
        switch comparison {
        case .atMost: figure <= bound * (1 + Self.slack)
        case .atLeast: figure >= bound * (1 - Self.slack)
        }
    }

    /// The targets of a contender whose baseline ran too.
    static func targets(for contender: ContenderName, in result: WorkloadResult) -> [Target] {
        all.filter { target in
            target.workload == result.workload && target.contender == contender
                && target.figure(in: result) != nil
        }
    }

    static func missed(in result: WorkloadResult) -> [Target] {
        result.contenders.flatMap { targets(for: $0, in: result) }.filter { target in
            target.figure(in: result).map { !target.isHeld(by: $0) } ?? false
        }
    }
}

/// Which side of its bound a figure must stay on.
enum Comparison: String, Codable {
    /// The contender's time is at most this many times the baseline's.
    case atMost = "<="
    /// The contender is at least this many times faster than the baseline.
    case atLeast = ">="
}
