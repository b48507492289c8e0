import LarderPattern

/// The common part of all plans that one prepared statement can serve: everything except the constants.
///
/// Engines that prepare statements keep them under this key.
public struct PlanShape: Hashable, Sendable {
    private var words: [UInt32]
    private let longList: Int

    /// The shape of a plan for a certain use: rows, count, and so on.
    ///
    /// - Parameter longList: The length from which on lists of constants have one shape, as one statement serves them all.
    public init(_ plan: borrowing RequestPlan, use: UInt32, longList: Int = .max) {
        words = []
        words.reserveCapacity(24)
        self.longList = longList
        plan.forEachWordOfShape(use: use, longList) { words.append($0) }
    }

    /// True if a plan has this shape.
    ///
    /// *Cost:* allocates nothing, unlike making the plan's own shape.
    public func isShape(of plan: borrowing RequestPlan, use: UInt32) -> Bool {
        var position = 0
        var isEqual = true
        plan.forEachWordOfShape(use: use, longList) { word in
            isEqual = isEqual && position < words.count && words[position] == word
            position += 1
        }
        return isEqual && position == words.count
    }

    /// A number that all plans of one shape share, and few others.
    ///
    /// *Cost:* allocates nothing, as making the plan's own shape does.
    package static func hash(of plan: borrowing RequestPlan, use: UInt32, longList: Int) -> UInt64 {
        // FNV-1a, word by word.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        plan.forEachWordOfShape(use: use, longList) { hash = (hash ^ UInt64($0)) &* 0x100_0000_01B3 }
        return hash
    }

    public func hash(into hasher: inout Hasher) {
        words.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension RequestPlan {
    /// Runs a body for each of the numbers that distinguish one shape from another.
    @inline(__always)
    fileprivate borrowing func forEachWordOfShape(
        use: UInt32, _ longList: Int, _ body: (UInt32) -> Void
    ) {
        body(use)
        body(UInt32(truncatingIfNeeded: entity))
        if case .some(let columns) = columns {
            body(UInt32(columns.count) + 1)
            for position in columns.indices { body(UInt32(truncatingIfNeeded: columns[position])) }
        } else {
            body(0)
        }
        predicate.forEachWordOfShape(longList, body)
        // By position, as a loop over the elements would retain the array.
        for position in order.indices {
            let term = order[position]
            term.forEachWordOfShape(body)
        }
        if let relatedOrder {
            for term in relatedOrder.terms {
                body(UInt32(number: term.path.count, tag: 7))
                body(term.collation == nil ? UInt32(term.matching.rawValue) : 1 << 8)
                for relationship in term.path { relationship.forEachWordOfShape(body) }
                term.term.forEachWordOfShape(body)
            }
        }
        body(offset > 0 ? 1 : 0)
        body(limit != nil ? 1 : 0)
    }
}

extension RowPredicate {
    fileprivate func forEachWordOfShape(_ longList: Int, _ body: (UInt32) -> Void) {
        switch self {
        case .always(let value): body(value ? 1 : 2)
        case .column(let column, let test): test.forEachWordOfShape(of: column, longList, body)
        case .all(let parts):
            body(UInt32(number: parts.count, tag: 5))
            for part in parts { part.forEachWordOfShape(longList, body) }
        case .any(let parts):
            body(UInt32(number: parts.count, tag: 6))
            for part in parts { part.forEachWordOfShape(longList, body) }
        case .related(let test): test.forEachWordOfShape(longList, body)
        case .expression(let test):
            body(UInt32(number: 0, tag: 20))
            test.forEachWordOfShape(body)
        }
    }
}

extension RequestPlan.SortTerm {
    fileprivate func forEachWordOfShape(_ body: (UInt32) -> Void) {
        body(UInt32(truncatingIfNeeded: column) << 1 | (isAscending ? 1 : 0))
    }
}

extension StoreRelationship {
    fileprivate func forEachWordOfShape(_ body: (UInt32) -> Void) {
        // Both, as the other side of links may have no property and then shares its number with others.
        body(UInt32(number: target, tag: ends == .mayBeGone ? 21 : 7))
        body(UInt32(truncatingIfNeeded: number))
        if case .links(let side) = form { body(UInt32(truncatingIfNeeded: side.entity)) }
    }
}

extension RelatedTest {
    fileprivate func forEachWordOfShape(_ longList: Int, _ body: (UInt32) -> Void) {
        relationship.forEachWordOfShape(body)
        switch test {
        case .any(let predicate):
            body(0)
            predicate.forEachWordOfShape(longList, body)
        case .none(let predicate):
            body(1)
            predicate.forEachWordOfShape(longList, body)
        case .count(let comparison, _): body(2 + comparison.shapeNumber)
        }
    }
}

extension ColumnTest {
    @inline(__always)
    fileprivate func forEachWordOfShape(of column: Int, _ longList: Int, _ body: (UInt32) -> Void) {
        switch self {
        case .isNull: body(UInt32(number: column, tag: 3))
        case .isNotNull: body(UInt32(number: column, tag: 4))
        case .compare(let comparison, _): body(UInt32(number: column, tag: 8 + comparison.shapeNumber))
        case .isIn(let values, let negated):
            body(UInt32(number: column, tag: negated ? 16 : 17))
            body(UInt32(truncatingIfNeeded: min(values.count, longList)))
        case .text(let test, let negated):
            let flags: UInt32 = (test.ignoresCase ? 1 : 0) | (negated ? 2 : 0)
            let tag = (test.ignoresDiacritics ? 96 : 64) | test.kind.number << 2 | flags
            body(UInt32(number: column, tag: tag))
        // Its constant is the whole pattern.
        case .pattern(_, let negated): body(UInt32(number: column, tag: negated ? 18 : 19))
        }
    }
}

extension UInt32 {
    /// The number of a column or of parts, with its kind in the lowest seven bits.
    fileprivate init(number: Int, tag: UInt32) {
        self = UInt32(truncatingIfNeeded: number) << 7 | tag
    }
}

extension Comparison {
    var shapeNumber: UInt32 {
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
        case .less: 4
        case .lessOrEqual: 5
        case .greater: 6
        case .greaterOrEqual: 7
        }
    }
}
