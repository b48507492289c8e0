import Larder

/// Answers plans from one state of an engine.
class SnapshotReader: StorageReading {
    // reason for unchecked: used by one thread at a time, by nobody it calls.
    final let snapshot: any KeyValueSnapshot
    final let catalog: Catalog
    /// The commit at which the schema was last seen to be the catalog's.
    @exclusivity(unchecked) private final var checkedCommit: UInt64
    /// Requests that need not be planned again, the newest last.
    @exclusivity(unchecked) private final var lookups: [LookupRows] = []
    // The identifier of the row that was read last, when it is text or bytes.
    private lazy var identifierBytes = ByteBuffer()

    /// - Parameter snapshot: One whose schema has been seen to be the catalog's.
    init(_ snapshot: any KeyValueSnapshot, _ catalog: Catalog) {
        self.snapshot = snapshot
        self.catalog = catalog
        checkedCommit = snapshot.commitNumber
    }

    final func beginAgain() throws(DataStoreError) -> Bool {
        guard try snapshot.beginAgain() else { return false }
        // Nothing is read where nobody has committed since the schema was looked at.
        let commit = snapshot.commitNumber
        if commit == checkedCommit { return true }
        try catalog.requireGeneration(of: snapshot)
        checkedCommit = commit
        return true
    }

    /// Whether what the engine points to may become invalid before the end.
    var invalidatesPointers: Bool { false }

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
        for rows in lookups where rows.serves(plan, over: entity) {
            if try rows.begin(plan) { return rows }
        }
        let access = Planner(plan, over: entity, isCounting: false).accessPlan()
        if let lookup = EqualityLookup(plan, access, over: entity) { note(lookup, plan.columns) }
        let projection = RowProjection(plan.columns, of: entity)
        let rows = try MatchingRows(
            access, over: entity, in: snapshot, invalidatesPointers: invalidatesPointers)
        if access.isOrdered || access.scanToSort(over: entity) != nil {
            return StreamedRows(rows, of: plan, projection)
        }
        return try SortedRows(
            rows, of: plan, over: entity, invalidatesPointers: invalidatesPointers, projection)
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
        for rows in lookups { rows.letGo() }
        snapshot.end()
    }

    private func note(_ lookup: EqualityLookup, _ columns: RequestPlan.Columns) {
        if lookups.count >= Self.maximumLookups {
            guard let oldest = lookups.firstIndex(where: { !$0.isInUse }) else { return }
            lookups.remove(at: oldest).letGo()
        }
        lookups.append(LookupRows(lookup, columns, in: snapshot, keepsCursor: !invalidatesPointers))
    }

    private static var maximumLookups: Int { 8 }

    /// Counts the rows that pass the filter, by the entries of an index alone where these tell enough.
    private func count(
        of plan: RequestPlan, over entity: EntityTable, upTo end: Int
    ) throws(DataStoreError) -> Int {
        let access = Planner(plan, over: entity, isCounting: true).accessPlan()
        if case .index(let scan) = access.path, access.isCovered {
            let entries = try IndexEntries(of: scan, isAscending: true, in: snapshot)
            defer { entries.close() }
            return try entries.pass(end)
        }
        let rows = try MatchingRows(access, over: entity, in: snapshot, invalidatesPointers: false)
        defer { rows.close() }
        var count = 0
        var row = FoundRow()
        while count < end, try rows.next(&row) { count += 1 }
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
