import Larder

/// Answers plans from one state of an engine.
class SnapshotReader: StorageReading {
    let snapshot: any KeyValueSnapshot
    let catalog: Catalog
    // The identifier of the row that was read last, when it is text or bytes.
    private lazy var identifierBytes = ByteBuffer()

    init(_ snapshot: any KeyValueSnapshot, _ catalog: Catalog) {
        self.snapshot = snapshot
        self.catalog = catalog
    }

    /// Whether what the engine points to may become invalid before the end.
    var isChanging: Bool { false }

    func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        let table = catalog.entities[entity]
        guard table.identifier.accepts(identifier),
            let bytes = try table.bytes(ofRow: identifier, in: snapshot)
        else { return false }
        try table.layout.decode(bytes, into: cells)
        cells[0] = keep(identifier)
        return true
    }

    func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor {
        let entity = catalog.entities[plan.entity]
        let access = Planner(plan, over: entity).accessPlan()
        let projection = RowProjection(plan.columns, of: entity)
        let rows = try MatchingRows(access, of: plan, over: entity, in: snapshot)
        if access.isOrdered { return StreamedRows(rows, of: plan, projection) }
        return try SortedRows(rows, of: plan, over: entity, isChanging: isChanging, projection)
    }

    func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
        let entity = catalog.entities[plan.entity]
        var count = 0
        if plan.predicate == .always(true) {
            count = try snapshot.count(of: entity.rows)
        } else {
            let access = Planner(plan, over: entity).accessPlan()
            let rows = try MatchingRows(access, of: plan, over: entity, in: snapshot)
            defer { rows.close() }
            let end = plan.windowEnd ?? .max
            var row = FoundRow()
            while count < end, try rows.next(&row) { count += 1 }
        }
        return min(max(0, count - plan.offset), plan.limit ?? .max)
    }

    func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] {
        let access = Planner(plan, over: catalog.entities[plan.entity]).accessPlan()
        var lines = [access.path.description]
        if access.residual != .always(true) { lines.append("filter") }
        if !access.isOrdered { lines.append(plan.windowEnd.map { "sort, top \($0)" } ?? "sort") }
        return lines
    }

    func end() {
        snapshot.end()
    }

    /// The identifier, still there when the caller's memory is gone.
    private func keep(_ identifier: Cell) -> Cell {
        switch identifier.kind {
        case .null, .integer, .real: return identifier
        case .text, .blob:
            identifierBytes.truncate()
            identifierBytes.append(identifier.bytes)
            return identifier.kind == .text ? .text(identifierBytes.bytes) : .blob(identifierBytes.bytes)
        }
    }
}
