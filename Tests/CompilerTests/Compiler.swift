import Foundation
import Testing

@testable import AdapterTestSupport

/// The Swift compiler, asked to check sources against the modules that were built with the tests.
struct Compiler {
    /// A complaint: its place in the source, or in what a macro has made of it, and its text.
    struct Complaint: Hashable, CustomStringConvertible {
        /// The line of the source; nil inside a macro's expansion.
        let line: Int?
        let text: String

        var description: String { (line.map { "line \($0): " } ?? "") + text }
    }

    /// The folder with the modules and the macro, beside the tests' own bundle.
    static let products: URL? = {
        let tests = Bundle.allBundles.map(\.bundleURL) + [URL(fileURLWithPath: CommandLine.arguments[0])]
        return tests.flatMap { [$0.deletingLastPathComponent(), $0] }.first { folder in
            ["Modules/Larder.swiftmodule", "LarderMacros-tool"].allSatisfy {
                FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
            }
        }
    }()

    /// False where the modules are not laid out as SwiftPM does, such as in Xcode.
    static var isThere: Bool { products != nil }

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// What the compiler says about a source that imports Larder and Foundation.
    ///
    /// - Parameter findsRaces: True to look for data races too, which are found after the types are checked.
    func complaints(
        about source: String, importing modules: [String] = [], options: [String] = [],
        findsRaces: Bool = false
    ) throws -> [Complaint] {
        let products = try #require(Self.products)
        let file = folder.file("Source.swift")
        let imports = (["Foundation", "Larder"] + modules).map { "import \($0); " }.joined()
        try Data((imports + source).utf8).write(to: file)
        let output = try compile(
            options + [
                findsRaces ? "-emit-sil" : "-typecheck",
                "-I", products.appendingPathComponent("Modules").path, "-I", folder.path,
                "-load-plugin-executable",
                products.appendingPathComponent("LarderMacros-tool").path + "#LarderMacros", file.path,
            ])
        return output.compactMap { line in
            guard let match = line.firstMatch(of: /^(.+?):(\d+):\d+: (?:error|warning): (.*)$/) else {
                return nil
            }
            return Complaint(line: match.1 == file.path ? Int(match.2) : nil, text: String(match.3))
        }
    }

    /// The errors in examples of doc comments, each with the file and the line of the comment.
    ///
    /// They are compiled beside the items and values that they speak of (`DocWorld`).
    func complaints(about examples: [DocExample]) throws -> [String] {
        let products = try #require(Self.products)
        let world = DocExample.root.appendingPathComponent("Tests/CompilerTests/DocWorld/World.swift")
        let ofWorld = try String(contentsOf: world, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("import ") }
        let imports = (ofWorld.map(String.init) + Self.serverImports).joined(separator: "\n")
        let file = folder.file("Examples.swift")
        let sources = examples.enumerated().map { $1.source(number: $0) }
        try Data((imports + "\n" + sources.joined()).utf8).write(to: file)

        let modules =
            [products.appendingPathComponent("Modules")]
            + Self.modulesInC.map { DocExample.root.appendingPathComponent("Adapters/\($0)") }
        let headers = try foldersOfHeaders()
        let output = try compile(
            ["-typecheck", "-suppress-warnings"] + modules.flatMap { ["-I", $0.path] } + headers + [
                "-load-plugin-executable",
                products.appendingPathComponent("LarderMacros-tool").path + "#LarderMacros",
                file.path, world.path,
            ])
        return output.compactMap { line in
            line.firstMatch(of: /^(.+?:\d+):\d+: error: (.*)$/).map { "\($0.1): \($0.2)" }
        }
    }

    #if PostgreSQL
        private static let serverImports = ["import LarderPostgreSQL"]
        private static let modulesInC = ["SQLite/CSQLite", "LMDB/CLMDB", "PostgreSQL/CPostgreSQL"]
    #else
        private static let serverImports: [String] = []
        private static let modulesInC = ["SQLite/CSQLite", "LMDB/CLMDB"]
    #endif

    /// The options for headers that are not in the system's own folder: libpq's.
    private func foldersOfHeaders() throws -> [String] {
        #if PostgreSQL
            let (output, _) = try run(["pkg-config", "--cflags-only-I", "libpq"])
            return String(decoding: output, as: UTF8.self).split { $0.isWhitespace }.map(String.init)
        #else
            return []
        #endif
    }

    /// Builds a module that sources can import then.
    func makeModule(_ name: String, from source: String, options: [String] = []) throws {
        let file = folder.file("\(name).swift")
        try Data(source.utf8).write(to: file)
        let output = try compile(
            options + [
                "-emit-module", "-module-name", name, "-emit-module-path",
                folder.path("\(name).swiftmodule"), file.path,
            ])
        #expect(output.filter { $0.contains("error:") } == [])
    }

    func compile(_ arguments: [String]) throws -> [Substring] {
        let options = ["-swift-version", "6", "-parse-as-library", "-diagnostic-style", "llvm"]
        let (_, complaints) = try run(["swiftc"] + options + arguments)
        return String(decoding: complaints, as: UTF8.self).split(separator: "\n")
    }

    /// What a tool of the toolchain writes to its standard output, or to its error output.
    func run(_ command: [String]) throws -> (output: Data, errors: Data) {
        let process = Process()
        let (output, errors) = (folder.file("output"), folder.file("errors"))
        for file in [output, errors] { try Data().write(to: file) }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        return (try Data(contentsOf: output), try Data(contentsOf: errors))
    }
}

/// Runs a body with a compiler in a folder of its own.
func withCompiler(_ body: (Compiler) throws -> Void) throws {
    try body(try Compiler())
}
