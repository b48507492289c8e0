import Larder

/// The conditions of a filter that must all hold, and what they say of single columns.
struct Conditions {
    let all: [RowPredicate]
    private let fixes: [Fix]

    /// A condition that names the values of a column.
    struct Fix {
        let column: Int
        /// The number of the condition.
        let condition: Int
        let valueCount: Int
        /// Whether the one value is nil, of which a unique index may hold many.
        let isNull: Bool
    }

    init(of predicate: RowPredicate) {
        switch predicate {
        case .all(let parts): all = parts
        case .always(true): all = []
        case .always, .column, .any: all = [predicate]
        }
        var fixes: [Fix] = []
        for position in all.indices {
            if let fix = Self.fix(by: all[position], at: position) { fixes.append(fix) }
        }
        self.fixes = fixes
    }

    /// Whether no condition names the values of a column.
    var hasNoFix: Bool { fixes.isEmpty }

    func fix(of column: Int) -> Fix? {
        for fix in fixes where fix.column == column { return fix }
        return nil
    }

    /// Whether all rows have the same value in a column.
    func isConstant(_ column: Int) -> Bool {
        for fix in fixes where fix.column == column && fix.valueCount == 1 { return true }
        return false
    }

    func values(of fix: Fix) -> [Constant] {
        guard case .column(_, let test) = all[fix.condition] else { return [] }
        return switch test {
        case .compare(_, let value): [value]
        case .isIn(let values, _): values
        case .text(let test, _): [test.needle]
        case .isNull: [.null]
        case .isNotNull: []
        }
    }

    /// The ends of a column's values; nil where no condition gives any.
    ///
    /// Of several bounds on one side the first is taken; the others stay to be tested.
    func span(of column: Int) -> ColumnSpan? {
        var span = ColumnSpan()
        for (position, condition) in all.enumerated() {
            guard case .column(column, let test) = condition else { continue }
            switch test {
            case .compare(let comparison, let value): span.add(comparison, value, position)
            case .text(let test, negated: false) where test.kind == .hasPrefix && !test.ignoresCase:
                guard span.prefix == nil else { continue }
                span.prefix = ColumnSpan.Bound(value: test.needle, isIncluded: true, condition: position)
            case .isNotNull: span.notNull = position
            case .isIn, .isNull, .text: continue
            }
        }
        return span.boundCount == 0 && span.notNull == nil ? nil : span
    }

    /// What is left to be tested when some conditions hold already.
    func residual(without met: [Int]) -> RowPredicate {
        var rest: [RowPredicate] = []
        if met.count < all.count {
            for (position, condition) in all.enumerated() where !met.contains(position) {
                rest.append(condition)
            }
        }
        return rest.count == 1 ? rest[0] : (rest.isEmpty ? .always(true) : .all(rest))
    }

    private static func fix(by condition: RowPredicate, at position: Int) -> Fix? {
        guard case .column(let column, let test) = condition else { return nil }
        func fix(_ valueCount: Int, isNull: Bool = false) -> Fix {
            Fix(column: column, condition: position, valueCount: valueCount, isNull: isNull)
        }
        switch test {
        case .compare(.equal, _): return fix(1)
        case .text(let test, negated: false) where test.kind == .equals && !test.ignoresCase: return fix(1)
        case .isNull: return fix(1, isNull: true)
        case .isIn(let values, negated: false): return fix(values.count)
        case .compare, .isIn, .isNotNull, .text: return nil
        }
    }
}

extension ColumnSpan {
    /// Takes a comparison as an end, if it is one and there is none yet.
    fileprivate mutating func add(_ comparison: Comparison, _ value: Constant, _ condition: Int) {
        switch comparison {
        case .greater, .greaterOrEqual:
            if lower != nil { return }
            lower = Bound(value: value, isIncluded: comparison == .greaterOrEqual, condition: condition)
        case .less, .lessOrEqual:
            if upper != nil { return }
            upper = Bound(value: value, isIncluded: comparison == .lessOrEqual, condition: condition)
        case .equal, .notEqual: return
        }
    }
}
