import Larder

/// The entries of a part of an index, up or down.
final class IndexEntries {
    private let cursor: any KeyValueCursor
    private let isAscending: Bool
    /// The keys to look through, in the order they are gone through.
    private let ranges: [KeyRange]
    // reason for unchecked: used by one thread at a time, by nobody it calls.
    @exclusivity(unchecked) private var position = 0
    @exclusivity(unchecked) private var isInside = false
    /// Where the present range ends, in the direction that is gone; not used where it is open.
    private let end = ByteBuffer()
    @exclusivity(unchecked) private var isOpenEnded = false

    init(of scan: IndexScan, isAscending: Bool, in snapshot: any KeyValueSnapshot) throws(DataStoreError) {
        let ranges = scan.index.form.ranges(of: scan)
        self.ranges = isAscending ? ranges : ranges.reversed()
        self.isAscending = isAscending
        cursor = try snapshot.cursor(over: scan.index.entries)
    }

    /// Gives the next entry; false when there is none.
    func next(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        if isInside {
            if try advance(&entry), isInRange(entry.key) { return true }
            isInside = false
            position += 1
        }
        while position < ranges.count {
            let range = ranges[position]
            noteEnd(of: range)
            isInside = try start(range, &entry) && isInRange(entry.key)
            if isInside { return true }
            position += 1
        }
        return false
    }

    /// Whether a key that was come to in the present range is still in it.
    private func isInRange(_ key: UnsafeRawBufferPointer) -> Bool {
        if isOpenEnded { return true }
        let order = key.order(to: end.bytes)
        return isAscending ? order < 0 : order >= 0
    }

    private func noteEnd(of range: KeyRange) {
        let bytes = isAscending ? range.upper : range.lower
        isOpenEnded = bytes == nil
        end.truncate()
        bytes?.withUnsafeBytes { end.append($0) }
    }

    func close() {
        cursor.close()
    }

    private func advance(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        isAscending ? try cursor.next(&entry) : try cursor.previous(&entry)
    }

    private func start(_ range: KeyRange, _ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        if isAscending {
            return range.lower.isEmpty ? try cursor.first(&entry) : try seek(range.lower, &entry)
        }
        guard let upper = range.upper, try seek(upper, &entry) else { return try cursor.last(&entry) }
        return try cursor.previous(&entry)
    }

    private func seek(_ key: [UInt8], _ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        let result = key.withUnsafeBytes { key in
            Result { () throws(DataStoreError) in try cursor.seek(key, &entry) }
        }
        return try result.get()
    }
}
