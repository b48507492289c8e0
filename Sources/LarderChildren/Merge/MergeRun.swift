import LarderKernel

/// One merge of what a child has staged into its parent: a list with what the child shows of each row that it has
/// touched, by a three-way comparison; then the delete rules, for what the child could not see; then the judgement
/// of the whole.
///
/// What the judgement finds is settled by the policy, and all is undone and made again with what was decided.
/// *Rule:* runs inside a write block of the parent, with the writer's turn of the child held, so that neither
/// side changes meanwhile.
final class MergeRun {
    let parent: MergeAccess
    let schema: StoreSchema
    let graph: ReferenceGraph
    let staged: any StorageReading
    let staging: StagingSchema
    let decisions: MergeDecisions
    let followed: FollowedDeletions

    // State of one attempt:
    /// The changes for the parent, in the order of the item types.
    var changes: [MergedChange] = []
    /// The rows that the child has deleted and the parent keeps; true if the policy has decided it.
    var kept: [RowKey: Bool] = [:]
    /// For each row that the child has deleted the columns that the parent has changed, if there are any.
    var changedInParent: [RowKey: ColumnSet] = [:]
    /// The conflicts about deletions that the policy has settled for the child, by the row, and those of them that are left out
    /// with another deletion.
    var won: [RowKey: MergeConflict] = [:]
    var overruled: Set<MergeConflict> = []
    /// The rows that both sides have inserted and the child has deleted again, which are the parent's alone.
    var unseen: Set<RowKey> = []
    /// The references that the child has made nil.
    var freeings: [Freeing] = []
    /// The targets of one-to-one references that the child has given to other rows.
    var given: Set<Reference> = []
    var arena = RowArena()
    /// For the last versions of items.
    lazy var lastRow = CellBuffer(count: staging.schema.rowWidth)

    /// A reference that a change makes nil.
    struct Freeing {
        let position: Int
        let column: Int
        /// Its last target in the child.
        let target: RowKey
        /// Its target in the parent; nil if that is of another type.
        let base: RowKey?
        /// True if the deletion of the target makes it nil.
        let isByRule: Bool
    }

    /// A column, and the item that a row refers to by it.
    struct Reference: Hashable {
        let entity: Int
        let column: Int
        let target: Constant
    }

    init(
        into parent: MergeAccess, from staged: any StorageReading, _ staging: StagingSchema,
        policy: MergePolicy
    ) {
        self.parent = parent
        schema = parent.schema
        graph = parent.graph
        self.staged = staged
        self.staging = staging
        decisions = MergeDecisions(by: policy)
        followed = FollowedDeletions(from: staged, staging, by: graph)
    }

    /// An attempt that is undone.
    private struct Undone: Error {}

    /// Merges, or changes nothing if conflicts are left.
    ///
    /// - Parameter isPreview: True to change nothing in any case.
    /// - Throws: An error of the policy; `.invalidValue`, `.wrongType` for a value that it gives.
    func run(isPreview: Bool) throws -> MergeResult {
        while true {
            var result = MergeResult()
            var findings: [MergeFinding] = []
            // Compared again in each attempt: the transaction may be another one.
            do {
                try parent.allOrNothing { call in
                    try compare()
                    let state = try parent.apply(changes, keeping: kept, in: call)
                    count(state, &result)
                    findings = try state.findings + DependentChanges(of: self).deniedByKept()
                    if isPreview || !findings.isEmpty || !decisions.conflicts.isEmpty { throw Undone() }
                }
            } catch is Undone {}
            let isRefused = !decisions.conflicts.isEmpty
            try settle(findings)
            if findings.isEmpty || isRefused || !decisions.conflicts.isEmpty {
                result.settled = decisions.settled.filter { !overruled.contains($0) }
                result.conflicts = decisions.conflicts
                return result
            }
        }
    }

    private func count(_ state: MergedState, _ result: inout MergeResult) {
        var freed = state.freed.subtracting(state.taken)
        for change in changes where !schema.entities[change.entity].isLink {
            switch change.kind {
            case .insert: result.inserted += 1
            case .delete, .deleteAll: result.deleted += 1
            case .update:
                if !state.taken.isEmpty, state.taken.contains(key(of: change)) { continue }
                result.updated += 1
                if !freed.isEmpty { freed.remove(key(of: change)) }
            }
        }
        result.updated += freed.count
        result.deleted += state.taken.count
    }

    // MARK: Comparing

    /// Finds the changes for the parent, and what both sides have changed.
    private func compare() throws {
        changes.removeAll()
        freeings.removeAll()
        given.removeAll()
        kept.removeAll()
        changedInParent.removeAll()
        won.removeAll()
        overruled.removeAll()
        unseen.removeAll()
        arena = RowArena()
        let entities = 0..<staging.count
        for entity in entities where !schema.entities[entity].isLink { try compareItems(entity) }
        try leaveFollowers()
        for entity in entities where schema.entities[entity].isLink { try compareLinks(entity) }
        try freeHolders()
    }

    /// Adds a change, as far as nothing else was decided.
    ///
    /// - Parameter parent: The parent's row under an update. Equal values are not written: a parent that is a child would
    ///   have touched the item.
    func add(_ change: MergedChange, over parent: UnsafePointer<Cell>? = nil) throws(DataStoreError) {
        var change = change
        if !decisions.changes.isEmpty, let decision = decisions.changes[key(of: change)] {
            if decision.isLeft {
                if change.kind == .delete {
                    kept[key(of: change)] = true
                    if let conflict = won[key(of: change)] { overruled.insert(conflict) }
                }
                return
            }
            for column in decision.columns {
                change.columns.remove(column)
                if let parent { change.cells[column] = try arena.copy(parent[column]) }
            }
            for (column, value) in decision.values {
                change.cells[column] = try arena.cell(of: value)
                if let parent,
                    schema.entities[change.entity].isUnchanged(
                        at: column, from: parent[column], to: change.cells[column])
                {
                    change.columns.remove(column)
                }
            }
            if change.kind == .update, change.columns.isEmpty { return }
        }
        changes.append(change)
    }

    func key(of change: MergedChange) -> RowKey { change.key(in: schema) }

    /// True if the child has deleted a row that the merge does not delete.
    func staysInParent(_ row: RowKey) -> Bool { kept[row] != nil || unseen.contains(row) }

    func key(_ identifier: Cell, of entity: Int) -> RowKey { RowKey(identifier, of: entity, in: schema) }
}

// MARK: Items

extension MergeRun {
    private func compareItems(_ entity: Int) throws {
        let type = schema.entities[entity]
        let walk = try StagedRowWalk(of: entity, in: staged, staging, over: try parent.reading())
        defer { walk.close() }
        while try walk.next() {
            let item = ThreeRows(
                entity: entity, schema: type, base: walk.base, child: walk.child, parent: walk.parent)
            noteGiven(item)
            try compare(item)
        }
    }

    private func compare(_ item: ThreeRows) throws {
        switch (item.base, item.child, item.parent) {
        case (_, nil, nil): return
        case (nil, nil, let parent?): unseen.insert(key(parent[0], of: item.entity))
        case (nil, let child?, nil): try add(item, child)
        case (nil, let child?, let parent?):
            try update(item, item.schema.changedColumns(from: parent, to: child), child, parent, base: nil)
        case (let base?, nil, let parent?): try delete(item, base, parent)
        case (let base?, let child?, let parent):
            let columns = item.schema.changedColumns(from: base, to: child)
            if columns.isEmpty { return }
            if let parent { return try update(item, columns, child, parent, base: base) }
            if case .child = try settle(item, .deletedInParent) { try add(item, child) }
        }
    }

    /// Takes over the columns that the parent has not changed, and asks about the others.
    private func update(
        _ item: ThreeRows, _ columns: ColumnSet, _ child: UnsafePointer<Cell>, _ parent: UnsafePointer<Cell>,
        base: UnsafePointer<Cell>?
    ) throws {
        let cells = try arena.makeCells(item.schema.attributes.count)
        cells[0] = try arena.copy(child[0])
        var taken = ColumnSet()
        for column in columns {
            if item.schema.isUnchanged(at: column, from: parent[column], to: child[column]) { continue }
            var cell = child[column]
            let isParents = base.map {
                item.schema.isUnchanged(at: column, from: $0[column], to: parent[column])
            }
            if isParents != true {
                let attribute = item.schema.attributes[column]
                switch try settle(item, .changedOnBothSides(attribute: attribute.propertyName)) {
                case .child: break
                case .parent, .unsettled: continue
                case .value(let value):
                    cell = try self.cell(for: value, at: column, of: item.entity, in: parent)
                    if item.schema.isUnchanged(at: column, from: parent[column], to: cell) { continue }
                }
            }
            cells[column] = try arena.copy(cell)
            taken.insert(column)
        }
        if taken.isEmpty { return }
        // A value that two columns make up is known whole (``DependentChanges``).
        for columns in item.schema.uniqueColumns where columns.count > 1 {
            for column in columns.map(item.schema.declaredColumn) where !taken.contains(column) {
                cells[column] = try arena.copy(parent[column])
            }
        }
        let count = changes.count
        try add(MergedChange(.update, entity: item.entity, cells: cells, columns: taken), over: parent)
        if changes.count > count { try noteFreeings(item) }
    }

    private func delete(
        _ item: ThreeRows, _ base: UnsafePointer<Cell>, _ parent: UnsafePointer<Cell>
    ) throws {
        let changed = item.schema.changedColumns(from: base, to: parent)
        if !changed.isEmpty {
            let key = key(base[0], of: item.entity)
            changedInParent[key] = changed
            switch try settle(item, .deletedInChild) {
            case .child: won[key] = item.conflict(.deletedInChild)
            case .parent, .value: return kept[key] = true
            case .unsettled: return kept[key] = false
            }
        }
        let cells = try arena.copy(row: base, 1)
        try add(MergedChange(.delete, entity: item.entity, cells: cells, columns: changed))
    }

    private func add(_ item: ThreeRows, _ row: UnsafePointer<Cell>) throws {
        let cells = try arena.copy(row: row, item.schema.attributes.count)
        try add(MergedChange(.insert, entity: item.entity, cells: cells))
    }

    /// Lets the policy decide a conflict.
    private func settle(_ item: ThreeRows, _ kind: MergeConflict.Kind) throws -> MergeResolution {
        guard let conflict = item.conflict(kind) else { return .unsettled }
        return try decisions.settle(conflict)
    }
}

/// One item on three sides; nil for a side that does not have it.
struct ThreeRows {
    let entity: Int
    let schema: EntitySchema
    let base: UnsafePointer<Cell>?
    let child: UnsafePointer<Cell>?
    let parent: UnsafePointer<Cell>?

    func conflict(_ kind: MergeConflict.Kind) -> MergeConflict? {
        let rows = [base, child, parent].map { row in row.map { RowValues($0, of: schema) } }
        guard let identifier = rows.compactMap(\.self).first?.identifier else { return nil }
        return MergeConflict(
            itemType: schema.name, identifier: identifier, kind: kind,
            rows: (base: rows[0], child: rows[1], parent: rows[2]))
    }
}
