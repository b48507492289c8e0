import LarderKernel

/// A write block of a parent store, as the merge of a child uses it: rows to compare with, and a list that is applied
/// past the rules of calls and then judged as a whole.
///
/// The list holds what the child shows, so nothing of it follows from delete rules again; what they do here is about
/// rows that the child could not see (``MergedRows``). *Rule:* used inside the block.
struct MergeAccess {
    private let block: WriteBlock

    init(to accessor: DataStoreReadWriteAccessor) throws(DataStoreError) {
        block = try accessor.preparedBlock()
    }

    var schema: StoreSchema { block.context.schema }
    var graph: ReferenceGraph { block.context.resources.rules.graph }

    /// The rows of the parent, as the block has left them so far.
    ///
    /// *Rule:* read before the next change.
    func reading() throws(DataStoreError) -> any StorageReading {
        try block.context.beginSnapshot()
    }

    /// Reads a row of the parent; false if there is none.
    func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        try block.context.withSnapshot { snapshot throws(DataStoreError) in
            try snapshot.row(at: identifier, of: entity, into: cells)
        }
    }

    /// The rows of a plan in the parent, which must be closed.
    func rows(for plan: RequestPlan) throws(DataStoreError) -> RowScan {
        try block.context.rows(of: plan)
    }

    /// Keeps what the body changes when it returns, and undoes it when it throws.
    func allOrNothing(_ body: (UndoneCall) throws -> Void) throws {
        try block.pipeline.allOrNothing(body).get()
    }
}

/// A change of one row by a merge.
struct MergedChange {
    let kind: RowMutation.Kind
    let entity: Int
    /// In memory of the merge, which keeps it for as long as the change.
    let cells: UnsafeMutablePointer<Cell>
    /// The columns of an update; of a deletion those that the parent has changed.
    var columns: ColumnSet

    init(
        _ kind: RowMutation.Kind, entity: Int, cells: UnsafeMutablePointer<Cell>,
        columns: ColumnSet = ColumnSet()
    ) {
        self.kind = kind
        self.entity = entity
        self.cells = cells
        self.columns = columns
    }

    /// True if the change gives a column a value other than nil.
    func sets(_ column: Int) -> Bool { mutation.sets(column) }

    var mutation: RowMutation {
        RowMutation(kind, entity: entity, cells: cells, columns: kind == .update ? columns : ColumnSet())
    }

    func key(in schema: StoreSchema) -> RowKey { RowKey(cells[0], of: entity, in: schema) }
}

/// The state of the parent after the list of a merge was applied.
struct MergedState {
    /// Everything that the parent's rules refuse in it.
    var findings: [MergeFinding] = []
    /// The items that delete rules have deleted, and those in which they have made references nil.
    var taken: Set<RowKey> = []
    var freed: Set<RowKey> = []
}

/// A thing in the merged state that a rule of the parent refuses.
struct MergeFinding {
    let row: RowKey
    /// The position of the change that the finding is about; nil for a denied deletion.
    let position: Int?
    let kind: MergeConflict.Kind
    /// The columns that would have to stay as the parent has them.
    let columns: [Int]
    /// The row from which the child's change takes its target; nil if it cannot be taken.
    let holder: RowKey?

    init(
        row: RowKey, position: Int?, kind: MergeConflict.Kind, columns: [Int], holder: RowKey? = nil
    ) {
        self.row = row
        self.position = position
        self.kind = kind
        self.columns = columns
        self.holder = holder
    }

    /// The deletion of a row that another row denies by a relationship of the first.
    init(
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
    static func notUnique(_ columns: [Int], of type: EntitySchema, holder: AnyItemID) -> Self {
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
    func apply(
        _ changes: [MergedChange], keeping kept: [RowKey: Bool], in call: UndoneCall
    ) throws(DataStoreError) -> MergedState {
        if changes.isEmpty { return MergedState() }
        let merged = MergedRows(of: changes, keeping: kept, in: schema)
        // The frame of the call takes it back.
        block.pipeline.followed = merged
        let found = try block.pipeline.applyUnjudged(changes.map(\.mutation), in: call)
        var clashes = Clashes(of: changes, in: schema)
        for clash in found.oneToOneClashes { try clashes.add(clash) }
        for clash in found.uniquenessClashes { try clashes.add(clash) }
        for dangling in found.dangling where !dangling.reference.mayDangle { try clashes.add(dangling) }
        let denials = (found.denials + merged.refusals).map { denial in
            let row = RowKey(entity: denial.itemType, identifier: denial.item)
            return MergeFinding(denial, of: merged.root(of: row), in: schema)
        }
        // Items that a delete rule has taken along refer to nothing, and hold no value.
        let standing = clashes.findings.filter { !merged.taken.contains($0.row) }
        return MergedState(findings: standing + denials, taken: merged.taken, freed: merged.freed)
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

    mutating func add(_ clash: OneToOneClash) throws(DataStoreError) {
        let reference = clash.reference
        guard let holder = item(clash.holder, of: reference.entity) else { return }
        let row = RowKey(entity: reference.entity, identifier: clash.holder)
        try add(
            .notUnique(attribute: reference.names.attribute, holder: holder), clash.position,
            [reference.column], holder: reference.isOptional ? row : nil)
    }

    mutating func add(_ clash: UniquenessClash) throws(DataStoreError) {
        let type = schema.entities[clash.entity]
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
