import Larder

/// The rows of an ``EqualityLookup``: those whose index entries begin alike, in the order of their identifiers.
///
/// One object serves one request after the other, with its memory and, in a snapshot, its place in the index.
final class LookupRows: RowCursor {
    private let lookup: EqualityLookup
    private let columns: RequestPlan.Columns
    private let projection: RowProjection
    private let snapshot: any KeyValueSnapshot
    /// Whether the place in the index may be kept between requests.
    private let keepsCursor: Bool
    /// What the keys begin with.
    private let beginning = ByteBuffer()
    // reason for unchecked: a cursor is used by one thread at a time and calls nothing that calls it back.
    @exclusivity(unchecked) private var cursor: (any KeyValueCursor)?
    @exclusivity(unchecked) private var skipped = 0
    @exclusivity(unchecked) private var remaining = 0
    @exclusivity(unchecked) private var isStarted = false
    /// Whether somebody is reading.
    @exclusivity(unchecked) private(set) var isInUse = false

    init(
        _ lookup: EqualityLookup, _ columns: RequestPlan.Columns, in snapshot: any KeyValueSnapshot,
        keepsCursor: Bool
    ) {
        self.lookup = lookup
        self.columns = columns
        self.snapshot = snapshot
        self.keepsCursor = keepsCursor
        projection = RowProjection(columns, of: lookup.entity)
    }

    /// Whether a plan differs from the one this was made for in nothing but values and window, and nobody reads.
    func serves(_ plan: RequestPlan, over entity: EntityTable) -> Bool {
        !isInUse && lookup.serves(plan, over: entity) && plan.columns == columns
    }

    /// Begins with a plan that is served; false when it has to be planned after all.
    func begin(_ plan: RequestPlan) throws(DataStoreError) -> Bool {
        guard lookup.writeBeginning(of: plan.predicate, to: beginning) else { return false }
        if cursor == nil { cursor = try snapshot.cursor(over: lookup.index.entries) }
        skipped = plan.offset
        remaining = plan.limit ?? .max
        isStarted = false
        isInUse = true
        return true
    }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        guard remaining > 0, let cursor else { return false }
        var entry = KeyValueEntry()
        repeat {
            let isFound = try isStarted ? cursor.next(&entry) : cursor.seek(beginning.bytes, &entry)
            isStarted = true
            guard isFound, entry.key.begins(with: beginning.bytes) else {
                remaining = 0
                return false
            }
            skipped -= 1
        } while skipped >= 0
        remaining -= 1
        var row = FoundRow()
        let rest = UnsafeRawBufferPointer(rebasing: entry.key[beginning.count...])
        try lookup.index.follow(rest, to: &row, of: lookup.entity, in: snapshot)
        try projection.decode(row, into: cells)
        return true
    }

    func close() {
        remaining = 0
        isInUse = false
        if !keepsCursor { closeCursor() }
    }

    /// Ends the reading, and lets go of the place in the index; the next request takes one anew.
    func letGo() {
        close()
        closeCursor()
    }

    private func closeCursor() {
        cursor?.close()
        cursor = nil
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func begins(with beginning: UnsafeRawBufferPointer) -> Bool {
        count >= beginning.count
            && UnsafeRawBufferPointer(rebasing: self[..<beginning.count]).order(to: beginning) == 0
    }
}

extension IndexTable {
    /// Reads the row to which an entry leads, by what stands in its key behind the values.
    ///
    /// - Throws: `.damaged` when it leads nowhere.
    @inline(__always)
    func follow(
        _ rest: UnsafeRawBufferPointer, to row: inout FoundRow, of entity: EntityTable,
        in snapshot: any KeyValueSnapshot
    ) throws(DataStoreError) {
        row.identifier = try entity.identifier.identifier(inRest: rest)
        row.bytes = try bytes(ofRow: row.identifier, of: entity, in: snapshot)
    }

    /// The bytes of the row with the identifier that stands in an entry.
    ///
    /// - Throws: `.damaged` when there is no such row.
    func bytes(
        ofRow identifier: Cell, of entity: EntityTable, in snapshot: any KeyValueSnapshot
    ) throws(DataStoreError) -> UnsafeRawBufferPointer {
        if let bytes = try entity.bytes(ofRow: identifier, in: snapshot) { return bytes }
        throw DataStoreError(
            .damaged, "An entry of the index \(name) leads to no row.", itemType: entity.schema.name,
            identifier: AnyItemID(identifier, type: entity.schema.attributes[0].type))
    }
}
