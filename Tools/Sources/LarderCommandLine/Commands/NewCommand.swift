import ArgumentParser

struct NewCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Makes a Swift package that stores items, with a program that runs and a test that passes.",
        discussion: """
            The package is a folder with the name of the package. It has two item types with a relationship, and one \
            file that names the engine.

            larder new Shelf --path ../larder && cd Shelf && swift run
            """)

    @Argument(help: "The name of the package, and of its folder: letters, digits and _.")
    var name: String

    @Option(name: .long, help: "The engine of the package's store: sqlite, lmdb, memory or postgresql.")
    var engine = NewPackage.Engine.sqlite

    @Option(name: .long, help: "The address of Larder's repository.")
    var url: String?

    @Option(name: .long, help: "The folder of Larder's repository.", completion: .directory)
    var path: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if (url == nil) == (path == nil) {
            throw ValidationError("Say where Larder is: by --path FOLDER, or by --url ADDRESS.")
        }
        if let problem = NewPackage.problem(withName: name) { throw ValidationError(problem) }
    }

    func run(in session: Session) throws -> ExitStatus {
        let package = NewPackage(name: name, engine: engine, larder: try source())
        try PackageFolder(at: name).write(package.files)
        if !common.quiet {
            try session.messages.write("Made \(name). Run it: cd \(name) && swift run\n")
        }
        return .success
    }

    private func source() throws(CommandFailure) -> NewPackage.Source {
        guard let path else { return .repository(url ?? "") }
        guard try StoreFiles.exists(path + "/Package.swift") else {
            throw CommandFailure(
                .noInput, "There is no package in this folder.",
                advice: "Use the folder of Larder's repository; nothing was changed.", path: path)
        }
        // As the package sees it, whose folder is in this one.
        return .folder(path.hasPrefix("/") ? path : "../" + path)
    }
}
