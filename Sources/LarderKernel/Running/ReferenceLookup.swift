/// The way from a row to a value of an item that its references lead to.
package struct ReferenceLookup {
    /// The column of the row with which the way begins.
    package let start: Int
    /// The form of the value.
    let storage: AttributeType.Storage
    private let lookups: [ColumnLookup]

    /// - Parameter path: References only; none for a column of the row itself.
    package init(
        _ column: Int, behind path: [StoreRelationship], of entity: Int, in schema: StoreSchema,
        _ snapshot: any StorageReading
    ) {
        var start = path.isEmpty ? column : 0
        var lookups: [ColumnLookup] = []
        var entity = entity
        for (position, relationship) in path.enumerated() {
            switch relationship.form {
            case .reference(let column) where position == 0: start = column
            case .reference(let column):
                lookups.append(ColumnLookup(of: entity, from: 0, to: column, in: schema, snapshot))
            case .referrers(let column):
                lookups.append(
                    ColumnLookup(of: relationship.target, from: column, to: 0, in: schema, snapshot))
            // No path leads through several items.
            case .links: continue
            }
            entity = relationship.target
        }
        if !path.isEmpty, column > 0 {
            lookups.append(ColumnLookup(of: entity, from: 0, to: column, in: schema, snapshot))
        }
        self.start = start
        self.lookups = lookups
        storage = schema.entities[entity].storage(ofColumn: column)
    }

    /// The values for some rows, by their values in the column ``start``.
    package func values(for starts: [Constant]) throws(DataStoreError) -> [Constant] {
        var values = starts
        for lookup in lookups { values = try lookup.values(for: values) }
        return values
    }
}

/// The values of a column of an item type, found by another one.
private final class ColumnLookup {
    private let plan: RequestPlan
    private let column: Int
    private let storages: [AttributeType.Storage]
    private let snapshot: any StorageReading
    private var known: [Constant: Constant] = [:]

    /// The number of values beyond which the values of earlier rows are forgotten.
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

    /// For each key the value of the first row with it; nil if there is none.
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
        try snapshot.forEachRow(of: plan) { row in
            let key = Constant(row[0], storage: storages[0])
            if known[key]?.isNull ?? true { known[key] = Constant(row[1], storage: storages[1]) }
        }
    }
}

/// The values of rows and of the items that they refer to, looked up for a batch of rows at a time.
package struct BatchLookup {
    /// The columns that are read of each row.
    package private(set) var columns: [Int]
    /// The storage of each value.
    private(set) var storages: [AttributeType.Storage] = []
    private var paths: [Path] = []

    /// The way to one of the values.
    private struct Path {
        /// The position of the first value among the columns that are read.
        let start: Int
        let column: ReferenceLookup
    }

    package static let batchCount = 1024

    /// - Parameters:
    ///   - terms: The values, without tests of related items.
    ///   - keepsIdentifiers: True if the first column that is read is the identifier.
    package init(
        of terms: [RelatedOrder.Term], _ entity: Int, keepingIdentifiers keepsIdentifiers: Bool,
        in schema: StoreSchema, _ snapshot: any StorageReading
    ) {
        columns = keepsIdentifiers ? [0] : []
        for term in terms { append(term, of: entity, in: schema, snapshot) }
    }

    private mutating func append(
        _ term: RelatedOrder.Term, of own: Int, in schema: StoreSchema, _ snapshot: any StorageReading
    ) {
        let column = ReferenceLookup(term.term.column, behind: term.path, of: own, in: schema, snapshot)
        if !columns.contains(column.start) { columns.append(column.start) }
        paths.append(Path(start: columns.firstIndex(of: column.start) ?? 0, column: column))
        storages.append(column.storage)
    }

    /// Reads a batch of rows, and gives for each path the values of all of them; nil if there is no row.
    ///
    /// - Parameter cursor: One that gives ``columns``.
    package func next(
        of cursor: any RowCursor, of schema: EntitySchema
    ) throws(DataStoreError) -> [[Constant]]? {
        let row = CellBuffer(count: max(1, columns.count))
        let storages = columns.map { schema.storage(ofColumn: $0) }
        var batch: [[Constant]] = Array(repeating: [], count: columns.count)
        var count = 0
        while count < Self.batchCount, try cursor.next(into: row.start) {
            for position in columns.indices {
                batch[position].append(Constant(row.start[position], storage: storages[position]))
            }
            count += 1
        }
        if count == 0 { return nil }
        var values: [[Constant]] = []
        for path in paths { values.append(try path.column.values(for: batch[path.start])) }
        return values
    }
}
