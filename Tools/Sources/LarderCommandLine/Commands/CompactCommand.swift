import ArgumentParser
import Larder
import LarderTransfer

struct CompactCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact", abstract: "Rewrites a store's file without its empty pages.",
        discussion:
            "Needs as much free disk space as the store itself. An LMDB store must not be open in any process."
    )

    @Argument(help: "The store's file.", completion: .file())
    var store: String

    @OptionGroup var common: CommonOptions

    func run(in session: Session) throws -> ExitStatus {
        let (before, after) = try session.showingActivity { activity in
            activity.begin("compacting")
            let tools = try ToolStore(writing: store)
            let before = try UntypedStore.reading(store) { store, _ in StoreFiles.byteCount(of: store.address)
            }
            try tools.compact()
            return (before, StoreFiles.byteCount(of: try StoreEngine(ofStoreAt: store).address(of: store)))
        }
        try session.output.write("\(FigureText.bytes(before)) before, \(FigureText.bytes(after)) now\n")
        return .success
    }
}
