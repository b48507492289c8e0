import ArgumentParser
import Larder
import LarderTransfer

struct DiffCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compares two stores item by item, whatever their engines.",
        discussion: "Exits with 1 if they differ.")

    @Argument(help: "A store.", completion: .file())
    var left: String

    @Argument(help: "Another one.", completion: .file())
    var right: String

    @Option(name: .shortAndLong, help: "The maximum number of differences.")
    var limit: Int?

    @OptionGroup var form: FormatOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var speed: QuickOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
    }

    func run(in session: Session) throws -> ExitStatus {
        var output = DifferenceOutput(form.format, in: session)
        try session.showingActivity { activity in
            activity.begin("opening")
            try UntypedStore.reading(left, reading, acceptsIncomplete: true, isQuick: speed.quick) {
                leftStore, left in
                try UntypedStore.reading(right, reading, acceptsIncomplete: true, isQuick: speed.quick) {
                    rightStore, right in
                    try session.noteUnfinished(leftStore)
                    try session.noteUnfinished(rightStore)
                    activity.begin("comparing", total: try left.countAll() + right.countAll())
                    var comparison = StoreComparison(left, right)
                    comparison.progress = { activity.report($0) }
                    try output.write(comparison, limit: limit ?? .max, activity)
                }
            }
        }
        return output.count == 0 ? .success : .negative
    }
}

/// Differences as lines for people, or as records with a line for each attribute.
private struct DifferenceOutput {
    private let session: Session
    private var records: RecordOutput?
    private(set) var count = 0

    init(_ format: OutputFormat, in session: Session) {
        self.session = session
        if format == .table { return }
        records = session.records(["difference", "type", "id", "attribute", "left", "right"], format)
    }

    mutating func write(_ comparison: StoreComparison, limit: Int, _ activity: Activity) throws {
        var failure: CommandFailure?
        try comparison.forEach { difference in
            do throws(CommandFailure) {
                try write(difference, activity)
            } catch {
                failure = error
            }
            return failure == nil && count < limit
        }
        if let failure { throw failure }
        try records?.finish()
    }

    private mutating func write(
        _ difference: StoreDifference, _ activity: Activity
    ) throws(CommandFailure) {
        count += 1
        // On a terminal, a line must not be written into the bar.
        let isWatched = session.terminal.outputWidth != nil
        if isWatched { activity.hide() }
        defer { if isWatched { activity.unhide() } }
        if records == nil {
            try session.output.write(difference.description.visible + "\n")
        } else {
            for values in difference.rows { try records?.write(values) }
        }
        if isWatched { try session.output.flush() }
    }
}

extension StoreDifference {
    /// The difference as records: kind, type, identifier, attribute, left and right value.
    var rows: [[OutputValue]] {
        switch self {
        case .entityOnlyLeft(let type): [["typeOnlyLeft", .text(type), .null, .null, .null, .null]]
        case .entityOnlyRight(let type): [["typeOnlyRight", .text(type), .null, .null, .null, .null]]
        case .schema(let type, let sentence): [["schema", .text(type), .null, .text(sentence), .null, .null]]
        case .onlyLeft(let type, let identifier):
            [["onlyLeft", .text(type), .text(identifier.description), .null, .null, .null]]
        case .onlyRight(let type, let identifier):
            [["onlyRight", .text(type), .text(identifier.description), .null, .null, .null]]
        case .changed(let type, let identifier, let attributes):
            attributes.map { attribute in
                [
                    "changed", .text(type), .text(identifier.description), .text(attribute.name),
                    attribute.left.map { .text($0) } ?? .null, attribute.right.map { .text($0) } ?? .null,
                ]
            }
        case .undecodable(let type, let identifier, let sentence):
            [
                [
                    "undecodable", .text(type), identifier.map { .text($0.description) } ?? .null,
                    .text(sentence), .null, .null,
                ]
            ]
        }
    }
}

extension OutputValue: ExpressibleByStringLiteral {
    init(stringLiteral text: String) { self = .text(text) }
}
