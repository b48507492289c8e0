import LarderKernel
import LarderSQL

extension SQLiteSession {
    func groups(for plan: AggregatePlan) throws(DataStoreError) -> GroupRows? {
        guard let select = statement(of: plan) else { return nil }
        resetRowStatement()
        let prepared = try statement(for: plan, as: select)
        defer { release(prepared) }
        var groups = select.noGroups
        do {
            var hasRow = try firstStep(prepared.statement)
            while hasRow {
                guard select.add(groupOf: prepared.statement, to: &groups) else { return nil }
                hasRow = try prepared.statement.step()
            }
        } catch {
            // A sum that overflows on the way, which the core distinguishes from one that does not fit.
            if error.code == .engine { return nil }
            throw error
        }
        return groups
    }

    func explain(_ plan: AggregatePlan) throws(DataStoreError) -> [String]? {
        guard let select = statement(of: plan) else { return nil }
        resetRowStatement()
        let lines = try explanation(of: fragment(plan, select), of: plan.rows.entity)
        return lines + [plan.keys.isEmpty ? "aggregate in SQL" : "group in SQL"]
    }

    /// The statement for groups; nil if the core answers, because it is faster or tests a part of the rows.
    private func statement(of plan: AggregatePlan) -> AggregateSQL? {
        guard let select = AggregateSQL(plan, in: tables) else { return nil }
        if catalog.callsCore { return select }
        let isWhole = PartialPlan(plan.rows, in: catalog, isOrdered: false) == nil
        return isWhole && !select.callsFunctions ? select : nil
    }

    private func statement(
        for plan: AggregatePlan, as select: AggregateSQL
    ) throws(DataStoreError) -> PlanStatement {
        try statement(for: plan.rows, use: groupings.use(of: plan)) { () throws(DataStoreError) in
            let sql = fragment(plan, select)
            do throws(DataStoreError) {
                return PlanStatement(
                    try prepare(sql), sql.parameters, columns: [], of: tables[plan.rows.entity])
            } catch {
                throw error.about(itemType: plan.rows.schema.name, request: plan.description)
            }
        }
    }

    private func fragment(_ plan: AggregatePlan, _ select: AggregateSQL) -> SQLFragment {
        PlanSQL(plan.rows, in: catalog, isOrdered: false).aggregates(select.values, groupedBy: select.keys)
    }
}
