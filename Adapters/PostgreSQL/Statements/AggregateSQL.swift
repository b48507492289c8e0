#if PostgreSQL
    import LarderKernel
    import LarderSQL
    import LarderValues

    /// Groups of rows as a SELECT, for which the server gives the same bits as the core: the rows stay where they are.
    ///
    ///     SELECT sum("price"), count(*) FROM "shop"."Sale" WHERE "isPaid" = $1
    ///     SELECT "city", count(*) FROM "shop"."Sale" GROUP BY "city" ORDER BY "shop"."Sale"."city"
    ///
    /// Sums of floating-point numbers are the core's: the server adds them in any order, and loses the small ones.
    struct AggregateSQL {
        /// The columns of the result.
        let values: [String]
        private let readings: [Reading]

        /// The way to read a key or an aggregate.
        private enum Reading {
            case value(AttributeType.Storage)
            case number
            case integerSum
            case integerAverage

            /// The columns of the result that it takes.
            var width: Int { if case .integerAverage = self { 2 } else { 1 } }
        }

        /// - Returns: Nil for a plan that only the core answers to the last bit.
        init?(_ plan: AggregatePlan, in catalog: SQLCatalog) {
            let table = catalog[plan.rows.entity]
            guard !plan.hasWindow, !(plan.keys.isEmpty && plan.terms.isEmpty),
                PartialPlan(plan.rows, in: catalog, isOrdered: false) == nil
            else { return nil }
            var values = plan.keys.map { table.columns[$0] }
            var readings = plan.keys.map { Reading.value(table.storages[$0]) }
            for term in plan.terms {
                let name = table.columns[term.column]
                let storage = table.storages[term.column]
                switch (term.function, storage) {
                case (.count, _):
                    values.append("count(*)")
                    readings.append(.number)
                case (.countValues, _):
                    values.append("count(\(name))")
                    readings.append(.number)
                case (.countDistinct, _):
                    values.append("count(DISTINCT \(name))")
                    readings.append(.number)
                case (.minimum, .blob), (.maximum, .blob), (.minimum, .json), (.maximum, .json): return nil
                case (.minimum, _), (.maximum, _):
                    values.append("\(term.function == .minimum ? "min" : "max")(\(name))")
                    readings.append(.value(storage))
                case (.sum, .integer):
                    values.append("sum(\(name))")
                    readings.append(.integerSum)
                case (.average, .integer):
                    values += ["sum(\(name))", "count(\(name))"]
                    readings.append(.integerAverage)
                case (.sum, _), (.average, _): return nil
                }
            }
            self.values = values
            self.readings = readings
        }

        /// The groups in an answer; nil if only the core can compute one, as a sum does not fit.
        func groups(in answer: ServerAnswer, areInOrder: Bool) throws(DataStoreError) -> GroupRows? {
            var groups = GroupRows(width: readings.count, areInOrder: areInOrder)
            let arena = RowArena(chunkBytes: 4096)
            for row in 0..<answer.rowCount {
                var column = 0
                for reading in readings {
                    guard let value = try Self.value(reading, answer, row, column, arena) else { return nil }
                    groups.append(value)
                    column += reading.width
                }
            }
            return groups
        }

        private static func value(
            _ reading: Reading, _ answer: ServerAnswer, _ row: Int, _ column: Int, _ arena: RowArena
        ) throws(DataStoreError) -> Constant? {
            guard let bytes = answer.bytes(row, column) else {
                if case .integerSum = reading { return .integer(0) }
                return .null
            }
            switch reading {
            case .value(let storage):
                return try WireValue.cell(bytes, as: storage, in: arena).map {
                    Constant($0, storage: storage)
                }
            case .number: return answer.integer(row, column).map { .integer($0) }
            case .integerSum: return ServerNumber.text(bytes).flatMap { Int64($0) }.map { .integer($0) }
            case .integerAverage:
                guard let sum = ServerNumber.text(bytes).flatMap({ Int64($0) }),
                    let count = answer.integer(row, column + 1)
                else { return nil }
                var exact = IntegerSum()
                exact.add(sum)
                return .real(exact.quotient(by: UInt64(count)))
            }
        }
    }
#endif
