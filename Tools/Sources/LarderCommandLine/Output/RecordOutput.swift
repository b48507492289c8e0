/// The format in which rows are printed.
enum OutputFormat: Sendable, Hashable {
    /// A table for people.
    case table
    /// One array, an object a line.
    case json
    /// Objects, one a line.
    case jsonLines
    /// RFC 4180, with the names in the first line; text that a spreadsheet takes for a formula is unchanged,
    /// or follows an apostrophe.
    case csv(lineEnding: String, forSpreadsheets: Bool = false)
}

/// Rows one after the other, in one of the formats.
///
///     var records = RecordOutput(["name", "rating"], format: .jsonLines, to: session)
///     try records.write([.text("Cake"), .real(4.5)])
///     try records.finish()
struct RecordOutput {
    /// The number of rows that decide the column widths of a table.
    static let sampleRows = 256

    private let names: [String]
    private let format: OutputFormat
    private let output: any TextSink
    private let terminal: Terminal
    private var count = 0
    private var sample: [[OutputValue]] = []
    private var table: Table?

    init(_ names: [String], format: OutputFormat, to output: any TextSink, terminal: Terminal) {
        self.names = names
        self.format = format
        self.output = output
        self.terminal = terminal
    }

    /// The number of columns that the table had to leave out.
    var hiddenColumns: Int { table?.hiddenColumns ?? 0 }

    mutating func write(_ values: [OutputValue]) throws(CommandFailure) {
        switch format {
        case .table: try writeToTable(values)
        case .json: try output.write((count == 0 ? "[\n" : ",\n") + object(values))
        case .jsonLines: try output.write(object(values) + "\n")
        case .csv(let lineEnding, let isForSpreadsheets):
            if count == 0 { try writeNames(lineEnding, isForSpreadsheets) }
            let fields = values.map { $0.csvField(forSpreadsheets: isForSpreadsheets) }
            try output.write(fields.joined(separator: ",") + lineEnding)
        }
        count += 1
    }

    mutating func finish() throws(CommandFailure) {
        switch format {
        case .table: if table == nil { try beginTable() }
        case .json: try output.write(count == 0 ? "[]\n" : "\n]\n")
        case .jsonLines: break
        case .csv(let lineEnding, let isForSpreadsheets):
            if count == 0 { try writeNames(lineEnding, isForSpreadsheets) }
        }
    }

    private func object(_ values: [OutputValue]) -> String {
        OutputValue.record(zip(names, values).map { OutputValue.Field($0, $1) }).jsonText
    }

    private func writeNames(_ lineEnding: String, _ isForSpreadsheets: Bool) throws(CommandFailure) {
        let fields = names.map { OutputValue.csvField($0, forSpreadsheets: isForSpreadsheets) }
        try output.write(fields.joined(separator: ",") + lineEnding)
    }

    private mutating func writeToTable(_ values: [OutputValue]) throws(CommandFailure) {
        if let table { return try output.write(table.row(values)) }
        sample.append(values)
        if sample.count == Self.sampleRows { try beginTable() }
    }

    private mutating func beginTable() throws(CommandFailure) {
        let table = Table(
            names, sample: sample, width: terminal.outputWidth,
            paint: Paint(isEnabled: terminal.hasColoredOutput))
        self.table = table
        try output.write(table.head)
        for values in sample { try output.write(table.row(values)) }
        sample = []
    }
}
