import Larder

/// Rows to which the entries of a part of an index lead.
final class IndexRows: RowSource {
    let scan: IndexScan
    private let entity: EntityTable
    private let snapshot: any KeyValueSnapshot
    private let entries: IndexEntries
    /// The entry that led to the last row.
    private(set) var entry = KeyValueEntry()
    /// Whether a value is cut in it.
    private(set) var isCut = false

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
        row.identifier = try entity.identifier.identifier(inRest: rest)
        guard let bytes = try entity.bytes(ofRow: row.identifier, in: snapshot) else {
            throw DataStoreError(
                .damaged, "An entry of the index \(scan.index.name) leads to no row.",
                itemType: entity.schema.name,
                identifier: AnyItemID(row.identifier, type: entity.schema.attributes[0].type))
        }
        row.bytes = bytes
        return true
    }

    func close() {
        entries.close()
    }
}
