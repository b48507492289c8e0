import Foundation
import Testing

@testable import AdapterTestSupport

/// The public declarations of a module and how they belong together, as the toolchain writes them down.
struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Identifier: Decodable { let precise: String }
        struct Kind: Decodable { let identifier: String }
        struct Names: Decodable { let title: String }
        struct Availability: Decodable { let isUnconditionallyUnavailable: Bool? }

        let identifier: Identifier
        let kind: Kind
        let names: Names
        let pathComponents: [String]
        let availability: [Availability]?
    }

    struct Relationship: Decodable {
        let source: String
        let target: String
        let kind: String
    }

    private(set) var symbols: [Symbol]
    private(set) var relationships: [Relationship]

    /// Adds the declarations of another module.
    fileprivate mutating func add(_ other: SymbolGraph) {
        symbols += other.symbols
        relationships += other.relationships
    }

    /// The methods and properties of a type's instances that an app can use, overloads as often as they are
    /// declared.
    ///
    /// Those that a class has from a protocol count once for each name.
    func members(of type: String) -> [String] {
        let types = symbols.filter { $0.pathComponents == [type] }.map(\.identifier.precise)
        let members = relationships.filter {
            ["memberOf", "requirementOf"].contains($0.kind) && types.contains($0.target)
        }.map(\.source)
        return names { symbol in
            members.contains(symbol.identifier.precise)
                && ["swift.method", "swift.property"].contains(symbol.kind.identifier)
                && !(symbol.availability ?? []).contains { $0.isUnconditionallyUnavailable == true }
        }
    }

    /// The requirements that a protocol itself gives a default.
    func defaults(of type: String) -> [String] {
        let defaults = relationships.filter { $0.kind == "defaultImplementationOf" }.map(\.source)
        return names { $0.pathComponents.first == type && defaults.contains($0.identifier.precise) }
    }

    private func names(where isWanted: (Symbol) -> Bool) -> [String] {
        symbols.filter(isWanted).map(\.names.title).sorted()
    }
}

extension Compiler {
    private struct TargetInfo: Decodable {
        struct Target: Decodable { let triple: String }
        let target: Target
    }

    /// The symbol graph of modules that were built with the tests, with what they add to types of each other.
    func symbolGraph(of modules: String...) throws -> SymbolGraph {
        var whole = SymbolGraph(symbols: [], relationships: [])
        for module in modules { try whole.add(symbolGraph(ofOne: module)) }
        return whole
    }

    private func symbolGraph(ofOne module: String) throws -> SymbolGraph {
        let products = try #require(Self.products)
        let adapters = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Adapters")
        let modules =
            [products.appendingPathComponent("Modules")]
            + ["SQLite/CSQLite", "LMDB/CLMDB"].map { adapters.appendingPathComponent($0) }
        let info = try run(["swiftc", "-print-target-info"]).output
        let triple = try JSONDecoder().decode(TargetInfo.self, from: info).target.triple
        let (_, errors) = try run(
            [
                "swift", "symbolgraph-extract", "-module-name", module, "-output-dir", folder.path,
                "-minimum-access-level", "public", "-target", triple,
            ] + modules.flatMap { ["-I", $0.path] })
        #expect(String(decoding: errors, as: UTF8.self) == "")
        var whole = SymbolGraph(symbols: [], relationships: [])
        let files = try FileManager.default.contentsOfDirectory(
            at: folder.url, includingPropertiesForKeys: nil)
        // One file for the module's own types, and one for each module whose types it extends.
        for file in files
        where file.lastPathComponent == "\(module).symbols.json"
            || file.lastPathComponent.hasPrefix("\(module)@")
        {
            try whole.add(JSONDecoder().decode(SymbolGraph.self, from: try Data(contentsOf: file)))
        }
        return whole
    }
}
