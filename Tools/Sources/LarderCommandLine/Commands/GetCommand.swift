import ArgumentParser
import Larder
import LarderTransfer

struct GetCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Prints items by their identifiers.",
        discussion: "Exits with 1 if one of them is not in the store.")

    @OptionGroup var arguments: TypeArguments

    @Argument(help: "The identifiers.")
    var identifiers: [String]

    @OptionGroup var form: FormatOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var speed: QuickOption
    @OptionGroup var common: CommonOptions

    func run(in session: Session) throws -> ExitStatus {
        try UntypedStore.reading(arguments.store, reading, isQuick: speed.quick) { _, reader in
            let entity = try reader.entity(named: arguments.type)
            var output = ItemOutput(entity, form.format, in: session)
            var missing: [String] = []
            for identifier in identifiers {
                if let row = try reader.row(of: entity.name, at: identifier) {
                    try output.write(row)
                } else {
                    missing.append(identifier)
                }
            }
            try output.finish()
            for identifier in missing {
                try session.note("larder: No \(entity.name) has the identifier \(identifier).")
            }
            return missing.isEmpty ? .success : .negative
        }
    }
}

/// Items as fields below each other, or as records.
private struct ItemOutput {
    private let entity: EntitySchema
    private let session: Session
    private var records: RecordOutput?
    private var isFirst = true

    init(_ entity: EntitySchema, _ format: OutputFormat, in session: Session) {
        self.entity = entity
        self.session = session
        if format != .table { records = session.records(entity.attributes.map(\.name), format) }
    }

    mutating func write(_ row: UntypedRow) throws {
        let values = row.outputValues(entity.attributes.indices)
        if records != nil { try records?.write(values) } else { try writeFields(values) }
    }

    mutating func finish() throws {
        try records?.finish()
    }

    private mutating func writeFields(_ values: [OutputValue]) throws {
        let fields = zip(entity.attributes, values).map { OutputValue.Field($0.name, $1) }
        let paint = Paint(isEnabled: session.terminal.hasColoredOutput)
        try session.output.write((isFirst ? "" : "\n") + FieldOutput(fields: fields).text(paint: paint))
        isFirst = false
    }
}
