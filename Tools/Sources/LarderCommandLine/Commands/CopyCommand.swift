import ArgumentParser
import Foundation
import Larder
import LarderTransfer

struct CopyCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copies a store into a new one of any engine, and verifies the copy.",
        discussion: """
            The source is only read. A copy that was interrupted, even by Ctrl-C, continues where it \
            stopped when the same command is run again; until it is complete, no app can open it.
            """)

    @OptionGroup var stores: PairArguments

    @Option(name: .shortAndLong, help: "The copy's engine, if the file name does not show it.")
    var engine: StoreEngine?

    @OptionGroup var batch: BatchOption
    @Flag(
        name: .long,
        help: "Do not require free space for the whole source; useful if much of it is empty pages.")
    var ignoreFreeSpace = false

    @OptionGroup var undecodable: UndecodableOption
    @OptionGroup var form: JSONOption
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var common: CommonOptions

    static func advice(for error: DataStoreError) -> String? {
        switch error.code {
        case .cancelled: "Run the command again; it continues where it stopped."
        case .storeFull where error.underlying == nil:
            "Free some space, or use --ignore-free-space if much of the store is empty pages."
        case .storeFull: "Free some space and run the command again; it continues where it stopped."
        case .undecodable: "Use --skip-undecodable to leave such items out."
        // This concerns one item, not the structure of the file.
        case .damaged where error.identifier != nil: "Use --skip-undecodable to leave such items out."
        case .damaged: "Keep the file, and restore a backup; nothing was deleted."
        case .transferMismatch: "Run the command again; it repairs the differences."
        default: nil
        }
    }

    func run(in session: Session) throws -> ExitStatus {
        let source = try StoreEngine(ofStoreAt: stores.source).address(of: stores.source, reading)
        let destination = try StoreEngine(ofDestinationAt: stores.destination, asked: engine)
            .address(of: stores.destination)
        let report = try session.transfer(
            "copying", batch: batch.batch, undecodableRows: undecodable.policy
        ) { options in
            var options = options
            options.checksFreeSpace = !ignoreFreeSpace
            return try StoreFiles.making(stores.destination) {
                try ReadingOptions.opening {
                    try StoreTransfer(from: source, to: destination, options: options).run()
                }
            }
        }
        try session.output.write(form.json ? report.record.jsonText + "\n" : report.sentence("copied") + "\n")
        return try session.noteSkipped(in: report)
    }
}

extension StoreTransferReport {
    /// The result for people.
    ///
    /// - Parameter done: The participle for the items: `"copied"`.
    func sentence(_ done: String) -> String {
        let linkCount = links.reduce(0) { $0 + $1.digest.count }
        let itemCount = digests.reduce(0) { $0 + $1.count } - linkCount
        let items = FigureText.count(itemCount, "item")
        let content = links.isEmpty ? items : "\(items) and \(FigureText.count(linkCount, "link"))"
        let time = FigureText.duration(duration)
        guard isResumed else { return "\(content) \(done) and verified in \(time)" }
        let whole = links.isEmpty ? "them" : "the items"
        return "\(content) verified, \(FigureText.count(copiedItems)) of \(whole) \(done) now, in \(time)"
    }

    /// The result for programs.
    var record: OutputValue {
        let types = digests.filter { digest in !links.contains { $0.digest == digest } }.map { digest in
            OutputValue.record([
                .init("type", .text(digest.entity)), .init("items", .count(digest.count)),
                .init("digest", .text(digest.digest.description)),
            ])
        }
        let relationships = links.map { links in
            OutputValue.record([
                .init("type", .text(links.entity)), .init("relationship", .text(links.relationship)),
                .init("links", .count(links.digest.count)),
                .init("digest", .text(links.digest.digest.description)),
            ])
        }
        return .record([
            .init("isResumed", .bool(isResumed)), .init("copiedItems", .count(copiedItems)),
            .init("skippedItems", .count(skippedRows)), .init("lostReferences", .count(lostReferences)),
            .init("seconds", .real(duration / .seconds(1))), .init("types", .list(types)),
            .init("links", .list(relationships)),
        ])
    }
}
