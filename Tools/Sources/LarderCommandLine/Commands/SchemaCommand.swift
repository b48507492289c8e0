import ArgumentParser
import Larder
import LarderTransfer

struct SchemaCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Prints the shape of a store's item types, or compares two shapes.",
        discussion: """
            The shape is text that an app can declare an old version by: larder schema recipes.sqlite > 1.shape. \
            Each argument may be a store, or a file with such text. With --compare, the changes that lead from the \
            first shape to the second are printed, and the command exits with 1 if there are any.
            """)

    @Argument(help: "A store, or a file with a shape.", completion: .file())
    var store: String

    @Option(
        name: .shortAndLong, help: "A store, or a file with a shape, to compare with.", completion: .file())
    var compare: String?

    @Flag(name: .long, help: "Print only the hash of the shape, as the lock of a history has it.")
    var hash = false

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var speed: QuickOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if hash, compare != nil { throw ValidationError("--hash and --compare cannot be combined.") }
    }

    func run(in session: Session) throws -> ExitStatus {
        let shape = try shape(at: store, in: session)
        guard let compare else {
            let text = hash ? shape.hash : shape.description
            try session.output.write(text.isEmpty ? "" : text + "\n")
            return .success
        }
        let changes = try self.shape(at: compare, in: session).changes(since: shape)
        for change in changes { try session.output.write(change.visible + "\n") }
        return changes.isEmpty ? .success : .negative
    }

    private func shape(at path: String, in session: Session) throws -> SchemaShape {
        if try ShapeFile.isStore(path) {
            return try UntypedStore.reading(
                path, reading, acceptsIncomplete: true, isQuick: speed.quick
            ) { store, _ in
                try session.noteUnfinished(store)
                return SchemaShape(store.storedSchema)
            }
        }
        return try ShapeFile.read(path, interruption: session.interruption)
    }
}
