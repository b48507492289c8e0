#if PostgreSQL
    import LarderKernel
    import LarderSQL

    /// The lines of `EXPLAIN`, worded for people: `index Recipe(rating)`, `by id`, `scan`, `sort`.
    ///
    /// The steps that are not about the requested items themselves name their item type: `scan of Tag`.
    struct PlanExplanation {
        let lines: [String]

        /// - Parameter names: The names of the tables and of their primary keys on the server.
        init(_ plan: [String], of entity: Int, in tables: [EntityTable], _ names: [StoreNames.Table]) {
            lines = plan.reduce(into: []) { lines, step in
                guard let line = Self.line(for: step, of: entity, in: tables, names) else { return }
                if lines.last != line { lines.append(line) }
            }
        }

        private static func line(
            for step: String, of entity: Int, in tables: [EntityTable], _ names: [StoreNames.Table]
        ) -> String? {
            let words = step.split(separator: " ").drop { $0 == "->" }.joined(separator: " ")
            if words.hasPrefix("Sort") && !words.hasPrefix("Sort ") || words == "Incremental Sort" {
                return "sort"
            }
            guard words.contains("Scan") else { return nil }
            for (table, name) in zip(tables, names) {
                if let index = table.indexNames.first(where: { step.mentions($0.name) }) {
                    return "index \(index.words)"
                }
                let isByKey = step.mentions(name.key)
                guard
                    isByKey || words.contains(" on \(name.name) ") || words.hasSuffix(" on \(name.name)")
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
