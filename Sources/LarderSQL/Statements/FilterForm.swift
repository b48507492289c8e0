import LarderKernel

/// The form of a request's filter in its statement; the same for all requests of one shape.
enum FilterForm {
    /// As the condition of the one SELECT; the engine chooses the index.
    case condition
    /// As a condition on the identifiers, which a subquery finds by an index; the rest of the filter, if
    /// there is any, is tested on the rows found. The numbers are positions among the
    /// ``RowPredicate/conjuncts``.
    ///
    /// An engine may read all rows when the order is by identifier and the filter is a range: it knows too little
    /// of the values and shuns the sort.
    ///
    /// With a limit and a rest, the form is ``condition``. The subquery would find every identifier of the range for
    /// a few rows, seconds of a million items, while the engine's own plan ends at the limit. If few rows of the range
    /// are left, that plan reads the whole table once, some 20 ms.
    case identifiers(indexed: [Int], rest: [Int])
    /// As one call of the core's own filter.
    case core(any SQLCoreFilter)

    /// - Parameter isOrdered: True if the order of the rows matters; false for a count.
    init(of plan: RequestPlan, in catalog: SQLCatalog, isOrdered: Bool) {
        if let filter = catalog.dialect.coreFilter, !catalog.writes(plan) {
            self = .core(filter)
        } else {
            self = isOrdered ? Self.identifiers(of: plan, in: catalog) ?? .condition : .condition
        }
    }

    private static func identifiers(of plan: RequestPlan, in catalog: SQLCatalog) -> FilterForm? {
        let table = catalog[plan.entity]
        guard plan.relatedOrder == nil, plan.order.map(\.column) == [0], !table.indexedColumns.isEmpty,
            catalog.dialect.unindexed(table.columns[0]) != nil
        else { return nil }
        let conjuncts = plan.predicate.conjuncts
        if conjuncts.contains(where: { $0.findsInOrder(of: table, in: catalog) }) { return nil }
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
        if plan.limit != nil && !rest.isEmpty { return nil }
        return .identifiers(indexed: indexed, rest: rest)
    }
}

extension RowPredicate {
    /// True if the rows are adjacent in the order of their identifiers: the rows of one value of an index, or
    /// a part of the table itself.
    fileprivate func findsInOrder(of table: EntityTable, in catalog: SQLCatalog) -> Bool {
        let indexedColumns = table.indexedColumns
        if case .related(let test) = self {
            let column = test.relationship.ownColumn
            return test.givesOwners && column == 0
                || test.findsOne(in: catalog) && indexedColumns.contains(column)
        }
        guard case .column(let column, let test) = self else { return false }
        switch test {
        case .isNull, .compare(.equal, _): return column == 0 || indexedColumns.contains(column)
        case .compare(let comparison, _): return column == 0 && comparison != .notEqual
        case .isIn(_, let negated): return column == 0 && !negated
        case .text: return column == 0 && test.isFoundByIndex
        case .isNotNull, .pattern: return false
        }
    }

    /// True if an index leads to the rows without reading others.
    fileprivate func isFound(byIndexOn columns: Set<Int>) -> Bool {
        switch self {
        case .column(let column, let test): columns.contains(column) && test.isFoundByIndex
        case .any(let parts): parts.allSatisfy { $0.isFound(byIndexOn: columns) }
        case .related(let test): test.givesOwners && columns.contains(test.relationship.ownColumn)
        case .always, .all, .expression: false
        }
    }
}

extension RelatedTest {
    /// True if its subquery gives the owners that pass, and not those that are refused.
    fileprivate var givesOwners: Bool {
        switch test {
        case .any: true
        case .none: false
        case .count(let comparison, _): !comparison.acceptsNone
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
            !negated && test.isExact && [.hasPrefix, .equals].contains(test.kind)
        case .isNotNull, .pattern: false
        }
    }
}
