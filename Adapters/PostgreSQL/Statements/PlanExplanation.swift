#if PostgreSQL
    import LarderKernel
    import LarderSQL

    /// The lines of `EXPLAIN`, worded for people: `index Recipe(rating)`, `by id`, `scan`, `sort`.
    ///
    /// The steps that are not about the requested items themselves name their item type: `scan of Tag`.
    struct PlanExplanation {
        let lines: [String]

        init(_ plan: [String], of entity: Int, in tables: [EntityTable]) {
            lines = plan.reduce(into: []) { lines, step in
                guard let line = Self.line(for: step, of: entity, in: tables) else { return }
                if lines.last != line { lines.append(line) }
            }
        }

        private static func line(for step: String, of entity: Int, in tables: [EntityTable]) -> String? {
            let words = step.split(separator: " ").drop { $0 == "->" }.joined(separator: " ")
            if words.hasPrefix("Sort") && !words.hasPrefix("Sort ") || words == "Incremental Sort" {
                return "sort"
            }
            guard words.contains("Scan") else { return nil }
            for table in tables {
                if let index = table.indexNames.first(where: { step.mentions($0.name) }) {
                    return "index \(index.words)"
                }
                let isByKey = table.keyName.map { step.mentions($0) } ?? false
                guard
                    isByKey || words.contains(" on \(table.plainName) ")
                        || words.hasSuffix(" on \(table.plainName)")
                        || words.contains(" on \(table.plainName.asSQLName)")
                else { continue }
                let line = isByKey ? "by id" : "scan"
                return table.number == entity ? line : "\(line) of \(table.schema.name)"
            }
            return nil
        }
    }

    extension String {
        /// True if a name is in the text as a word of its own, with or without quotes.
        fileprivate func mentions(_ name: String) -> Bool {
            split(separator: " ").contains { $0 == name || $0 == name.asSQLName }
        }
    }
#endif
