import LarderKernel

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
        /// True if the one value is nil, of which a unique index may hold many.
        let isNull: Bool
    }

    init(of predicate: RowPredicate) {
        all = (0..<predicate.conditionCount).map(predicate.condition)
        var fixes: [Fix] = []
        for position in all.indices {
            if let fix = Self.fix(by: all[position], at: position) { fixes.append(fix) }
        }
        self.fixes = fixes
    }

    /// True if no condition names the values of a column.
    var hasNoFix: Bool { fixes.isEmpty }

    func fix(of column: Int) -> Fix? {
        for fix in fixes where fix.column == column { return fix }
        return nil
    }

    /// True if all rows have the same value in a column.
    func isConstant(_ column: Int) -> Bool {
        for fix in fixes where fix.column == column && fix.valueCount == 1 { return true }
        return false
    }

    /// The ends of a column's values; nil if no condition gives any.
    ///
    /// Of several bounds on one side the first is taken; the others stay to be tested.
    func span(of column: Int) -> ColumnSpan? {
        var span = ColumnSpan()
        for (position, condition) in all.enumerated() {
            guard case .column(column, let test) = condition else { continue }
            switch test {
            case .compare(let comparison, _): span.add(comparison, position)
            case .text(let test, negated: false) where test.kind == .hasPrefix && test.isExact:
                guard span.prefix == nil else { continue }
                span.prefix = ColumnSpan.Bound(isIncluded: true, condition: position)
            case .isNotNull: span.notNull = position
            case .isIn, .isNull, .text, .pattern: continue
            }
        }
        return span.boundCount == 0 && span.notNull == nil ? nil : span
    }

    private static func fix(by condition: RowPredicate, at position: Int) -> Fix? {
        guard case .column(let column, let test) = condition else { return nil }
        func fix(_ valueCount: Int, isNull: Bool = false) -> Fix {
            Fix(column: column, condition: position, valueCount: valueCount, isNull: isNull)
        }
        switch test {
        case .compare(.equal, _): return fix(1)
        case .text(let test, negated: false) where test.kind == .equals && test.isExact: return fix(1)
        case .isNull: return fix(1, isNull: true)
        case .isIn(let values, negated: false): return fix(values.count)
        case .compare, .isIn, .isNotNull, .text, .pattern: return nil
        }
    }
}

extension ColumnSpan {
    /// Takes a comparison as an end, if it is one and there is none yet.
    fileprivate mutating func add(_ comparison: Comparison, _ condition: Int) {
        switch comparison {
        case .greater, .greaterOrEqual:
            if lower != nil { return }
            lower = Bound(isIncluded: comparison == .greaterOrEqual, condition: condition)
        case .less, .lessOrEqual:
            if upper != nil { return }
            upper = Bound(isIncluded: comparison == .lessOrEqual, condition: condition)
        case .equal, .notEqual: return
        }
    }
}

extension RowPredicate {
    /// The number of conditions that must all hold.
    var conditionCount: Int {
        switch self {
        case .all(let parts): parts.count
        case .always(true): 0
        case .always, .column, .any, .expression, .related: 1
        }
    }

    /// The condition at a position.
    func condition(_ position: Int) -> RowPredicate {
        if case .all(let parts) = self { parts[position] } else { self }
    }

    /// The alternatives of an OR.
    var alternatives: [RowPredicate] {
        if case .any(let parts) = self { parts } else { [] }
    }

    /// Runs a body for each value that the condition at a position compares its column with; for nil if
    /// that is the value.
    ///
    /// *Cost:* copies no condition.
    @inline(__always)
    func forEachValue(of position: Int, _ body: (Constant) -> Void) {
        if case .all(let parts) = self {
            parts[position].forEachValue(body)
        } else {
            forEachValue(body)
        }
    }

    private func forEachValue(_ body: (Constant) -> Void) {
        guard case .column(_, let test) = self else { return }
        switch test {
        case .compare(_, let value): body(value)
        case .isIn(let values, _): for value in values { body(value) }
        case .text(let test, _): body(test.needle)
        case .isNull: body(.null)
        case .isNotNull, .pattern: return
        }
    }
}
