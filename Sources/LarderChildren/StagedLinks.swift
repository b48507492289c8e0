import LarderKernel

/// The links of one relationship that a child shows as rows of its own, by their ends.
///
/// Its parent may have the same link under another identifier, as both sides may have added it; a child shows it once
/// (contract rule 15). *Rule:* used by one thread at a time, with the transaction.
final class StagedLinks {
    private let staged: any StorageReading
    private let entity: Int
    private let schema: EntitySchema
    private let cells = CellBuffer(count: 2)
    // reason for unchecked: asked for each row of a scan, and never while another access runs.
    /// The number of links that were looked up one by one.
    @exclusivity(unchecked) private var lookups = 0
    /// All of them, once they are worth reading.
    @exclusivity(unchecked) private var known: Set<Ends>?

    /// The items at both ends of a link.
    struct Ends: Hashable {
        let source: Constant
        let target: Constant

        /// - Parameter row: Cells by column number.
        init(_ row: UnsafePointer<Cell>, of schema: EntitySchema) {
            self.init(row[LinkEntity.source], row[LinkEntity.target], of: schema)
        }

        fileprivate init(_ source: Cell, _ target: Cell, of schema: EntitySchema) {
            self.source = Constant(source, storage: schema.storage(ofColumn: LinkEntity.source))
            self.target = Constant(target, storage: schema.storage(ofColumn: LinkEntity.target))
        }

        /// A test for the links between the two.
        var predicate: RowPredicate {
            .all([
                .compare(column: LinkEntity.source, .equal, source),
                .compare(column: LinkEntity.target, .equal, target),
            ])
        }
    }

    init(in staged: any StorageReading, of entity: Int, _ schema: EntitySchema) {
        self.staged = staged
        self.entity = entity
        self.schema = schema
    }

    /// True if the child has a row for the link of another row.
    func contains(_ row: UnsafePointer<Cell>) throws(DataStoreError) -> Bool {
        let ends = Ends(row, of: schema)
        if let known { return known.contains(ends) }
        lookups += 1
        if lookups > 64 {
            try readAll()
            return known?.contains(ends) ?? false
        }
        return try staged.hasRows(entity, schema, where: ends.predicate)
    }

    func insert(_ ends: Ends) { known?.insert(ends) }

    func remove(_ ends: Ends) { known?.remove(ends) }

    /// Forgets what is known, as rows have changed otherwise.
    func forget() { (known, lookups) = (nil, 0) }

    private func readAll() throws(DataStoreError) {
        var all: Set<Ends> = []
        let plan = RequestPlan(
            entity: entity, schema: schema, columns: .some([LinkEntity.source, LinkEntity.target]))
        let cursor = try staged.rows(for: plan)
        defer { cursor.close() }
        while try cursor.next(into: cells.start) {
            all.insert(Ends(cells.start[0], cells.start[1], of: schema))
        }
        known = all
    }
}
