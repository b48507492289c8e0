import LarderKernel

/// Turns a predicate into the steps of a ``RowFilter``.
struct RowFilterBuilder {
    private(set) var steps: [RowFilter.Step] = []
    private(set) var texts: [TextTest] = []
    private(set) var lists: [[Cell]] = []
    private(set) var patterns: [PatternTest] = []
    private(set) var expressions: [RowFilter.ReadExpression] = []
    private let arena: RowArena
    private let schema: EntitySchema

    /// The test if it is the only one.
    var onlyNumber: RowFilter.NumberTest? {
        guard let step = steps.first, steps.count == 1, step.ifMet == RowFilter.accept,
            case .number(let test) = step.test
        else { return nil }
        return test
    }

    /// - Parameter arena: Keeps the constants' text and bytes.
    init(of schema: EntitySchema, in arena: RowArena) {
        self.schema = schema
        self.arena = arena
    }

    /// Adds the steps of a predicate, the last first, and returns the number of the one to begin with.
    mutating func add(
        _ predicate: RowPredicate, ifMet: Int, ifNotMet: Int
    ) throws(DataStoreError) -> Int {
        switch predicate {
        case .always(let value): return value ? ifMet : ifNotMet
        case .column(let column, let test): return try add(test, of: column, ifMet, ifNotMet)
        case .expression(let test):
            expressions.append(RowFilter.ReadExpression(test: test, columns: test.columns.sorted()))
            return addStep(.expression(expressions.count - 1), of: 0, ifMet, ifNotMet)
        case .all(let parts):
            var next = ifMet
            for part in parts.reversed() { next = try add(part, ifMet: next, ifNotMet: ifNotMet) }
            return next
        case .any(let parts):
            var next = ifNotMet
            for part in parts.reversed() { next = try add(part, ifMet: ifMet, ifNotMet: next) }
            return next
        // The core replaces it before a plan gets here.
        case .related: return ifNotMet
        }
    }

    private mutating func add(
        _ test: ColumnTest, of column: Int, _ ifMet: Int, _ ifNotMet: Int
    ) throws(DataStoreError) -> Int {
        switch test {
        case .isNull: return addStep(.isNull, of: column, ifMet, ifNotMet)
        case .isNotNull: return addStep(.isNull, of: column, ifNotMet, ifMet)
        case .compare(let comparison, let constant):
            let cell = try arena.cell(of: constant)
            let storage = schema.storage(ofColumn: column)
            guard storage.isNumber else {
                return addStep(.order(accepted: comparison.accepted, cell), of: column, ifMet, ifNotMet)
            }
            let ranks = comparison.ranks(around: cell.rank(storage))
            let test = RowFilter.NumberTest(
                column: column, storage: storage, first: ranks.first, last: ranks.last,
                isOutside: comparison == .notEqual)
            return addStep(.number(test), of: column, ifMet, ifNotMet)
        case .isIn(let values, let negated):
            var list: [Cell] = []
            for value in values { list.append(try arena.cell(of: value)) }
            lists.append(list)
            return addStep(.isIn(lists.count - 1, negated: negated), of: column, ifMet, ifNotMet)
        case .text(let test, let negated):
            texts.append(test)
            return addStep(.text(texts.count - 1, negated: negated), of: column, ifMet, ifNotMet)
        case .pattern(let test, let negated):
            patterns.append(test)
            return addStep(.pattern(patterns.count - 1, negated: negated), of: column, ifMet, ifNotMet)
        }
    }

    private mutating func addStep(_ test: RowFilter.Test, of column: Int, _ ifMet: Int, _ ifNotMet: Int)
        -> Int
    {
        steps.append(
            RowFilter.Step(
                column: column, storage: schema.storage(ofColumn: column), test: test, ifMet: ifMet,
                ifNotMet: ifNotMet))
        return steps.count - 1
    }
}

extension AttributeType.Storage {
    /// True if the ranks alone give the order of the values.
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .unsigned, .real: true
        case .text, .blob, .decimal, .json: false
        }
    }
}

extension Comparison {
    /// The ranks of the numbers to accept beside the one with this rank, or, for "not equal", to refuse.
    fileprivate func ranks(around rank: UInt64) -> (first: UInt64, last: UInt64) {
        // From 1 to 0 there is none.
        switch self {
        case .equal, .notEqual: (rank, rank)
        case .less: rank == .min ? (1, 0) : (.min, rank - 1)
        case .lessOrEqual: (.min, rank)
        case .greater: rank == .max ? (1, 0) : (rank + 1, .max)
        case .greaterOrEqual: (rank, .max)
        }
    }

    /// The results that pass a comparison with the constant; nil is not equal to any.
    fileprivate var accepted: RowFilter.Orders {
        switch self {
        case .equal: .equal
        case .notEqual: [.less, .greater, .null]
        case .less: .less
        case .lessOrEqual: [.less, .equal]
        case .greater: .greater
        case .greaterOrEqual: [.equal, .greater]
        }
    }
}
