import LarderKernel

/// Rows to which the entries of a part of an index lead, in the order of their identifiers, which are
/// integers.
///
/// The identifiers are collected and sorted before any row is looked for, so that no row is kept, and those
/// that lie beside each other are read one after the other. *Cost:* 8 bytes for each entry.
final class IdentifierSortedRows {
    private let index: IndexTable
    private let entries: IndexEntries
    private let isAscending: Bool
    private let reading: PathReading
    /// The identifiers as keys of the entity's table, the next one last.
    // reason for unchecked: used by one thread at a time, and never by functions it calls.
    @exclusivity(unchecked) private var keys: [UInt64] = []

    init(of scan: IndexScan, isAscending: Bool, in reading: PathReading) {
        index = scan.index
        self.isAscending = isAscending
        self.reading = reading
        entries = IndexEntries(of: scan, isAscending: true, in: reading.snapshot)
    }

    /// Begins to read for the values in a predicate.
    ///
    /// - Returns: True if one of them is too long for the keys.
    func begin(_ predicate: RowPredicate) throws(DataStoreError) -> Bool {
        let isTruncated = try entries.begin(predicate)
        let identifier = reading.entity.identifier
        keys.removeAll(keepingCapacity: true)
        var entry = KeyValueEntry()
        while try entries.next(&entry) {
            let start = try index.form.identifierStart(in: entry.key)
            let rest = UnsafeRawBufferPointer(rebasing: entry.key[start.offset...])
            keys.append(try identifier.integerKey(inRest: rest))
        }
        keys.radixSort()
        if isAscending { keys.reverse() }
        return isTruncated
    }

    /// Gives the next row, or only its identifier; false when there is none.
    func next(_ row: inout FoundRow, readsRow: Bool) throws(DataStoreError) -> Bool {
        guard let key = keys.popLast() else { return false }
        row.identifier = reading.entity.identifier.identifier(ofKey: key)
        if readsRow { row.bytes = try index.bytes(ofRow: row.identifier, in: reading) }
        return true
    }

    /// Passes over rows and returns how many there were, up to a number of them.
    func skip(_ count: Int) throws(DataStoreError) -> Int {
        let skipped = min(count, keys.count)
        keys.removeLast(skipped)
        return skipped
    }

    /// Ends the reading; `keepsCursor` keeps the engine's cursor for the next request.
    func close(keepsCursor: Bool) {
        keys = []
        entries.close(keepsCursor: keepsCursor)
    }
}
