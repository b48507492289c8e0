/// One attempt to move what a child has staged into its parent: a three-way comparison for each attribute and
/// link, then one list of mutations through the parent's pipeline.
///
/// *Rule:* runs inside a write block of the parent, with the writer's turn of the child held, so that neither
/// side changes meanwhile.
final class MergeRun {
    let block: WriteBlock
    let staged: any StorageReading
    let staging: StagingSchema
    let policy: MergePolicy
    /// The deletions that a rule denies and that the policy gives up.
    let droppedDeletions: Set<ItemKey>
    /// The changes for the parent, in the order of the item types.
    var changes: [MergedChange] = []
    var result = MergeResult()
    let arena = RowArena()
    /// The clashes that the policy was asked about.
    var seenClashes: Set<MergeConflict> = []
    let followed: FollowedChanges

    var schema: StoreSchema { block.context.resources.schema }

    init(
        into block: WriteBlock, from staged: any StorageReading, _ staging: StagingSchema,
        policy: MergePolicy, dropping droppedDeletions: Set<ItemKey>
    ) {
        self.block = block
        self.staged = staged
        self.staging = staging
        self.policy = policy
        self.droppedDeletions = droppedDeletions
        followed = FollowedChanges(from: staged, staging, by: block.pipeline.rules.graph)
    }

    /// Compares everything that is staged, and applies it.
    ///
    /// - Throws: `.mergeConflict`; an error of the policy; `.deletionDenied` and others of the parent's rules.
    func run() throws {
        try compare()
        if !result.conflicts.isEmpty { throw DataStoreError.mergeConflict(result.conflicts) }
        try apply()
    }

    /// Finds the changes for the parent, and the conflicts.
    func compare() throws {
        for entity in 0..<staging.count {
            if schema.entities[entity].isLink {
                try compareLinks(entity)
            } else {
                try compareItems(entity)
            }
        }
        try settleClashes()
    }

    /// Hands the changes to the parent's pipeline, all in one list.
    func apply() throws(DataStoreError) {
        let mutations = self.mutations
        for (_, change) in live where !schema.entities[change.entity].isLink {
            switch change.kind {
            case .insert: result.inserted += 1
            case .update: result.updated += 1
            case .delete, .deleteAll: result.deleted += 1
            }
        }
        if mutations.isEmpty { return }
        // References are judged already, except those that may lead nowhere in the child as well. The block
        // fails when this throws, and with it everything that it has done.
        let call = CallInParts()
        try block.pipeline.apply(mutations, isUndoneByCaller: true, in: call)
        try call.waves?.judge()
    }

    /// The changes that are left, each with its position.
    var live: [(position: Int, change: MergedChange)] {
        changes.enumerated().filter { !$1.isDropped }.map { ($0, $1) }
    }

    var mutations: [RowMutation] { live.map { $0.change.mutation } }
}

/// A change of one row of the parent.
struct MergedChange {
    let kind: RowMutation.Kind
    let entity: Int
    /// In the arena of the run.
    let cells: UnsafeMutablePointer<Cell>
    var columns = ColumnSet()
    /// True if a conflict was settled by leaving the parent as it is.
    var isDropped = false

    var mutation: RowMutation { RowMutation(kind, entity: entity, cells: cells, columns: columns) }
}

// MARK: Items

extension MergeRun {
    private func compareItems(_ entity: Int) throws {
        let type = schema.entities[entity]
        let row = CellBuffer(count: type.attributes.count)
        let walk = try TouchedRowWalk(of: entity, in: staged, staging)
        defer { walk.close() }
        while try walk.next() {
            let isInParent = try block.context.withSnapshot { snapshot throws(DataStoreError) in
                try snapshot.row(at: walk.identifier, of: entity, into: row.start)
            }
            let item = ThreeRows(
                entity: entity, schema: type, base: walk.base, child: walk.child,
                parent: isInParent ? UnsafePointer(row.start) : nil)
            try compare(item, asked: walk.asked, walk.identifier)
        }
    }

    private func compare(_ item: ThreeRows, asked: ColumnSet, _ identifier: Cell) throws {
        switch (item.base, item.child, item.parent) {
        case (_, nil, nil), (nil, nil, _): return
        case (nil, let child?, nil): try add(.insert, item, child)
        case (nil, let child?, let parent?):
            try update(item, item.schema.changedColumns(from: parent, to: child), child, parent, base: nil)
        case (let base?, nil, let parent?):
            if try asked.contains(0) || !followed.followsAgain(identifier, of: item.entity) {
                try delete(item, base, parent, identifier)
            }
        case (let base?, let child?, let parent):
            var columns = item.schema.changedColumns(from: base, to: child)
            if !asked.contains(0) { columns = try chosen(columns, asked: asked, item, base) }
            if columns.isEmpty { return }
            if let parent {
                try update(item, columns, child, parent, base: base)
            } else {
                switch try settle(item, .deletedInParent) {
                case .child: try add(.insert, item, child)
                case .parent, .value, .none: return
                }
            }
        }
    }

    /// The changed columns to merge: those that were asked for, and the references that a rule has made nil,
    /// where nothing in the parent does.
    private func chosen(
        _ changed: ColumnSet, asked: ColumnSet, _ item: ThreeRows, _ base: UnsafePointer<Cell>
    ) throws(DataStoreError) -> ColumnSet {
        var columns = ColumnSet(changed.filter(asked.contains))
        guard let parent = item.parent, !asked.isSuperset(of: changed) else { return columns }
        for column in followed.references(of: item.entity)
        where changed.contains(column) && !asked.contains(column) {
            if item.schema.isUnchanged(at: column, from: base[column], to: parent[column]),
                try !followed.referToDeleted(base, of: item.entity, columns: ColumnSet([column]))
            {
                columns.insert(column)
            }
        }
        return columns
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
                switch try settle(item, .changedOnBothSides(attribute: attribute.name)) {
                case .child: break
                case .parent, .none: continue
                case .value(let value): cell = try attribute.cell(for: value, in: arena)
                }
            }
            cells[column] = try arena.copy(cell)
            taken.insert(column)
        }
        if taken.isEmpty { return }
        changes.append(MergedChange(kind: .update, entity: item.entity, cells: cells, columns: taken))
    }

    private func delete(
        _ item: ThreeRows, _ base: UnsafePointer<Cell>, _ parent: UnsafePointer<Cell>, _ identifier: Cell
    ) throws {
        let type = item.schema.attributes[0].type
        if let key = AnyItemID(identifier, type: type).map({ ItemKey(entity: item.entity, identifier: $0) }),
            droppedDeletions.contains(key)
        {
            return
        }
        if !item.schema.changedColumns(from: base, to: parent).isEmpty {
            switch try settle(item, .deletedInChild) {
            case .child: break
            case .parent, .value, .none: return
            }
        }
        let cells = try arena.makeCells(1)
        cells[0] = try arena.copy(identifier)
        changes.append(MergedChange(kind: .delete, entity: item.entity, cells: cells))
    }

    private func add(_ kind: RowMutation.Kind, _ item: ThreeRows, _ row: UnsafePointer<Cell>) throws {
        let count = item.schema.attributes.count
        let cells = try arena.makeCells(count)
        for column in 0..<count { cells[column] = try arena.copy(row[column]) }
        changes.append(MergedChange(kind: kind, entity: item.entity, cells: cells))
    }
}

/// One item on three sides; nil where it is not there.
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

extension MergeRun {
    /// Lets the policy decide a conflict, and notes how.
    private func settle(_ item: ThreeRows, _ kind: MergeConflict.Kind) throws -> MergeResolution {
        guard let conflict = item.conflict(kind) else { return .none }
        return try settle(conflict)
    }

    /// - Parameter canChildWin: False where the child's side cannot stand.
    func settle(_ conflict: MergeConflict, canChildWin: Bool = true) throws -> MergeResolution {
        let resolution = try policy.resolve(conflict)
        switch resolution {
        case .none:
            result.conflicts.append(conflict)
            return .none
        case .child:
            if canChildWin { result.settled.append(conflict) } else { result.conflicts.append(conflict) }
            return canChildWin ? .child : .none
        case .parent: result.settled.append(conflict)
        case .value:
            guard conflict.takesValue else {
                throw DataStoreError(
                    .invalidValue,
                    "A value was given for a conflict that is not about an attribute: \(conflict).",
                    advice: "Settle it by .child or .parent.", itemType: conflict.itemType,
                    identifier: conflict.identifier)
            }
            result.settled.append(conflict)
        }
        return resolution
    }
}

extension MergeConflict {
    /// True if another value of an attribute can settle it.
    var takesValue: Bool {
        switch kind {
        case .changedOnBothSides: !(rows.child?.schema.isLink ?? false)
        case .notUnique: true
        case .deletedInParent, .deletedInChild, .targetNotFound, .deletionDenied: false
        }
    }
}
