import ArgumentParser
import Foundation
import Larder

/// Measures work at two sizes, whose cost may grow no faster than the number of items.
struct GrowthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth",
        abstract: "Measures merges, ordered links, deletions in children, reports and steps at two sizes.")

    @OptionGroup var common: CommonOptions

    @Option(help: "The smaller number of items; the larger is four times as many.")
    var count = 2000

    @Option(help: "How many times each is measured; the least counts.")
    var rounds = 3

    /// Four times the items may take this many times as long: some for the depth of trees, some for noise.
    private static let target = 6.0

    func validate() throws {
        guard count >= 100, rounds > 0 else { throw ValidationError("--count is at least 100, --rounds 1.") }
    }

    func run() throws {
        var table = TextTable(
            header: ["engine", "work", "\(count)", "\(count * 4)", "growth", "target"], textColumns: [0, 1])
        var holds = true
        for engine in LarderEngine.allCases {
            reportProgress("\(engine.rawValue) …")
            for (position, work) in GrowthWork.allCases.enumerated() {
                guard let small = try least(work, on: engine, count),
                    let large = try least(work, on: engine, count * 4)
                else { continue }
                holds = holds && large / small <= Self.target
                table.append(
                    [
                        engine.rawValue, work.rawValue, milliseconds(small), milliseconds(large),
                        String(format: "%.1f", large / small), String(format: "%.1f", Self.target),
                    ], startsGroup: position == 0)
            }
        }
        print("The least of \(rounds) rounds, \(Machine.facts).\n")
        print(table.text)
        if !holds { throw ExitCode.failure }
    }

    private func least(_ work: GrowthWork, on engine: LarderEngine, _ count: Int) throws -> Double? {
        let times = try (0..<rounds).compactMap { _ in
            try common.inTemporaryFolder { folder in
                try work.time(on: engine, in: try folder.makeEmptyFolder(), Int64(count))
            }
        }
        return times.min()
    }

    private func milliseconds(_ time: Double) -> String { String(format: "%.1f ms", time / 1_000_000) }
}
