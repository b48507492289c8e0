import ArgumentParser
import Foundation
import Larder

struct CopyCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copies a store into a new one of any engine, and verifies the copy.",
        discussion: """
            The source is only read. A copy that was interrupted, by Ctrl-C too, goes on where it stopped \
            when the same command is given again; before that no app can open it.
            """)

    @OptionGroup var stores: PairArguments

    @Option(name: .shortAndLong, help: "The copy's engine, where its name does not tell.")
    var engine: StoreEngine?

    @OptionGroup var batch: BatchOption
    @OptionGroup var undecodable: UndecodableOption
    @OptionGroup var form: JSONOption
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var common: CommonOptions

    func run(in session: Session) throws -> ExitStatus {
        let source = try StoreEngine(ofStoreAt: stores.source).address(of: stores.source, reading)
        let destination = try StoreEngine(ofDestinationAt: stores.destination, asked: engine)
            .address(of: stores.destination)
        let report = try session.transfer(batch: batch.batch, undecodableRows: undecodable.policy) {
            options in
            try StoreFiles.making(stores.destination) {
                try ReadingOptions.opening {
                    try StoreTransfer(from: source, to: destination, options: options).run()
                }
            }
        }
        try session.output.write(form.json ? report.record.jsonText + "\n" : report.sentence + "\n")
        return try session.noteSkipped(in: report)
    }
}

extension StoreTransferReport {
    /// What was done, for people.
    var sentence: String {
        let items = FigureText.count(digests.reduce(0) { $0 + $1.count }, "item")
        let time = FigureText.duration(duration)
        guard isResumed else { return "\(items) copied and verified in \(time)" }
        return "\(items) verified, \(FigureText.count(copiedItems)) of them copied now, in \(time)"
    }

    /// What was done, for programs.
    var record: OutputValue {
        let types = digests.map { digest in
            OutputValue.record([
                .init("type", .text(digest.entity)), .init("items", .count(digest.count)),
                .init("digest", .text(digest.digest.description)),
            ])
        }
        return .record([
            .init("isResumed", .bool(isResumed)), .init("copiedItems", .count(copiedItems)),
            .init("skippedItems", .count(skippedRows)), .init("seconds", .real(duration / .seconds(1))),
            .init("types", .list(types)),
        ])
    }
}
