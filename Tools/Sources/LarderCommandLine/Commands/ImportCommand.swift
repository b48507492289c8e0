import ArgumentParser
import Larder
import LarderRecords
import LarderTransfer

struct ImportCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract:
            "Creates a new store from JSON Lines that export has written, or imports records into a store.",
        discussion: """
            With --mapping, the file has records as JSON, JSON Lines or CSV, and the store exists. The mapping says \
            which item a record is about and which attributes its values go to: items are found by a unique \
            attribute and changed, or inserted. Each commit is kept when a later record is refused.

            Without --mapping, the file is one that export has written, and the store is new. \
            Counts and digests are compared with the last line: gunzip -c recipes.jsonl.gz | larder import - \
            recipes.lmdb. An import that fails or is stopped by Ctrl-C leaves no store. An import that was \
            killed leaves half a store, which no app can open; the same command then starts over.
            """)

    @Argument(help: "The JSON Lines or records; - for the standard input.", completion: .file())
    var file: String

    @Argument(help: "The store to create, or with --mapping to import into.", completion: .file())
    var store: String

    @Option(name: .shortAndLong, help: "The store's engine, if the file name does not show it.")
    var engine: StoreEngine?

    @Option(
        name: .long, help: "The JSON that maps records to items of a store that exists.", completion: .file())
    var mapping: String?

    @Option(name: .long, help: "The form of the records, if the file name does not show it.")
    var records: RecordForm?

    @Option(name: .long, help: "The sign between the fields of CSV, if it is not a comma.")
    var separator: String?

    @OptionGroup var batch: BatchOption
    @OptionGroup var form: JSONOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if file == "-", mapping == "-" {
            throw ValidationError("FILE and --mapping cannot both be the standard input.")
        }
    }

    func run(in session: Session) throws -> ExitStatus {
        if let mapping { return try importRecords(by: mapping, in: session) }
        let address = try StoreEngine(ofDestinationAt: store, asked: engine).address(of: store)
        if try !isFree(address) { try expectHalf(at: address) }
        let input = try InputFile(file, interruption: session.interruption)
        let beginning = ImportBeginning()
        let report = try session.transfer("importing", batch: batch.batch) { options in
            var options = options
            let show = options.progress
            options.progress = { figures in
                // If the place cannot be looked up, the store there stays.
                beginning.note { (try? isFree(address)) ?? false }
                show?(figures)
            }
            return try importing(into: address, beginning) {
                try JSONLinesImport(into: address, options: options).run { try input.read() }
            }
        }
        try session.output.write(
            form.json ? report.record.jsonText + "\n" : report.sentence("imported") + "\n")
        return .success
    }

    /// True if no store exists.
    private func isFree(_ address: StoreAddress) throws -> Bool {
        ServerAddress.isOne(store) ? try address.storedSchema() == nil : try !StoreFiles.exists(store)
    }

    /// - Throws: `.cannotCreate` when a complete store exists.
    private func expectHalf(at address: StoreAddress) throws {
        guard let stored = try address.storedSchema(), !stored.entities.isEmpty else { return }
        if stored.transfer?.isComplete != false {
            throw StoreFiles.taken(try ServerAddress.name(of: store))
        }
    }

    /// Runs the import; if it fails, removes the files it created and no others.
    private func importing<Result>(
        into address: StoreAddress, _ beginning: ImportBeginning, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try StoreFiles.making(store, body)
        } catch let error as DataStoreError {
            var failure = CommandFailure(error)
            // An error that would be one of the command line elsewhere is one of the lines here.
            if failure.status == .usage { failure.status = .badData }
            let isOthers = error.code == .destinationExists || error.code == .incompleteTransfer
            if beginning.isOwn && !isOthers { removeHalf(of: address) }
            if beginning.isOwn && error.code == .cancelled {
                failure.advice = "Run it again; the incomplete store was removed."
            }
            throw failure
        } catch {
            if beginning.isOwn { removeHalf(of: address) }
            throw error
        }
    }

    /// Deletes an incomplete store; none existed before this import.
    private func removeHalf(of address: StoreAddress) {
        Session.outsideOfTasks {
            // The user needs the first error.
            guard let transfer = try? address.storedSchema()?.transfer, !transfer.isComplete else { return }
            try? address.adapter(for: .writing).destroy()
        }
    }
}

/// Notes whether an import begins a store of its own: while it waits for its input, another process may begin one.
private final class ImportBeginning: Sendable {
    private let isFree = Guarded<Bool?>(nil)

    /// Takes the first answer, which comes with the first report: nothing has been written then.
    func note(_ isFree: () -> Bool) {
        self.isFree.withLock { first in
            if first == nil { first = isFree() }
        }
    }

    /// True if the import has begun a store where there was none.
    var isOwn: Bool { isFree.withLock { $0 ?? false } }
}
