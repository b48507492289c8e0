import LarderPattern

/// Refuses a second item with the same value of a unique attribute, before anything is written.
///
/// Uniqueness is judged on whole rows, after all mutations of one list: values may be swapped in
/// one flush, and an update that carries some columns of an index is judged with the stored values of the
/// others. nil never clashes (contract rule 11). Written once for all engines: their indexes only make it
/// fast.
// UniqueClash answers another question, which pair of all stored items clashes first, and walks the whole
// index for it. A write asks for the holders of the values that it gives, which the index leads to, and its error
// says who holds one.
struct UniquenessRule: RowRule {
    // Links are looked up before they are added, up to a thousand pairs at a time.
    func concerns(_ entity: EntitySchema) -> Bool { !entity.uniqueColumns.isEmpty && !entity.isLink }

    /// - Throws: `.uniqueViolation` naming the item that holds the value.
    func mutations(
        following mutations: UnsafeBufferPointer<RowMutation>, in reading: RuleReading
    ) throws(DataStoreError) -> [RowMutation] {
        if takesValues(mutations, in: reading.schema) { try UniquenessCheck(mutations, reading).check() }
        return []
    }

    /// All that ``mutations(following:in:)`` would refuse: for each index of each row at most one clash with another
    /// row of the list, and one with a stored item.
    func clashes(
        of mutations: UnsafeBufferPointer<RowMutation>, in reading: RuleReading
    ) throws(DataStoreError) -> [UniquenessClash] {
        takesValues(mutations, in: reading.schema) ? try UniquenessCheck(mutations, reading).clashes() : []
    }

    /// True if a mutation gives a row a part of a unique value.
    private func takesValues(_ mutations: UnsafeBufferPointer<RowMutation>, in schema: StoreSchema) -> Bool {
        mutations.contains { mutation in
            let entity = schema.entities[mutation.entity]
            if mutation.kind.isDeletion || !concerns(entity) { return false }
            return mutation.kind == .insert
                || entity.uniqueColumns.contains { $0.contains(where: mutation.columns.contains) }
        }
    }
}

private struct UniquenessCheck {
    private let mutations: UnsafeBufferPointer<RowMutation>
    private let reading: RuleReading
    private let rows: ListedRows
    /// The unique indexes of the item types in the list, in the order of the schema.
    private let indexes: [UniqueIndex]

    init(_ mutations: UnsafeBufferPointer<RowMutation>, _ reading: RuleReading) {
        self.mutations = mutations
        self.reading = reading
        rows = ListedRows(of: mutations, in: reading.resources)
        var entities: [Int] = []
        for row in rows.all where row.key.entity != entities.last && !entities.contains(row.key.entity) {
            entities.append(row.key.entity)
        }
        var indexes: [UniqueIndex] = []
        for entity in entities.sorted() where UniquenessRule().concerns(reading.schema.entities[entity]) {
            let schema = reading.schema.entities[entity]
            for columns in schema.uniqueColumns {
                let isFree = reading.parts?.freeColumns.map { $0 == (entity, columns) } ?? false
                indexes.append(UniqueIndex(entity: entity, schema: schema, columns: columns, isFree: isFree))
            }
        }
        self.indexes = indexes
    }

    /// The values of a unique index that an item takes for itself.
    private struct Claim {
        /// The position in ``indexes``.
        let index: Int
        let key: UniqueKey
    }

    private struct Claimant {
        let identifier: AnyItemID
        /// The position of the last mutation that gives a part of the values.
        let position: Int
    }

    func check() throws(DataStoreError) {
        try examine { claim, position, holder throws(DataStoreError) in
            throw try violation(claim, at: position, holder: holder)
        }
    }

    func clashes() throws(DataStoreError) -> [UniquenessClash] {
        var clashes: [UniquenessClash] = []
        try examine { claim, position, holder in
            clashes.append(
                UniquenessClash(
                    position: position, entity: indexes[claim.index].entity,
                    columns: indexes[claim.index].columns, holder: holder))
        }
        return clashes.sorted { $0.position < $1.position }
    }

    /// Calls the body for each value that a row of the list takes and another one holds, of the list or the
    /// store.
    private func examine(
        _ body: (Claim, _ position: Int, _ holder: AnyItemID) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        // A child may show two holders of one value (contract rule 18); the first one is enough.
        if mutations.count == 1 {
            return try forEachClaim { claim, claimant throws(DataStoreError) in
                if let holder = try holder(of: claim, besides: claimant.identifier) {
                    try body(claim, claimant.position, holder)
                }
            }
        }
        var claimants = indexes.map { _ in [UniqueKey: Claimant](minimumCapacity: mutations.count) }
        var keys: [[UniqueKey]] = indexes.map { _ in [] }
        try forEachClaim { claim, claimant throws(DataStoreError) in
            if let other = claimants[claim.index].updateValue(claimant, forKey: claim.key) {
                if other.identifier != claimant.identifier {
                    try body(claim, claimant.position, other.identifier)
                }
            } else {
                keys[claim.index].append(claim.key)
            }
        }
        for index in indexes.indices where !keys[index].isEmpty {
            let columns = indexes[index].columns
            var clashing: Set<UniqueKey> = []
            try forEachHolder(of: keys[index], in: indexes[index]) { key, holder throws(DataStoreError) in
                guard let claimant = claimants[index][key], holder != claimant.identifier else { return }
                let held = ItemKey(entity: indexes[index].entity, identifier: holder)
                if rows.releases(columns, of: held) || !clashing.insert(key).inserted { return }
                try body(Claim(index: index, key: key), claimant.position, holder)
            }
        }
    }

    /// The first item in the store that holds a value, without the claimant itself; nil if there is none.
    private func holder(
        of claim: Claim, besides claimant: AnyItemID
    ) throws(DataStoreError) -> AnyItemID? {
        let index = indexes[claim.index]
        let schema = index.schema
        var plan = RequestPlan(
            finding: claim.key, at: index.columns, of: index.entity, schema, reading: Self.identifier)
        plan.limit = 2
        var found: AnyItemID?
        try reading.forEachRow(of: plan) { cells in
            let holder = AnyItemID(cells[0], type: schema.attributes[0].type)
            if found == nil, holder != claimant { found = holder }
        }
        return found
    }

    private static let identifier = RequestPlan.Columns.some([0])

    /// Calls the body with each item in the store that holds one of some values.
    private func forEachHolder(
        of keys: [UniqueKey], in index: UniqueIndex,
        _ body: (UniqueKey, AnyItemID) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        let (schema, columns) = (index.schema, index.columns)
        let plans = RequestPlan.plans(
            finding: keys, at: columns, of: index.entity, schema, reading: .some([0] + columns))
        for plan in plans {
            try reading.forEachRow(of: plan) { cells throws(DataStoreError) in
                let held = UniqueKey(count: columns.count) { position in
                    Constant(cells[position + 1], storage: schema.storage(ofColumn: columns[position]))
                }
                guard let held, let holder = AnyItemID(cells[0], type: schema.attributes[0].type) else {
                    return
                }
                try body(held, holder)
            }
        }
    }

    private func violation(
        _ claim: Claim, at position: Int, holder: AnyItemID
    ) throws(DataStoreError) -> DataStoreError {
        let (schema, columns) = (indexes[claim.index].schema, indexes[claim.index].columns)
        var values: [String] = []
        for (column, value) in zip(columns, claim.key.values) {
            let text = schema.declaredColumn(of: column)
            let (name, type) = (schema.attributes[text].propertyName, schema.attributes[text].type)
            guard let folded = schema.attributes[column].folded else {
                values.append("\(name) \(value.shown(as: type))")
                continue
            }
            // A folded text is shown as the texts of both items.
            let own = try self.text(at: text, of: mutations[position].key(in: reading.resources)) ?? value
            let held =
                try self.text(
                    at: text, of: ItemKey(entity: indexes[claim.index].entity, identifier: holder)) ?? own
            values.append(
                "\(name) \(held.shown(as: type)), which equals \(own.shown(as: type)) without regard to "
                    + folded.matching.ignored)
        }
        return DataStoreError(
            .uniqueViolation,
            "The item \(holder) already has the \(values.joined(separator: " and ")).",
            advice: columns.count == 1
                ? nil : "Change one of these values, or use upsert(_:by:) with all of them.",
            itemType: schema.name, attribute: schema.declaredNames(of: columns), identifier: holder)
    }

    /// The text of an item after the list; nil if there is none.
    private func text(at column: Int, of key: ItemKey?) throws(DataStoreError) -> Constant? {
        guard let key else { return nil }
        let schema = reading.schema.entities[key.entity]
        let listed = rows.all.first { $0.key == key }
        if let source = listed.flatMap(rows.given).flatMap({ rows.source(of: column, in: $0) }) {
            return schema.constant(at: column, of: mutations[source].cells)
        }
        let stored = CellBuffer(count: schema.attributes.count)
        defer { withExtendedLifetime(stored) {} }
        let identifier = try key.identifier.encode(in: reading.arena)
        guard try reading.snapshot.row(at: identifier, of: key.entity, into: stored.start) else { return nil }
        return schema.constant(at: column, of: stored.start)
    }
}

/// One of the unique indexes of an item type.
private struct UniqueIndex {
    let entity: Int
    let schema: EntitySchema
    let columns: [Int]
    /// True if the values of new rows have just been looked up, and are free.
    let isFree: Bool
}

// MARK: Claims

extension UniquenessCheck {
    /// The values of a unique index that the list gives a row, or a part of them.
    private struct Draft {
        let index: Int
        let row: Int
        /// The mutations that say what the row holds.
        let given: ListedRows.Given
        /// The last mutation that gives a part of the values.
        var position: Int
        /// False if a part must be read from the stored row.
        var isWhole = true
        /// Nil if a value is nil, or not known yet.
        var key: UniqueKey?
    }

    /// Calls the body for each value of a unique index that the list gives a row.
    private func forEachClaim(
        _ body: (Claim, Claimant) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        // The first one that must be completed, and those after it.
        var waiting: [Draft] = []
        var ofType: [Int] = []
        var entity = -1
        for row in rows.all.indices {
            if rows.all[row].key.entity != entity {
                entity = rows.all[row].key.entity
                ofType = indexes.indices.filter { indexes[$0].entity == entity }
            }
            guard !ofType.isEmpty, let given = rows.given(to: rows.all[row]) else { continue }
            let isNew = mutations[given.first].kind == .insert
            for index in ofType where !(isNew && indexes[index].isFree) {
                guard let draft = draft(index, row, given) else { continue }
                if draft.isWhole, waiting.isEmpty { try give(draft, to: body) } else { waiting.append(draft) }
            }
        }
        try addStoredValues(to: &waiting)
        for draft in waiting { try give(draft, to: body) }
    }

    private func give(
        _ draft: Draft, to body: (Claim, Claimant) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        guard let key = draft.key else { return }
        let claimant = Claimant(identifier: rows.all[draft.row].key.identifier, position: draft.position)
        try body(Claim(index: draft.index, key: key), claimant)
    }

    /// The values that the list gives a row; nil if it gives none of the index.
    private func draft(_ index: Int, _ row: Int, _ given: ListedRows.Given) -> Draft? {
        var draft = Draft(index: index, row: row, given: given, position: given.first)
        // Most rows of most lists are inserted whole.
        if !given.others.isEmpty || mutations[given.first].kind != .insert {
            let sources = indexes[index].columns.map { rows.source(of: $0, in: given) }
            guard let position = sources.compactMap(\.self).max() else { return nil }
            (draft.position, draft.isWhole) = (position, !sources.contains(nil))
        }
        if draft.isWhole { draft.key = key(of: draft, stored: nil) }
        return draft
    }

    /// Completes drafts by the stored rows, which are looked up together; a draft without one stays
    /// unchanged.
    private func addStoredValues(to drafts: inout [Draft]) throws(DataStoreError) {
        let incomplete = drafts.indices.filter { !drafts[$0].isWhole }
        for entity in Set(incomplete.map { indexes[drafts[$0].index].entity }).sorted() {
            let ofEntity = incomplete.filter { indexes[drafts[$0].index].entity == entity }
            let identifiers = ofEntity.map { mutations[rows.all[drafts[$0].row].first].cells[0] }
            let cells = reading.resources.cells
            try reading.snapshot.forEachRow(inBatches: identifiers, of: entity, into: cells) { position in
                let number = ofEntity[position]
                drafts[number].key = key(of: drafts[number], stored: cells)
            }
        }
    }

    private func key(of draft: Draft, stored: UnsafePointer<Cell>?) -> UniqueKey? {
        let (schema, columns) = (indexes[draft.index].schema, indexes[draft.index].columns)
        return UniqueKey(count: columns.count) { number in
            let column = columns[number]
            let cells = rows.source(of: column, in: draft.given).map { mutations[$0].cells } ?? stored
            return cells.map { Constant($0[column], storage: schema.storage(ofColumn: column)) } ?? .null
        }
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
        /// The positions of the others.
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

    /// The positions of the mutations that say what a row holds after the list, of which most rows have one.
    struct Given {
        let first: Int
        var others: [Int] = []
    }

    /// - Returns: Nil if the row is gone after the list.
    func given(to row: Row) -> Given? {
        if row.others.isEmpty { return mutations[row.first].kind.isDeletion ? nil : Given(first: row.first) }
        var given: Given?
        var isGone = false
        for position in [row.first] + row.others {
            switch mutations[position].kind {
            case .insert: (given, isGone) = (Given(first: position), false)
            case .update where isGone: continue
            case .update: if given?.others.append(position) == nil { given = Given(first: position) }
            case .delete, .deleteAll: (given, isGone) = (nil, true)
            }
        }
        return given
    }

    /// The last of some mutations of a row that gives a column a value; nil if none does.
    func source(of column: Int, in given: Given) -> Int? {
        func gives(_ position: Int) -> Bool {
            mutations[position].kind == .insert || mutations[position].columns.contains(column)
        }
        return given.others.last(where: gives) ?? (gives(given.first) ? given.first : nil)
    }

    /// True if a stored row does not keep its values in some columns.
    func releases(_ columns: [Int], of key: ItemKey) -> Bool {
        if cleared.contains(key.entity) { return true }
        guard let position = positions[key] else { return false }
        return ([all[position].first] + all[position].others).contains { position in
            let mutation = mutations[position]
            return mutation.kind != .update || columns.contains { mutation.columns.contains($0) }
        }
    }
}
