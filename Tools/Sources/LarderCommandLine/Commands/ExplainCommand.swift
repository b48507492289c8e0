import ArgumentParser
import Larder
import LarderTransfer

struct ExplainCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Shows how the store would run a query: by which index, scan or sort.")

    @OptionGroup var arguments: TypeArguments
    @OptionGroup var request: RequestOptions
    @OptionGroup var form: JSONOption
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var speed: QuickOption
    @OptionGroup var common: CommonOptions

    func run(in session: Session) throws -> ExitStatus {
        try UntypedStore.reading(arguments.store, reading, isQuick: speed.quick) { _, reader in
            let lines = try reader.explain(request.request(for: arguments.type))
            if form.json {
                try session.output.write(OutputValue.list(lines.map { .text($0) }).jsonText + "\n")
            } else {
                for line in lines { try session.output.write(line.visible + "\n") }
            }
        }
        return .success
    }
}
