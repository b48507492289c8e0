import ArgumentParser
import Larder
import LarderTransfer

struct ExportCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes all items of a store as JSON Lines, exact to the last bit.",
        discussion: """
            The first line describes the types, one line for each item follows, and the last line holds \
            counts and digests: larder export recipes.sqlite | gzip > recipes.jsonl.gz
            """)

    @Argument(help: "The store's file.", completion: .file())
    var store: String

    @Argument(
        help: "The file to create; if omitted or -, the standard output.", completion: .file())
    var file: String?

    @OptionGroup var undecodable: UndecodableOption
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var speed: QuickOption
    @OptionGroup var common: CommonOptions

    static func advice(for error: DataStoreError) -> String? {
        switch error.code {
        case .undecodable: "Use --skip-undecodable to leave such items out."
        // This concerns one item, not the structure of the file.
        case .damaged where error.identifier != nil: "Use --skip-undecodable to leave such items out."
        case .cancelled: "Run the command again; the output is incomplete."
        // This concerns the links of a relationship, not the file.
        case .unsupported where error.itemType != nil: "Use larder backup, which keeps the links."
        default: nil
        }
    }

    func run(in session: Session) throws -> ExitStatus {
        let report = try session.transfer("exporting", undecodableRows: undecodable.policy) { options in
            try UntypedStore.reading(store, reading, isQuick: speed.quick) { _, reader in
                let export = JSONLinesExport(of: reader, options: options)
                guard let file, file != "-" else { return try export.run { try session.output.write($0) } }
                return try NewFile.write(to: file) { sink in try export.run { try sink.write($0) } }
            }
        }
        return try session.noteSkipped(in: report)
    }
}
