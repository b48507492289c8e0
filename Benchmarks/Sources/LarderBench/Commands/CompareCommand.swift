import ArgumentParser
import Foundation

/// Runs the workloads over all contenders, prints the table, keeps the figures; succeeds when all targets hold.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Runs the workloads over all contenders (the default).")

    @OptionGroup var common: CommonOptions

    @Flag(help: "10 000 items and short samples: some five minutes.")
    var quick = false

    @Option(help: "How many items a store holds (default: 100000, with --quick 10000).")
    var items: Int?

    @Option(help: "How many timed rounds, after one to warm up.")
    var rounds = 9

    @Option(name: .customLong("workload"), help: "Run only this workload; may be repeated.")
    var selected: [String] = []

    @Option(name: .customLong("contender"), help: "Only this contender, for profiles; may be repeated.")
    var contenders: [ContenderName] = []

    @Option(help: "The folder for latest.json, latest.md and latest.svg.")
    var results: String?

    private var itemCount: Int { items ?? (quick ? 10_000 : 100_000) }
    /// How long the slowest contender's samples take, where the number of operations is open.
    private var sampleTime: Duration { .milliseconds(quick ? 20 : 100) }
    /// After this, a missed target gets no second run.
    private var timeForRetries: Duration { quick ? .seconds(120) : .seconds(3600) }

    func validate() throws {
        guard itemCount > 0, itemCount <= 50_000_000 else {
            throw ValidationError("--items must be between 1 and 50000000.")
        }
        guard rounds > 0 else {
            throw ValidationError("--rounds must be at least 1.")
        }
        for contender in contenders where !ContenderName.available.contains(contender) {
            throw ValidationError(
                "Build with LARDER_POSTGRESQL=1 in the environment for \(contender.rawValue).")
        }
        for name in selected where Workloads.named(name) == nil {
            let known = Workloads.all.map(\.name).joined(separator: ", ")
            throw ValidationError("There is no workload '\(name)'; there are: \(known).")
        }
    }

    func run() throws {
        defer { ServerContenders.end() }
        let found = try common.inTemporaryFolder(measure)
        let table = TableReport(results: found)
        print(table.text + "\n")
        print(table.summary)
        if let results {
            try ResultFiles(results: found, heading: heading).write(to: results)
        }
        guard found.allSatisfy(\.missedTargets.isEmpty) else { throw ExitCode.failure }
    }

    private var heading: String {
        "\(itemCount) items, \(rounds) rounds, seed \(common.seed). \(Machine.facts)."
    }

    private func measure(in folder: TemporaryFolder) throws -> [WorkloadResult] {
        print(heading + "\n")
        let dataset = Dataset(count: itemCount, seed: common.seed)
        let setting = Setting(dataset: dataset, folder: folder, sampleTime: sampleTime)
        let chosen = ContenderName.available.filter { contenders.isEmpty || contenders.contains($0) }
        var bench = Bench(contenders: chosen, setting: setting, rounds: rounds, seed: common.seed)
        let workloads = Workloads.all.filter { workload in
            (selected.isEmpty || selected.contains(workload.name))
                && !workload.contenders.isDisjoint(with: chosen)
        }
        let start = ContinuousClock.now
        return try workloads.map { workload in
            let seconds = (ContinuousClock.now - start).components.seconds
            reportProgress("\(seconds) s  \(workload.title) ...")
            return try bench.run(workload) {
                let mayRetry = ContinuousClock.now - start < timeForRetries
                reportProgress("  a target was missed: \(mayRetry ? "once more" : "no time for another run")")
                return mayRetry
            }
        }
    }
}
