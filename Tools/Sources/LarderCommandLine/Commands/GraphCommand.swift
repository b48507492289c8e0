import ArgumentParser
import Larder
import LarderTransfer

struct GraphCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph", abstract: "Draws the item types of a store and their relationships.",
        discussion: """
            As text for Mermaid, which many pages show as a picture, or for dot of Graphviz: \
            larder graph recipes.sqlite --format dot | dot -Tsvg > recipes.svg
            """)

    @Argument(help: "The store's file.", completion: .file())
    var store: String

    @Option(name: .long, help: "The language of the drawing: mermaid or dot.")
    var format = Format.mermaid

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var speed: QuickOption
    @OptionGroup var common: CommonOptions

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case mermaid
        case dot
    }

    func run(in session: Session) throws -> ExitStatus {
        try UntypedStore.reading(store, reading, acceptsIncomplete: true, isQuick: speed.quick) {
            store, _ in
            let graph = SchemaGraph(store.storedSchema)
            switch format {
            case .mermaid: try session.output.write(graph.mermaid)
            case .dot: try session.output.write(graph.dot)
            }
        }
        return .success
    }
}
