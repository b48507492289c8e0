import Larder

/// A predicate made ready to be tested on the bytes of rows, column by column as it needs them.
///
/// The predicate becomes a list of tests, each of which says where to go on when it is met and when it is not,
/// so that AND and OR cost nothing and no column is read in vain. It says what ``Predicate/matches(_:of:)``
/// says, which the tests compare it with.
final class RowFilter {
    private let layout: RowLayout
    private var steps: [Step] = []
    private var texts: [TextTest] = []
    private var lists: [[Cell]] = []
    // The constants' text and bytes.
    private let arena = RowArena(chunkBytes: 1024)

    /// One test, and the numbers of the steps that follow it.
    private struct Step {
        let column: Int
        let storage: AttributeType.Storage
        let test: Test
        let ifMet: Int
        let ifNotMet: Int
    }

    private enum Test {
        case isNull
        /// The results of comparing with the constant that are accepted.
        case order(accepted: Orders, Cell)
        /// Membership in a list, by its number.
        case isIn(Int, negated: Bool)
        /// A test of text, by its number.
        case text(Int, negated: Bool)
    }

    /// Results of comparing a value with a constant.
    fileprivate struct Orders: OptionSet {
        let rawValue: UInt8
        static let less = Orders(rawValue: 1)
        static let equal = Orders(rawValue: 2)
        static let greater = Orders(rawValue: 4)
        static let null = Orders(rawValue: 8)
    }

    private static let accept = -1
    private static let refuse = -2

    /// The number of the first step.
    private var start = accept

    /// - Returns: nil for a predicate that everything passes.
    init?(_ predicate: Predicate, of entity: EntityTable) throws(DataStoreError) {
        layout = entity.layout
        if predicate == .always(true) { return nil }
        start = try add(predicate, of: entity.schema, ifMet: Self.accept, ifNotMet: Self.refuse)
    }

    /// Whether a row passes.
    ///
    /// - Throws: `.damaged` when its bytes are no row.
    func passes(_ row: FoundRow) throws(DataStoreError) -> Bool {
        let outline = try layout.outline(of: row.bytes)
        var number = start
        while number >= 0 {
            let step = steps[number]
            let cell = try layout.cell(at: step.column, of: row, outline)
            number = isMet(step.test, cell, step.storage) ? step.ifMet : step.ifNotMet
        }
        return number == Self.accept
    }

    private func isMet(_ test: Test, _ cell: Cell, _ storage: AttributeType.Storage) -> Bool {
        switch test {
        case .isNull: return cell.isNull
        case .order(let accepted, let constant):
            if cell.isNull { return accepted.contains(.null) }
            let order = cell.order(to: constant, storage: storage)
            return accepted.contains(order < 0 ? .less : (order == 0 ? .equal : .greater))
        case .isIn(let list, let negated): return contains(cell, in: lists[list], storage) != negated
        case .text(let test, let negated): return (!cell.isNull && texts[test].matches(cell.bytes)) != negated
        }
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

extension RowFilter {
    /// Adds the steps of a predicate, last first, and returns the number of the one to begin with.
    private func add(
        _ predicate: Predicate, of schema: EntitySchema, ifMet: Int, ifNotMet: Int
    ) throws(DataStoreError) -> Int {
        func step(_ column: Int, _ test: Test, swapped: Bool = false) -> Int {
            steps.append(
                Step(
                    column: column, storage: schema.storage(ofColumn: column), test: test,
                    ifMet: swapped ? ifNotMet : ifMet, ifNotMet: swapped ? ifMet : ifNotMet))
            return steps.count - 1
        }
        switch predicate {
        case .always(let value): return value ? ifMet : ifNotMet
        case .isNull(let column): return step(column, .isNull)
        case .isNotNull(let column): return step(column, .isNull, swapped: true)
        case .compare(let column, let comparison, let constant):
            return step(column, .order(accepted: comparison.accepted, try arena.cell(of: constant)))
        case .isIn(let column, let values, let negated):
            var list: [Cell] = []
            for value in values { list.append(try arena.cell(of: value)) }
            lists.append(list)
            return step(column, .isIn(lists.count - 1, negated: negated))
        case .text(let column, let test, let negated):
            texts.append(test)
            return step(column, .text(texts.count - 1, negated: negated))
        case .all(let parts):
            var next = ifMet
            for part in parts.reversed() {
                next = try add(part, of: schema, ifMet: next, ifNotMet: ifNotMet)
            }
            return next
        case .any(let parts):
            var next = ifNotMet
            for part in parts.reversed() { next = try add(part, of: schema, ifMet: ifMet, ifNotMet: next) }
            return next
        }
    }
}

extension Comparison {
    /// What a comparison with the constant may give; nil is equal to none.
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
