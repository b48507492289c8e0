extension StorageReading {
    /// The groups of a plan, by the engine, or if it leaves them to the core by reading the rows.
    package func groups(
        for plan: AggregatePlan, in schema: StoreSchema
    ) throws(DataStoreError) -> GroupRows {
        if let found = try extremes(for: plan) { return found }
        let linked = try LinkedItems(plan.rows, self)
        let plan = linked.map { plan.replacing(rows: $0.items) } ?? plan
        if linked?.areArrangedFirst != true, let groups = try answered(plan, in: schema) { return groups }
        let totals = try plan.makeTotals()
        let cursor =
            if let linked { try linked.rows(of: self, in: schema) } else {
                try rows(for: plan.rows, in: schema)
            }
        defer { cursor.close() }
        try totals.add(allOf: cursor, width: plan.rows.columns.numbers(of: plan.rows.schema).count)
        return try totals.rows()
    }

    private func answered(
        _ plan: AggregatePlan, in schema: StoreSchema
    ) throws(DataStoreError) -> GroupRows? {
        if runsAlone(plan.rows) { return try groups(for: plan) }
        guard plan.rows.relatedOrder == nil else { return nil }
        var lowering = RelatedLowering(schema, self)
        return try groups(for: plan.replacing(rows: try lowering.lowered(plan.rows)))
    }

    /// The steps of a plan, one line each.
    package func explain(
        _ plan: AggregatePlan, in schema: StoreSchema
    ) throws(DataStoreError) -> [String] {
        if let parts = plan.extremeParts {
            var lines: [String] = []
            for part in parts { lines += try explain(part) }
            return lines
        }
        let linked = try LinkedItems(plan.rows, self)
        if let linked, !linked.areArrangedFirst {
            return try explain(linked.links) + explain(plan.replacing(rows: linked.items), in: schema)
        }
        if linked == nil, runsAlone(plan.rows), let lines = try explain(plan) { return lines }
        return try explain(plan.rows, in: schema) + [plan.coreStep]
    }

    // MARK: Minimum and maximum by an index

    /// The one group, found by the first and last rows in the order of an index.
    private func extremes(for plan: AggregatePlan) throws(DataStoreError) -> GroupRows? {
        guard let parts = plan.extremeParts else { return nil }
        var found = GroupRows(width: parts.count)
        for part in parts {
            let cursor = try rows(for: part)
            defer { cursor.close() }
            let cell = CellBuffer(count: 1)
            let storage = part.schema.storage(ofColumn: part.order[0].column)
            found.append(
                try cursor.next(into: cell.start) ? Constant(cell.start[0], storage: storage) : .null)
        }
        return found
    }
}

extension AggregatePlan {
    /// The same for other rows.
    func replacing(rows: RequestPlan) -> AggregatePlan { AggregatePlan(rows, keys: keys, terms: terms) }

    /// The line of `explain` for what the core computes from rows.
    var coreStep: String { keys.isEmpty ? "aggregate rows" : "group rows" }

    /// For each term a plan for the row with the smallest or greatest value, if indexes lead to these: no
    /// filter but one of the column itself, and no window.
    fileprivate var extremeParts: [RequestPlan]? {
        guard keys.isEmpty, !terms.isEmpty, !hasWindow else { return nil }
        var parts: [RequestPlan] = []
        for term in terms {
            switch term.function {
            case .minimum, .maximum: break
            case .count, .countValues, .countDistinct, .sum, .average: return nil
            }
            let column = term.column
            let isIndexed = column == 0 || rows.schema.indexes.contains { $0.columns.first == column }
            guard isIndexed, rows.predicate.isAbout(column) else { return nil }
            var predicate = rows.predicate
            if rows.schema.attributes[column].isOptional {
                predicate = RowPredicate.all([predicate, .isNotNull(column: column)]).simplified
            }
            parts.append(
                RequestPlan(
                    entity: rows.entity, schema: rows.schema, columns: .some([column]), predicate: predicate,
                    order: [
                        RequestPlan.SortTerm(column: column, isAscending: term.function == .minimum)
                    ], limit: 1))
        }
        return parts
    }
}

extension RowPredicate {
    /// True if it passes every row, or tests the order of one column alone.
    fileprivate func isAbout(_ column: Int) -> Bool {
        switch self {
        case .always: true
        case .column(column, .compare(let comparison, _)): comparison != .notEqual
        case .column(column, .isNotNull): true
        case .column, .any, .expression, .related: false
        case .all(let parts): parts.allSatisfy { $0.isAbout(column) }
        }
    }
}
