import Larder

/// The form of a request's filter in its statement; the same for all requests of one shape.
enum FilterForm {
    /// As the condition of the one SELECT; SQLite chooses the index.
    case condition
    /// As a condition on the identifiers, which a subquery finds by an index; the rest of the filter, if
    /// there is any, is tested on the rows found. The numbers are positions among the
    /// ``RowPredicate/conjuncts``.
    ///
    /// SQLite itself reads all rows when the order is by identifier and the filter is a range: it knows
    /// nothing of the values and shuns the sort.
    case identifiers(indexed: [Int], rest: [Int])
    /// As one call of the ``ReferenceFilter``.
    case reference

    /// The deepest nesting that is written as SQL; SQLite's parser has room for a hundred open brackets.
    private static let maximumDepth = 12

    /// - Parameter isOrdered: True if the order of the rows matters; false for a count.
    init(of plan: RequestPlan, table: EntityTable, parameterLimit: Int, isOrdered: Bool) {
        // The window takes two.
        if plan.predicate.depth > Self.maximumDepth
            || PredicateSQL(plan.predicate, of: table).fragment.parameters.count > parameterLimit - 2
        {
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

extension RowPredicate {
    /// True if the rows are adjacent in the order of their identifiers: those of one value of an index,
    /// or a part of the table itself.
    fileprivate func findsInOrder(indexedColumns: Set<Int>) -> Bool {
        guard case .column(let column, let test) = self else { return false }
        switch test {
        case .isNull, .compare(.equal, _): return column == 0 || indexedColumns.contains(column)
        case .compare(let comparison, _): return column == 0 && comparison != .notEqual
        case .isIn(_, let negated): return column == 0 && !negated
        case .isNotNull, .text: return false
        }
    }

    /// True if an index leads to the rows without reading others.
    fileprivate func isFound(byIndexOn columns: Set<Int>) -> Bool {
        switch self {
        case .column(let column, let test): columns.contains(column) && test.isFoundByIndex
        case .any(let parts): parts.allSatisfy { $0.isFound(byIndexOn: columns) }
        case .always, .all, .related: false
        }
    }
}

extension ColumnTest {
    /// True if an index on the column leads to the rows without reading others.
    fileprivate var isFoundByIndex: Bool {
        switch self {
        case .isNull: true
        case .compare(let comparison, _): comparison != .notEqual
        case .isIn(_, let negated): !negated
        case .text(let test, let negated):
            !negated && !test.ignoresCase && [.hasPrefix, .equals].contains(test.kind)
        case .isNotNull: false
        }
    }
}
