import LarderKernel

/// The write transaction of a child store: changes are staged, and the parent is only read.
///
/// The first change of an item keeps its row as the parent has it (``StagingSchema``), by which a merge later
/// knows which side has changed what.
final class OverlayWriting: OverlayReading, StorageWriting {
    private let writing: any StorageWriting
    private let schema: StagingSchema
    private let row: CellBuffer
    private let arena = RowArena(chunkBytes: 4096)
    /// For the parent's rows under the changes of a list.
    private let parentArena = RowArena()
    // reason for unchecked: used by one thread at a time, with every change.
    /// The links of the child that the present list has deleted, by their entities.
    @exclusivity(unchecked) private var deletedLinks: [Int: [StagedLinks.Ends]] = [:]

    // reason for unchecked: used by one thread at a time, with every change.
    /// True if rows of the parent have become bases since the transaction began.
    @exclusivity(unchecked) private var keepsRowsOfParent = false

    // reason for unchecked: used by one thread at a time, with every transaction.
    /// The number of commits of the ancestors before their snapshots were taken.
    @exclusivity(unchecked) private var commitsAbove: Int

    init(
        _ adapter: OverlayAdapter, staged: any StorageWriting, after losses: Int
    ) throws(DataStoreError) {
        guard let schema = adapter.stagingSchema else {
            staged.end()
            throw DataStoreError(.notSetUp, "The child store is not open.")
        }
        writing = staged
        self.schema = schema
        row = CellBuffer(count: schema.schema.rowWidth)
        commitsAbove = adapter.parent.notedCommits
        try super.init(adapter, staged: staged, after: losses, isChanging: true)
    }

    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        var touched = TouchedRows()
        for part in mutations.chunks(ofCount: WriteBlock.copiedBatchSize) {
            let parents = try parentRows(of: part)
            for position in part.indices {
                arena.reset()
                let parent = parents.isEmpty ? nil : parents[position - part.startIndex]
                touched.add(try apply(part[position], over: parent))
            }
            try deleteLinksOfParent()
        }
        return touched
    }

    private func apply(_ mutation: RowMutation, over parent: ParentRow?) throws(DataStoreError) -> Int {
        switch mutation.kind {
        case .insert: return try insert(mutation, over: parent)
        case .update: return try update(mutation, over: parent)
        case .delete: return try delete(mutation, over: parent)
        case .deleteAll: return try deleteAll(mutation)
        }
    }

    // MARK: One row

    private func insert(_ mutation: RowMutation, over parent: ParentRow?) throws(DataStoreError) -> Int {
        if try isTouched(mutation) {
            try stage(mutation)
            try forgetLast(of: mutation)
        } else {
            guard try !read(parent, of: mutation) else {
                throw schema.schema.entities[mutation.entity].duplicateIdentifier(mutation.cells[0])
            }
            try keepBase(of: mutation, exists: false)
            try stageFirst(mutation)
        }
        noteLink(mutation)
        return 1
    }

    private func update(_ mutation: RowMutation, over parent: ParentRow?) throws(DataStoreError) -> Int {
        if try isTouched(mutation) {
            try keepFreed(of: mutation)
            return try stage(mutation)
        }
        guard try read(parent, of: mutation) else { return 0 }
        try keepBase(of: mutation, exists: true)
        for column in mutation.columns { row.start[column] = mutation.cells[column] }
        let first = RowMutation(.insert, entity: mutation.entity, cells: row.start)
        try stageFirst(first)
        noteLink(first)
        return 1
    }

    private func delete(_ mutation: RowMutation, over parent: ParentRow?) throws(DataStoreError) -> Int {
        if try isTouched(mutation) {
            let ends = try stagedEnds(of: mutation)
            try keepLast(of: mutation)
            let count = try stage(mutation)
            if count > 0 { try forget(mutation, unlessIn: parent) }
            if let ends {
                stagedRows(mutation.entity).links?.remove(ends)
                deletedLinks[mutation.entity, default: []].append(ends)
            }
            return count
        }
        guard try read(parent, of: mutation) else { return 0 }
        try keepBase(of: mutation, exists: true)
        return 1
    }

    private func isTouched(_ mutation: RowMutation) throws(DataStoreError) -> Bool {
        try stagedRows(mutation.entity).contains(mutation.cells[0])
    }

    // MARK: All rows of a type

    private func deleteAll(_ mutation: RowMutation) throws(DataStoreError) -> Int {
        let entity = mutation.entity
        let type = schema.schema.entities[entity]
        let count = try count(for: RequestPlan(entity: entity, schema: type, columns: .some([0])))
        // First those that are touched already, so that none of them is asked twice.
        let identifiers = RowArena()
        var deletions: [RowMutation] = []
        for identifier in try stagedRows(entity).identifiers() {
            let cell = try identifiers.cell(of: identifier)
            deletions.append(try RowMutation.deleting(cell, entity: entity, in: identifiers))
        }
        try apply(deletions)
        withExtendedLifetime(identifiers) {}
        try parent.forEachRow(of: RequestPlan(entity: entity, schema: type)) { cells throws(DataStoreError) in
            // A link that the child has removed, and its parent has made again, goes with the removed one.
            if try stagedRows(entity).hides(cells) { return }
            arena.reset()
            row.start.update(from: cells, count: type.attributes.count)
            try keepBase(of: RowMutation(.delete, entity: entity, cells: cells), exists: true)
        }
        return count
    }

    // MARK: Rows of the parent

    /// The parent's row under a change, which is read together with the rows of other changes.
    private enum ParentRow {
        case missing
        case row(UnsafePointer<Cell>)
    }

    /// The parent's rows under some changes, in their order, or nothing if they are read one by one; nil under a change
    /// of a row that the child has its own version of, unless it deletes it.
    private func parentRows(
        of mutations: Slice<UnsafeBufferPointer<RowMutation>>
    ) throws(DataStoreError) -> [ParentRow?] {
        if mutations.count == 1 { return [] }
        parentArena.reset()
        var rows = [ParentRow?](repeating: nil, count: mutations.count)
        var wanted: [Int: [Int]] = [:]
        for position in mutations.indices {
            let mutation = mutations[position]
            if mutation.kind == .deleteAll { return [] }
            if mutation.kind != .delete, try isTouched(mutation) { continue }
            wanted[mutation.entity, default: []].append(position)
            rows[position - mutations.startIndex] = .missing
        }
        for (entity, positions) in wanted {
            let width = schema.schema.entities[entity].attributes.count
            try parent.forEachRow(
                inBatches: positions.map { mutations[$0].cells[0] }, of: entity, into: row.start
            ) { found throws(DataStoreError) in
                rows[positions[found] - mutations.startIndex] = .row(
                    try parentArena.copy(row: row.start, width))
            }
        }
        return rows
    }

    /// Fills ``row`` with the parent's row under a change; false if it has none.
    private func read(_ known: ParentRow?, of mutation: RowMutation) throws(DataStoreError) -> Bool {
        switch known {
        case .missing: return false
        case .row(let cells):
            row.start.update(from: cells, count: schema.schema.entities[mutation.entity].attributes.count)
            return true
        case nil: return try parent.row(at: mutation.cells[0], of: mutation.entity, into: row.start)
        }
    }

    // MARK: Base rows

    /// Keeps the row of the parent, which is in ``row``, as the base of an item that is touched from now on.
    private func keepBase(of mutation: RowMutation, exists: Bool) throws(DataStoreError) {
        keepsRowsOfParent = keepsRowsOfParent || exists
        let columns = BaseRow(of: schema.schema.entities[mutation.entity])
        let cells = try arena.makeCells(columns.count)
        if exists { cells.update(from: row.start, count: columns.width) }
        cells[0] = mutation.cells[0]
        cells[columns.exists] = .integer(exists ? 1 : 0)
        try stage(RowMutation(.insert, entity: schema.base(of: mutation.entity), cells: cells))
        let touched = stagedRows(mutation.entity)
        touched.insert(mutation.cells[0])
        if exists { touched.links?.insertBase(row.start) }
    }

    /// Keeps the child's row of an item that is being deleted, if more may go with it, or it with another one.
    private func keepLast(of mutation: RowMutation) throws(DataStoreError) {
        guard let last = schema.last(of: mutation.entity),
            try writing.row(at: mutation.cells[0], of: mutation.entity, into: row.start)
        else { return }
        let cells = try arena.copy(row: row.start, schema.schema.entities[last].attributes.count)
        // There is one if a reference was made nil before.
        try forgetLast(of: mutation)
        try stage(RowMutation(.insert, entity: last, cells: cells))
    }

    /// Keeps the references of the child's row that an update makes nil, beside those that were made nil before: a rule may
    /// do so because of a deletion that a merge leaves out.
    private func keepFreed(of mutation: RowMutation) throws(DataStoreError) {
        guard let last = schema.last(of: mutation.entity) else { return }
        let attributes = schema.schema.entities[mutation.entity].attributes
        let freed = mutation.columns.filter { mutation.cells[$0].isNull && attributes[$0].isReference }
        guard !freed.isEmpty,
            try writing.row(at: mutation.cells[0], of: mutation.entity, into: row.start),
            freed.contains(where: { !row.start[$0].isNull })
        else { return }
        let width = schema.schema.entities[last].attributes.count
        let cells = try arena.copy(row: row.start, width)
        if try writing.row(at: mutation.cells[0], of: last, into: row.start) {
            for column in 1..<width where cells[column].isNull {
                cells[column] = try arena.copy(row.start[column])
            }
            try forgetLast(of: mutation)
        }
        try stage(RowMutation(.insert, entity: last, cells: cells))
    }

    private func forgetLast(of mutation: RowMutation) throws(DataStoreError) {
        guard let last = schema.last(of: mutation.entity) else { return }
        try stage(RowMutation(.delete, entity: last, cells: mutation.cells))
    }

    /// Stages the first row of an item whose base was just kept.
    private func stageFirst(_ mutation: RowMutation) throws(DataStoreError) {
        do {
            try stage(mutation)
        } catch {
            // A base without a row would mean that the child has deleted the item.
            try removeBase(of: mutation)
            stagedRows(mutation.entity).links?.forget()
            throw error
        }
    }

    /// Forgets a deleted item that was the child's alone.
    ///
    /// If the parent has inserted it too, it stays touched, so that the child does not show the parent's item in
    /// place of the deleted one.
    private func forget(_ mutation: RowMutation, unlessIn parent: ParentRow?) throws(DataStoreError) {
        let columns = BaseRow(of: schema.schema.entities[mutation.entity])
        let base = schema.base(of: mutation.entity)
        guard try writing.row(at: mutation.cells[0], of: base, into: row.start),
            row.start[columns.exists].integer == 0,
            try !read(parent, of: mutation)
        else { return }
        try removeBase(of: mutation)
        try forgetLast(of: mutation)
    }

    private func removeBase(of mutation: RowMutation) throws(DataStoreError) {
        try stage(RowMutation(.delete, entity: schema.base(of: mutation.entity), cells: mutation.cells))
        stagedRows(mutation.entity).remove(mutation.cells[0])
    }

    @discardableResult
    private func stage(_ mutation: RowMutation) throws(DataStoreError) -> Int {
        try writing.apply(mutation).count
    }

    // MARK: Links

    /// Notes a link that the child has a row for from now on.
    private func noteLink(_ mutation: RowMutation) {
        guard let links = stagedRows(mutation.entity).links else { return }
        links.insert(StagedLinks.Ends(mutation.cells, of: schema.schema.entities[mutation.entity]))
    }

    /// The ends of a link that the child has a row for; nil for anything else.
    private func stagedEnds(of mutation: RowMutation) throws(DataStoreError) -> StagedLinks.Ends? {
        guard stagedRows(mutation.entity).links != nil,
            try writing.row(at: mutation.cells[0], of: mutation.entity, into: row.start)
        else { return nil }
        return StagedLinks.Ends(row.start, of: schema.schema.entities[mutation.entity])
    }

    /// Deletes the parent's own links between the items whose links of the child were deleted.
    private func deleteLinksOfParent() throws(DataStoreError) {
        if deletedLinks.isEmpty { return }
        let deleted = deletedLinks
        deletedLinks = [:]
        for (entity, ends) in deleted {
            let type = schema.schema.entities[entity]
            let plans = RequestPlan.plans(
                finding: ends.map { UniqueKey($0.source, [$0.target]) },
                at: [LinkEntity.source, LinkEntity.target], of: entity, type)
            for plan in plans {
                try parent.forEachRow(of: plan) { cells throws(DataStoreError) in
                    let deletion = RowMutation(.delete, entity: entity, cells: cells)
                    if try isTouched(deletion) { return }
                    arena.reset()
                    row.start.update(from: cells, count: type.attributes.count)
                    try keepBase(of: deletion, exists: true)
                }
            }
        }
    }

    // MARK: The transaction

    var conditionalInserting: (any ConditionalInserting)? { nil }

    func setSavepoint() throws(DataStoreError) { try writing.setSavepoint() }

    func releaseSavepoint() throws(DataStoreError) { try writing.releaseSavepoint() }

    func rollBackToSavepoint() throws(DataStoreError) {
        forgetTouched()
        deletedLinks = [:]
        try writing.rollBackToSavepoint()
    }

    func commit() throws(DataStoreError) {
        defer { place.leave() }
        // They may be newer than the snapshots that blocks of the ancestors share with the child's.
        if keepsRowsOfParent, !sharesPlace { adapter.takeNewSnapshotsToTheTop() }
        try writing.commit()
        // An observation may have read what an ancestor has committed since: the rows are older, in all their columns.
        if keepsRowsOfParent, sharesPlace || commitsAbove != adapter.parent.notedCommits {
            adapter.noteChange()
        }
    }

    override func beginAgain() throws(DataStoreError) -> Bool {
        guard canBeginAgain, try writing.beginAgain() else { return false }
        keepsRowsOfParent = false
        commitsAbove = adapter.parent.notedCommits
        forgetTouched()
        deletedLinks = [:]
        return try enterAgain()
    }
}

extension AttributeSchema {
    /// True if its values refer to items.
    fileprivate var isReference: Bool {
        valueType is any ItemReference.Type || valueType is any TextReference.Type
    }
}
