import ArgumentParser
import Larder
import LarderTransfer

struct GetCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Prints items by their identifiers.",
        discussion: """
            With each item, the identifiers of the items that its relationships lead to. Exits with 1 if \
            one of the items is not in the store.
            """)

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
            // All are read before any is written, as a later identifier may be malformed.
            let rows = try identifiers.map { try reader.row(of: entity.name, at: $0) }
            var output = try ItemOutput(entity, reader, form.format, in: session)
            var missing: [String] = []
            for (identifier, row) in zip(identifiers, rows) {
                if let row { try output.write(row) } else { missing.append(identifier) }
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
    /// The number of related items that are shown to people.
    private static let shownItems = 20

    private let reader: UntypedReader
    private let session: Session
    private let names: [String]
    /// The relationships that have no column.
    private let relationships: [StoreRelationship]
    private var records: RecordOutput?
    private var isFirst = true

    init(
        _ entity: EntitySchema, _ reader: UntypedReader, _ format: OutputFormat, in session: Session
    ) throws {
        self.reader = reader
        self.session = session
        relationships = try reader.relationships(of: entity.name).filter { $0.kind != .toOne }
        names = entity.declaredAttributes.map(\.name) + relationships.map(\.name)
        if format != .table { records = session.records(names, format) }
    }

    mutating func write(_ row: UntypedRow) throws {
        var values = row.outputValues(row.values.indices)
        for relationship in relationships { values.append(try value(of: relationship, row)) }
        if records != nil { try records?.write(values) } else { try writeFields(values) }
    }

    mutating func finish() throws {
        try records?.finish()
    }

    /// The identifiers of the related items; for people only the first ones, and how many there are.
    private func value(of relationship: StoreRelationship, _ row: UntypedRow) throws -> OutputValue {
        let limit = records == nil ? Self.shownItems : nil
        let identifiers = try reader.identifiers(related: relationship.name, to: row, limit: limit)
        var values = identifiers.map { OutputValue.text($0.description) }
        if relationship.kind == .toOneInverse { return values.first ?? .null }
        if let limit, values.count == limit {
            let count = try reader.count(related: relationship.name, to: row)
            if count > limit { values.append(.text("… (\(FigureText.count(count)) in all)")) }
        }
        return .list(values)
    }

    private mutating func writeFields(_ values: [OutputValue]) throws {
        let fields = zip(names, values).map { OutputValue.Field($0, $1) }
        let paint = Paint(isEnabled: session.terminal.hasColoredOutput)
        try session.output.write((isFirst ? "" : "\n") + FieldOutput(fields: fields).text(paint: paint))
        isFirst = false
    }
}
