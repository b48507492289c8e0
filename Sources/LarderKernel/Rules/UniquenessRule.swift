/// Refuses a second item with the same value of a unique attribute, before anything is written.
///
/// Uniqueness is judged on whole rows, as they are after all mutations of one list: values may be swapped in
/// one flush, and an update that carries some columns of an index is judged with the stored values of the
/// others. nil never clashes (contract rule 11). Written once for all engines: their indexes only make it
/// fast.
// UniqueClash answers another question, which pair of all stored items clashes first, and walks the whole
// index for it. A write asks for the holder of one value, which is one look-up, and its error says who holds
// it.
struct UniquenessRule: RowRule {
    // Links are looked up before they are added, a hundred pairs at a time.
    func concerns(_ entity: EntitySchema) -> Bool { entity.hasUniqueIndex && !entity.isLink }

    /// - Throws: `.uniqueViolation` naming the item that holds the value.
    func mutations(
        following mutations: UnsafeBufferPointer<RowMutation>, in reading: RuleReading
    ) throws(DataStoreError) -> [RowMutation] {
        try UniquenessCheck(mutations, reading).check()
        return []
    }

    /// A value that one mutation of a list takes and another item holds.
    struct Clash {
        /// That of the last mutation that gives a part of the value.
        let position: Int
        let columns: [Int]
        let holder: AnyItemID
    }

    /// All that ``mutations(following:in:)`` would refuse, one for each index of each row.
    func clashes(
        of mutations: UnsafeBufferPointer<RowMutation>, in reading: RuleReading
    ) throws(DataStoreError) -> [Clash] {
        try UniquenessCheck(mutations, reading).clashes()
    }
}

private struct UniquenessCheck {
    private let mutations: UnsafeBufferPointer<RowMutation>
    private let reading: RuleReading
    private let rows: ListedRows

    init(_ mutations: UnsafeBufferPointer<RowMutation>, _ reading: RuleReading) {
        self.mutations = mutations
        self.reading = reading
        rows = ListedRows(of: mutations, in: reading.resources)
    }

    /// The values of one unique index that an item takes for itself.
    private struct Claim: Hashable {
        let entity: Int
        let index: IndexSchema
        let values: [Constant]
    }

    func check() throws(DataStoreError) {
        try examine { claim, _, holder throws(DataStoreError) in
            throw violation(claim, holder: holder)
        }
    }

    func clashes() throws(DataStoreError) -> [UniquenessRule.Clash] {
        var clashes: [UniquenessRule.Clash] = []
        try examine { claim, position, holder in
            clashes.append(
                UniquenessRule.Clash(position: position, columns: claim.index.columns, holder: holder))
        }
        return clashes.sorted { $0.position < $1.position }
    }

    /// Calls the body for each value that a row of the list takes and another one holds, of the list or the
    /// store.
    private func examine(
        _ body: (Claim, _ position: Int, _ holder: AnyItemID) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        if mutations.count == 1 {
            guard let row = rows.all.first else { return }
            return try forEachClaim(of: row) { claim, position throws(DataStoreError) in
                if let holder = try holder(of: claim, besides: row.key.identifier) {
                    try body(claim, position, holder)
                }
            }
        }
        var claimants: [Claim: (identifier: AnyItemID, position: Int)] = [:]
        for row in rows.all {
            let identifier = row.key.identifier
            try forEachClaim(of: row) { claim, position throws(DataStoreError) in
                if let other = claimants.updateValue((identifier, position), forKey: claim),
                    other.identifier != identifier
                {
                    try body(claim, position, other.identifier)
                }
            }
        }
        for (claim, claimant) in claimants {
            if let holder = try holder(of: claim, besides: claimant.identifier) {
                try body(claim, claimant.position, holder)
            }
        }
    }

    private func violation(_ claim: Claim, holder: AnyItemID) -> DataStoreError {
        let schema = reading.schema.entities[claim.entity]
        let attributes = claim.index.columns.map { schema.attributes[$0] }
        let values = zip(attributes, claim.values).map { "\($0.name) \($1.shown(as: $0.type))" }
        let names = attributes.map(\.name).joined(separator: ", ")
        return DataStoreError(
            .uniqueViolation,
            "The item \(holder) already has the \(values.joined(separator: " and ")).",
            advice: attributes.count == 1
                ? nil : "Change one of these values, or use upsert(_:by:) with all of them.",
            itemType: schema.name, attribute: names, identifier: holder)
    }
}

// MARK: Claims

extension UniquenessCheck {
    /// Calls the body for each value of a unique index that the list gives a row, with the position of the
    /// last mutation that gives a part of it.
    private func forEachClaim(
        of row: ListedRows.Row, _ body: (Claim, Int) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        let entity = mutations[row.first].entity
        let schema = reading.schema.entities[entity]
        guard schema.hasUniqueIndex, !schema.isLink else { return }
        let given = rows.given(to: row)
        guard let first = given.first else { return }
        let isNew = mutations[first].kind == .insert
        for index in schema.indexes where index.isUnique {
            if isNew, let free = reading.parts?.freeColumns, free.entity == entity,
                index.columns == free.columns
            {
                continue
            }
            var position: Int?
            var isWhole = true
            for column in index.columns {
                if let source = rows.source(of: column, in: given) {
                    position = max(position ?? source, source)
                } else {
                    isWhole = false
                }
            }
            guard let position else { continue }
            // The stored row, for the columns that the list does not give.
            if !isWhole {
                let isFound = try reading.snapshot.row(
                    at: mutations[first].cells[0], of: entity, into: reading.resources.cells)
                if !isFound { continue }
            }
            let values = index.columns.map { column in
                let cells = rows.source(of: column, in: given).map { mutations[$0].cells }
                return Constant(
                    (cells ?? UnsafePointer(reading.resources.cells))[column],
                    storage: schema.storage(ofColumn: column))
            }
            if values.contains(where: \.isNull) { continue }
            try body(Claim(entity: entity, index: index, values: values), position)
        }
    }

    /// Another item in the store that holds the values and does not give them up in the same list.
    private func holder(
        of claim: Claim, besides identifier: AnyItemID?
    ) throws(DataStoreError) -> AnyItemID? {
        let schema = reading.schema.entities[claim.entity]
        let parts = zip(claim.index.columns, claim.values).map { column, value in
            RowPredicate.compare(column: column, .equal, value)
        }
        let plan = RequestPlan(
            entity: claim.entity, schema: schema, columns: .some([0]),
            predicate: parts.count == 1 ? parts[0] : .all(parts), limit: 2)
        let cells = reading.resources.cells
        let cursor: any RowCursor
        do {
            cursor = try reading.snapshot.rows(for: plan)
        } catch {
            throw error.about(itemType: schema.name, request: plan.description)
        }
        defer { cursor.close() }
        while try cursor.next(into: cells) {
            guard let holder = AnyItemID(cells[0], type: schema.attributes[0].type) else { continue }
            if holder == identifier { continue }
            let key = ItemKey(entity: claim.entity, identifier: holder)
            if !rows.releases(claim.index, of: key) { return holder }
        }
        return nil
    }
}

/// The rows that a list of mutations changes, each once.
private struct ListedRows {
    private let mutations: UnsafeBufferPointer<RowMutation>
    private(set) var all: [Row] = []
    /// Empty for a list that inserts only: none of its rows is there before, or twice.
    private var positions: [ItemKey: Int] = [:]
    /// The item types whose rows all go.
    private var cleared: Set<Int> = []

    struct Row {
        let key: ItemKey
        /// The position of its first mutation.
        let first: Int
        /// Those of the others.
        var others: [Int] = []
    }

    init(of mutations: UnsafeBufferPointer<RowMutation>, in resources: BlockResources) {
        self.mutations = mutations
        all.reserveCapacity(mutations.count)
        let insertsOnly = mutations.allSatisfy { $0.kind == .insert }
        for position in mutations.indices {
            guard let key = mutations[position].key(in: resources) else {
                if mutations[position].kind == .deleteAll { clear(mutations[position].entity, at: position) }
                continue
            }
            if !insertsOnly, let known = positions.updateValue(all.count, forKey: key) {
                positions[key] = known
                all[known].others.append(position)
            } else {
                all.append(Row(key: key, first: position))
            }
        }
    }

    private mutating func clear(_ entity: Int, at position: Int) {
        cleared.insert(entity)
        for row in all.indices where all[row].key.entity == entity { all[row].others.append(position) }
    }

    /// The positions of the mutations that say what a row holds after the list; none where it is gone.
    func given(to row: Row) -> [Int] {
        if row.others.isEmpty { return mutations[row.first].kind.isDeletion ? [] : [row.first] }
        var given: [Int] = []
        var isGone = false
        for position in [row.first] + row.others {
            switch mutations[position].kind {
            case .insert: (given, isGone) = ([position], false)
            case .update: if !isGone { given.append(position) }
            case .delete, .deleteAll: (given, isGone) = ([], true)
            }
        }
        return given
    }

    /// The last of some mutations of a row that gives a column a value; nil where none does.
    func source(of column: Int, in given: [Int]) -> Int? {
        given.last { mutations[$0].kind == .insert || mutations[$0].columns.contains(column) }
    }

    /// True if a stored row does not keep the values of an index.
    func releases(_ index: IndexSchema, of key: ItemKey) -> Bool {
        if cleared.contains(key.entity) { return true }
        guard let position = positions[key] else { return false }
        return ([all[position].first] + all[position].others).contains { position in
            let mutation = mutations[position]
            return mutation.kind != .update || index.columns.contains { mutation.columns.contains($0) }
        }
    }
}
