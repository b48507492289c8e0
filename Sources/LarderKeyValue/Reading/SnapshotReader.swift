import LarderEngine
import LarderKernel

/// Answers plans from one state of an engine.
class SnapshotReader: StorageReading {
    /// The number of access plans that a reader keeps.
    static let planCapacity = 64

    // reason for unchecked: used by one thread at a time, and never by functions it calls.
    final let snapshot: any KeyValueSnapshot
    final let catalog: Catalog
    /// The commit at which the schema was last seen to be the catalog's.
    @exclusivity(unchecked) private final var checkedCommit: UInt64
    /// The plans of requests, by their shape.
    @exclusivity(unchecked) private(set) final var plans = ShapeCache<PreparedPlan>(capacity: planCapacity)
    /// The cursors that may hold a place in the engine, to be released at the end.
    @exclusivity(unchecked) private(set) final var held: [PlannedRows] = []
    /// The number of them from which on those that are not in use are released before another is held.
    @exclusivity(unchecked) private final var heldLimit = 2 * planCapacity
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
        // Nothing is read if there was no commit since the schema was last checked.
        let commit = snapshot.commitNumber
        if commit == checkedCommit { return true }
        try catalog.requireGeneration(of: snapshot)
        checkedCommit = commit
        return true
    }

    /// True if what the engine points to may become invalid before the end.
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

    func forEachRow(
        at identifiers: UnsafeBufferPointer<Cell>, of entity: Int, into cells: UnsafeMutablePointer<Cell>,
        _ body: (_ position: Int) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        try lookUpEachRow(at: identifiers, of: entity, into: cells, body)
    }

    /// The core reads related items by their keys and indexes.
    func runsWhole(_ plan: RequestPlan) -> Bool { false }

    func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor {
        let rows = idleRows(for: plan, isCounting: false)
        try rows.begin(plan)
        return rows
    }

    func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
        // Rows that no condition tests are counted by the engine; no row is passed over for an empty window.
        let end = plan.limit == 0 ? 0 : plan.windowEnd ?? .max
        let count =
            plan.predicate == .always(true)
            ? try snapshot.count(of: catalog.entities[plan.entity].rows)
            : try idleRows(for: plan, isCounting: true).count(for: plan, upTo: end)
        return plan.countInWindow(of: count)
    }

    func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] {
        Planner(plan, over: catalog.entities[plan.entity], isCounting: false).accessPlan().lines(for: plan)
    }

    func end() {
        release()
        snapshot.end()
    }

    /// Releases the cursors; the snapshot stays open.
    final func release() {
        release { _ in true }
        heldLimit = 2 * Self.planCapacity
    }

    /// Releases some cursors, the newest first: engines look for a cursor that closes from that end.
    private func release(where isReleased: (PlannedRows) -> Bool) {
        for rows in held.reversed() where isReleased(rows) {
            rows.release()
            rows.isHeld = false
        }
        held.removeAll { !$0.isHeld }
    }

    /// Releases the cursors that are not in use, most of which are of plans that are no longer kept.
    @inline(never)
    private func releaseIdle() {
        release { !$0.isInUse }
        // All may be in use, and are not to be looked through for each further one.
        heldLimit = 2 * max(Self.planCapacity, held.count)
    }

    /// A cursor for a request of this shape that is not in use.
    final func idleRows(for plan: RequestPlan, isCounting: Bool) -> PlannedRows {
        let use = PreparedPlan.Use(plan, isCounting: isCounting).rawValue
        let prepared = plans.value(for: plan, use: use) ?? prepare(plan, use, isCounting: isCounting)
        let rows = prepared.idleRows ?? makeRows(of: prepared, for: plan)
        if !rows.isHeld {
            if held.count >= heldLimit { releaseIdle() }
            rows.isHeld = true
            held.append(rows)
        }
        return rows
    }

    @inline(never)
    private func prepare(_ plan: RequestPlan, _ use: UInt32, isCounting: Bool) -> PreparedPlan {
        let access = Planner(plan, over: catalog.entities[plan.entity], isCounting: isCounting).accessPlan()
        let prepared = PreparedPlan(access, isCounting: isCounting)
        plans.insert(prepared, for: plan, use: use)
        return prepared
    }

    @inline(never)
    private func makeRows(of prepared: PreparedPlan, for plan: RequestPlan) -> PlannedRows {
        let reading = PathReading(
            entity: catalog.entities[plan.entity], snapshot: snapshot,
            invalidatesPointers: invalidatesPointers)
        return prepared.makeRows(plan.columns, in: reading)
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
