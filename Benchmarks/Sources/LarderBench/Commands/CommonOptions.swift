import ArgumentParser
import Foundation

/// What all commands take.
struct CommonOptions: ParsableArguments {
    @Option(help: "The seed of the items, the questions and the order of contenders.")
    var seed: UInt64 = 2025

    @Option(help: "Where the stores are made: a real disk, or durable commits cost nothing.")
    var folder = FileManager.default.temporaryDirectory.path

    /// Runs its argument with a folder that is removed afterwards.
    func inTemporaryFolder<Result>(_ work: (TemporaryFolder) throws -> Result) throws -> Result {
        let stores = try TemporaryFolder(inside: URL(filePath: folder))
        do {
            let result = try work(stores)
            try stores.remove()
            return result
        } catch {
            try? stores.remove()
            throw error
        }
    }
}

/// Progress goes to standard error, so that standard output is the table alone.
func reportProgress(_ progress: String) {
    FileHandle.standardError.write(Data((progress + "\n").utf8))
}
