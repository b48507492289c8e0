public import ArgumentParser

/// The command `larder`.
public struct LarderTool: ParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "larder",
        abstract: "Inspects, copies, checks and compares Larder stores.",
        discussion: """
            A store is named by its path; the file shows its engine. Commands that only read never change a \
            store and never create one.

            EXIT STATUS
            \(ExitStatus.allCases.map { "  \($0.rawValue)\t\($0.meaning)" }.joined(separator: "\n"))
            """,
        version: version,
        subcommands: [
            NewCommand.self, InfoCommand.self, GraphCommand.self, SchemaCommand.self, ForecastCommand.self,
            QueryCommand.self,
            CountCommand.self, GetCommand.self,
            ExplainCommand.self,
            CheckCommand.self, BackupCommand.self, CompactCommand.self, CopyCommand.self,
            VerifyCommand.self, FinalizeCommand.self, RollbackCommand.self, ExportCommand.self,
            ImportCommand.self, DiffCommand.self,
        ])

    /// The version of the package, as in the first heading of its changelog.
    private static let version = "0.1.0 (unreleased)"

    public init() {}

    /// Runs the command line that this process was started with, and ends the process.
    public static func runThisProcess() {
        let session = Session.standard()
        let words: [String]
        do {
            words = try Arguments.ofThisProcess()
        } catch {
            let paint = Paint(isEnabled: session.terminal.hasColoredErrors)
            try? session.messages.write(error.text(isVerbose: false, paint: paint))
            exit(withError: error.status.exitCode)
        }
        do {
            var command = try parsed(words)
            try command.run()
        } catch {
            exit(withError: error)
        }
    }

    /// The command in some words.
    ///
    /// - Throws: Errors that repeat words only as they may be printed.
    private static func parsed(_ words: [String]) throws -> any ParsableCommand {
        do {
            return try parseAsRoot(words)
        } catch {
            // The same words without control characters, and without the passwords of addresses, have the same mistake.
            if exitCode(for: error) == .validationFailure {
                _ = try parseAsRoot(words.map(ServerAddress.hiding))
            }
            throw error
        }
    }
}
