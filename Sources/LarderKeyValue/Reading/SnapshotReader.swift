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
        let access = Planner(plan, over: entity, isCounting: false).accessPlan()
        let projection = RowProjection(plan.columns, of: entity)
        let rows = try MatchingRows(access, over: entity, in: snapshot, isChanging: isChanging)
        if access.isOrdered { return StreamedRows(rows, of: plan, projection) }
        return try SortedRows(rows, of: plan, over: entity, isChanging: isChanging, projection)
    }

    func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
        let entity = catalog.entities[plan.entity]
        let count =
            plan.predicate == .always(true)
            ? try snapshot.count(of: entity.rows)
            : try count(of: plan, over: entity, upTo: plan.windowEnd ?? .max)
        return min(max(0, count - plan.offset), plan.limit ?? .max)
    }

    func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] {
        Planner(plan, over: catalog.entities[plan.entity], isCounting: false).accessPlan().lines(for: plan)
    }

    func end() {
        snapshot.end()
    }

    /// Counts the rows that pass the filter, by the entries of an index alone where these tell enough.
    private func count(
        of plan: RequestPlan, over entity: EntityTable, upTo end: Int
    ) throws(DataStoreError) -> Int {
        let access = Planner(plan, over: entity, isCounting: true).accessPlan()
        var count = 0
        if case .index(let scan) = access.path, access.isCovered {
            let entries = try IndexEntries(of: scan, isAscending: true, in: snapshot)
            defer { entries.close() }
            var entry = KeyValueEntry()
            while count < end, try entries.next(&entry) { count += 1 }
        } else {
            let rows = try MatchingRows(access, over: entity, in: snapshot, isChanging: false)
            defer { rows.close() }
            var row = FoundRow()
            while count < end, try rows.next(&row) { count += 1 }
        }
        return count
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
