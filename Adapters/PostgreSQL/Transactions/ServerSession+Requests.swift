#if PostgreSQL
    import LarderEngine
    import LarderKernel
    import LarderSQL

    extension ServerSession {
        func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor {
            if let partial = PartialPlan(plan, in: catalog) {
                return try partial.rows(from: try rows(for: partial.engine))
            }
            let prepared = statement(for: plan, use: .rows)
            let table = tables[plan.entity]
            let count = prepared.batch.rows
            // Who looks for values has them in memory already.
            let isOfValues = plan.maximumCount != nil && plan.columns != .all
            if let limit = plan.limit ?? plan.maximumCount, isOfValues || limit <= count {
                let answer = try perform([prepared.request(for: plan, in: tables)], for: plan)[0]
                return ServerRowCursor(answer, of: limit, prepared, of: table, in: self, cursor: nil)
            }
            if plan.limit == nil, prepared.hasFewRows {
                let parameters = prepared.parameters(of: plan, in: tables)
                parameters.append(count + 1)
                let request = ServerRequest(prepared.bounded(on: connection), parameters)
                let answer = try perform([request], for: plan)[0]
                prepared.note(answerOf: answer.rowCount)
                if answer.rowCount <= count {
                    return ServerRowCursor(answer, of: .max, prepared, of: table, in: self, cursor: nil)
                }
            }
            let name = connection.newCursorName()
            let opening = connection.passing(
                "DECLARE \(name) NO SCROLL CURSOR FOR \(prepared.statement.sql)",
                prepared.parameters(of: plan, in: tables))
            let first = min(ServerRowCursor.firstBatch, count)
            let answers = try perform([opening, fetch(first, from: name)], for: plan)
            return ServerRowCursor(answers[1], of: first, prepared, of: table, in: self, cursor: name)
        }

        func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
            if let partial = PartialPlan(plan, in: catalog, isOrdered: false) {
                return try partial.count(from: try rows(for: partial.engine))
            }
            let prepared = statement(for: plan, use: .count)
            let answer = try perform([prepared.request(for: plan, in: tables)], for: plan)[0]
            return answer.integer(0, 0).map(Int.init) ?? 0
        }

        func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] {
            if let partial = PartialPlan(plan, in: catalog) {
                return try explain(partial.engine) + partial.lines
            }
            return try explain(statement(for: plan, use: .rows), plan)
        }

        func explain(_ prepared: PlanStatement, _ plan: RequestPlan) throws(DataStoreError) -> [String] {
            let explaining = connection.passing(
                "EXPLAIN (COSTS OFF) \(prepared.statement.sql)", prepared.parameters(of: plan, in: tables))
            return PlanExplanation(try perform(explaining).texts, of: plan.entity, in: tables).lines
        }

        private func perform(
            _ requests: [ServerRequest], for plan: RequestPlan
        ) throws(DataStoreError) -> [ServerAnswer] {
            do throws(DataStoreError) {
                return try perform(requests)
            } catch {
                throw error.about(itemType: plan.schema.name, request: plan.description)
            }
        }
    }

    // MARK: Statements

    extension ServerSession {
        private enum Use: UInt32 {
            case rows = 1
            case count = 2
        }

        private func statement(for plan: RequestPlan, use: Use) -> PlanStatement {
            let columns = use == .rows ? plan.columns.numbers(of: plan.schema) : []
            return statement(for: plan, use: use.rawValue, columns) { () in
                let select = PlanSQL(plan, in: catalog, isOrdered: use == .rows)
                return use == .rows ? select.rows : select.count
            }
        }

        /// The statement for the shape of a plan; made if there is none.
        func statement(
            for plan: RequestPlan, use: UInt32, _ columns: [Int] = [], _ sql: () -> SQLFragment
        ) -> PlanStatement {
            if let known = cache.value(for: plan, use: use) { return known }
            let made = PlanStatement(sql(), for: plan, columns: columns, in: catalog, on: connection)
            cache.insert(made, for: plan, use: use)
            return made
        }
    }
#endif
