import LarderKernel

/// The links of one relationship that a child has touched, by their ends.
///
/// Its parent may have the same link under another identifier: both sides may have added it, or the parent has removed it
/// and added it again. A child shows its own once (contract rule 15), and none that it has removed, as a merge removes
/// that. *Rule:* used by one thread at a time, with the transaction.
final class StagedLinks {
    private let staged: any StorageReading
    private let entity: Int
    private let base: Int
    private let schema: EntitySchema
    private let baseSchema: EntitySchema
    // reason for unchecked: asked for each row of a scan, and never while another access runs.
    /// The number of links that were looked up one by one.
    @exclusivity(unchecked) private var lookups = 0
    /// All of them, once they are worth reading: those that the child has rows for, and those that its parent had.
    @exclusivity(unchecked) private var known: Set<Ends>?
    @exclusivity(unchecked) private var knownBases: Set<Ends> = []

    /// The items at both ends of a link.
    struct Ends: Hashable {
        let source: Constant
        let target: Constant

        /// - Parameter row: Cells by column number.
        init(_ row: UnsafePointer<Cell>, of schema: EntitySchema) {
            self.init(row[LinkEntity.source], row[LinkEntity.target], of: schema)
        }

        init(_ row: RowValues) {
            (source, target) = (row.values[LinkEntity.source], row.values[LinkEntity.target])
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

    init(in staged: any StorageReading, of entity: Int, _ staging: StagingSchema) {
        self.staged = staged
        self.entity = entity
        base = staging.base(of: entity)
        schema = staging.schema.entities[entity]
        baseSchema = staging.schema.entities[base]
    }

    /// True if the child has touched the link of another row.
    func contains(_ row: UnsafePointer<Cell>) throws(DataStoreError) -> Bool {
        let ends = Ends(row, of: schema)
        if let known { return known.contains(ends) || knownBases.contains(ends) }
        lookups += 1
        if lookups > 64 {
            try readAll()
            return try contains(row)
        }
        if try staged.hasRows(entity, schema, where: ends.predicate) { return true }
        // The base of a link that the child has added has no ends.
        return try staged.hasRows(base, baseSchema, where: ends.predicate)
    }

    func insert(_ ends: Ends) { known?.insert(ends) }

    func remove(_ ends: Ends) { known?.remove(ends) }

    /// Notes a link of the parent, by its row, that the child touches from now on.
    func insertBase(_ row: UnsafePointer<Cell>) {
        if known != nil { knownBases.insert(Ends(row, of: schema)) }
    }

    /// Forgets what is known, as rows have changed otherwise.
    func forget() { (known, knownBases, lookups) = (nil, [], 0) }

    private func readAll() throws(DataStoreError) {
        knownBases = try read(base, baseSchema)
        known = try read(entity, schema)
    }

    private func read(_ entity: Int, _ rows: EntitySchema) throws(DataStoreError) -> Set<Ends> {
        var all: Set<Ends> = []
        let plan = RequestPlan(
            entity: entity, schema: rows, columns: .some([LinkEntity.source, LinkEntity.target]))
        try staged.forEachRow(of: plan) { ends in
            if !ends[0].isNull { all.insert(Ends(ends[0], ends[1], of: schema)) }
        }
        return all
    }
}
