import ArgumentParser
import Foundation

/// Measures a store on a server at the end of a slow wire: times must grow with batches, not with items.
struct DelayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delay", abstract: "Measures Larder PostgreSQL on a wire that delays each direction.")

    @OptionGroup var common: CommonOptions

    @Option(help: "How many items the works on many items write.")
    var count = 1000

    @Option(help: "How many times each is measured; the median counts.")
    var rounds = 5

    func validate() throws {
        guard (1...100_000).contains(count), rounds > 0 else {
            throw ValidationError("--count must be between 1 and 100000, --rounds at least 1.")
        }
    }

    func run() throws {
        #if PostgreSQL
            defer { ServerContenders.end() }
            let folder = URL(filePath: common.folder)
            let measurements = try DelayMeasurements(
                count: count, rounds: rounds, seed: common.seed, folder: folder)
            let table: TextTable = try measurements.table()
            print("A delay of each direction; a trip has both. \(Machine.facts).\n")
            print(table.text)
        #else
            throw ValidationError("Build with LARDER_POSTGRESQL=1 in the environment.")
        #endif
    }
}
