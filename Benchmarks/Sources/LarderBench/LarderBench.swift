import ArgumentParser
import Foundation

/// The command: runs the workloads over all contenders, prints the table, writes the JSON.
@main
struct LarderBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "larder-bench",
        abstract: "Measures Larder beside raw SQLite, raw LMDB and GRDB.")

    @Flag(help: "10 000 items instead of 100 000.")
    var quick = false

    @Option(help: "How many items a store holds (default: 100000, with --quick 10000).")
    var items: Int?

    @Option(help: "How many timed rounds, after one to warm up.")
    var rounds = 9

    @Option(help: "The seed of the items, the questions and the order of contenders.")
    var seed: UInt64 = 2025

    @Option(name: .customLong("workload"), help: "Run only this workload; may be repeated.")
    var selected: [Workload] = []

    @Option(help: "Where the stores are made: a real disk, or durable commits cost nothing.")
    var folder = FileManager.default.temporaryDirectory.path

    @Option(help: "Where to write the figures as JSON.")
    var json: String?

    private var itemCount: Int { items ?? (quick ? 10_000 : 100_000) }

    func validate() throws {
        guard itemCount > 0, itemCount <= 50_000_000 else {
            throw ValidationError("--items must be between 1 and 50000000.")
        }
        guard rounds > 0 else {
            throw ValidationError("--rounds must be at least 1.")
        }
    }

    func run() throws {
        let stores = try TemporaryFolder(inside: URL(filePath: folder))
        let results: [WorkloadResult]
        do {
            results = try measure(in: stores)
        } catch {
            try? stores.remove()
            throw error
        }
        try stores.remove()
        print("\(itemCount) items, \(rounds) rounds, seed \(seed)\n")
        print(TableReport(results: results).text)
        if let json {
            try JSONReport(rows: results.flatMap(ResultRow.rows)).write(to: json)
        }
    }

    private func measure(in stores: TemporaryFolder) throws -> [WorkloadResult] {
        let dataset = Dataset(count: itemCount, seed: seed)
        var bench = Bench(roster: Roster.all, dataset: dataset, rounds: rounds, seed: seed, folder: stores)
        let workloads = Workload.allCases.filter { selected.isEmpty || selected.contains($0) }
        return try workloads.map { workload in
            report("\(workload.title) ...")
            return try bench.run(workload) { report("  a target was missed: running it once more") }
        }
    }

    /// Progress goes to standard error, so that standard output is the table alone.
    private func report(_ progress: String) {
        FileHandle.standardError.write(Data((progress + "\n").utf8))
    }
}
