/// A filter as engines see it: columns and constants, two-valued, without NOT.
///
/// Every case defines the result for nil, even for engines with three-valued logic (contract rule 6). An
/// engine either evaluates it itself or calls ``matches(_:of:)``, the reference.
public enum RowPredicate: Sendable, Hashable {
    case always(Bool)
    /// A test of one column, by its number.
    case column(Int, ColumnTest)
    case all([RowPredicate])
    case any([RowPredicate])
    /// A comparison of two values that are calculated from the row.
    case expression(ExpressionTest)
    /// A test of other items; seen only by an engine that runs such plans whole.
    indirect case related(RelatedTest)
}

extension RowPredicate {
    /// True if a part tests other items.
    package var isRelated: Bool {
        switch self {
        case .always, .column: false
        case .all(let parts), .any(let parts): parts.contains(where: \.isRelated)
        case .expression(let test): test.isRelated
        case .related: true
        }
    }

    /// The column compared with a constant that is not nil.
    public static func compare(column: Int, _ comparison: Comparison, _ constant: Constant) -> RowPredicate {
        .column(column, .compare(comparison, constant))
    }

    public static func isNull(column: Int) -> RowPredicate { .column(column, .isNull) }

    public static func isNotNull(column: Int) -> RowPredicate { .column(column, .isNotNull) }

    /// The column equals one of the constants, which are not nil, sorted and distinct.
    public static func isIn(column: Int, _ constants: [Constant], negated: Bool) -> RowPredicate {
        .column(column, .isIn(constants, negated: negated))
    }

    public static func text(column: Int, _ test: TextTest, negated: Bool) -> RowPredicate {
        .column(column, .text(test, negated: negated))
    }
}

extension RowPredicate {
    /// The two-valued negation: matches exactly the rows that `matches` refuses.
    ///
    /// - Parameter isOptional: True for a column that may be nil.
    func negated(isOptional: (Int) -> Bool) -> RowPredicate {
        switch self {
        case .always(let value): .always(!value)
        case .column(let column, let test): test.negated(of: column, isOptional: isOptional(column))
        case .all(let parts): .any(parts.map { $0.negated(isOptional: isOptional) })
        case .any(let parts): .all(parts.map { $0.negated(isOptional: isOptional) })
        case .related(let test): .related(test.negated)
        case .expression(let test): .expression(test.opposite)
        }
    }

    /// The same predicate with constants folded, nested lists flattened and lists of one unwrapped.
    package var simplified: RowPredicate {
        switch self {
        case .always, .expression: self
        case .column(let column, let test): test.simplified(of: column)
        case .all(let parts): Self.simplified(parts, neutral: true)
        case .any(let parts): Self.simplified(parts, neutral: false)
        case .related(let test): test.simplified
        }
    }

    /// Folds an AND (`neutral` true) or an OR (`neutral` false).
    private static func simplified(_ parts: [RowPredicate], neutral: Bool) -> RowPredicate {
        var kept: [RowPredicate] = []
        for part in parts {
            switch (part.simplified, neutral) {
            case (.always(neutral), _): continue
            case (.always, _): return .always(!neutral)
            case (.all(let nested), true), (.any(let nested), false): kept += nested
            case (let other, _): kept.append(other)
            }
        }
        guard let first = kept.first else { return .always(neutral) }
        return kept.count == 1 ? first : (neutral ? .all(kept) : .any(kept))
    }
}
