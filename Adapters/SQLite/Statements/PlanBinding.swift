import LarderKernel

/// Binds the constants of a request to the parameters of a statement that was written for its shape.
struct PlanBinding {
    /// A parameter, and its number in the statement.
    private struct Parameter {
        let source: SQLParameter
        let index: Int32

        /// The number of the test it belongs to; after all tests what belongs to none.
        var test: Int {
            if case .test(let number, _) = source { number } else { .max }
        }
    }

    /// In the order of the tests, so that one walk over the predicate finds all of them.
    private let parameters: [Parameter]

    /// - Parameter sources: Those of the statement's parameters, in their order.
    init(_ sources: [SQLParameter]) {
        let numbered = sources.enumerated().map { Parameter(source: $1, index: Int32($0 + 1)) }
        parameters = numbered.sorted { ($0.test, $0.index) < ($1.test, $1.index) }
    }

    func bind(_ plan: RequestPlan, to statement: SQLiteStatement, in tables: [EntityTable]) {
        var next = 0
        var number = 0
        if parameters.first.map({ $0.test < .max }) ?? false {
            plan.predicate.forEachTest(of: tables[plan.entity], in: tables) { test, storage in
                while next < parameters.count, case .test(number, let part) = parameters[next].source {
                    bind(part, of: test, as: storage, to: statement, at: parameters[next].index)
                    next += 1
                }
                number += 1
            } expression: { test, table in
                while next < parameters.count, case .test(number, _) = parameters[next].source {
                    let filter = ReferenceFilter(.expression(test), of: table.schema)
                    filter.bind(to: statement, at: parameters[next].index)
                    next += 1
                }
                number += 1
            }
        }
        for parameter in parameters[next...] {
            switch parameter.source {
            case .test: break  // bound above
            case .filter:
                let filter = ReferenceFilter(plan.predicate, of: plan.schema)
                filter.bind(to: statement, at: parameter.index)
            case .limit: statement.bind(plan.limit ?? -1, at: parameter.index)
            case .offset: statement.bind(plan.offset, at: parameter.index)
            }
        }
    }

    @inline(__always)
    private func bind(
        _ part: SQLParameter.Part, of test: ColumnTest, as storage: AttributeType.Storage,
        to statement: SQLiteStatement, at index: Int32
    ) {
        switch (part, test) {
        case (.constant, .compare(_, let constant)): statement.bind(constant, as: storage, at: index)
        case (.constant, .text(let test, _)): statement.bind(test.needle, as: storage, at: index)
        case (.prefixEnd, .text(let test, _)):
            Self.bind(endOfTextsBeginningWith: test.needle, to: statement, at: index)
        case (.element(let position), .isIn(let values, _)) where position < values.count:
            statement.bind(values[position], as: storage, at: index)
        case (.list, .isIn(let values, _)):
            statement.bind(ConstantList(values), named: ConstantList.pointerName, at: index)
        case (.listCount, .isIn(let values, _)): statement.bind(values.count, at: index)
        case (.pattern, .pattern(let test, _)):
            statement.bind(PatternFunction(test), named: PatternFunction.pointerName, at: index)
        // Not in a plan of the statement's shape; what is not bound is nil, and no row passes.
        case (.constant, _), (.prefixEnd, _), (.element, _), (.list, _), (.listCount, _), (.pattern, _),
            (.expression, _):
            break
        }
    }

    /// Binds the smallest value after every text with the prefix: the prefix with its last byte one higher,
    /// or, as every text begins with the empty one, bytes, which SQLite sorts after all text.
    private static func bind(
        endOfTextsBeginningWith prefix: Constant, to statement: SQLiteStatement, at index: Int32
    ) {
        var end = prefix.withCell { Array($0.bytes) }
        if let last = end.popLast() {
            end.append(last &+ 1)  // no byte of UTF-8 is 0xFF
            _ = end.withUnsafeBytes { statement.bindText($0, at: index, .copied) }
        } else {
            statement.bindBlob(UnsafeRawBufferPointer(start: nil, count: 0), at: index, .copied)
        }
    }
}
