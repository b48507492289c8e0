import Foundation
import Testing

/// The making of a package.
///
/// `Tools/Tests/Shelf` is such a package, and is built and tested with the tools.
struct NewCommandTests {
    private let folder: TemporaryFolder

    /// A place as deep as the package in `Tools/Tests`, below a folder that passes for Larder's.
    private let place: String

    init() throws {
        folder = try TemporaryFolder()
        place = folder.path("Tools/Tests")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try Data().write(to: folder.url.appendingPathComponent("Package.swift"))
    }

    private func larder(_ arguments: String) throws -> Int32 {
        try Shell.run("cd \"$1\" && exec \"$LARDER\" new \(arguments) > out 2> messages", place)
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(place)/\(path)", encoding: .utf8)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: place).filter { $0 != "out" && $0 != "messages" }
            .sorted()
    }

    /// The files in a folder by their paths in it.
    private static func files(in folder: String) throws -> [String: String] {
        var files: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder)
        where !path.hasPrefix(".build") && !path.hasPrefix("Package.resolved") {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder)
            if isFolder.boolValue { continue }
            files[path] = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
        }
        return files
    }

    @Test func `a new package is the one in this repository, word for word`() throws {
        let expected = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Shelf").path

        #expect(try larder("Shelf --path ../..") == 0)

        #expect(try Self.files(in: "\(place)/Shelf") == Self.files(in: expected))
        #expect(try text("messages") == "Made Shelf. Run it: cd Shelf && swift run\n")
        #expect(try text("out") == "")
    }

    @Test(arguments: [
        ("sqlite", "LarderSQLite", "SQLiteDataStore("), ("lmdb", "LarderLMDB", "LMDBDataStore("),
        ("memory", "LarderMemory", "MemoryDataStore("),
        ("postgresql", "LarderPostgreSQL", "PostgreSQLDataStore("),
    ])
    func `the engine is named in the manifest and in one file`(
        _ engine: String, _ product: String, _ type: String
    ) throws {
        #expect(try larder("Pantry --path ../.. --engine \(engine)") == 0)

        let files = try Self.files(in: "\(place)/Pantry")
        let named = files.filter { $0.value.contains(product) }.keys.sorted()
        #expect(named == ["Package.swift", "Sources/Pantry/Store.swift"])
        #expect(files["Sources/Pantry/Store.swift"]?.contains(type) == true)
        let hasTrait = files["Package.swift"]?.contains(#"traits: ["Macros", "PostgreSQL"]"#)
        #expect(hasTrait == (engine == "postgresql"))
    }

    @Test func `the repository may have an address, and an absolute path stays as it is`() throws {
        #expect(try larder("First --url https://example.org/us/larder.git") == 0)
        #expect(try larder("Second --quiet --path \"\(folder.url.path)\"") == 0)

        let first = try text("First/Package.swift")
        #expect(first.contains(#".package(url: "https://example.org/us/larder.git", branch: "main")"#))
        #expect(first.contains(#".product(name: "Larder", package: "larder")"#))
        let second = try text("Second/Package.swift")
        #expect(second.contains(#".package(name: "larder", path: "\#(folder.url.path)")"#))
        #expect(try text("messages") == "")
    }

    @Test(arguments: ["1st", "my-app", "''", "class", "Larder", "Book", "../Other", "Ä"])
    func `a name that cannot be a module is refused`(_ name: String) throws {
        #expect(try larder("\(name) --path ../..") == 64)

        #expect(try names() == [])
    }

    @Test func `a folder that is not empty is refused and stays as it was, and an empty one is filled`()
        throws
    {
        for name in ["Full", "Empty"] {
            try FileManager.default.createDirectory(
                atPath: "\(place)/\(name)", withIntermediateDirectories: false)
        }
        for path in ["Full/letter", "File"] {
            try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(place)/\(path)"))
        }

        #expect(try larder("Full --path ../..") == 73)
        #expect(try text("messages").contains("The folder is not empty."))
        #expect(try larder("File --path ../..") == 73)
        #expect(try larder("Empty --path ../..") == 0)

        #expect(try Self.files(in: "\(place)/Full") == ["letter": "mine"])
        #expect(try text("File") == "mine")
        #expect(try Self.files(in: "\(place)/Empty").count == 6)
    }

    @Test(arguments: ["", "--path ../.. --url https://example.org/larder"])
    func `one place of Larder is to be given`(_ place: String) throws {
        #expect(try larder("Shelf \(place)") == 64)
        #expect(try names() == [])
    }

    @Test func `a place without a package is refused`() throws {
        #expect(try larder("Shelf --path ..") == 66)
        #expect(try names() == [])
    }
}
