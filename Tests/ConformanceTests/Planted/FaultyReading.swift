import Larder

/// A snapshot whose answers are spoiled.
class FaultyReading: ReadingDecorator {
    let fault: Fault
    let newest: NewestRows
    private(set) final var wrappedReading: any StorageReading
    /// Where each request begins a snapshot of its own, if that is the fault.
    private let later: (any StorageAdapter)?
    private var ended: [any StorageReading] = []

    init(
        _ reading: any StorageReading, _ fault: Fault, _ newest: NewestRows,
        later: (any StorageAdapter)? = nil
    ) {
        wrappedReading = reading
        self.fault = fault
        self.newest = newest
        self.later = later
    }

    private func snapshot() throws(DataStoreError) -> any StorageReading {
        if let later {
            ended.append(wrappedReading)  // cursors may still read it
            wrappedReading = try later.beginReading()
        }
        return wrappedReading
    }

    func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        if fault == .rowsAreNotFoundByTheirIdentifier { return false }
        return try snapshot().row(at: identifier, of: entity, into: cells)
    }

    func forEachRow(
        at identifiers: UnsafeBufferPointer<Cell>, of entity: Int, into cells: UnsafeMutablePointer<Cell>,
        _ body: (_ position: Int) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        if fault == .rowsAreNotFoundByTheirIdentifier { return }
        try snapshot().forEachRow(at: identifiers, of: entity, into: cells, body)
    }

    func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor {
        if fault == .nilSortsLast, let rows = try rowsWithNilLast(plan) { return rows }
        return try snapshot().rows(for: fault.spoiled(plan, newest: newest[plan.entity]))
    }

    private func rowsWithNilLast(_ plan: RequestPlan) throws(DataStoreError) -> (any RowCursor)? {
        guard let key = plan.order.first, plan.schema.attributes[key.column].isOptional else { return nil }
        var (present, missing) = (plan, plan)
        present.predicate = .all([plan.predicate, .isNotNull(column: key.column)])
        missing.predicate = .all([plan.predicate, .isNull(column: key.column)])
        var parts: [any RowCursor] = []
        for var part in key.isAscending ? [present, missing] : [missing, present] {
            (part.offset, part.limit) = (0, nil)
            parts.append(try snapshot().rows(for: part))
        }
        return JoinedCursor(parts, offset: plan.offset, limit: plan.limit)
    }

    func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
        try snapshot().count(for: fault.spoiledForCounting(plan, newest: newest[plan.entity]))
    }

    func end() {
        for snapshot in ended { snapshot.end() }
        ended = []
        wrappedReading.end()
    }
}

/// The rows of several cursors, one cursor after the other, cut to a window.
private final class JoinedCursor: RowCursor {
    private var parts: [any RowCursor]
    private var offset: Int
    private var limit: Int?

    init(_ parts: [any RowCursor], offset: Int, limit: Int?) {
        self.parts = parts
        self.offset = offset
        self.limit = limit
    }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        if limit == 0 { return false }
        while let part = parts.first {
            guard try part.next(into: cells) else {
                parts.removeFirst().close()
                continue
            }
            if offset > 0 {
                offset -= 1
            } else {
                limit = limit.map { $0 - 1 }
                return true
            }
        }
        return false
    }

    func close() {
        for part in parts { part.close() }
        parts = []
    }
}
