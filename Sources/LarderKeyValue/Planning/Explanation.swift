import Larder

extension AccessPlan {
    /// What `explain` says of it: the path, a line for each alternative, whether rows are tested and sorted.
    ///
    /// Values are shown as `?`, so that explanations may be logged.
    func lines(for plan: RequestPlan) -> [String] {
        var lines = path.lines(of: plan.schema)
        if !isAscending { lines[0] += " backwards" }
        if residual != .always(true) { lines.append("filter") }
        if !isOrdered { lines.append(plan.windowEnd.map { "sort, top \($0)" } ?? "sort") }
        return lines
    }
}

extension AccessPath {
    fileprivate func lines(of schema: EntitySchema) -> [String] {
        switch self {
        case .nothing: ["nothing"]
        case .identifiers: ["by id"]
        case .identifierRange(let span):
            ["range of ids" + Self.condition(span.comparisons(of: schema.attributes[0].name))]
        case .index(let scan): ["index \(scan.index.name)" + Self.condition(scan.comparisons(of: schema))]
        case .union(let branches): ["union"] + branches.flatMap { $0.lines(of: schema) }
        case .scan: ["scan"]
        }
    }

    private static func condition(_ comparisons: [String]) -> String {
        comparisons.isEmpty ? "" : " where " + comparisons.joined(separator: " and ")
    }
}

extension UnionBranch {
    /// The lines of the alternative, set in.
    fileprivate func lines(of schema: EntitySchema) -> [String] {
        var lines = access.path.lines(of: schema)
        if access.residual != .always(true) { lines.append("filter") }
        return lines.map { "  " + $0 }
    }
}

extension IndexScan {
    fileprivate func comparisons(of schema: EntitySchema) -> [String] {
        let names = index.form.parts.map { schema.attributes[$0.column].name }
        var comparisons = zip(names, leading).map { name, values in
            if values.count > 1 { return "\(name) in \(values.count) values" }
            return values.first?.isNull == true ? "\(name) == nil" : "\(name) == ?"
        }
        if let span { comparisons += span.indexComparisons(of: names[leading.count]) }
        return comparisons
    }
}

extension ColumnSpan {
    /// The ends as an index follows them.
    fileprivate func indexComparisons(of name: String) -> [String] {
        if prefix != nil { return ["\(name) hasPrefix ?"] }
        return boundCount == 0 ? ["\(name) != nil"] : comparisons(of: name)
    }

    fileprivate func comparisons(of name: String) -> [String] {
        [
            lower.map { $0.isIncluded ? "\(name) >= ?" : "\(name) > ?" },
            upper.map { $0.isIncluded ? "\(name) <= ?" : "\(name) < ?" },
        ].compactMap { $0 }
    }
}
