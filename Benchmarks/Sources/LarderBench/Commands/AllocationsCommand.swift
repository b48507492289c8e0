import ArgumentParser
import CAllocationCount
import Foundation

/// Counts the blocks of memory that hot paths ask for, per operation.
struct AllocationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allocations",
        abstract: "Counts allocations per operation: all, and those beyond the strings of the items.")

    @OptionGroup var common: CommonOptions

    @Option(help: "How many items a store holds.")
    var items = 10_000

    private static let contenders: [ContenderName] = [
        .rawSQLite, .grdb, .larderSQLite, .rawLMDB, .larderLMDB, .larderMemory,
    ]

    func run() throws {
        guard allocation_count_is_available() else {
            throw ValidationError("Allocations can only be counted on Linux with glibc.")
        }
        let dataset = Dataset(count: items, seed: common.seed)
        var table = TextTable(
            header: ["operation", "contender", "allocations/op", "strings/op", "beyond/op"],
            textColumns: [0, 1])
        try common.inTemporaryFolder { folder in
            for path in HotPath.allCases {
                for (index, name) in Self.contenders.enumerated() {
                    let counted = try count(path, of: name, dataset, folder)
                    table.append(
                        [index == 0 ? path.title : "", name.rawValue] + counted.cells, startsGroup: index == 0
                    )
                }
            }
        }
        print("\(items) items, seed \(common.seed). \(Machine.facts).\n")
        print(table.text)
    }

    private func count(
        _ path: HotPath, of name: ContenderName, _ dataset: Dataset, _ folder: TemporaryFolder
    ) throws -> AllocationCount {
        let store = try name.makeContender(
            in: folder.makeEmptyFolder(), options: StoreOptions(isIndexed: path.isIndexed))
        let count = try path.count(in: store, dataset)
        try store.close()
        return count
    }
}

/// Allocations per operation.
struct AllocationCount {
    var all = 0.0
    /// What the strings of the items that were handed out need.
    var strings = 0.0

    var cells: [String] { [all, strings, all - strings].map { String(format: "%.2f", $0) } }
}
