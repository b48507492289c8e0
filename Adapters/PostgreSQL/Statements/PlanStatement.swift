#if PostgreSQL
    import LarderKernel
    import LarderSQL

    /// The statement of a shape of requests, with the way its rows are read.
    final class PlanStatement {
        let statement: ServerStatement
        let storages: [AttributeType.Storage]
        /// The size of answers, as earlier ones have shown.
        // Unchecked, as CONTRIBUTING says of what one thread uses at a time.
        @exclusivity(unchecked) var batch: BatchSize
        @exclusivity(unchecked) private var boundedStatement: ServerStatement?
        /// The rows of the largest answer so far; nil before the first.
        @exclusivity(unchecked) private var largestAnswer: Int?
        private let binding: PlanBinding
        private let parameterCount: Int

        /// - Parameter columns: The columns of a row; empty for a count.
        init(
            _ sql: SQLFragment, for plan: RequestPlan, columns: [Int], in catalog: SQLCatalog,
            on connection: ServerConnection
        ) {
            let parameters = sql.parameters
            statement = connection.statement(sql.text(in: catalog.dialect))
            (binding, parameterCount) = (PlanBinding(parameters), parameters.count)
            storages = columns.map { catalog[plan.entity].storages[$0] }
            batch = BatchSize(storages)
        }

        /// Notes the number of rows of an answer.
        func note(answerOf count: Int) { largestAnswer = max(count, largestAnswer ?? 0) }

        /// True if no answer yet has had more rows than are asked for at once.
        var hasFewRows: Bool { largestAnswer.map { $0 <= batch.rows } ?? false }

        /// The statement with a limit as its last parameter.
        ///
        /// It takes the place of a cursor, which the server plans each time: that takes longer than most answers. The planner
        /// does not see the limit, as it would walk the order from the beginning, in the hope of an early end.
        func bounded(on connection: ServerConnection) -> ServerStatement {
            if let boundedStatement { return boundedStatement }
            let made = connection.statement(
                """
                WITH larder_all AS MATERIALIZED (\(statement.sql)) \
                SELECT * FROM larder_all LIMIT $\(parameterCount + 1)
                """)
            boundedStatement = made
            return made
        }

        /// The request for a plan of the shape that the statement was written for.
        func request(for plan: RequestPlan, in tables: [EntityTable]) -> ServerRequest {
            ServerRequest(statement, parameters(of: plan, in: tables))
        }

        /// The constants of such a plan.
        func parameters(of plan: RequestPlan, in tables: [EntityTable]) -> ParameterList {
            let parameters = ParameterList(count: parameterCount)
            binding.bind(plan, to: parameters, in: tables)
            return parameters
        }
    }
#endif
