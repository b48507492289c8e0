import Larder

/// The entries of a part of an index, up or down.
final class IndexEntries {
    private let cursor: any KeyValueCursor
    private let isAscending: Bool
    /// The keys to look through, in the order they are gone through.
    private let ranges: [KeyRange]
    private var position = 0
    private var isInside = false

    init(of scan: IndexScan, isAscending: Bool, in snapshot: any KeyValueSnapshot) throws(DataStoreError) {
        let ranges = scan.index.form.ranges(of: scan)
        self.ranges = isAscending ? ranges : ranges.reversed()
        self.isAscending = isAscending
        cursor = try snapshot.cursor(over: scan.index.entries)
    }

    /// Gives the next entry; false when there is none.
    func next(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        while position < ranges.count {
            let range = ranges[position]
            isInside = try isInside ? advance(&entry) : start(range, &entry)
            if isInside, isAscending ? range.isBeforeEnd(entry.key) : range.isBehindStart(entry.key) {
                return true
            }
            isInside = false
            position += 1
        }
        return false
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

extension KeyRange {
    /// Whether a key that is not before the range is in it.
    fileprivate func isBeforeEnd(_ key: UnsafeRawBufferPointer) -> Bool {
        guard let upper else { return true }
        return upper.withUnsafeBytes { key.order(to: $0) < 0 }
    }

    /// Whether a key that is not behind the range is in it.
    fileprivate func isBehindStart(_ key: UnsafeRawBufferPointer) -> Bool {
        lower.withUnsafeBytes { key.order(to: $0) >= 0 }
    }
}
