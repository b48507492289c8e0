import ArgumentParser
import Foundation

/// Shows how times, files and memory grow with the number of items.
struct ScaleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale", abstract: "Shows growth from a thousand to a million items.")

    @OptionGroup var common: CommonOptions

    @Option(name: .customLong("size"), help: "A number of items; may be repeated.")
    var sizes: [Int] = [1000, 10_000, 100_000, 1_000_000]

    @Option(help: "How many timed rounds, after one to warm up; filling has one.")
    var rounds = 5

    private static let workloads: [any Workload] = [
        BulkInsert(isIndexed: true), ReadInOneTransaction(), LookUpName(), FileSize(), StreamMemory(),
    ]
    private static let contenders: Set<ContenderName> =
        .rawAndLarder.union([.larderMemory]).subtracting(Set<ContenderName>.onServer)

    func validate() throws {
        guard !sizes.isEmpty, sizes.allSatisfy({ $0 >= 100 && $0 <= 50_000_000 }) else {
            throw ValidationError("--size must be between 100 and 50000000.")
        }
        guard rounds > 0 else { throw ValidationError("--rounds must be at least 1.") }
    }

    func run() throws {
        var growth = Growth(workloads: Self.workloads, sizes: sizes.sorted())
        for size in growth.sizes {
            reportProgress("\(size) items ...")
            growth.append(try common.inTemporaryFolder { try measure(size, in: $0) })
        }
        print("\(rounds) rounds, seed \(common.seed). \(Machine.facts).\n")
        print(growth.text)
    }

    private func measure(_ size: Int, in folder: TemporaryFolder) throws -> [WorkloadResult] {
        let dataset = Dataset(count: size, seed: common.seed)
        let setting = Setting(dataset: dataset, folder: folder, sampleTime: .milliseconds(50))
        let chosen = ContenderName.allCases.filter(Self.contenders.contains)
        return try Self.workloads.map { workload in
            reportProgress("  \(workload.title) ...")
            // Filling a million rows takes long and hardly varies.
            let rounds = workload is BulkInsert ? 1 : rounds
            var bench = Bench(contenders: chosen, setting: setting, rounds: rounds, seed: common.seed)
            return try bench.run(workload) { false }
        }
    }
}
