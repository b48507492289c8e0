import Larder

/// The rows of an ``EqualityLookup``: those whose index entries begin alike, in the order of their identifiers.
///
/// One object serves one request after the other, with its memory and, in a snapshot, its place in the index.
final class LookupRows: RowCursor {
    // reason for unchecked: a cursor is used by one thread at a time and calls nothing that calls it back.
    @exclusivity(unchecked) private var lookup: EqualityLookup
    @exclusivity(unchecked) private var projection: RowProjection
    @exclusivity(unchecked) private var snapshot: any KeyValueSnapshot
    @exclusivity(unchecked) private var cursor: (any KeyValueCursor)?
    @exclusivity(unchecked) private var skipped = 0
    @exclusivity(unchecked) private var remaining = 0
    @exclusivity(unchecked) private var isStarted = false
    /// Whether the cursor may stay open between requests.
    private let keepsCursor: Bool
    /// What the keys begin with.
    private let beginning = ByteBuffer()

    init(_ lookup: EqualityLookup, in snapshot: any KeyValueSnapshot, keepsCursor: Bool) {
        self.lookup = lookup
        self.snapshot = snapshot
        self.keepsCursor = keepsCursor
        projection = RowProjection(.all, of: lookup.entity)
    }

    /// Begins with a plan that the lookup serves; false when it has to be planned after all.
    func begin(
        _ lookup: EqualityLookup, _ plan: RequestPlan, in snapshot: any KeyValueSnapshot
    ) throws(DataStoreError) -> Bool {
        guard lookup.writeBeginning(of: plan.predicate, to: beginning) else { return false }
        if lookup.index !== self.lookup.index { closeCursor() }
        self.lookup = lookup
        self.snapshot = snapshot
        projection = RowProjection(plan.columns, of: lookup.entity)
        if cursor == nil { cursor = try snapshot.cursor(over: lookup.index.entries) }
        skipped = plan.offset
        remaining = plan.limit ?? .max
        isStarted = false
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
        if !keepsCursor { closeCursor() }
    }

    /// Lets go of the place in the index; the next request takes one anew.
    func closeCursor() {
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
    func follow(
        _ rest: UnsafeRawBufferPointer, to row: inout FoundRow, of entity: EntityTable,
        in snapshot: any KeyValueSnapshot
    ) throws(DataStoreError) {
        row.identifier = try entity.identifier.identifier(inRest: rest)
        guard let bytes = try entity.bytes(ofRow: row.identifier, in: snapshot) else {
            throw DataStoreError(
                .damaged, "An entry of the index \(name) leads to no row.", itemType: entity.schema.name,
                identifier: AnyItemID(row.identifier, type: entity.schema.attributes[0].type))
        }
        row.bytes = bytes
    }
}
