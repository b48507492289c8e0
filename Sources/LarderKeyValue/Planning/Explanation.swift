import LarderKernel

extension AccessPlan {
    /// The lines of `explain`: the path, one line for each alternative, and the filter and sort of rows.
    ///
    /// Values are shown as `?`, so that explanations may be logged.
    func lines(for plan: RequestPlan) -> [String] {
        var lines = lines(for: plan.predicate, of: plan.schema)
        if !isAscending { lines[0] += " backwards" }
        switch sorting {
        case .none, .truncatedRuns: break
        case .identifiers, .rows: lines.append(plan.windowEnd.map { "sort, top \($0)" } ?? "sort")
        }
        return lines
    }

    /// The lines of the path, and whether rows are tested.
    fileprivate func lines(for predicate: RowPredicate, of schema: EntitySchema) -> [String] {
        let lines = path.lines(for: predicate, of: schema)
        return residual.isEmpty && !path.isTruncated(for: predicate) ? lines : lines + ["filter"]
    }
}

extension AccessPath {
    fileprivate func lines(for predicate: RowPredicate, of schema: EntitySchema) -> [String] {
        switch self {
        case .nothing: ["nothing"]
        case .identifiers: ["by id"]
        case .identifierRange(let span):
            ["range of ids" + Self.condition(span.comparisons(of: schema.attributes[0].name))]
        case .index(let scan):
            ["index \(scan.index.name)" + Self.condition(scan.comparisons(with: predicate, of: schema))]
        case .union(let branches, let condition):
            ["union"]
                + zip(branches, predicate.condition(condition).alternatives).flatMap { branch, part in
                    branch.lines(for: part, of: schema).map { "  " + $0 }
                }
        case .scan: ["scan"]
        }
    }

    /// True if a value is too long for the keys of the index that is read.
    fileprivate func isTruncated(for predicate: RowPredicate) -> Bool {
        guard case .index(let scan) = self else { return false }
        let ranges = KeyRanges(of: scan)
        ranges.fill(with: predicate)
        return ranges.isTruncated
    }

    private static func condition(_ comparisons: [String]) -> String {
        comparisons.isEmpty ? "" : " where " + comparisons.joined(separator: " and ")
    }
}

extension IndexScan {
    fileprivate func comparisons(with predicate: RowPredicate, of schema: EntitySchema) -> [String] {
        // The identifier follows the columns in every key.
        let names = (index.form.parts.map(\.column) + [0]).map { schema.attributes[$0].name }
        var comparisons = zip(names, leading).map { name, column in
            if column.valueCount > 1 { return "\(name) in \(column.valueCount) values" }
            if case .column(_, .isNull) = predicate.condition(column.condition) { return "\(name) == nil" }
            return "\(name) == ?"
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
            prefix.map { _ in "\(name) hasPrefix ?" },
        ].compactMap { $0 }
    }
}
