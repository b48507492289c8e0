import LarderKernel
import LarderSQL

/// The lines of `EXPLAIN QUERY PLAN`, worded for people: `index Recipe(rating)`, `by id`, `scan`, `sort`.
///
/// What is not about the requested items themselves names its item type: `scan of Tag`.
struct PlanExplanation {
    let lines: [String]

    init(details: [String], of entity: Int, in tables: [EntityTable]) {
        lines = details.reduce(into: []) { lines, detail in
            guard let line = Self.line(for: detail, of: entity, in: tables) else { return }
            if lines.last != line { lines.append(line) }
        }
    }

    /// The description of one step; nil for a step that only reads the request's own constants.
    private static func line(for detail: String, of entity: Int, in tables: [EntityTable]) -> String? {
        if detail.hasPrefix("USE TEMP B-TREE FOR") {
            return detail.hasSuffix("ORDER BY") || detail.hasSuffix("GROUP BY") ? "sort" : nil
        }
        for verb in ["SEARCH ", "SCAN "] where detail.hasPrefix(verb) {
            let rest = detail.dropFirst(verb.count)
            guard let table = table(at: rest, in: tables) else { return nil }
            let mentioned = table.indexNames.filter { rest.contains("INDEX \($0.name)") }
            // A name may begin like another; the longest is meant.
            if let index = mentioned.max(by: { $0.name.count < $1.name.count }) {
                return "index \(index.words)"
            }
            let step = verb == "SCAN " ? "scan" : "by id"
            return table.number == entity ? step : "\(step) of \(table.schema.name)"
        }
        return nil
    }

    /// The table whose name a step begins with; the longest, as a name may begin like another.
    private static func table(at rest: Substring, in tables: [EntityTable]) -> EntityTable? {
        let named = tables.filter { rest == $0.plainName || rest.hasPrefix($0.plainName + " ") }
        return named.max { $0.plainName.count < $1.plainName.count }
    }
}
