import ArgumentParser
import Foundation
import Larder

/// Eight readers and one writer for a while, on each engine; every read must see a sum that never changes.
struct SoakCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak", abstract: "Runs readers beside a writer and checks what they see.")

    /// What a store may take more after the first tenth of the time.
    private static let allowedGrowth = 32 << 20

    @OptionGroup var common: CommonOptions

    @Option(help: "How long, on each engine.")
    var seconds = 60

    @Option(help: "How many readers.")
    var readers = 8

    @Option(name: .customLong("engine"), help: "Only this engine; may be repeated.")
    var engines: [LarderEngine] = LarderEngine.allCases

    func validate() throws {
        guard seconds > 0, readers > 0 else {
            throw ValidationError("--seconds and --readers must be at least 1.")
        }
    }

    func run() throws {
        var table = TextTable(
            header: ["engine", "reads/s", "commits/s", "longest read", "memory grew", "errors"],
            textColumns: [0])
        var hasFailed = false
        for engine in engines {
            reportProgress("\(engine.rawValue): \(readers) readers, 1 writer, \(seconds) s ...")
            let outcome = try common.inTemporaryFolder { folder in
                try soak(engine.makeStore(in: folder.makeEmptyFolder(), storing: [LarderRestaurant.self]))
            }
            outcome.errors.prefix(5).forEach { reportProgress("  \($0)") }
            hasFailed = hasFailed || !outcome.errors.isEmpty || outcome.growth > Self.allowedGrowth
            table.append([engine.rawValue] + outcome.cells(seconds: seconds), startsGroup: false)
        }
        print(table.text)
        if hasFailed { throw ExitCode.failure }
    }

    private func soak(_ store: any DataStore) throws -> SoakOutcome {
        try store.setup()
        let soak = Soak(store, seed: common.seed)
        try soak.fill()
        let threads = [soak.startWriter()] + (0..<readers).map { soak.startReader($0) }
        Thread.sleep(forTimeInterval: Double(seconds) / 10)
        let before = ProcessMemory.own
        Thread.sleep(forTimeInterval: Double(seconds) * 9 / 10)
        let after = ProcessMemory.own
        soak.stop()
        threads.forEach { $0.wait() }
        try store.tearDown()
        var outcome = soak.outcome
        outcome.growth = after - before
        return outcome
    }
}

/// What was counted.
struct SoakOutcome: Sendable {
    var reads = 0
    var commits = 0
    var longestRead = Duration.zero
    var growth = 0
    var errors: [String] = []

    func cells(seconds: Int) -> [String] {
        [
            "\(reads / seconds)", "\(commits / seconds)",
            Unit.nanoseconds.text(longestRead / .nanoseconds(1)), "\(growth / 1024) kB", "\(errors.count)",
        ]
    }
}
