import LarderKernel

/// The write transaction of a child store: changes are staged, and the parent is only read.
///
/// The first change of an item keeps its row as the parent has it (``StagingSchema``), by which a merge later
/// tells who has changed what.
final class OverlayWriting: OverlayReading, StorageWriting {
    private let writing: any StorageWriting
    private let schema: StagingSchema
    private let row: CellBuffer
    private let arena = RowArena(chunkBytes: 4096)

    init(_ adapter: OverlayAdapter, staged: any StorageWriting) throws(DataStoreError) {
        guard let schema = adapter.stagingSchema else {
            staged.end()
            throw DataStoreError(.notSetUp, "The child store is not open.")
        }
        writing = staged
        self.schema = schema
        row = CellBuffer(count: schema.schema.entities.map(\.attributes.count).max() ?? 1)
        try super.init(adapter, staged: staged, isChanging: true)
    }

    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        var touched = TouchedRows()
        for position in mutations.indices {
            arena.reset()
            touched.add(try apply(mutations[position]))
        }
        return touched
    }

    private func apply(_ mutation: RowMutation) throws(DataStoreError) -> Int {
        switch mutation.kind {
        case .insert: return try insert(mutation)
        case .update: return try update(mutation)
        case .delete: return try delete(mutation)
        case .deleteAll: return try deleteAll(mutation)
        }
    }

    // MARK: One row

    private func insert(_ mutation: RowMutation) throws(DataStoreError) -> Int {
        let entity = mutation.entity
        if try isTouched(mutation) {
            try stage(mutation)
            noteLink(mutation)
            return 1
        }
        guard try !parent.row(at: mutation.cells[0], of: entity, into: row.start) else {
            throw schema.schema.entities[entity].duplicateIdentifier(mutation.cells[0])
        }
        try keepBase(of: mutation, exists: false)
        try stageFirst(mutation)
        noteLink(mutation)
        return 1
    }

    private func update(_ mutation: RowMutation) throws(DataStoreError) -> Int {
        if try isTouched(mutation) { return try stage(mutation) }
        guard try parent.row(at: mutation.cells[0], of: mutation.entity, into: row.start) else { return 0 }
        try keepBase(of: mutation, exists: true)
        for column in mutation.columns { row.start[column] = mutation.cells[column] }
        let first = RowMutation(.insert, entity: mutation.entity, cells: row.start)
        try stageFirst(first)
        noteLink(first)
        return 1
    }

    private func delete(_ mutation: RowMutation) throws(DataStoreError) -> Int {
        if try isTouched(mutation) {
            let ends = try stagedEnds(of: mutation)
            let count = try stage(mutation)
            if count > 0 { try forgetUnlessInParent(mutation) }
            if let ends { try deleteLinks(between: ends, mutation.entity) }
            return count
        }
        guard try parent.row(at: mutation.cells[0], of: mutation.entity, into: row.start) else { return 0 }
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
        for identifier in try stagedRows(entity).identifiers() {
            arena.reset()
            let cells = try arena.makeCells(1)
            cells[0] = try arena.cell(of: identifier)
            _ = try delete(RowMutation(.delete, entity: entity, cells: cells))
        }
        let cursor = try parent.rows(for: RequestPlan(entity: entity, schema: type))
        defer { cursor.close() }
        let cells = CellBuffer(count: type.attributes.count)
        while try cursor.next(into: cells.start) {
            let deletion = RowMutation(.delete, entity: entity, cells: cells.start)
            if try isTouched(deletion) { continue }
            arena.reset()
            for column in type.attributes.indices { row.start[column] = cells.start[column] }
            try keepBase(of: deletion, exists: true)
        }
        return count
    }

    // MARK: Base rows

    /// Keeps the row of the parent, which is in ``row``, as the base of an item that is touched from now on.
    private func keepBase(of mutation: RowMutation, exists: Bool) throws(DataStoreError) {
        let columns = BaseRow(of: schema.schema.entities[mutation.entity])
        let cells = try arena.makeCells(columns.count)
        if exists {
            for column in 0..<columns.width { cells[column] = row.start[column] }
        }
        cells[0] = mutation.cells[0]
        cells[columns.exists] = .integer(exists ? 1 : 0)
        try stage(RowMutation(.insert, entity: schema.base(of: mutation.entity), cells: cells))
        stagedRows(mutation.entity).insert(mutation.cells[0])
    }

    /// Stages the first row of an item whose base was just kept.
    private func stageFirst(_ mutation: RowMutation) throws(DataStoreError) {
        do {
            try stage(mutation)
        } catch {
            // A base without a row would mean that the child has deleted the item.
            try removeBase(of: mutation)
            throw error
        }
    }

    /// Forgets a deleted item that was the child's alone.
    ///
    /// If the parent has inserted it too, it stays touched, so that the child does not show the parent's item in
    /// place of the deleted one.
    private func forgetUnlessInParent(_ mutation: RowMutation) throws(DataStoreError) {
        let place = BaseRow(of: schema.schema.entities[mutation.entity])
        let base = schema.base(of: mutation.entity)
        guard try writing.row(at: mutation.cells[0], of: base, into: row.start),
            row.start[place.exists].integer == 0,
            try !parent.row(at: mutation.cells[0], of: mutation.entity, into: row.start)
        else { return }
        try removeBase(of: mutation)
    }

    private func removeBase(of mutation: RowMutation) throws(DataStoreError) {
        try stage(RowMutation(.delete, entity: schema.base(of: mutation.entity), cells: mutation.cells))
        stagedRows(mutation.entity).remove(mutation.cells[0])
    }

    @discardableResult
    private func stage(_ mutation: RowMutation) throws(DataStoreError) -> Int {
        try withUnsafePointer(to: mutation) { mutation throws(DataStoreError) in
            try writing.apply(UnsafeBufferPointer(start: mutation, count: 1)).count
        }
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

    /// Deletes the parent's own link between two items, once the child's is deleted.
    private func deleteLinks(between ends: StagedLinks.Ends, _ entity: Int) throws(DataStoreError) {
        stagedRows(entity).links?.remove(ends)
        let type = schema.schema.entities[entity]
        let cursor = try parent.rows(
            for: RequestPlan(entity: entity, schema: type, predicate: ends.predicate))
        defer { cursor.close() }
        while try cursor.next(into: row.start) {
            let deletion = RowMutation(.delete, entity: entity, cells: row.start)
            if try isTouched(deletion) { continue }
            arena.reset()
            try keepBase(of: deletion, exists: true)
        }
    }

    // MARK: The transaction

    func setSavepoint() throws(DataStoreError) { try writing.setSavepoint() }

    func releaseSavepoint() throws(DataStoreError) { try writing.releaseSavepoint() }

    func rollBackToSavepoint() throws(DataStoreError) {
        forgetTouched()
        try writing.rollBackToSavepoint()
    }

    func commit() throws(DataStoreError) {
        defer { leaveParent() }
        try writing.commit()
    }

    override func beginAgain() throws(DataStoreError) -> Bool {
        guard try writing.beginAgain() else { return false }
        forgetTouched()
        return try enterAgain()
    }
}
