import ArgumentParser
import Larder
import LarderTransfer

/// A store and its copy, as they are named to `copy` and to what comes after it.
struct PairArguments: ParsableArguments {
    @Argument(help: "The store that is or was copied.", completion: .file())
    var source: String

    @Argument(help: "The copy.", completion: .file())
    var destination: String
}

/// How much is written at once.
struct BatchOption: ParsableArguments {
    @Option(name: .long, help: "How many items share a commit, at most.")
    var batch = 1000

    func validate() throws {
        if batch < 1 { throw ValidationError("A batch has at least one item: --batch 1000") }
    }
}

/// What is done about items nobody can read.
struct UndecodableOption: ParsableArguments {
    @Flag(
        name: .long,
        help: "Leave out items that cannot be decoded, and end with 1, instead of ending at the first.")
    var skipUndecodable = false

    var policy: UndecodableRowPolicy { skipUndecodable ? .skip : .abort }
}

extension ProgressFigures {
    /// - Parameter task: What filling the destination is called.
    init(_ progress: StoreTransferProgress, _ task: String) {
        self.init(
            task: progress.phase == .copying ? task : progress.phase.rawValue, done: progress.itemsDone,
            total: progress.itemsTotal, itemsPerSecond: progress.itemsPerSecond, timeLeft: progress.timeLeft)
    }
}

extension Session {
    /// Runs work that shows how far it is.
    ///
    /// - Parameter task: What it does, for the progress: `"importing"`.
    func transfer(
        _ task: String, batch: Int? = nil, undecodableRows: UndecodableRowPolicy = .abort,
        _ body: (StoreTransferOptions) throws -> StoreTransferReport
    ) throws -> StoreTransferReport {
        let progress = makeProgress()
        var options = StoreTransferOptions()
        if let batch { options.itemsPerBatch = batch }
        options.undecodableRows = undecodableRows
        options.progress = { figures in
            // A message that cannot be shown is no reason to stop the work.
            try? progress.show(ProgressFigures(figures, task))
        }
        defer { try? progress.end() }
        return try body(options)
    }

    /// Names the items that were left out; the status that follows.
    func noteSkipped(in report: StoreTransferReport) throws -> ExitStatus {
        for error in report.skipped {
            let item = [error.itemType, error.identifier?.description].compactMap { $0 }
            try note("larder: left out: \(item.joined(separator: " ")): \(error.message)")
        }
        if report.skippedRows > report.skipped.count {
            let rest = FigureText.count(report.skippedRows - report.skipped.count, "more item")
            try note("larder: left out: \(rest)")
        }
        return report.skippedRows == 0 ? .success : .negative
    }
}
