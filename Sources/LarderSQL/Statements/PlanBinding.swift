package import LarderKernel

/// A statement whose parameters can be bound to the constants of a plan.
package protocol SQLParameterBinder: AnyObject {
    /// Binds a constant as it is stored in a column of this kind.
    func bind(_ constant: Constant, as storage: AttributeType.Storage, at number: Int)

    /// Binds a number of rows or constants.
    func bind(_ count: Int, at number: Int)

    /// Binds the constants of a list as one value.
    func bind(list constants: [Constant], as storage: AttributeType.Storage, at number: Int)

    /// Binds the smallest value after every text with a prefix.
    func bind(endOfTextsBeginningWith prefix: Constant, at number: Int)

    func bind(_ pattern: PatternTest, at number: Int)

    /// Binds a predicate for the engine's ``SQLCoreFilter``.
    func bind(_ predicate: RowPredicate, of entity: EntitySchema, at number: Int)
}

/// Binds the constants of a request to the parameters of a statement that was written for its shape.
package struct PlanBinding {
    /// A parameter, and its number in the statement, from 1.
    private struct Parameter {
        let source: SQLParameter
        let number: Int

        /// The number of the test it belongs to; after all tests what belongs to none.
        var test: Int {
            if case .test(let number, _) = source { number } else { .max }
        }
    }

    /// In the order of the tests, so that one walk over the predicate finds all of them.
    private let parameters: [Parameter]

    /// - Parameter sources: The values of the statement's parameters, in their order.
    package init(_ sources: [SQLParameter]) {
        let numbered = sources.enumerated().map { Parameter(source: $1, number: $0 + 1) }
        parameters = numbered.sorted { ($0.test, $0.number) < ($1.test, $1.number) }
    }

    package func bind(
        _ plan: RequestPlan, to statement: some SQLParameterBinder, in tables: [EntityTable]
    ) {
        var next = 0
        var number = 0
        if parameters.first.map({ $0.test < .max }) ?? false {
            plan.predicate.forEachTest(of: tables[plan.entity], in: tables) { test, storage in
                while next < parameters.count, case .test(number, let part) = parameters[next].source {
                    Self.bind(part, of: test, as: storage, to: statement, at: parameters[next].number)
                    next += 1
                }
                number += 1
            } expression: { test, table in
                while next < parameters.count, case .test(number, _) = parameters[next].source {
                    statement.bind(.expression(test), of: table.schema, at: parameters[next].number)
                    next += 1
                }
                number += 1
            }
        }
        for parameter in parameters[next...] {
            switch parameter.source {
            case .test: break  // bound above
            case .filter: statement.bind(plan.predicate, of: plan.schema, at: parameter.number)
            case .limit: statement.bind(plan.limit ?? -1, at: parameter.number)
            case .offset: statement.bind(plan.offset, at: parameter.number)
            }
        }
    }

    @inline(__always)
    private static func bind(
        _ part: SQLParameter.Part, of test: ColumnTest, as storage: AttributeType.Storage,
        to statement: some SQLParameterBinder, at number: Int
    ) {
        switch (part, test) {
        case (.constant, .compare(_, let constant)): statement.bind(constant, as: storage, at: number)
        case (.constant, .text(let test, _)): statement.bind(test.needle, as: storage, at: number)
        case (.prefixEnd, .text(let test, _)):
            statement.bind(endOfTextsBeginningWith: test.needle, at: number)
        case (.element(let position), .isIn(let values, _)) where position < values.count:
            statement.bind(values[position], as: storage, at: number)
        case (.list, .isIn(let values, _)): statement.bind(list: values, as: storage, at: number)
        case (.listCount, .isIn(let values, _)): statement.bind(values.count, at: number)
        case (.pattern, .pattern(let test, _)): statement.bind(test, at: number)
        // Not in a plan of the statement's shape; what is not bound is nil, and no row passes.
        case (.constant, _), (.prefixEnd, _), (.element, _), (.list, _), (.listCount, _), (.pattern, _),
            (.expression, _):
            break
        }
    }
}
