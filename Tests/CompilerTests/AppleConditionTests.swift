import Foundation
import Testing

@testable import AdapterTestSupport

/// The code for Apple's systems alone, which other systems compile nowhere else: its types are checked against stand-ins for
/// Apple's modules, with Glibc below.
///
/// A name of Glibc that Apple's library lacks is not found.
@Suite(.enabled(if: Compiler.isThere && Compiler.hasGlibc))
struct AppleConditionTests {
    @Test func `code for Apple's systems compiles`() throws {
        try withCompiler { compiler in
            try compiler.makeAppleModules()

            let modules = [
                "LarderDiagnostics", "LarderEngine", "LarderFiles", "LarderKernel", "LarderRouting",
                "LarderSQLite", "LarderThreads",
            ]
            for module in modules {
                let path = module == "LarderSQLite" ? "Adapters/SQLite" : "Sources/\(module)"
                let folder = DocExample.root.appendingPathComponent(path)
                let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
                let files = (found?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
                let complaints = try compiler.complaints(aboutAppleCodeIn: files, of: module)
                #expect(complaints == [], "\(module)")
            }
            let signposts = DocExample.root.appendingPathComponent(
                "Sources/LarderMetrics/StoreSignposts.swift")
            #expect(try compiler.complaints(aboutAppleCodeIn: [signposts], of: "LarderMetrics") == [])
        }
    }
}

extension Compiler {
    /// True if the stand-ins have what they stand on.
    fileprivate static var hasGlibc: Bool {
        #if canImport(Glibc)
            true
        #else
            false
        #endif
    }

    private static let standIns = DocExample.root.appendingPathComponent("Tests/CompilerTests/AppleStandIns")
    private static let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
        .flatMap { ["-enable-upcoming-feature", $0] }

    /// Builds the stand-ins that sources can import then.
    fileprivate func makeAppleModules() throws {
        for name in ["Darwin", "os"] {
            let source = Self.standIns.appendingPathComponent("\(name).swift")
            try makeModule(
                name, from: try String(contentsOf: source, encoding: .utf8),
                options: ["-I", Self.standIns.path] + Self.features)
        }
    }

    /// The complaints about a module's files as Apple's systems see them.
    fileprivate func complaints(aboutAppleCodeIn files: [URL], of module: String) throws -> [String] {
        let products = try #require(Self.products)
        let copies = try files.enumerated().map { number, file in
            let copy = folder.path("\(number)-\(file.lastPathComponent)")
            let source = try String(contentsOf: file, encoding: .utf8)
                .replacingOccurrences(of: "os(Linux)", with: "false")
                .replacingOccurrences(of: "LarderPlatform", with: "Darwin")
            try Data(source.utf8).write(to: URL(fileURLWithPath: copy))
            return copy
        }
        // As SwiftPM names the package: by its folder.
        let package = DocExample.root.lastPathComponent.lowercased().replacing(/[^a-z0-9]/, with: "_")
        let output = try compile(
            Self.features + [
                "-typecheck", "-wmo", "-module-name", module, "-package-name", package, "-I", folder.path,
                "-I", Self.standIns.path, "-I", products.appendingPathComponent("Modules").path,
                "-I", DocExample.root.appendingPathComponent("Adapters/SQLite/CSQLite").path,
            ] + copies)
        return output.filter { $0.contains(/:\d+: (?:error|warning): .+/) }.map { String($0) }
    }
}
