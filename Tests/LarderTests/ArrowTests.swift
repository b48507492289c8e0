import Foundation
import Testing

/// Who may depend on whom: the picture in Documentation/Design.md ("Folders, targets and arrows").
struct ArrowTests {
    /// The targets from the bottom to the top: each may name those of the levels below its own.
    private static let levels: [[String]] = [
        ["LarderMacros", "LarderPattern", "LarderPlatform", "LarderValues"],
        ["LarderThreads"],
        ["LarderDiagnostics"],
        ["LarderKernel"],
        [
            "LarderAggregates", "LarderBlocks", "LarderCalculations", "LarderChildren", "LarderEngine",
            "LarderForeignNames", "LarderHooks", "LarderImport", "LarderNames", "LarderObservation",
            "LarderPages", "LarderText",
        ],
        ["LarderPredicate", "LarderRecords", "LarderUnions", "LarderVersions"],
        ["LarderFiles", "LarderKeyValue"],
        ["LarderMemory", "LarderSQL", "LarderTransfer"],
        ["Larder", "LarderLMDB", "LarderPostgreSQL", "LarderRouting", "LarderSQLite", "LarderTesting"],
        ["LarderConformance", "LarderDefaultStore", "LarderMetrics", "LarderSwiftUI"],
    ]

    private static let features: Set = [
        "LarderAggregates", "LarderBlocks", "LarderCalculations", "LarderChildren", "LarderForeignNames",
        "LarderHooks", "LarderImport", "LarderNames", "LarderObservation", "LarderPages", "LarderPredicate",
        "LarderRecords", "LarderText", "LarderTransfer", "LarderUnions", "LarderVersions",
    ]

    /// The features that another feature names.
    private static let featuresOfFeatures: [String: Set<String>] = [
        "LarderPredicate": ["LarderCalculations"],
        "LarderRecords": ["LarderImport", "LarderText"], "LarderTransfer": ["LarderText", "LarderVersions"],
        "LarderUnions": ["LarderAggregates", "LarderPages"],
    ]

    private static let engines: Set = ["LarderLMDB", "LarderMemory", "LarderPostgreSQL", "LarderSQLite"]

    private let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private struct Target {
        let name: String
        let folder: String
        let dependencies: Set<String>
    }

    /// The targets of the library in the manifest.
    private func targets() throws -> [Target] {
        let manifest = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let list = try #require(manifest.firstRange(of: "    targets: ["))
        return manifest[list.upperBound...].components(separatedBy: "\n        .").compactMap { text in
            guard text.hasPrefix("target("), !text.contains("\"Tools/"),
                let name = text.firstMatch(of: /name: "(Larder\w*)"/)?.1
            else {
                return nil
            }
            let path = text.firstMatch(of: /path: "([^"]+)"/).map { String($0.1) }
            let dependencies = text.firstMatch(of: /dependencies: \[([^\]]*)\]/)?.1 ?? ""
            return Target(
                name: String(name), folder: path ?? "Sources/\(name)",
                dependencies: Set(dependencies.matches(of: /"(Larder\w*)"/).map { String($0.1) }))
        }
    }

    /// The targets of the library that the files of a folder import.
    private func imports(in folder: String) throws -> [String: Set<String>] {
        let url = root.appendingPathComponent(folder)
        let files = try #require(FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil))
        var imports: [String: Set<String>] = [:]
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            imports[file.lastPathComponent] = Set(
                text.matches(of: /(?m)^[^\/\n]*\bimport (?:\w+ )?(Larder\w*)/).map { String($0.1) })
        }
        return imports
    }

    @Test func `targets depend on those below them`() throws {
        let levels = Dictionary(
            uniqueKeysWithValues: Self.levels.enumerated().flatMap { level, names in names.map { ($0, level) }
            })
        let targets = try targets()

        #expect(targets.count >= 18)
        for target in targets {
            let level = try #require(
                levels[target.name], "Give \(target.name) a level in this test and in Design.")
            for dependency in target.dependencies {
                let below = try #require(levels[dependency])
                let isMemory = dependency == "LarderMemory"
                #expect(below < level, "\(target.name) depends on \(dependency).")
                #expect(!Self.engines.contains(dependency) || isMemory, "\(target.name) names an engine.")
            }
        }
    }

    @Test func `features do not name each other, nor does the kernel name one`() throws {
        for target in try targets() where Self.features.contains(target.name) || target.name == "LarderKernel"
        {
            #expect(
                target.dependencies.intersection(Self.features) == Self.featuresOfFeatures[target.name] ?? [],
                "\(target.name)")
        }
    }

    // On a Mac, pkg-config would find Homebrew's.
    @Test(arguments: ["Package.swift", "Benchmarks/Package.swift"])
    func `SQLite is the system's`(path: String) throws {
        let manifest = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)

        #expect(manifest.contains(".systemLibrary("))
        #expect(!manifest.contains("pkgConfig: \"sqlite3\""))
    }

    // A build that was done before may let a file import what its target does not declare.
    @Test func `files import what their target declares`() throws {
        for target in try targets() {
            let imports = try imports(in: target.folder)
            #expect(!imports.isEmpty)
            for (file, names) in imports {
                #expect(names.subtracting(target.dependencies) == [], "\(target.name)/\(file)")
            }
        }
    }
}
