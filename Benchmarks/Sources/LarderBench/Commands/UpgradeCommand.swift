import ArgumentParser
import Foundation

/// Measures schema steps through many rows beside the raw engines.
struct UpgradeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade", abstract: "Measures schema steps beside a raw INSERT … SELECT.")

    @OptionGroup var common: CommonOptions

    @Option(help: "How many rows there are.")
    var count = 1_000_000

    @Option(help: "How many times each is measured, in turn; the median counts.")
    var rounds = 5

    @Flag(help: "A tenth of the rows, three rounds.")
    var quick = false

    @Option(help: "An engine; may be repeated.")
    var engine: [UpgradeEngine] = UpgradeEngine.allCases

    @Option(help: "A kind of step; may be repeated.")
    var work: [UpgradeWork] = UpgradeWork.allCases

    @Flag(inversion: .prefixedNo, help: "Measures memory too.")
    var memory = true

    private var rows: Int { quick ? count / 10 : count }

    func validate() throws {
        guard (100...50_000_000).contains(rows) else {
            throw ValidationError("There must be between 100 and 50000000 rows.")
        }
        guard rounds > 0 else { throw ValidationError("--rounds must be at least 1.") }
    }

    func run() throws {
        let rounds = quick ? min(rounds, 3) : rounds
        var table = TextTable(
            header: [
                "engine", "step", "raw", "in place", "ratio", "target", "in a copy", "ratio",
                "copy of the file",
            ], textColumns: [0, 1])
        var processorTable = table
        for engine in engine {
            try common.inTemporaryFolder { folder in
                reportProgress("\(engine.rawValue), filling …")
                let recipes = RecipesBeforeUpgrade(count: rows, seed: common.seed)
                let measurements = try UpgradeMeasurements(of: engine, recipes, in: folder)
                for (position, work) in work.enumerated() {
                    reportProgress("\(engine.rawValue), \(work.title) …")
                    let result = try measurements.measure(work, rounds: rounds)
                    let start = [engine.rawValue, work.title]
                    table.append(
                        start + line(result, work, \.elapsed), startsGroup: position == 0)
                    processorTable.append(
                        start + line(result, work, \.processor), startsGroup: position == 0)
                }
            }
        }
        print("\(rows) rows, \(rounds) rounds, seed \(common.seed). \(Machine.facts).\n")
        print("Elapsed time; ratios are raw / Larder, in brackets the spread.\n")
        print(table.markdown)
        print("\nProcessor time.\n")
        print(processorTable.markdown)
        if memory { try printMemory() }
    }

    private func line(
        _ result: UpgradeMeasurements.Result, _ work: UpgradeWork, _ time: (UpgradeTime) -> Double
    ) -> [String] {
        let raw = result.raw.map(time)
        let inPlace = (result.larder[.inPlace] ?? []).map(time)
        let copying = (result.larder[.copying] ?? []).map(time)
        return [
            seconds(raw), seconds(inPlace), ratio(raw, inPlace), String(format: "%.1f", work.target),
            seconds(copying), ratio(raw, copying), seconds(result.copies.map(time)),
        ]
    }

    private func seconds(_ nanoseconds: [Double]) -> String {
        String(format: "%.2f s", Samples(nanoseconds).median / 1_000_000_000)
    }

    /// The median of the ratios round by round.
    private func ratio(_ raw: [Double], _ larder: [Double]) -> String {
        let ratios = Samples(zip(raw, larder).map { $0 / $1 })
        return String(format: "%.2f (%.0f %%)", ratios.median, ratios.spread * 100)
    }

    private func printMemory() throws {
        let sizes = [rows / 10, rows]
        var table = TextTable(
            header: ["engine", "step", "contender"] + sizes.map { "\($0) rows" }, textColumns: [0, 1, 2])
        let contenders: [UpgradePlace?] = [nil] + UpgradePlace.allCases
        for engine in engine {
            let works = work.filter { [.widened, .transformed].contains($0) }
            var figures = [[String]](repeating: [], count: works.count * contenders.count)
            for size in sizes {
                reportProgress("\(engine.rawValue), memory at \(size) rows …")
                try common.inTemporaryFolder { folder in
                    let recipes = RecipesBeforeUpgrade(count: size, seed: common.seed)
                    let measurements = try UpgradeMeasurements(of: engine, recipes, in: folder)
                    for (number, pair) in works.flatMap({ work in contenders.map { (work, $0) } })
                        .enumerated()
                    {
                        let bytes = try measurements.memory(of: pair.0, engine, pair.1)
                        figures[number].append(String(format: "%.1f MB", Double(bytes) / Double(1 << 20)))
                    }
                }
            }
            for (number, pair) in works.flatMap({ work in contenders.map { (work, $0) } }).enumerated() {
                let name = pair.1.map { "Larder, " + $0.rawValue } ?? "raw"
                table.append(
                    [engine.rawValue, pair.0.title, name] + figures[number], startsGroup: number == 0)
            }
        }
        print(
            "\nPeak of memory of its own, beyond the start, in a process for each; no pages of mapped files.\n"
        )
        print(table.markdown)
    }
}
