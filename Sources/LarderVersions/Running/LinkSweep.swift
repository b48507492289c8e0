import LarderEngine
package import LarderKernel

/// Removes the links of which one end has gone with its row, as deleting an item removes its links, whatever the delete rules.
///
/// *Cost:* as the check of the relationships; reads the links side by side with both ends.
package struct LinkSweep {
    private let schema: StoreSchema
    private let rows: any StorageWriting
    private let elsewhere: Set<Int>
    /// ``limit``, or fewer for tests.
    var size = Self.limit

    /// The most links of a walk that are kept in memory to be removed.
    fileprivate static let limit = 65_536

    /// - Parameter elsewhere: The types of which the rows lack some, so that links to them stay.
    package init(of schema: StoreSchema, in rows: any StorageWriting, elsewhere: Set<Int> = []) {
        self.schema = schema
        self.rows = rows
        self.elsewhere = elsewhere
    }

    func run() throws(DataStoreError) { try run(schema.relationships.joined()) }

    package func run(_ relationships: some Sequence<StoreRelationship>) throws(DataStoreError) {
        for relationship in relationships {
            guard case .links(let side) = relationship.form, !side.isReversed else { continue }
            var last: ReferenceFault?
            repeat { last = try sweep(relationship, side.entity, from: last) } while last != nil
        }
    }

    /// Removes some links, and returns the last of them if there may be more.
    ///
    /// - Parameter former: The last one that was removed before; the walks continue there.
    private func sweep(
        _ relationship: StoreRelationship, _ links: Int, from former: ReferenceFault?
    ) throws(DataStoreError) -> ReferenceFault? {
        var pairs: [(source: AnyItemID, target: AnyItemID)] = []
        var last: ReferenceFault?
        try ReferenceFault.forEach(
            in: relationship, schema, rows, cancelledAs: "The migration", elsewhere: elsewhere, from: former,
            ignoringRules: true
        ) { _, fault in
            pairs.append((fault.item, fault.target))
            last = fault
            return pairs.count < size
        }
        let arena = RowArena(chunkBytes: 4096)
        defer { withExtendedLifetime(arena) {} }
        for part in pairs.chunks(ofCount: WriteBlock.batchSize) {
            let plans = RequestPlan.plans(
                finding: part.map { UniqueKey(Constant($0.source), [Constant($0.target)]) },
                at: [LinkEntity.source, LinkEntity.target], of: links, schema.entities[links],
                reading: .some([0]))
            arena.reset()
            var mutations: [RowMutation] = []
            for plan in plans { mutations += try rows.deletions(of: plan, in: arena) }
            if !mutations.isEmpty { try rows.apply(mutations) }
        }
        return pairs.count < size ? nil : last
    }
}

extension StorageWriting {
    /// Replaces the links of rows by the links that a step gives to their new rows; all others stay.
    func overwrite(_ links: PreparedStep.ExplicitLinks, in schema: StoreSchema) throws(DataStoreError) {
        let entity = schema.entities[links.stored]
        let storage = entity.storage(ofColumn: LinkEntity.source)
        // First all marks, then all links: the links of one owner may be in two batches.
        let marks = RowBatches(of: links.made, in: schema, self)
        while try marks.readNext() {
            let owners = marks.rows.filter { $0[LinkEntity.target].isNull }
                .map { Constant($0[LinkEntity.source], storage: storage) }
            for part in owners.sortedAndDistinct(storage).plannedParts {
                try deleteRows(of: links.stored, entity, where: .oneOf(part, inColumn: LinkEntity.source))
            }
        }
        let made = RowBatches(of: links.made, in: schema, self)
        while try made.readNext() {
            let mutations = made.rows.filter { !$0[LinkEntity.target].isNull }.map { cells in
                RowMutation(.insert, entity: links.stored, cells: cells)
            }
            if !mutations.isEmpty { try apply(mutations) }
        }
    }

    /// Deletes the rows that match, up to a thousand at a time.
    ///
    /// They are not looked for again for each part: an engine reads and sorts all of them before the first.
    private func deleteRows(
        of number: Int, _ entity: EntitySchema, where predicate: RowPredicate
    ) throws(DataStoreError) {
        let arena = RowArena()
        defer { withExtendedLifetime(arena) {} }
        let plan = RequestPlan(
            entity: number, schema: entity, columns: .some([0]), predicate: predicate)
        while true {
            arena.reset()
            let mutations = try deletions(of: plan, in: arena)
            for part in mutations.chunks(ofCount: WriteBlock.batchSize) { try apply(Array(part)) }
            if mutations.count < LinkSweep.limit { return }
        }
    }

    /// The deletions of the first rows that a plan for their identifiers finds.
    fileprivate func deletions(
        of plan: RequestPlan, in arena: RowArena
    ) throws(DataStoreError) -> [RowMutation] {
        var mutations: [RowMutation] = []
        let cursor = try rows(for: plan)
        defer { cursor.close() }
        var cell = Cell.null
        while mutations.count < LinkSweep.limit, try cursor.next(into: &cell) {
            mutations.append(
                try RowMutation.deleting(try arena.copy(cell), entity: plan.entity, in: arena))
        }
        return mutations
    }
}
