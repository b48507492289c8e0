import Larder

/// How the filter of a request is put into its statement; the same for all requests of one shape.
enum FilterForm {
    /// As the condition of the one SELECT; SQLite chooses the index.
    case condition
    /// As a condition on the identifiers, which a subquery finds by an index; the rest of the filter, if there
    /// is any, is tested on the rows found. The numbers are positions among the ``Predicate/conjuncts``.
    ///
    /// SQLite itself reads all rows when the order is by identifier and the filter is a range: it knows nothing
    /// of the values and shuns the sort.
    case identifiers(indexed: [Int], rest: [Int])
    /// As one call of the ``ReferenceFilter``.
    case reference

    /// The deepest nesting that is written as SQL; SQLite's parser has room for a hundred open brackets.
    private static let maximumDepth = 12

    /// - Parameter isOrdered: Whether the order of the rows matters, as it does not for their number.
    init(of plan: RequestPlan, table: EntityTable, parameterLimit: Int, isOrdered: Bool) {
        // The window takes two.
        if plan.predicate.depth > Self.maximumDepth || plan.predicate.parameterCount > parameterLimit - 2 {
            self = .reference
        } else {
            self = isOrdered ? Self.identifiers(of: plan, table: table) ?? .condition : .condition
        }
    }

    private static func identifiers(of plan: RequestPlan, table: EntityTable) -> FilterForm? {
        guard plan.order.map(\.column) == [0], !table.indexedColumns.isEmpty else { return nil }
        let conjuncts = plan.predicate.conjuncts
        if conjuncts.contains(where: { $0.findsInOrder(indexedColumns: table.indexedColumns) }) { return nil }
        let leading = conjuncts.first { $0.isFound(byIndexOn: table.indexedColumns) }
        guard let columns = leading?.columns else { return nil }
        var indexed: [Int] = []
        var rest: [Int] = []
        for (position, conjunct) in conjuncts.enumerated() {
            if conjunct.columns == columns && conjunct.isFound(byIndexOn: table.indexedColumns) {
                indexed.append(position)
            } else {
                rest.append(position)
            }
        }
        return .identifiers(indexed: indexed, rest: rest)
    }
}

extension Predicate {
    /// Whether the rows lie side by side in the order of their identifiers: those of one value of an index,
    /// or a part of the table itself.
    fileprivate func findsInOrder(indexedColumns: Set<Int>) -> Bool {
        switch self {
        case .isNull(let column), .compare(let column, .equal, _):
            column == 0 || indexedColumns.contains(column)
        case .compare(0, let comparison, _): comparison != .notEqual
        case .isIn(0, _, let negated): !negated
        case .always, .compare, .isNotNull, .isIn, .text, .all, .any: false
        }
    }

    /// Whether an index leads to the rows without reading others.
    fileprivate func isFound(byIndexOn columns: Set<Int>) -> Bool {
        switch self {
        case .compare(let column, let comparison, _): comparison != .notEqual && columns.contains(column)
        case .isNull(let column): columns.contains(column)
        case .isIn(let column, _, let negated): !negated && columns.contains(column)
        case .text(let column, let test, let negated):
            !negated && !test.ignoresCase && [.hasPrefix, .equals].contains(test.kind)
                && columns.contains(column)
        case .any(let parts): parts.allSatisfy { $0.isFound(byIndexOn: columns) }
        case .always, .isNotNull, .all: false
        }
    }
}
