public import LarderKernel

/// The ways of a history as a graph: up by the chain, or directly to the current version, and down by the
/// steps that are declared.
///
/// A way leads only up or only down. Up it is unique, as each version has one next one. Down there may be
/// several, which is a mistake of the history.
struct SchemaWays {
    private let chain: SchemaChain
    /// The version to which all others lead directly, if the chain is empty.
    private let directGoal: String?
    private let versions: [String]
    private var declared: [Pair: SchemaStep] = [:]
    /// For each version those to which declared steps lead down.
    private(set) var down: [UTF8Key: [String]] = [:]

    private struct Pair: Hashable {
        let from: UTF8Key
        let to: UTF8Key

        init(_ from: String, _ to: String) {
            self.from = UTF8Key(from)
            self.to = UTF8Key(to)
        }
    }

    /// - Parameter current: The current version.
    init(versions: [SchemaVersion], chain: SchemaChain, steps: [SchemaStep], current: String) {
        self.versions = versions.map(\.name)
        self.chain = chain
        directGoal = chain.isEmpty ? current : nil
        for step in steps {
            declared[Pair(step.from, step.to)] = step
            if wayUp(from: step.from, to: step.to) == nil, wayUp(from: step.to, to: step.from) != nil {
                down[UTF8Key(step.from), default: []].append(step.to)
            }
        }
    }

    /// The version after a version on the way up.
    func next(from version: String) -> String? {
        if let directGoal { return UTF8Text.areEqual(version, directGoal) ? nil : directGoal }
        return chain.next(from: version)
    }

    /// The versions on the way up, both ends included; nil if there is none.
    func wayUp(from start: String, to end: String) -> [String]? {
        guard let directGoal else { return chain.way(from: start, to: end) }
        if UTF8Text.areEqual(start, end) { return [start] }
        return UTF8Text.areEqual(end, directGoal) ? [start, end] : nil
    }

    /// The ways down from one version to another: none, one, or the first two.
    func waysDown(from start: String, to end: String) -> [[String]] {
        var found: [[String]] = []
        var open = [[start]]
        // Steps down never form a loop, as each leads against the chain.
        while let way = open.popLast(), found.count < 2 {
            let last = way[way.count - 1]
            if UTF8Text.areEqual(last, end) {
                found.append(way)
            } else {
                open += (down[UTF8Key(last)] ?? []).reversed().map { way + [$0] }
            }
        }
        return found
    }

    /// The versions on the way from one to another, both included; nil if no way leads there.
    func way(from start: String, to end: String) -> [String]? {
        wayUp(from: start, to: end) ?? waysDown(from: start, to: end).first
    }

    /// The step of a pair of versions that follow each other on a way.
    func step(from start: String, to end: String) -> SchemaStep {
        declared[Pair(start, end)] ?? SchemaStep(from: start, to: end)
    }

    /// The way as far as it leads towards the current version, as text.
    func drawing(from start: String) -> String {
        var way = [start]
        while let next = next(from: way[way.count - 1]), way.count <= versions.count { way.append(next) }
        return SchemaChain.drawing(of: way)
    }
}

extension SchemaHistory {
    /// The steps that lead from one version to another; none if both are the same.
    ///
    ///     try history.way(from: "1", to: "4").map(\.description)  // ["1 → 3", "3 → 4"]
    ///
    /// - Throws: `.invalidSchema` when the history has a mistake, or does not know a version;
    ///   `.schemaMismatch` when no way leads there.
    public func way(from start: String, to end: String) throws(DataStoreError) -> [SchemaStep] {
        let current = try current().name
        for name in [start, end] where version(named: name) == nil {
            throw DataStoreError(
                .invalidSchema, "The history has no version \(name), only \(versionNames).",
                advice: "Add the version to the history.")
        }
        let ways = SchemaWays(versions: versions, chain: chain, steps: steps, current: current)
        guard let way = ways.way(from: start, to: end) else { throw noWay(from: start, to: end, ways) }
        return zip(way, way.dropFirst()).map { ways.step(from: $0, to: $1) }
    }

    private func noWay(from start: String, to end: String, _ ways: SchemaWays) -> DataStoreError {
        if let above = ways.wayUp(from: end, to: start) {
            return DataStoreError(
                .schemaMismatch,
                """
                No way leads down from version \(start) to version \(end), only up: \
                \(SchemaChain.drawing(of: above)).
                """,
                advice: "Update the app, or declare the steps down: SchemaStep(from: \"\(start)\", to: …)."
            ).leavingNoWay()
        }
        return DataStoreError(
            .schemaMismatch,
            "No way leads from version \(start) to version \(end); from there it is \(ways.drawing(from: start)).",
            advice: "Add the way to the chain of the history."
        ).leavingNoWay()
    }

    /// The names of the versions, for messages.
    var versionNames: String { versions.map(\.name).joined(separator: ", ") }
}
