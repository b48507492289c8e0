import ArgumentParser
import Larder
import LarderTransfer

struct QueryCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Prints items of a type.")

    @OptionGroup var arguments: TypeArguments
    @OptionGroup var request: RequestOptions

    @Option(name: .shortAndLong, help: "The attributes to print, such as 'name,rating'; all if omitted.")
    var columns: String?

    @OptionGroup var form: FormatOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var speed: QuickOption
    @OptionGroup var common: CommonOptions

    func run(in session: Session) throws -> ExitStatus {
        try UntypedStore.reading(arguments.store, reading, isQuick: speed.quick) { _, reader in
            let entity = try reader.entity(named: arguments.type)
            let columns = try entity.columns(named: columns)
            var records = session.records(columns.map { entity.attributes[$0].name }, form.format)
            try reader.forEachRow(for: request.request(for: arguments.type)) { row in
                try records.write(row.outputValues(columns))
            }
            try records.finish()
            try session.noteHiddenColumns(of: records)
        }
        return .success
    }
}

extension Session {
    fileprivate func noteHiddenColumns(of records: RecordOutput) throws {
        if records.hiddenColumns == 0 { return }
        let columns = FigureText.count(records.hiddenColumns, "more column")
        try note("\(columns) did not fit: choose columns with --columns, or use --json.")
    }
}

extension EntitySchema {
    /// The columns of a comma-separated list; all if there is no list.
    ///
    /// - Throws: `.unknownAttribute`.
    fileprivate func columns(named list: String?) throws -> [Int] {
        guard let list else { return Array(declaredAttributes.indices) }
        return try list.split(separator: ",").map { part in
            let name = part.drop { $0 == " " }
            if let column = declaredAttributes.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
                return column
            }
            throw DataStoreError(
                .unknownAttribute, "\(self.name) has no attribute \"\(name)\".",
                advice: "Its attributes are: \(declaredAttributes.map(\.name).joined(separator: ", ")).",
                itemType: self.name)
        }
    }
}
