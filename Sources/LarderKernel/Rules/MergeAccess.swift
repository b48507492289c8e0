/// A write block of a parent store, as the merge of a child uses it: rows to compare with, and a list that is applied
/// past the rules of calls and then judged as a whole.
///
/// The list holds what the child shows, so nothing of it follows from delete rules again; what they do here is about
/// rows that the child could not see (``MergedRows``). *Rule:* used inside the block.
package struct MergeAccess {
    private let block: WriteBlock

    package init(to accessor: DataStoreReadWriteAccessor) throws(DataStoreError) {
        block = try accessor.preparedBlock()
    }

    package var schema: StoreSchema { block.context.resources.schema }
    package var graph: ReferenceGraph { block.pipeline.rules.graph }

    /// The rows of the parent, as the block has left them so far.
    ///
    /// *Rule:* read before the next change.
    package func reading() throws(DataStoreError) -> any StorageReading {
        try block.context.beginSnapshot()
    }

    /// Reads a row of the parent; false if there is none.
    package func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        try block.context.withSnapshot { snapshot throws(DataStoreError) in
            try snapshot.row(at: identifier, of: entity, into: cells)
        }
    }

    /// The rows of a plan in the parent, which must be closed.
    package func rows(for plan: RequestPlan) throws(DataStoreError) -> RowScan {
        try block.context.rows(of: plan)
    }

    /// Keeps what the body changes when it returns, and undoes it when it throws.
    package func allOrNothing(_ body: (UndoneCall) throws -> Void) throws {
        try block.pipeline.allOrNothing(body).get()
    }
}

/// A change of one row by a merge.
package struct MergedChange {
    package let kind: RowMutation.Kind
    package let entity: Int
    /// In memory of the merge, which keeps it for as long as the change.
    package let cells: UnsafeMutablePointer<Cell>
    /// The columns of an update; of a deletion those that the parent has changed.
    package var columns: ColumnSet

    package init(
        _ kind: RowMutation.Kind, entity: Int, cells: UnsafeMutablePointer<Cell>,
        columns: ColumnSet = ColumnSet()
    ) {
        self.kind = kind
        self.entity = entity
        self.cells = cells
        self.columns = columns
    }

    /// True if the change gives a column a value other than nil.
    package func sets(_ column: Int) -> Bool { mutation.sets(column) }

    var mutation: RowMutation {
        RowMutation(kind, entity: entity, cells: cells, columns: kind == .update ? columns : ColumnSet())
    }

    package func key(in schema: StoreSchema) -> RowKey { RowKey(cells[0], of: entity, in: schema) }
}

/// The state of the parent after the list of a merge was applied.
package struct MergedState {
    /// Everything that the parent's rules refuse in it.
    package var findings: [MergeFinding] = []
    /// The items that delete rules have deleted, and those in which they have made references nil.
    package var taken: Set<RowKey> = []
    package var freed: Set<RowKey> = []
}

/// A thing in the merged state that a rule of the parent refuses.
package struct MergeFinding {
    package let row: RowKey
    /// The position of the change that the finding is about; nil for a denied deletion.
    package let position: Int?
    package let kind: MergeConflict.Kind
    /// The columns that would have to stay as the parent has them.
    package let columns: [Int]
    /// The row from which the child's change takes its target; nil if it cannot be taken.
    package let holder: RowKey?

    package init(
        row: RowKey, position: Int?, kind: MergeConflict.Kind, columns: [Int], holder: RowKey? = nil
    ) {
        self.row = row
        self.position = position
        self.kind = kind
        self.columns = columns
        self.holder = holder
    }

    /// The deletion of a row that another row denies by a relationship of the first.
    package init(
        deletionOf row: RowKey, deniedBy other: RowKey, _ relationship: String, in schema: StoreSchema
    ) {
        self.init(
            Denial(
                item: row.identifier, itemType: row.entity, other: other.identifier, otherType: other.entity,
                name: relationship),
            of: row, in: schema)
    }

    fileprivate init(_ denial: Denial, of row: RowKey, in schema: StoreSchema) {
        self.init(
            row: row, position: nil, kind: .deletionDenied(reason: denial.error(in: schema).message),
            columns: [])
    }
}

extension MergeConflict.Kind {
    /// The values of some columns of an item type are held by another item.
    package static func notUnique(_ columns: [Int], of type: EntitySchema, holder: AnyItemID) -> Self {
        .notUnique(attribute: type.declaredNames(of: columns), holder: holder)
    }
}

// MARK: Applying and judging

extension MergeAccess {
    /// Applies a list, and all that follows for rows of the parent, and judges the state after it.
    ///
    /// - Parameters:
    ///   - kept: The rows that the child has deleted and the parent keeps; true if the policy has decided it.
    ///   - call: Undoes everything if the list is not kept.
    package func apply(
        _ changes: [MergedChange], keeping kept: [RowKey: Bool], in call: UndoneCall
    ) throws(DataStoreError) -> MergedState {
        if changes.isEmpty { return MergedState() }
        return try changes.map(\.mutation).withUnsafeBufferPointer { asked throws(DataStoreError) in
            try schema.withFolded(asked) { asked throws(DataStoreError) in
                try apply(changes, as: asked, keeping: kept, in: call)
            }
        }
    }

    private func apply(
        _ changes: [MergedChange], as asked: UnsafeBufferPointer<RowMutation>, keeping kept: [RowKey: Bool],
        in call: UndoneCall
    ) throws(DataStoreError) -> MergedState {
        let merged = MergedRows(keeping: kept)
        let waves = DeletionWaves(in: block.pipeline, of: call, merging: merged)
        let added = try block.pipeline.judging { reading throws(DataStoreError) in
            try block.pipeline.rules.mutations(following: asked, in: reading, isMerge: true)
        }
        let clashes = try (Array(asked) + added).withUnsafeBufferPointer { all throws(DataStoreError) in
            if block.pipeline.rules.followsDeletion(by: all) {
                note(changes, in: merged)
                _ = try waves.apply(all, asked: asked.count)
            } else {
                try block.pipeline.write(all, in: call)
            }
            return try self.clashes(of: changes, in: all)
        }
        let denials = try (waves.denials.found(in: block.pipeline) + merged.refusals).map { denial in
            let row = RowKey(entity: denial.itemType, identifier: denial.item)
            return MergeFinding(denial, of: merged.root(of: row), in: schema)
        }
        // Items that a delete rule has taken along refer to nothing, and hold no value.
        let standing = clashes.filter { !merged.taken.contains($0.row) }
        return MergedState(findings: standing + denials, taken: merged.taken, freed: merged.freed)
    }

    private func note(_ changes: [MergedChange], in merged: MergedRows) {
        for change in changes {
            let key = change.key(in: schema)
            switch change.kind {
            case .insert: merged.note(written: ColumnSet([0]), of: key)
            case .update: merged.note(written: change.columns, of: key)
            case .delete, .deleteAll: merged.note(deleted: key, changedInParent: change.columns)
            }
        }
    }

    private func clashes(
        of changes: [MergedChange], in mutations: UnsafeBufferPointer<RowMutation>
    ) throws(DataStoreError) -> [MergeFinding] {
        var found = Clashes(of: changes, in: schema)
        try block.pipeline.judging { reading throws(DataStoreError) in
            for clash in try OneToOneRule(graph, of: schema).clashes(of: mutations, in: reading) {
                try found.add(clash)
            }
            for clash in try UniquenessRule().clashes(of: mutations, in: reading) {
                try found.add(clash, of: schema.entities[mutations[clash.position].entity])
            }
            if graph.isEmpty { return }
            for dangling in try ReferenceRule(graph: graph).dangling(in: mutations, reading, areApplied: true)
            where !dangling.reference.mayDangle {
                try found.add(dangling)
            }
        }
        return found.findings
    }
}

/// Collects what the rules refuse about the changes of a list.
private struct Clashes {
    private let changes: [MergedChange]
    private let schema: StoreSchema
    private(set) var findings: [MergeFinding] = []

    init(of changes: [MergedChange], in schema: StoreSchema) {
        self.changes = changes
        self.schema = schema
    }

    mutating func add(_ clash: OneToOneRule.Clash) throws(DataStoreError) {
        let reference = clash.reference
        guard let holder = item(clash.holder, of: reference.entity) else { return }
        let row = RowKey(entity: reference.entity, identifier: clash.holder)
        try add(
            .notUnique(attribute: reference.names.attribute, holder: holder), clash.position,
            [reference.column], holder: reference.isOptional ? row : nil)
    }

    mutating func add(_ clash: UniquenessRule.Clash, of type: EntitySchema) throws(DataStoreError) {
        try add(
            .notUnique(clash.columns, of: type, holder: clash.holder), clash.position,
            clash.columns.map(type.declaredColumn))
    }

    mutating func add(_ dangling: DanglingReference) throws(DataStoreError) {
        let reference = dangling.reference
        guard let target = item(dangling.target, of: reference.target) else { return }
        try add(
            .targetNotFound(relationship: reference.names.attribute, target: target), dangling.position,
            [reference.column])
    }

    private func item(_ identifier: Constant, of entity: Int) -> AnyItemID? {
        let type = schema.entities[entity].attributes[0].type
        return identifier.withCell { AnyItemID($0, type: type) }
    }

    private mutating func add(
        _ kind: MergeConflict.Kind, _ position: Int, _ columns: [Int], holder: RowKey? = nil
    ) throws(DataStoreError) {
        guard position < changes.count else {
            throw DataStoreError(
                .invalidValue,
                "A rule of the store has added a row to a merge that other rules refuse: \(kind).",
                advice: "Add only rows that can be stored.")
        }
        findings.append(
            MergeFinding(
                row: changes[position].key(in: schema), position: position, kind: kind, columns: columns,
                holder: holder))
    }
}
