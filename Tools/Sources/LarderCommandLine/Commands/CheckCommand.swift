import ArgumentParser
import Larder

struct CheckCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks that a store is sound: its pages, rows, indexes, unique values and relationships.",
        discussion: "Exits with 65 if it is not.")

    @Argument(help: "The store's file, or the address of a store on a server.", completion: .file())
    var store: String

    @OptionGroup var form: JSONOption
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var common: CommonOptions

    func run(in session: Session) throws -> ExitStatus {
        let isOnServer = ServerAddress.isOne(store)
        let tools = isOnServer ? nil : try ToolStore(reading: store, reading)
        let problems = try session.showingActivity { activity in
            activity.begin("checking")
            return try tools?.checkIntegrity() ?? ServerAddress(text: store).checkIntegrity()
        }
        if form.json {
            try session.output.write(OutputValue.list(problems.map { .text($0) }).jsonText + "\n")
        } else if problems.isEmpty {
            try session.output.write("sound\n")
        } else {
            for problem in problems { try session.output.write(problem.visible + "\n") }
        }
        return problems.isEmpty ? .success : .badData
    }
}
