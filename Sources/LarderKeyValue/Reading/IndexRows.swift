import LarderKernel

/// Rows to which the entries of a part of an index lead.
final class IndexRows {
    let scan: IndexScan
    private let reading: PathReading
    private let entries: IndexEntries
    /// The entry that led to the last row.
    // reason for unchecked: used by one thread at a time, and never by functions it calls.
    @exclusivity(unchecked) private(set) var entry = KeyValueEntry()
    /// True if a value is truncated in it.
    @exclusivity(unchecked) private(set) var isCut = false

    init(of scan: IndexScan, isAscending: Bool, in reading: PathReading) {
        self.scan = scan
        self.reading = reading
        entries = IndexEntries(of: scan, isAscending: isAscending, in: reading.snapshot)
    }

    func begin(_ predicate: RowPredicate) throws(DataStoreError) -> Bool {
        try entries.begin(predicate)
    }

    func next(_ row: inout FoundRow) throws(DataStoreError) -> Bool {
        guard try entries.next(&entry) else { return false }
        let start = try scan.index.form.identifierStart(in: entry.key)
        isCut = start.extent == .cut
        let rest = UnsafeRawBufferPointer(rebasing: entry.key[start.offset...])
        try scan.index.follow(rest, to: &row, in: reading)
        return true
    }

    /// Reads the next entries and not their rows; false when there are none.
    func read(into ahead: inout ReadAhead) throws(DataStoreError) -> Bool {
        try entries.read(into: &ahead)
    }

    /// Passes over rows by their entries alone.
    func skip(_ count: Int) throws(DataStoreError) -> Int {
        try entries.skip(count)
    }

    func close(keepsCursor: Bool) {
        entries.close(keepsCursor: keepsCursor)
    }
}

extension IndexTable {
    /// Reads the row to which an entry leads, by the identifier in its key after the values.
    ///
    /// - Throws: `.damaged` when it leads nowhere.
    @inline(__always)
    func follow(
        _ rest: UnsafeRawBufferPointer, to row: inout FoundRow, in reading: PathReading
    ) throws(DataStoreError) {
        row.identifier = try reading.entity.identifier.identifier(inRest: rest)
        row.bytes = try bytes(ofRow: row.identifier, in: reading)
    }

    /// The bytes of the row with the identifier in an entry.
    ///
    /// - Throws: `.damaged` when there is no such row.
    func bytes(
        ofRow identifier: Cell, in reading: PathReading
    ) throws(DataStoreError) -> UnsafeRawBufferPointer {
        let entity = reading.entity
        if let bytes = try entity.bytes(ofRow: identifier, in: reading.snapshot) { return bytes }
        throw DataStoreError(
            .damaged, "An entry of the index \(name) leads to no row.", itemType: entity.schema.name,
            identifier: AnyItemID(identifier, type: entity.schema.attributes[0].type))
    }
}
