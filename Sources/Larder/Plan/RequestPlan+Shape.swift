/// What two plans share when one prepared statement can serve both: everything but the constants.
///
/// Engines that prepare statements keep them under this key.
public struct PlanShape: Hashable, Sendable {
    private var words: [UInt32]

    /// The shape of a plan for a use of one's own: rows, count, and so on.
    public init(_ plan: borrowing RequestPlan, use: UInt32) {
        words = []
        words.reserveCapacity(24)
        words.append(use)
        words.append(UInt32(truncatingIfNeeded: plan.entity))
        if case .some(let columns) = plan.columns {
            words.append(UInt32(columns.count) + 1)
            for column in columns { words.append(UInt32(truncatingIfNeeded: column)) }
        } else {
            words.append(0)
        }
        append(plan.predicate)
        for term in plan.order {
            words.append(UInt32(truncatingIfNeeded: term.column) << 1 | (term.isAscending ? 1 : 0))
        }
        words.append(plan.offset > 0 ? 1 : 0)
        words.append(plan.limit != nil ? 1 : 0)
    }

    /// A shape that is not of a request: a number for the use, and what distinguishes it.
    public init(use: UInt32, entity: Int, detail: [UInt32] = []) {
        words = [use, UInt32(truncatingIfNeeded: entity)] + detail
    }

    public func hash(into hasher: inout Hasher) {
        words.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    private mutating func append(_ predicate: Predicate) {
        func column(_ number: Int, _ tag: UInt32) -> UInt32 { UInt32(truncatingIfNeeded: number) << 6 | tag }
        switch predicate {
        case .always(let value): words.append(value ? 1 : 2)
        case .isNull(let number): words.append(column(number, 3))
        case .isNotNull(let number): words.append(column(number, 4))
        case .compare(let number, let comparison, _): words.append(column(number, 8 + comparison.number))
        case .isIn(let number, let values, let negated):
            words.append(column(number, negated ? 16 : 17))
            words.append(UInt32(truncatingIfNeeded: values.count))
        case .text(let number, let test, let negated):
            let flags: UInt32 = (test.ignoresCase ? 1 : 0) | (negated ? 2 : 0)
            words.append(column(number, 32 | test.kind.number << 2 | flags))
        case .all(let parts):
            words.append(column(parts.count, 5))
            for part in parts { append(part) }
        case .any(let parts):
            words.append(column(parts.count, 6))
            for part in parts { append(part) }
        }
    }
}

extension Comparison {
    fileprivate var number: UInt32 {
        switch self {
        case .equal: 0
        case .notEqual: 1
        case .less: 2
        case .lessOrEqual: 3
        case .greater: 4
        case .greaterOrEqual: 5
        }
    }
}

extension TextTest.Kind {
    fileprivate var number: UInt32 {
        switch self {
        case .contains: 0
        case .hasPrefix: 1
        case .hasSuffix: 2
        case .equals: 3
        }
    }
}
