import ArgumentParser
import Larder
import LarderTransfer

struct CountCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "Counts the items of one type or of all types.")

    @Argument(help: "The store's file.", completion: .file())
    var store: String

    @Argument(help: "The item type; all types if omitted.", completion: .custom(TypeCompletion.names))
    var type: String?

    @OptionGroup var filter: FilterOption
    @OptionGroup var form: FormatOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var speed: QuickOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if filter.where != nil && type == nil {
            throw ValidationError("--where needs an item type: larder count STORE TYPE --where …")
        }
    }

    func run(in session: Session) throws -> ExitStatus {
        try UntypedStore.reading(store, reading, isQuick: speed.quick) { _, reader in
            let types = type.map { [$0] } ?? reader.entities.filter { !$0.isLink }.map(\.name)
            let counts = try types.map { type in
                try reader.count(for: UntypedRequest(type, filter: filter.where))
            }
            if type != nil, form.format == .table { return try session.output.write("\(counts[0])\n") }
            var records = session.records(["type", "items"], form.format)
            for (type, count) in zip(types, counts) { try records.write([.text(type), .count(count)]) }
            try records.finish()
        }
        return .success
    }
}
