import LarderKernel

/// The ways between the versions of a schema, by name: for each version the next one.
///
///     let line: SchemaChain = ["1", "2", "3"]
///     let tree: SchemaChain = ["1": "3", "2": "4", "3": "4"]   // 1 → 3 → 4, and 2 → 4
///     let built = SchemaChain {
///         ["1", "3", "4"]
///         ["2", "4"]
///     }
///
/// A version has at most one next one, so a way between two versions is always the same. Several versions may
/// lead to one. `nil`, `[]` and `[:]` are the empty chain, with which a store goes directly from any version to
/// the current one. A single version is a chain without ways.
///
/// *Rule:* a value. A mistake (a version twice, a loop, two next versions) is kept as ``problem``, as literals
/// cannot throw; a ``SchemaHistory`` with such a chain refuses to be used.
public struct SchemaChain: Sendable {
    /// The versions, in the order in which the chain names them first.
    public private(set) var versions: [String] = []
    /// The mistake in the chain, as a sentence with the way drawn; nil if there is none.
    public private(set) var problem: String?
    private var nextVersions: [UTF8Key: String] = [:]

    /// The empty chain.
    public init() {}

    /// The chain in which each version leads to the one after it.
    public init(_ versions: some Sequence<String>) {
        let versions = Array(versions)
        var seen: Set<UTF8Key> = []
        for version in versions {
            add(version)
            if !seen.insert(UTF8Key(version)).inserted, problem == nil {
                problem = "\(version) stands twice in the chain \(Self.drawing(of: versions))."
            }
        }
        if problem == nil { addWays(zip(versions, versions.dropFirst())) }
    }

    /// The chain of single ways, each from a version to the next.
    public init(ways: some Sequence<(String, String)>) {
        let ways = Array(ways)
        for (version, next) in ways {
            add(version)
            add(next)
        }
        addWays(ways)
    }

    /// The chain of single ways, each from a version to the next.
    public init(_ ways: [String: String]) {
        self.init(ways: ways.sorted { UTF8Text.precedes($0.key, $1.key) }.map { ($0.key, $0.value) })
    }

    /// The chain of the ways of several chains.
    ///
    /// They may share ways: `["1", "3", "4"]` and `["2", "3", "4"]` make a tree.
    public init(@SchemaChainBuilder _ build: () -> [SchemaChain]) {
        let chains = build()
        for chain in chains {
            for version in chain.versions { add(version) }
            if problem == nil { problem = chain.problem }
        }
        if problem != nil { return }
        for chain in chains {
            addWays(
                chain.ways.filter { version, next in
                    !(nextVersions[UTF8Key(version)].map { UTF8Text.areEqual($0, next) } ?? false)
                })
        }
    }

    private mutating func add(_ version: String) {
        if !contains(version) { versions.append(version) }
    }

    private mutating func addWays(_ ways: some Sequence<(String, String)>) {
        for (version, next) in ways where problem == nil {
            if let other = nextVersions[UTF8Key(version)] {
                problem =
                    "Two ways lead on from \(version): "
                    + "\(Self.drawing(of: [version, other])) and \(Self.drawing(of: [version, next]))."
            } else {
                nextVersions[UTF8Key(version)] = next
                problem = loop(from: version).map { "The versions form a loop: \(Self.drawing(of: $0))." }
            }
        }
    }

    /// The way from a version back to itself, or nil.
    private func loop(from version: String) -> [String]? {
        var way = [version]
        while let next = nextVersions[UTF8Key(way[way.count - 1])] {
            way.append(next)
            if UTF8Text.areEqual(next, version) { return way }
        }
        return nil
    }
}

// MARK: Asking

extension SchemaChain {
    /// True if the chain has no ways: it names no version, or only single ones.
    public var isEmpty: Bool { nextVersions.isEmpty }

    /// True if the chain has no mistake.
    public var isValid: Bool { problem == nil }

    /// True if the chain names the version.
    public func contains(_ version: String) -> Bool {
        versions.contains { UTF8Text.areEqual($0, version) }
    }

    /// The version after a version; nil at the end of the chain, and for a version that it does not name.
    public func next(from version: String) -> String? { nextVersions[UTF8Key(version)] }

    /// The versions on the way from one to another, both included; nil if no way leads there.
    ///
    ///     SchemaChain(["1": "3", "3": "4"]).way(from: "1", to: "4")  // ["1", "3", "4"]
    public func way(from start: String, to end: String) -> [String]? {
        var way = [start]
        // A chain with a loop is not followed for ever.
        while way.count <= versions.count + 1 {
            let last = way[way.count - 1]
            if UTF8Text.areEqual(last, end) { return way }
            guard let next = next(from: last) else { return nil }
            way.append(next)
        }
        return nil
    }

    /// The versions to which no other leads.
    public var roots: [String] {
        let nexts = Set(nextVersions.values.map { UTF8Key($0) })
        return versions.filter { !nexts.contains(UTF8Key($0)) }
    }

    /// The versions that lead to no other.
    public var leaves: [String] { versions.filter { next(from: $0) == nil } }

    /// The single ways, in the order of ``versions``.
    var ways: [(String, String)] {
        versions.compactMap { version in next(from: version).map { (version, $0) } }
    }

    /// A way as text: `1 → 2 → 3`.
    static func drawing(of way: [String]) -> String { way.joined(separator: " → ") }

    /// The way from a version to the end of the chain, which has no loop, as text.
    func drawing(from start: String) -> String {
        var way = [start]
        while let next = next(from: way[way.count - 1]) { way.append(next) }
        return Self.drawing(of: way)
    }
}

extension SchemaChain: Hashable {
    /// True if both name the same versions, with the same next ones, in any order and form.
    public static func == (left: SchemaChain, right: SchemaChain) -> Bool {
        left.names == right.names && left.isValid == right.isValid
            && left.nextVersions.mapValues { UTF8Key($0) } == right.nextVersions.mapValues { UTF8Key($0) }
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(names) }

    private var names: Set<UTF8Key> { Set(versions.map { UTF8Key($0) }) }
}

extension SchemaChain: CustomStringConvertible {
    /// The ways from each version to which no other leads: `1 → 3 → 4, 2 → 4`.
    public var description: String {
        problem ?? roots.map(drawing(from:)).joined(separator: ", ")
    }
}

// MARK: Literals

extension SchemaChain: ExpressibleByNilLiteral {
    public init(nilLiteral: ()) { self.init() }
}

extension SchemaChain: ExpressibleByStringLiteral {
    public init(stringLiteral version: String) { self.init([version]) }
}

extension SchemaChain: ExpressibleByArrayLiteral {
    public init(arrayLiteral versions: String...) { self.init(versions) }
}

extension SchemaChain: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral ways: (String, String)...) { self.init(ways: ways) }
}

/// Makes a ``SchemaChain`` of several chains, one a line.
@resultBuilder
public enum SchemaChainBuilder {
    public static func buildExpression(_ chain: SchemaChain) -> [SchemaChain] { [chain] }
    public static func buildBlock(_ chains: [SchemaChain]...) -> [SchemaChain] { chains.flatMap(\.self) }
    public static func buildOptional(_ chains: [SchemaChain]?) -> [SchemaChain] { chains ?? [] }
    public static func buildEither(first chains: [SchemaChain]) -> [SchemaChain] { chains }
    public static func buildEither(second chains: [SchemaChain]) -> [SchemaChain] { chains }
    public static func buildArray(_ chains: [[SchemaChain]]) -> [SchemaChain] { chains.flatMap(\.self) }
}
