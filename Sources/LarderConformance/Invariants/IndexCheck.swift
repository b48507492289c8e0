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
        try checkOrder(ordered, accessor)
        try checkValues(ordered, accessor)
        try checkRanges(ordered, accessor)
    }

    /// All rows in the order of the index, forwards and backwards.
    private func checkOrder(_ ordered: [StoredRow], _ accessor: DataStoreReadAccessor) throws {
        for isAscending in [true, false] {
            var core = RequestCore()
            core.order = index.columns.map {
                .own(RequestPlan.SortTerm(column: $0, isAscending: isAscending))
            }
            let found = try accessor.items(for: DataStoreRequest<Item>(core)).map { try StoredRow($0) }
            try expect(
                found, equals: isAscending ? ordered : ordered.reversed(),
                "the rows in the order of the index \(name)")
        }
    }

    /// For each value, exactly the rows that have it.
    private func checkValues(_ ordered: [StoredRow], _ accessor: DataStoreReadAccessor) throws {
        let groups = Dictionary(grouping: rows) { row in index.columns.map { row.values[$0] } }
        for (values, expected) in groups.prefix(rows.count > 100 ? 8 : 100) {
            var core = RequestCore()
            core.filter = .all(
                zip(index.columns, values).map { .compare(column: $0, .equal, $1) })
            let request = DataStoreRequest<Item>(core)
            try expect(
                try accessor.items(for: request).map { try StoredRow($0) }, equals: expected,
                "the rows with \(values) in the index \(name)")
            try expect(
                try accessor.countItems(for: request), equals: expected.count,
                "the number of rows with \(values) in the index \(name)")
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
            try expect(
                try accessor.items(for: DataStoreRequest<Item>(core)).map { try StoredRow($0) },
                equals: expected, "the rows \(comparison.rawValue) \(middle) in the index \(name)")
        }
    }
}
