import LarderKernel

/// A predicate made ready to be tested on the bytes of rows, column by column as it needs them.
///
/// The predicate becomes a list of tests, each of which names the next test for success and for failure, so
/// that AND and OR cost nothing and no column is read in vain. Its result equals
/// ``RowPredicate/matches(_:of:)``, and tests compare the two. It is reused from request to request.
final class RowFilter {
    private let layout: RowLayout
    private let schema: EntitySchema
    // The constants' text and bytes.
    private let arena = RowArena(chunkBytes: 1024)
    // reason for unchecked: used by one thread at a time, and never by functions it calls.
    @exclusivity(unchecked) private var steps: [Step] = []
    @exclusivity(unchecked) private var texts: [TextTest] = []
    @exclusivity(unchecked) private var lists: [[Cell]] = []
    @exclusivity(unchecked) private var patterns: [PatternTest] = []
    @exclusivity(unchecked) private var expressions: [ReadExpression] = []
    /// The cells that expressions read, by column number.
    private let row: CellBuffer
    /// The test of a predicate that is a single comparison of a number.
    @exclusivity(unchecked) private var onlyNumber: NumberTest?
    /// The number of the first step.
    @exclusivity(unchecked) private var start = RowFilter.accept

    /// One test, and the numbers of the steps that follow it.
    struct Step {
        let column: Int
        let storage: AttributeType.Storage
        let test: Test
        let ifMet: Int
        let ifNotMet: Int
    }

    enum Test {
        case isNull
        case number(NumberTest)
        /// The results of comparing with the constant that are accepted.
        case order(accepted: Orders, Cell)
        /// Membership in a list, by its number.
        case isIn(Int, negated: Bool)
        /// A test of text, by its number.
        case text(Int, negated: Bool)
        /// A test by a pattern, by its number.
        case pattern(Int, negated: Bool)
        /// A comparison of calculated values, by its number.
        case expression(Int)
    }

    /// A comparison of calculated values, with the columns that it reads.
    struct ReadExpression {
        let test: ExpressionTest
        let columns: [Int]
    }

    /// True if the rank of a number is, or is not, one of some; nil has no rank.
    struct NumberTest {
        let column: Int
        let storage: AttributeType.Storage
        let first: UInt64
        let last: UInt64
        let isOutside: Bool

        @inline(__always)
        func isMet(_ cell: Cell) -> Bool {
            if cell.isNull { return isOutside }
            let rank = cell.rank(storage)
            return (first <= rank && rank <= last) != isOutside
        }
    }

    /// Results of comparing a value with a constant.
    struct Orders: OptionSet {
        let rawValue: UInt8
        static let less = Orders(rawValue: 1)
        static let equal = Orders(rawValue: 2)
        static let greater = Orders(rawValue: 4)
        static let null = Orders(rawValue: 8)
    }

    /// Numbers that stand for a result instead of a step.
    static let accept = -1
    static let refuse = -2

    init(of entity: EntityTable) {
        layout = entity.layout
        schema = entity.schema
        row = CellBuffer(count: schema.attributes.count)
    }

    /// Tests with all conditions of a predicate from now on.
    func fill(with predicate: RowPredicate) throws(DataStoreError) {
        try fill(with: predicate, testing: 0..<predicate.conditionCount)
    }

    /// Tests with some of the conditions that must all hold from now on.
    func fill(
        with predicate: RowPredicate, testing conditions: some BidirectionalCollection<Int>
    ) throws(DataStoreError) {
        arena.reset()
        var builder = RowFilterBuilder(of: schema, in: arena)
        var next = Self.accept
        for position in conditions.reversed() {
            next = try builder.add(predicate.condition(position), ifMet: next, ifNotMet: Self.refuse)
        }
        start = next
        steps = builder.steps
        texts = builder.texts
        lists = builder.lists
        patterns = builder.patterns
        expressions = builder.expressions
        onlyNumber = builder.onlyNumber
    }

    /// Forgets the conditions with their values; every row passes.
    func clear() {
        arena.forget()
        start = Self.accept
        steps = []
        texts = []
        lists = []
        patterns = []
        expressions = []
        onlyNumber = nil
    }

    /// True if a row passes.
    ///
    /// - Throws: `.damaged` when the bytes that are read are not a row.
    @inline(__always)
    func passes(_ row: FoundRow) throws(DataStoreError) -> Bool {
        // Many filters have only one test, and half of the time went into finding it among the steps.
        guard let onlyNumber else { return try passesSteps(row) }
        return onlyNumber.isMet(try layout.cell(at: onlyNumber.column, in: row))
    }

    private func passesSteps(_ row: FoundRow) throws(DataStoreError) -> Bool {
        var number = start
        while number >= 0 {
            let step = steps[number]
            if case .expression(let expression) = step.test {
                number = try isMet(expressions[expression], row) ? step.ifMet : step.ifNotMet
                continue
            }
            let cell = try layout.cell(at: step.column, in: row)
            number = isMet(step.test, cell, step.storage) ? step.ifMet : step.ifNotMet
        }
        return number == Self.accept
    }

    @inline(__always)
    private func isMet(_ test: Test, _ cell: Cell, _ storage: AttributeType.Storage) -> Bool {
        switch test {
        case .isNull: return cell.isNull
        case .number(let test): return test.isMet(cell)
        case .order(let accepted, let constant):
            if cell.isNull { return accepted.contains(.null) }
            let order = cell.order(to: constant, storage: storage)
            return accepted.contains(order < 0 ? .less : (order == 0 ? .equal : .greater))
        case .isIn(let list, let negated): return contains(cell, in: lists[list], storage) != negated
        case .text(let test, let negated): return (!cell.isNull && texts[test].matches(cell.bytes)) != negated
        case .pattern(let test, let negated):
            return (!cell.isNull && patterns[test].matches(cell.bytes)) != negated
        // Reads several cells.
        case .expression: return false
        }
    }

    private func isMet(_ expression: ReadExpression, _ found: FoundRow) throws(DataStoreError) -> Bool {
        for column in expression.columns { row.start[column] = try layout.cell(at: column, in: found) }
        return expression.test.matches(row.start)
    }

    private func contains(_ cell: Cell, in list: [Cell], _ storage: AttributeType.Storage) -> Bool {
        if cell.isNull { return false }
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            let order = cell.order(to: list[middle], storage: storage)
            if order == 0 { return true }
            if order < 0 { high = middle } else { low = middle + 1 }
        }
        return false
    }
}
