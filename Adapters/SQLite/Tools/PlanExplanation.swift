/// The lines of `EXPLAIN QUERY PLAN`, worded for people: `index Recipe(rating)`, `by id`, `scan`, `sort`.
struct PlanExplanation {
    let lines: [String]

    init(details: [String], table: EntityTable) {
        let name = table.plainName
        lines = details.reduce(into: []) { lines, detail in
            guard let line = Self.line(for: detail, of: name, indexes: table.indexNames) else { return }
            if lines.last != line { lines.append(line) }
        }
    }

    /// The description of one step; nil for a step that only reads the request's own constants.
    private static func line(
        for detail: String, of table: String, indexes: [(name: String, words: String)]
    ) -> String? {
        if detail.hasPrefix("USE TEMP B-TREE FOR") && detail.hasSuffix("ORDER BY") { return "sort" }
        let isSearch = detail.hasPrefix("SEARCH \(table)")
        guard isSearch || detail.hasPrefix("SCAN \(table)") else { return nil }
        let using = detail.dropFirst(isSearch ? 7 + table.count : 5 + table.count)
        let mentioned = indexes.filter { using.contains("INDEX \($0.name)") }
        // A name may begin like another; the longest is meant.
        if let index = mentioned.max(by: { $0.name.count < $1.name.count }) { return "index \(index.words)" }
        return isSearch ? "by id" : "scan"
    }
}
