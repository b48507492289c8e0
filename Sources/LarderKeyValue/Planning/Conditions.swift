import Larder

/// The conditions of a filter that must all hold, and what they say of single columns.
struct Conditions {
    let all: [Predicate]
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

    init(of predicate: Predicate) {
        switch predicate {
        case .all(let parts): all = parts
        case .always(true): all = []
        case .always, .compare, .isIn, .isNull, .isNotNull, .text, .any: all = [predicate]
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
        switch all[fix.condition] {
        case .compare(_, _, let value): [value]
        case .isIn(_, let values, _): values
        case .text(_, let test, _): [test.needle]
        case .isNull: [.null]
        case .always, .isNotNull, .all, .any: []
        }
    }

    /// The ends of a column's values; nil where no condition gives any.
    ///
    /// Of several bounds on one side the first is taken; the others stay to be tested.
    func span(of column: Int) -> ColumnSpan? {
        var span = ColumnSpan()
        for (position, condition) in all.enumerated() {
            switch condition {
            case .compare(column, let comparison, let value): span.add(comparison, value, position)
            case .text(column, let test, negated: false) where test.kind == .hasPrefix && !test.ignoresCase:
                guard span.prefix == nil else { continue }
                span.prefix = ColumnSpan.Bound(value: test.needle, isIncluded: true, condition: position)
            case .isNotNull(column): span.notNull = position
            case .always, .compare, .isIn, .isNull, .isNotNull, .text, .all, .any: continue
            }
        }
        return span.boundCount == 0 && span.notNull == nil ? nil : span
    }

    /// What is left to be tested when some conditions hold already.
    func residual(without met: [Int]) -> Predicate {
        var rest: [Predicate] = []
        if met.count < all.count {
            for (position, condition) in all.enumerated() where !met.contains(position) {
                rest.append(condition)
            }
        }
        return rest.count == 1 ? rest[0] : (rest.isEmpty ? .always(true) : .all(rest))
    }

    private static func fix(by condition: Predicate, at position: Int) -> Fix? {
        switch condition {
        case .compare(let column, .equal, _):
            Fix(column: column, condition: position, valueCount: 1, isNull: false)
        case .text(let column, let test, negated: false) where test.kind == .equals && !test.ignoresCase:
            Fix(column: column, condition: position, valueCount: 1, isNull: false)
        case .isNull(let column): Fix(column: column, condition: position, valueCount: 1, isNull: true)
        case .isIn(let column, let values, negated: false):
            Fix(column: column, condition: position, valueCount: values.count, isNull: false)
        case .always, .compare, .isIn, .isNotNull, .text, .all, .any: nil
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
