import ArgumentParser
import Larder

struct ImportCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Makes a new store from JSON Lines that export has written.",
        discussion: """
            Counts and digests are compared with the last line: gunzip -c recipes.jsonl.gz | larder import - \
            recipes.lmdb. An import that was interrupted leaves a store that no app can open; delete it, or give \
            --restart to do so.
            """)

    @Argument(help: "The JSON Lines; - for the standard input.", completion: .file())
    var file: String

    @Argument(help: "The store that is to be made.", completion: .file())
    var store: String

    @Option(name: .shortAndLong, help: "The store's engine, where its name does not tell.")
    var engine: StoreEngine?

    @Option(name: .long, help: "How many items share a commit, at most.")
    var batch = 1000

    @Flag(name: .long, help: "Delete what an import that did not end has left in the place.")
    var restart = false

    @OptionGroup var form: JSONOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if batch < 1 { throw ValidationError("A batch has at least one item: --batch 1000") }
    }
}
