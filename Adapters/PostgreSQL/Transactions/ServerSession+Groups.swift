#if PostgreSQL
    import LarderKernel
    import LarderSQL

    extension ServerSession {
        func groups(for plan: AggregatePlan) throws(DataStoreError) -> GroupRows? {
            guard let select = AggregateSQL(plan, in: catalog) else { return nil }
            let prepared = statement(for: plan, select)
            do throws(DataStoreError) {
                let answer = try perform(prepared.request(for: plan.rows, in: tables))
                return try select.groups(in: answer, areInOrder: !plan.keys.isEmpty)
            } catch {
                throw error.about(itemType: plan.rows.schema.name, request: plan.description)
            }
        }

        func explain(_ plan: AggregatePlan) throws(DataStoreError) -> [String]? {
            guard let select = AggregateSQL(plan, in: catalog) else { return nil }
            let prepared = statement(for: plan, select)
            let lines = try explain(prepared, plan.rows)
            return lines + [plan.keys.isEmpty ? "aggregate in SQL" : "group in SQL"]
        }

        private func statement(for plan: AggregatePlan, _ select: AggregateSQL) -> PlanStatement {
            statement(for: plan.rows, use: groupings.use(of: plan)) { () in
                PlanSQL(plan.rows, in: catalog, isOrdered: false)
                    .aggregates(select.values, groupedBy: plan.keys)
            }
        }
    }
#endif
