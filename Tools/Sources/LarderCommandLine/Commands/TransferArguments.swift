import ArgumentParser
import Larder
import LarderTransfer

/// A store and its copy, as arguments of `copy` and the commands that follow it.
struct PairArguments: ParsableArguments {
    @Argument(help: "The store that is or was copied.", completion: .file())
    var source: String

    @Argument(help: "The copy.", completion: .file())
    var destination: String
}

/// The number of items that are written at once.
struct BatchOption: ParsableArguments {
    @Option(name: .long, help: "The maximum number of items in a commit.")
    var batch = 1000

    func validate() throws {
        if batch < 1 { throw ValidationError("--batch must be at least 1.") }
    }
}

/// The choice to skip items that cannot be decoded.
struct UndecodableOption: ParsableArguments {
    @Flag(
        name: .long,
        help: """
            Leave out items that cannot be decoded, with what requires or refers to them, and exit with 1, \
            instead of stopping at the first.
            """)
    var skipUndecodable = false

    var policy: UndecodableRowPolicy { skipUndecodable ? .skip : .abort }
}

extension ProgressFigures {
    /// - Parameter task: The name of the work, for the progress: `"copying"`.
    init(_ progress: DataStoreProgress, _ task: String) {
        self.init(
            task: progress.phase == "copying" ? task : progress.phase, done: progress.done,
            total: progress.total, itemsPerSecond: progress.itemsPerSecond, timeLeft: progress.timeLeft)
    }
}

extension Session {
    /// Runs work that shows its progress.
    ///
    /// - Parameter task: The name of the work, for the progress: `"importing"`.
    func transfer(
        _ task: String, batch: Int? = nil, undecodableRows: UndecodableRowPolicy = .abort,
        _ body: (StoreTransferOptions) throws -> StoreTransferReport
    ) throws -> StoreTransferReport {
        let progress = makeProgress()
        var options = StoreTransferOptions()
        if let batch { options.itemsPerBatch = batch }
        options.undecodableRows = undecodableRows
        options.progress = { figures in
            // A message that cannot be shown must not stop the work.
            try? progress.show(ProgressFigures(figures, task))
        }
        defer { try? progress.end() }
        return try body(options)
    }

    /// Names the items, references and links that were left out, and returns the exit status.
    func noteSkipped(in report: StoreTransferReport) throws -> ExitStatus {
        try note(report.skipped, of: report.skippedRows, "left out", "item")
        try note(report.lost, of: report.lostReferences, "lost", "reference")
        return report.skippedRows == 0 && report.lostReferences == 0 ? .success : .negative
    }

    private func note(
        _ errors: [DataStoreError], of count: Int, _ fate: String, _ noun: String
    ) throws {
        for error in errors {
            let item = [error.itemType, error.identifier?.description].compactMap { $0 }
            try note("larder: \(fate): \(item.joined(separator: " ")): \(error.message)")
        }
        if count > errors.count {
            try note("larder: \(fate): \(FigureText.count(count - errors.count, "more \(noun)"))")
        }
    }
}
