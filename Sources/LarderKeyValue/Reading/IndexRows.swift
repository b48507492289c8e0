import Larder

/// Rows to which the entries of a part of an index lead.
final class IndexRows: RowSource {
    let scan: IndexScan
    private let entity: EntityTable
    private let snapshot: any KeyValueSnapshot
    private let entries: IndexEntries
    /// The entry that led to the last row.
    // reason for unchecked: used by one thread at a time, by nobody it calls.
    @exclusivity(unchecked) private(set) var entry = KeyValueEntry()
    /// Whether a value is cut in it.
    @exclusivity(unchecked) private(set) var isCut = false

    init(
        of scan: IndexScan, isAscending: Bool, over entity: EntityTable, in snapshot: any KeyValueSnapshot
    ) throws(DataStoreError) {
        self.scan = scan
        self.entity = entity
        self.snapshot = snapshot
        entries = try IndexEntries(of: scan, isAscending: isAscending, in: snapshot)
    }

    func next(_ row: inout FoundRow) throws(DataStoreError) -> Bool {
        guard try entries.next(&entry) else { return false }
        let start = try scan.index.form.identifierStart(in: entry.key)
        isCut = start.extent == .cut
        let rest = UnsafeRawBufferPointer(rebasing: entry.key[start.offset...])
        try scan.index.follow(rest, to: &row, of: entity, in: snapshot)
        return true
    }

    /// Passes over rows by their entries alone.
    func skip(_ count: Int) throws(DataStoreError) -> Int {
        try entries.pass(count)
    }

    func close() {
        entries.close()
    }
}
