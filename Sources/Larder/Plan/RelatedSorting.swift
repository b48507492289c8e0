/// Sorts the rows of a plan by attributes of related items.
///
/// It reads identifiers and references alone, a batch at a time, looks up the values that the batch leads
/// to, and keeps the identifiers and values of the rows that may be in the window.
struct RelatedSorting {
    private let plan: RequestPlan
    private let snapshot: any StorageReading
    /// The columns that are read of each row.
    private var columns = [0]
    private var paths: [Path] = []
    /// For each row its sorted values and its identifier.
    private var rows: [Constant] = []

    /// The way to one of the sorted values.
    private struct Path {
        /// The position of the first value among the columns that are read.
        let start: Int
        let lookups: [ColumnLookup]
        let storage: AttributeType.Storage
        let isAscending: Bool
    }

    private static let batchCount = 1024

    /// - Parameter plan: Without tests of related items.
    init(_ plan: RequestPlan, in schema: StoreSchema, _ snapshot: any StorageReading) {
        self.plan = plan
        self.snapshot = snapshot
        for term in plan.terms { paths.append(path(of: term, in: schema)) }
    }

    private mutating func path(of term: RelatedOrder.Term, in schema: StoreSchema) -> Path {
        var start = term.path.isEmpty ? term.term.column : 0
        var lookups: [ColumnLookup] = []
        var entity = plan.entity
        for (position, relationship) in term.path.enumerated() {
            switch relationship.form {
            case .reference(let column) where position == 0: start = column
            case .reference(let column):
                lookups.append(ColumnLookup(of: entity, from: 0, to: column, in: schema, snapshot))
            case .referrers(let column):
                lookups.append(
                    ColumnLookup(of: relationship.target, from: column, to: 0, in: schema, snapshot))
            // An order does not lead through several items.
            case .links: continue
            }
            entity = relationship.target
        }
        if !term.path.isEmpty, term.term.column > 0 {
            lookups.append(ColumnLookup(of: entity, from: 0, to: term.term.column, in: schema, snapshot))
        }
        if !columns.contains(start) { columns.append(start) }
        return Path(
            start: columns.firstIndex(of: start) ?? 0, lookups: lookups,
            storage: schema.entities[entity].storage(ofColumn: term.term.column),
            isAscending: term.term.isAscending)
    }

    /// The identifiers of the rows in the plan's window, in its order.
    mutating func identifiers() throws(DataStoreError) -> ArraySlice<Constant> {
        let end = plan.windowEnd
        if end == 0 { return [] }
        let cursor = try snapshot.rows(for: keys)
        defer { cursor.close() }
        let row = CellBuffer(count: columns.count)
        var batch: [Constant] = []
        while try cursor.next(into: row.start) {
            for (position, column) in columns.enumerated() {
                batch.append(Constant(row.start[position], storage: plan.schema.storage(ofColumn: column)))
            }
            guard batch.count >= Self.batchCount * columns.count else { continue }
            try take(batch)
            batch.removeAll(keepingCapacity: true)
            if let end, rowCount / 2 >= max(end, Self.batchCount) { sort(keeping: end) }
        }
        try take(batch)
        sort(keeping: end ?? rowCount)
        let identifiers = stride(from: paths.count - 1, to: rows.count, by: paths.count).map { rows[$0] }
        return identifiers.dropFirst(plan.offset)
    }

    /// The values by which the first row is sorted, its identifier last; nil where there is no row.
    mutating func valuesOfFirst() throws(DataStoreError) -> [Constant]? {
        try identifiers().isEmpty ? nil : Array(rows.prefix(paths.count))
    }

    /// The plan for the columns of all rows that pass the filter.
    var keys: RequestPlan {
        RequestPlan(
            entity: plan.entity, schema: plan.schema, columns: .some(columns), predicate: plan.predicate)
    }

    private var rowCount: Int { rows.count / paths.count }

    /// Looks up the sorted values of a batch of rows.
    private mutating func take(_ batch: [Constant]) throws(DataStoreError) {
        let count = batch.count / columns.count
        if count == 0 { return }
        var values: [[Constant]] = []
        for path in paths {
            var column = (0..<count).map { batch[$0 * columns.count + path.start] }
            for lookup in path.lookups { column = try lookup.values(for: column) }
            values.append(column)
        }
        for row in 0..<count {
            for column in values { rows.append(column[row]) }
        }
    }

    /// Sorts the rows and forgets those after the first ones.
    private mutating func sort(keeping count: Int) {
        var order = Array(0..<rowCount)
        // Not the whole sorting, which would be copied for each comparison.
        let (paths, rows) = (paths, rows)
        order.sort { Self.precedes($0, $1, in: rows, by: paths) }
        var sorted: [Constant] = []
        for row in order.prefix(count) {
            sorted += rows[(row * paths.count)..<((row + 1) * paths.count)]
        }
        self.rows = sorted
    }

    private static func precedes(
        _ left: Int, _ right: Int, in rows: [Constant], by paths: [Path]
    ) -> Bool {
        for (position, path) in paths.enumerated() {
            let order = rows[left * paths.count + position].order(
                to: rows[right * paths.count + position], storage: path.storage)
            if order != 0 { return (order < 0) == path.isAscending }
        }
        return false
    }
}

/// The values of a column of an item type, found by another one.
private final class ColumnLookup {
    private let plan: RequestPlan
    private let column: Int
    private let storages: [AttributeType.Storage]
    private let snapshot: any StorageReading
    private var known: [Constant: Constant] = [:]

    /// The number of values from which on those of earlier rows are forgotten.
    private static let maximumCount = 65_536

    init(
        of entity: Int, from column: Int, to value: Int, in schema: StoreSchema,
        _ snapshot: any StorageReading
    ) {
        let type = schema.entities[entity]
        plan = RequestPlan(entity: entity, schema: type, columns: .some([column, value]))
        self.column = column
        storages = [type.storage(ofColumn: column), type.storage(ofColumn: value)]
        self.snapshot = snapshot
    }

    /// For each key the value of the first row with it; nil where there is none.
    func values(for keys: [Constant]) throws(DataStoreError) -> [Constant] {
        if known.count > Self.maximumCount { known = [:] }
        var missing = ConstantSet(storages[0])
        for key in keys where !key.isNull && known.updateValue(known[key] ?? .null, forKey: key) == nil {
            key.withCell { missing.insert($0) }
        }
        try find(missing.sorted)
        return keys.map { known[$0] ?? .null }
    }

    private func find(_ keys: [Constant]) throws(DataStoreError) {
        if keys.isEmpty { return }
        var plan = plan
        plan.predicate = RowPredicate.isIn(column: column, keys, negated: false).simplified
        let cursor = try snapshot.rows(for: plan)
        defer { cursor.close() }
        let row = CellBuffer(count: 2)
        while try cursor.next(into: row.start) {
            let key = Constant(row.start[0], storage: storages[0])
            if known[key]?.isNull ?? true { known[key] = Constant(row.start[1], storage: storages[1]) }
        }
    }
}
