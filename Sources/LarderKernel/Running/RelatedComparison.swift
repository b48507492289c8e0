/// A comparison of values of which some belong to related items, run on rows of an item type.
///
/// It reads the rows a batch at a time, looks up the values that the batch leads to, and keeps the identifiers of
/// the rows that pass.
struct RelatedComparison {
    private let test: ExpressionTest
    private let entity: Int
    private let predicate: RowPredicate
    private let schema: EntitySchema
    private let snapshot: any StorageReading
    private let values: BatchLookup
    /// The column of the test in which each of the values stands.
    private let slots: [Int]

    /// - Parameters:
    ///   - entity: The item type of the rows.
    ///   - predicate: The test of the rows that are read.
    init(
        _ test: ExpressionTest, of entity: Int, where predicate: RowPredicate, in schema: StoreSchema,
        _ snapshot: any StorageReading
    ) {
        self.entity = entity
        self.predicate = predicate
        self.schema = schema.entities[entity]
        self.snapshot = snapshot
        var related: [(path: [StoreRelationship], column: Int)] = []
        let width = schema.entities[entity].attributes.count
        func slot(_ path: [StoreRelationship], _ column: Int) -> Int {
            if let position = related.firstIndex(where: { $0.path == path && $0.column == column }) {
                return width + position
            }
            related.append((path, column))
            return width + related.count - 1
        }
        self.test = ExpressionTest(
            test.left.replacingRelated(slot), test.comparison, test.right.replacingRelated(slot),
            negated: test.negated)
        // The row's own values, the identifier first, then the related ones.
        let own = [0] + self.test.columns.filter { 0 < $0 && $0 < width }.sorted()
        slots = own + related.indices.map { width + $0 }
        let terms = (own.map { (path: [], column: $0) } + related).map { value in
            RelatedOrder.Term(
                path: value.path, term: RequestPlan.SortTerm(column: value.column, isAscending: true))
        }
        values = BatchLookup(of: terms, entity, keepingIdentifiers: true, in: schema, snapshot)
    }

    /// The plan for the rows.
    var rows: RequestPlan {
        RequestPlan(entity: entity, schema: schema, columns: .some(values.columns), predicate: predicate)
    }

    /// The identifiers of the rows that pass, sorted.
    func identifiers() throws(DataStoreError) -> [Constant] {
        var passing = ConstantSet(schema.storage(ofColumn: 0))
        let cursor = try snapshot.rows(for: rows)
        defer { cursor.close() }
        let arena = RowArena(chunkBytes: 1024)
        let cells = CellBuffer(count: (slots.max() ?? 0) + 1)
        while let columns = try values.next(of: cursor, of: schema) {
            for row in columns[0].indices {
                arena.reset()
                for (position, slot) in slots.enumerated() {
                    cells.start[slot] = try arena.cell(of: columns[position][row])
                }
                if test.matches(cells.start) { passing.insert(cells.start[0]) }
            }
        }
        return passing.sorted
    }
}
