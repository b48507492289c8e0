import Larder

/// Compares one index with its rows, through requests that would use it.
struct IndexCheck<Item: DataStoreItem> {
    private let index: IndexSchema
    private let rows: [StoredRow]

    /// - Parameter rows: All rows of the item type, in the order of their identifiers.
    init(_ index: IndexSchema, _ rows: [StoredRow]) {
        self.index = index
        self.rows = rows
    }

    private var name: String {
        let names = index.columns.map { Item.schema.attributes[$0].name }
        return "\(Item.schema.name)(\(names.joined(separator: ", ")))"
    }

    func run(_ accessor: DataStoreReadAccessor) throws {
        let ordered = rows.sorted { $0.precedes($1, by: index.columns + [0], of: Item.schema) }
        if index.isUnique { try checkUniqueness(ordered) }
        try checkOrder(ordered, accessor)
        try checkValues(ordered, accessor)
        try checkRanges(ordered, accessor)
    }

    /// No two rows have the same values, unless one of them is nil.
    private func checkUniqueness(_ ordered: [StoredRow]) throws {
        for (row, next) in zip(ordered, ordered.dropFirst()) {
            let isEqual = index.columns.allSatisfy { column in
                let storage = Item.schema.storage(ofColumn: column)
                return !row.values[column].isNull
                    && row.values[column].order(to: next.values[column], storage: storage) == 0
            }
            try expect(
                !isEqual, "distinct values of \(row.identifier) and \(next.identifier) in the index \(name)")
        }
    }

    /// All rows in the order of the index, and the last of them backwards.
    private func checkOrder(_ ordered: [StoredRow], _ accessor: DataStoreReadAccessor) throws {
        for isAscending in [true, false] {
            var core = RequestCore()
            core.order = index.columns.map {
                OrderTerm(AttributePlace(column: $0), isAscending: isAscending)
            }
            try compare(
                core, with: isAscending ? ordered : ordered.reversed(),
                reading: isAscending ? nil : Self.rowsToRead, accessor, "in the order")
        }
    }

    /// For some values from the whole of the index, exactly the rows that have them.
    ///
    /// The order has shown each entry of the index already; to ask for each value took half of the time of all cases.
    private func checkValues(_ ordered: [StoredRow], _ accessor: DataStoreReadAccessor) throws {
        let groups = Dictionary(grouping: rows) { row in index.columns.map { row.values[$0] } }
        let step = max(1, ordered.count / Self.valuesToAskFor)
        let values = Set(
            stride(from: 0, to: ordered.count, by: step).map { row in
                index.columns.map { ordered[row].values[$0] }
            })
        for values in values {
            var core = RequestCore()
            core.filter = .all(
                zip(index.columns, values).map { .compare(column: $0, .equal, $1) })
            try compare(
                core, with: groups[values, default: []], reading: Self.rowsToRead, accessor, "with \(values)"
            )
        }
    }

    /// Compares the rows below a value in the middle, and the rows from it on.
    private func checkRanges(_ ordered: [StoredRow], _ accessor: DataStoreReadAccessor) throws {
        let column = index.columns[0]
        let storage = Item.schema.storage(ofColumn: column)
        guard let middle = ordered.dropFirst(ordered.count / 2).first?.values[column], !middle.isNull else {
            return
        }
        for comparison in [Comparison.less, .greaterOrEqual] {
            var core = RequestCore()
            core.filter = .compare(column: column, comparison, middle)
            let expected = rows.filter { row in
                let order = row.values[column].order(to: middle, storage: storage)
                return !row.values[column].isNull && (comparison == .less ? order < 0 : order >= 0)
            }
            try compare(
                core, with: expected, reading: Self.rowsToRead, accessor,
                "\(comparison.rawValue) \(middle)")
        }
    }

    private static var valuesToAskFor: Int { 8 }

    /// Reading all rows of thousands again for each question would take most of the time of all cases.
    private static var rowsToRead: Int { 200 }

    /// Compares the number of rows that a request finds, and the first of them.
    ///
    /// - Parameter limit: The number of rows to read; all if it is nil.
    private func compare(
        _ core: RequestCore, with expected: [StoredRow], reading limit: Int?,
        _ accessor: DataStoreReadAccessor, _ what: String
    ) throws {
        var first = core
        first.limit = limit
        try expect(
            try accessor.items(for: DataStoreRequest<Item>(first)).map { try StoredRow($0) },
            equals: limit.map { Array(expected.prefix($0)) } ?? expected,
            "the rows \(what) in the index \(name)")
        try expect(
            try accessor.countItems(for: DataStoreRequest<Item>(core)), equals: expected.count,
            "the number of rows \(what) in the index \(name)")
    }
}
