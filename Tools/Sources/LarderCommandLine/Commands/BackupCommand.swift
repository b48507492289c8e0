import ArgumentParser
import Larder

struct BackupCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies the present state of a store to a file of the same engine.",
        discussion: "Other processes may use the store meanwhile. The file gets its name when it is complete."
    )

    @Argument(help: "The store's file.", completion: .file())
    var store: String

    @Argument(help: "The file to create.", completion: .file())
    var backup: String

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var common: CommonOptions

    func run(in session: Session) throws -> ExitStatus {
        let tools = try ToolStore(reading: store, reading)
        try StoreFiles.expectFree(backup)
        let url = try StoreFiles.url(backup)
        try session.showingActivity { activity in
            activity.begin("backing up")
            try StoreFiles.making(backup) { try tools.backup(to: url) }
        }
        return .success
    }
}
