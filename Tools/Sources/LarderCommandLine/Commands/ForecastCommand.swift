import ArgumentParser
import Larder
import LarderTransfer

struct ForecastCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "forecast",
        abstract: "Tells which steps would bring a store to another version of its item types.",
        discussion: """
            Each SHAPE is a file with a shape, as larder schema prints it, a lock with the shapes of several \
            versions, as history.lock(withShapes: true) prints it, or a store. Several versions lead from each \
            to the next, and the store is recognized among them as in an app: by the name of its version, or \
            by its shape. A file with a shape is a version with the name of the file.

            The command has no code of the app. It foresees what can be inferred; if a step needs a \
            default, an original name or a mapping of the app, it says for what, and exits with 1. It also \
            exits with 1 if the disk lacks the space.
            """)

    @Argument(help: "The store's file.", completion: .file())
    var store: String

    @Option(
        name: .long, parsing: .upToNextOption,
        help: ArgumentHelp(
            "The versions on the way, oldest first; the last one is the goal.", valueName: "shape"),
        completion: .file())
    var to: [String]

    @OptionGroup var form: JSONOption
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var speed: QuickOption
    @OptionGroup var common: CommonOptions

    func run(in session: Session) throws -> ExitStatus {
        var versions: [SchemaVersion] = []
        for path in to { versions += try self.versions(at: path, in: session) }
        let address = try StoreEngine(ofStoreAt: store).address(of: store, reading)
        let stored = try UntypedStore.reading(store, reading, isQuick: speed.quick) { store, _ in
            store.storedSchema
        }
        // The pages are checked now.
        let forecast = try ReadingOptions.opening {
            try ShapeForecast(of: stored, through: versions) { history in
                try history.forecast(for: address, verifiesStructure: false)
            }
        }
        try session.write(forecast, asJSON: form.json)
        return forecast.needsApp || forecast.lacksSpace ? .negative : .success
    }

    private func versions(at path: String, in session: Session) throws -> [SchemaVersion] {
        guard try ShapeFile.isStore(path) else {
            return try ShapeFile.readVersions(path, interruption: session.interruption)
        }
        let name =
            ServerAddress.isOne(path) ? try ServerAddress(text: path).schema() : ShapeFile.name(of: path)
        return try UntypedStore.reading(path, reading, isQuick: speed.quick) { store, _ in
            [SchemaVersion(store.storedSchema.version ?? name, stored: store.storedSchema)]
        }
    }
}

extension Session {
    fileprivate func write(_ forecast: ShapeForecast, asJSON: Bool) throws {
        if asJSON { return try output.write(forecast.record.jsonText + "\n") }
        let paint = Paint(isEnabled: terminal.hasColoredOutput)
        try output.write(FieldOutput(fields: forecast.fieldsForPeople).text(paint: paint))
        if forecast.steps.isEmpty { return }
        try output.write("\n")
        var table = records(["step", "kind", "place", "rows"], .table)
        for step in forecast.steps { try table.write(step.row) }
        try table.finish()
        for step in forecast.steps where !step.needs.isEmpty {
            try output.write("\n\(step.name.visible) needs the app:\n")
            for need in step.needs { try output.write("  \(need.visible)\n") }
        }
    }
}

// MARK: Output

extension ShapeForecast {
    var fieldsForPeople: [OutputValue.Field] {
        let end: [OutputValue.Field] =
            steps.isEmpty
            ? [.init("steps", "none: there is nothing to do")]
            : [
                .init("rows", .text(FigureText.count(rows))),
                .init("size", .text(FigureText.bytes(forecast.storeBytes))),
                .init("space", .text("about \(FigureText.bytes(neededBytes)), \(freeSpace)")),
            ]
        return [.init("version", forecast.from.map { .text($0) } ?? .null), .init("to", .text(forecast.to))]
            + end
    }

    private var freeSpace: String {
        guard let free = forecast.availableBytes else { return "and the free space is not known" }
        return "of \(FigureText.bytes(free)) that are free"
    }

    var record: OutputValue {
        .record([
            .init("from", forecast.from.map { .text($0) } ?? .null), .init("to", .text(forecast.to)),
            .init("steps", .list(steps.map(\.record))), .init("rows", .count(rows)),
            .init("storeBytes", .count(forecast.storeBytes)),
            .init("neededBytes", .count(neededBytes)),
            .init("availableBytes", forecast.availableBytes.map { .count($0) } ?? .null),
            .init("lacksSpace", .bool(lacksSpace)),
        ])
    }
}

extension ShapeForecast.Step {
    var name: String { "\(step.from) → \(step.to)" }

    private var kind: String { needs.isEmpty ? "inferred" : "mapped" }

    var row: [OutputValue] {
        [.text(name), .text(kind), isCopied ? "in a copy" : "in place", .count(step.rows)]
    }

    var record: OutputValue {
        .record([
            .init("from", .text(step.from)), .init("to", .text(step.to)), .init("kind", .text(kind)),
            .init("place", isCopied ? "inCopy" : "inPlace"), .init("rows", .count(step.rows)),
            .init("needs", .list(needs.map { .text($0) })),
        ])
    }
}
