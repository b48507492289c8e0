public import LarderKernel

/// The ways of a history as a graph: up by the chain, or directly to the current version, and down by the
/// steps that are declared.
///
/// A way leads only up or only down. Up it is unique, as each version has one next one. Down there may be
/// several, which is a mistake of the history.
struct SchemaWays {
    /// The ways up.
    let up: SchemaChain
    private let steps: [SchemaStep]
    /// For each version those to which declared steps lead down.
    private(set) var down: [UTF8Key: [String]] = [:]

    /// - Parameter current: The current version, to which all others lead directly if the history's chain is empty.
    init(of history: SchemaHistory, to current: String) {
        let others = history.versions.map(\.name).filter { !UTF8Text.areEqual($0, current) }
        up = history.chain.isEmpty ? SchemaChain(ways: others.map { ($0, current) }) : history.chain
        steps = history.steps
        for step in steps
        where up.way(from: step.from, to: step.to) == nil && up.way(from: step.to, to: step.from) != nil {
            down[UTF8Key(step.from), default: []].append(step.to)
        }
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
        up.way(from: start, to: end) ?? waysDown(from: start, to: end).first
    }

    /// The step of a pair of versions that follow each other on a way.
    func step(from start: String, to end: String) -> SchemaStep {
        steps.first { UTF8Text.areEqual($0.from, start) && UTF8Text.areEqual($0.to, end) }
            ?? SchemaStep(from: start, to: end)
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
        let ways = SchemaWays(of: self, to: current)
        guard let way = ways.way(from: start, to: end) else { throw noWay(from: start, to: end, ways) }
        return zip(way, way.dropFirst()).map { ways.step(from: $0, to: $1) }
    }

    private func noWay(from start: String, to end: String, _ ways: SchemaWays) -> DataStoreError {
        if let above = ways.up.way(from: end, to: start) {
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
            """
            No way leads from version \(start) to version \(end); from there it is \
            \(ways.up.drawing(from: start)).
            """,
            advice: "Add the way to the chain of the history."
        ).leavingNoWay()
    }

    /// The names of the versions, for messages.
    var versionNames: String { versions.map(\.name).joined(separator: ", ") }
}
