import ArgumentParser

/// The command; without a subcommand it compares all contenders.
@main
struct LarderBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "larder-bench",
        abstract: "Measures Larder beside raw SQLite, raw LMDB, raw libpq, GRDB and Swift's own collections.",
        subcommands: [
            CompareCommand.self, ScaleCommand.self, AllocationsCommand.self, ShapesCommand.self,
            SoakCommand.self, AsyncCommand.self, MemoryCommand.self, ChildrenCommand.self, GrowthCommand.self,
            ImportsCommand.self,
            PagesCommand.self, ObserveCommand.self, UpgradeCommand.self, UpgradeMemoryCommand.self,
            DelayCommand.self,
        ],
        defaultSubcommand: CompareCommand.self)
}
