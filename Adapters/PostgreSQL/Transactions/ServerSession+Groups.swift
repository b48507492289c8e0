#if PostgreSQL
    import LarderKernel
    import LarderSQL

    extension ServerSession {
        func groups(for plan: AggregatePlan) throws(DataStoreError) -> GroupRows? {
            guard let select = AggregateSQL(plan, in: catalog) else { return nil }
            let prepared = statement(for: plan.rows, use: use(of: plan)) { () in fragment(plan, select) }
            do throws(DataStoreError) {
                let answer = try perform(prepared.statement, prepared.parameters(of: plan.rows, in: tables))
                return try select.groups(in: answer, areInOrder: !plan.keys.isEmpty)
            } catch {
                throw error.about(itemType: plan.rows.schema.name, request: plan.description)
            }
        }

        func explain(_ plan: AggregatePlan) throws(DataStoreError) -> [String]? {
            guard let select = AggregateSQL(plan, in: catalog) else { return nil }
            let prepared = statement(for: plan.rows, use: use(of: plan)) { () in fragment(plan, select) }
            let lines = try explain(prepared, plan.rows)
            return lines + [plan.keys.isEmpty ? "aggregate in SQL" : "group in SQL"]
        }

        private func fragment(_ plan: AggregatePlan, _ select: AggregateSQL) -> SQLFragment {
            PlanSQL(plan.rows, in: catalog, isOrdered: false).aggregates(select.values, groupedBy: plan.keys)
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
#endif
