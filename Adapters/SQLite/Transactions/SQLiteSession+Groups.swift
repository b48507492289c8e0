import LarderKernel

extension SQLiteSession {
    func groups(for plan: AggregatePlan) throws(DataStoreError) -> GroupRows? {
        guard let select = AggregateSQL(plan, in: tables) else { return nil }
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
            // A sum that overflows on the way, which the core tells from one that does not fit.
            if error.code == .engine { return nil }
            throw error
        }
        return groups
    }

    func explain(_ plan: AggregatePlan) throws(DataStoreError) -> [String]? {
        guard let select = AggregateSQL(plan, in: tables) else { return nil }
        resetRowStatement()
        connection.registerFunctions()
        let lines = try explanation(of: fragment(plan, select), of: plan.rows.entity)
        return lines + [plan.keys.isEmpty ? "aggregate in SQL" : "group in SQL"]
    }

    private func statement(
        for plan: AggregatePlan, as select: AggregateSQL
    ) throws(DataStoreError) -> PlanStatement {
        let use = use(of: plan)
        if let cached = cache.take(for: plan.rows, use: use) {
            cached.bind(plan.rows, in: tables)
            return cached
        }
        let sql = fragment(plan, select)
        if sql.text.contains(SQLFunctions.prefix) { connection.registerFunctions() }
        let prepared: PlanStatement
        do {
            prepared = PlanStatement(
                try prepare(sql.text), sql.parameters, columns: [], of: tables[plan.rows.entity])
        } catch {
            throw error.about(itemType: plan.rows.schema.name, request: plan.description)
        }
        cache.insert(prepared, for: plan.rows, use: use)
        prepared.bind(plan.rows, in: tables)
        return prepared
    }

    private func fragment(_ plan: AggregatePlan, _ select: AggregateSQL) -> SQLFragment {
        PlanSQL(plan.rows, in: tables, form: form(for: plan.rows, isOrdered: false))
            .aggregates(select.values, groupedBy: select.keys)
    }

    /// The number that distinguishes statements with these keys and terms from others for the same rows.
    private func use(of plan: AggregatePlan) -> UInt32 {
        let grouping = Grouping(keys: plan.keys, terms: plan.terms)
        if let use = groupings[grouping] { return use }
        let use = UInt32(groupings.count) + Self.firstGroupingUse
        groupings[grouping] = use
        return use
    }

    private static var firstGroupingUse: UInt32 { 16 }

    /// The part of a plan that is not about its rows.
    struct Grouping: Hashable {
        let keys: [Int]
        let terms: [AggregatePlan.Term]
    }
}
