package import LarderKernel

// The plans and predicates that a dialect can express. It is a walk over the predicate; statements of a shape that
// is known are not asked again.

extension SQLCatalog {
    /// True if the whole plan can be written as SQL.
    package func writes(_ plan: RequestPlan) -> Bool {
        writes(plan.predicate, of: plan.entity) && sorts(plan)
    }

    /// True if a whole filter can be written, beside the window, which takes two parameters.
    func writes(_ predicate: RowPredicate, of entity: Int) -> Bool {
        let table = tables[entity]
        return depth(of: predicate) <= dialect.maximumDepth
            && parameterCount(of: predicate) <= dialect.maximumParameters - 2
            && hasWords(for: predicate, of: table)
    }

    /// True if the engine sorts the rows in the order of the plan.
    func sorts(_ plan: RequestPlan) -> Bool {
        guard let order = plan.relatedOrder else {
            return plan.order.allSatisfy { sorts(by: $0.column, of: tables[plan.entity]) }
        }
        // The attribute itself is found by one subquery more.
        let longestPath = order.terms.map(\.path.count).max() ?? 0
        let joinCount = order.terms.reduce(0) { $0 + $1.joinCount }
        return joinCount <= RelatedOrderSQL.maximumJoins
            && (longestPath + 1) * PredicateSQL.subqueryDepth
                <= dialect.maximumDepth + PredicateSQL.subqueryDepth
            && plan.terms.allSatisfy { term in
                let table = tables[term.path.last?.target ?? plan.entity]
                return sorts(by: term.term.column, of: table) && term.collation == nil
                    && (!term.isFolded || dialect.folded("", term.matching) != nil)
            }
    }

    private func sorts(by column: Int, of table: EntityTable) -> Bool {
        dialect.operand(table.columns[column], table.storages[column]) != nil
    }
}

// MARK: Words

extension SQLCatalog {
    /// True if the dialect has words for every test of a predicate.
    func hasWords(for predicate: RowPredicate, of table: EntityTable) -> Bool {
        switch predicate {
        case .always: true
        case .column(let column, let test): hasWords(for: test, of: column, in: table)
        case .expression(let test):
            // No statement compares values of several items.
            test.isRelated
                ? false
                : test.comparedColumns.map { comparesAlike($0.left, $0.right, in: table) }
                    ?? callsCore
        case .all(let parts), .any(let parts): parts.allSatisfy { hasWords(for: $0, of: table) }
        case .related(let test):
            test.predicate.map { hasWords(for: $0, of: tables[test.relationship.target]) } ?? true
        }
    }

    private func comparesAlike(_ left: Int, _ right: Int, in table: EntityTable) -> Bool {
        [left, right].allSatisfy { dialect.operand(table.columns[$0], table.storages[$0]) != nil }
    }

    private func hasWords(for test: ColumnTest, of column: Int, in table: EntityTable) -> Bool {
        if callsCore { return true }
        let name = table.columns[column]
        switch test {
        case .isNull, .isNotNull: return true
        case .compare, .isIn: return dialect.operand(name, table.storages[column]) != nil
        case .text(let test, _):
            if test.isExact && [.equals, .hasPrefix].contains(test.kind) {
                return dialect.operand(name, table.storages[column]) != nil
            }
            return dialect.textTest(test, of: name, needle: .test(0, .constant)) != nil
        case .pattern: return dialect.patternTest(of: name, pattern: .test(0, .pattern)) != nil
        }
    }
}

// MARK: Limits

extension SQLCatalog {
    /// The number of parameters that a condition has.
    func parameterCount(of predicate: RowPredicate) -> Int {
        switch predicate {
        case .always: 0
        case .column(_, let test): parameterCount(of: test)
        case .expression(let test): test.comparedColumns == nil ? 1 : 0
        case .all(let parts), .any(let parts): parts.reduce(0) { $0 + parameterCount(of: $1) }
        case .related(let test): test.predicate.map { parameterCount(of: $0) } ?? 1
        }
    }

    private func parameterCount(of test: ColumnTest) -> Int {
        switch test {
        case .isNull, .isNotNull: return 0
        case .compare, .pattern: return 1
        case .isIn(let values, let negated):
            let whole = dialect.membership(
                amongCount: values.count, isNegated: negated, isBehindIndex: false, list: .test(0, .list),
                length: .test(0, .listCount))
            return whole?.parameters.count ?? values.count
        case .text: return 2
        }
    }

    /// The depth of a condition's brackets; a subquery counts as three.
    func depth(of predicate: RowPredicate) -> Int {
        switch predicate {
        case .always, .column: 0
        case .expression(let test):
            test.comparedColumns == nil ? dialect.coreFilter?.depth(ofColumns: test.columns.count) ?? 0 : 1
        case .all(let parts), .any(let parts):
            PredicateSQL.depth(ofList: parts.count) + (parts.map { depth(of: $0) }.max() ?? 0)
        case .related(let test):
            PredicateSQL.subqueryDepth * test.subqueryCount
                + (test.predicate.map { depth(of: $0) } ?? 0)
        }
    }
}
