import Larder

/// Rows to which the entries of a part of an index lead, in the order of their identifiers, which are integers.
///
/// The identifiers are collected and sorted before any row is looked for, so that no row is kept, and those that
/// lie beside each other are read one after the other. *Cost:* 8 bytes for each entry.
final class IdentifierSortedRows: RowSource {
    private let index: IndexTable
    private let entity: EntityTable
    private let snapshot: any KeyValueSnapshot
    /// The identifiers as keys of the entity's table, the next one last.
    // reason for unchecked: used by one thread at a time, by nobody it calls.
    @exclusivity(unchecked) private var keys: [UInt64] = []

    init(
        of scan: IndexScan, isAscending: Bool, over entity: EntityTable, in snapshot: any KeyValueSnapshot
    ) throws(DataStoreError) {
        index = scan.index
        self.entity = entity
        self.snapshot = snapshot
        let entries = try IndexEntries(of: scan, isAscending: true, in: snapshot)
        defer { entries.close() }
        var entry = KeyValueEntry()
        while try entries.next(&entry) {
            let start = try index.form.identifierStart(in: entry.key)
            let rest = UnsafeRawBufferPointer(rebasing: entry.key[start.offset...])
            keys.append(try entity.identifier.integerKey(inRest: rest))
        }
        keys.radixSort()
        if isAscending { keys.reverse() }
    }

    func next(_ row: inout FoundRow) throws(DataStoreError) -> Bool {
        guard let key = keys.popLast() else { return false }
        row.identifier = entity.identifier.identifier(ofKey: key)
        row.bytes = try index.bytes(ofRow: row.identifier, of: entity, in: snapshot)
        return true
    }

    func skip(_ count: Int) throws(DataStoreError) -> Int {
        let skipped = min(count, keys.count)
        keys.removeLast(skipped)
        return skipped
    }

    func close() {
        keys = []
    }
}

extension AccessPlan {
    /// The part of an index whose identifiers are sorted before the rows are read; nil where rows are sorted, or
    /// nothing is.
    func scanToSort(over entity: EntityTable) -> IndexScan? {
        guard !isOrdered, order.first?.column == 0, entity.identifier.keys == .integer,
            case .index(let scan) = path
        else { return nil }
        return scan
    }
}
