package import LarderKernel

/// A request of which an engine runs one part and the core the other.
///
/// The engine gets the conditions that its dialect has words for, and sorts if it sorts as the core does. The core
/// tests the rows that the engine finds, and cuts the window from those that pass, after sorting them if the engine
/// did not. So an engine needs no functions of the core's inside it.
///
/// *Cost:* every row that passes the engine's part is read, until the window is full. Rows that the core sorts are kept
/// in memory: about twice those in the window, or all if it has no end.
package struct PartialPlan {
    /// The engine's part: without a window, and with the columns that the core needs besides those asked for.
    package let engine: RequestPlan
    private let plan: RequestPlan
    /// The conditions that the core tests.
    private let rest: RowPredicate
    /// True if the engine gives the rows in their order.
    private let isSorted: Bool

    /// - Parameter isOrdered: True if the rows are read in their order; false if they are only counted.
    /// - Returns: Nil for a plan that the engine runs alone.
    package init?(_ plan: RequestPlan, in catalog: SQLCatalog, isOrdered: Bool = true) {
        if catalog.callsCore { return nil }
        let isSorted = !isOrdered || catalog.sorts(plan)
        if isSorted, catalog.writes(plan.predicate, of: plan.entity) { return nil }
        let parts = catalog.divided(plan.predicate, of: plan.entity)
        rest = parts.core
        self.plan = plan
        self.isSorted = isSorted

        var columns = isOrdered ? plan.columns.numbers(of: plan.schema) : []
        var others = rest.columns
        if !isSorted { others.formUnion(plan.order.map(\.column)) }
        columns += others.subtracting(columns).sorted()
        var engine = plan
        engine.columns = .some(columns)
        engine.predicate = parts.engine
        engine.offset = 0
        engine.limit = nil
        if !isSorted || !isOrdered {
            engine.order = []
            engine.relatedOrder = nil
        }
        self.engine = engine
    }

    /// The rows of the plan, from the rows of the engine's part.
    package func rows(from cursor: any RowCursor) throws(DataStoreError) -> any RowCursor {
        let tested = TestedRows(cursor, of: engine, passing: rest)
        if isSorted { return WindowCursor(tested, of: plan) }
        defer { cursor.close() }
        return try SortedCursor(tested, of: plan)
    }

    /// The number of rows of the plan, from the rows of the engine's part.
    package func count(from cursor: any RowCursor) throws(DataStoreError) -> Int {
        defer { cursor.close() }
        let tested = TestedRows(cursor, of: engine, passing: rest)
        let end = plan.windowEnd ?? .max
        var count = 0
        while count < end, try tested.next() { count += 1 }
        return plan.countInWindow(of: count)
    }

    /// The lines of `explain` for the core's part, without values.
    package var lines: [String] {
        var lines: [String] = []
        if rest != .always(true) {
            lines.append("filter rows where " + rest.description(of: plan.schema, showingValues: false))
        }
        if !isSorted { lines.append(plan.windowEnd.map { "sort rows, top \($0)" } ?? "sort rows") }
        return lines
    }
}

extension SQLCatalog {
    /// True if the engine, and the core for the rows that the engine finds, answer a plan that tests or sorts by other
    /// items.
    package func runsWhole(_ plan: RequestPlan) -> Bool {
        if writes(plan) { return true }
        if callsCore || plan.relatedOrder != nil && !sorts(plan) { return false }
        // A row alone does not tell what its related items are.
        return !divided(plan.predicate, of: plan.entity).core.isRelated
    }

    /// The parts of a predicate that the engine tests, and those that are left to the core.
    func divided(
        _ predicate: RowPredicate, of entity: Int
    ) -> (engine: RowPredicate, core: RowPredicate) {
        let conjuncts = predicate.conjuncts
        let depth = dialect.maximumDepth - PredicateSQL.depth(ofList: conjuncts.count)
        // The window takes two.
        var parameters = dialect.maximumParameters - 2
        var (engine, core): ([RowPredicate], [RowPredicate]) = ([], [])
        for conjunct in conjuncts {
            let count = parameterCount(of: conjunct)
            if count <= parameters, self.depth(of: conjunct) <= depth,
                hasWords(for: conjunct, of: tables[entity])
            {
                parameters -= count
                engine.append(conjunct)
            } else {
                core.append(conjunct)
            }
        }
        return (.conjunction(of: engine), .conjunction(of: core))
    }
}

extension RowPredicate {
    fileprivate static func conjunction(of parts: [RowPredicate]) -> RowPredicate {
        guard let first = parts.first else { return .always(true) }
        return parts.count == 1 ? first : .all(parts)
    }
}
