/// A comparison of values of which some belong to related items, run on all rows of an item type.
///
/// It reads the rows a batch at a time, looks up the values that the batch leads to, and keeps the identifiers of
/// the rows that pass.
struct JoinedTest {
    private let test: ExpressionTest
    private let entity: Int
    private let schema: EntitySchema
    private let snapshot: any StorageReading
    /// The columns that are read of each row, the identifier first.
    private let columns: [Int]
    private let joined: [RelatedColumn]

    private static let batchCount = 1024

    /// - Parameter entity: The item type of the rows.
    init(_ test: ExpressionTest, of entity: Int, in schema: StoreSchema, _ snapshot: any StorageReading) {
        self.entity = entity
        self.schema = schema.entities[entity]
        self.snapshot = snapshot
        var places: [(path: [StoreRelationship], column: Int)] = []
        let width = schema.entities[entity].attributes.count
        func slot(_ path: [StoreRelationship], _ column: Int) -> Int {
            if let place = places.firstIndex(where: { $0.path == path && $0.column == column }) {
                return width + place
            }
            places.append((path, column))
            return width + places.count - 1
        }
        self.test = ExpressionTest(
            test.left.replacingRelated(slot), test.comparison, test.right.replacingRelated(slot),
            negated: test.negated)
        joined = places.map { RelatedColumn($0.column, behind: $0.path, of: entity, in: schema, snapshot) }
        let own = test.columns.union(joined.map(\.start)).subtracting([0])
        columns = [0] + own.sorted()
    }

    /// The plan for the rows.
    var rows: RequestPlan { RequestPlan(entity: entity, schema: schema, columns: .some(columns)) }

    /// The identifiers of the rows that pass, sorted.
    func identifiers() throws(DataStoreError) -> [Constant] {
        var passing = ConstantSet(schema.storage(ofColumn: 0))
        let cursor = try snapshot.rows(for: rows)
        defer { cursor.close() }
        let row = CellBuffer(count: columns.count)
        var batch: [Constant] = []
        while try cursor.next(into: row.start) {
            for (position, column) in columns.enumerated() {
                batch.append(Constant(row.start[position], storage: schema.storage(ofColumn: column)))
            }
            guard batch.count >= Self.batchCount * columns.count else { continue }
            try take(batch, into: &passing)
            batch.removeAll(keepingCapacity: true)
        }
        try take(batch, into: &passing)
        return passing.sorted
    }

    private func take(_ batch: [Constant], into passing: inout ConstantSet) throws(DataStoreError) {
        let count = batch.count / columns.count
        if count == 0 { return }
        var values: [[Constant]] = []
        for column in joined {
            let position = columns.firstIndex(of: column.start) ?? 0
            values.append(try column.values(for: (0..<count).map { batch[$0 * columns.count + position] }))
        }
        let arena = RowArena(chunkBytes: 1024)
        let cells = CellBuffer(count: schema.attributes.count + joined.count)
        for row in 0..<count {
            arena.reset()
            for (position, column) in columns.enumerated() {
                cells.start[column] = try arena.cell(of: batch[row * columns.count + position])
            }
            for (position, column) in values.enumerated() {
                cells.start[schema.attributes.count + position] = try arena.cell(of: column[row])
            }
            if test.matches(cells.start) { passing.insert(cells.start[0]) }
        }
    }
}
