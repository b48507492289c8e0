/// Runs workloads over all contenders, in an order shuffled anew each round.
struct Bench {
    /// In the order of the table.
    let contenders: [ContenderName]
    let setting: Setting
    let rounds: Int
    private var random: SeededGenerator

    init(contenders: [ContenderName], setting: Setting, rounds: Int, seed: UInt64) {
        self.contenders = contenders
        self.setting = setting
        self.rounds = rounds
        random = SeededGenerator(seed: seed)
    }

    /// Runs a workload, and once more when a target is not held; the run that holds more targets counts.
    ///
    /// - Parameter mayRetry: Asked before a second run.
    mutating func run(_ workload: any Workload, mayRetry: () -> Bool) throws -> WorkloadResult {
        let first = try runOnce(workload)
        guard !first.missedTargets.isEmpty, mayRetry() else { return first }
        let second = try runOnce(workload)
        return second.missedTargets.count <= first.missedTargets.count ? second : first
    }

    private mutating func runOnce(_ workload: any Workload) throws -> WorkloadResult {
        let chosen = contenders.filter { workload.contenders.contains($0) }
        let sessions = chosen.map { workload.makeSession(for: $0, in: setting) }
        for session in sessions {
            try session.prepare()
        }
        var result = WorkloadResult(
            workload, items: setting.dataset.restaurants.count, contenders: chosen)
        try measure(sessions, into: &result)
        for session in sessions {
            try session.close()
        }
        return result
    }

    private mutating func measure(_ sessions: [any Session], into result: inout WorkloadResult) throws {
        let operations = try operationCount(for: sessions)
        let rounds = result.workload.rounds(inRunOf: rounds)
        let warmUpRounds = rounds == 1 ? 0 : 1
        for round in 0..<(warmUpRounds + rounds) {
            for session in sessions.shuffled(using: &random) {
                let figure = try session.sample(operations: operations)
                if round >= warmUpRounds {
                    result.record(figure, for: session.contender)
                }
            }
        }
    }

    /// As many operations as the slowest contender can do in the time for a sample, the same for all.
    private func operationCount(for sessions: [any Session]) throws -> Int {
        guard let allowed = sessions.first?.operations, allowed.lowerBound < allowed.upperBound else {
            return sessions.first?.operations.lowerBound ?? 1
        }
        let slowest = try sessions.map { try $0.sample(operations: allowed.lowerBound) }.max() ?? 1
        let fitting = setting.sampleTime / .nanoseconds(1) / max(slowest, 1)
        return min(max(Int(fitting), allowed.lowerBound), allowed.upperBound)
    }
}
