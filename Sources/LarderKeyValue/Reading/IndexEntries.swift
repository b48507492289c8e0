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
    /// How far the present range goes, in the direction that is gone.
    @exclusivity(unchecked) private var limit: KeyLimit
    /// What the limit points to.
    private let end = ByteBuffer()

    init(of scan: IndexScan, isAscending: Bool, in snapshot: any KeyValueSnapshot) throws(DataStoreError) {
        let ranges = scan.index.form.ranges(of: scan)
        self.ranges = isAscending ? ranges : ranges.reversed()
        self.isAscending = isAscending
        limit = KeyLimit(isAscending: isAscending, end: nil)
        cursor = try snapshot.cursor(over: scan.index.entries)
    }

    /// Gives the next entry; false when there is none.
    func next(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        if isInside {
            if try advance(&entry), limit.allows(entry.key) { return true }
            leaveRange()
        }
        while position < ranges.count {
            let range = ranges[position]
            noteEnd(of: range)
            isInside = try start(range, &entry) && limit.allows(entry.key)
            if isInside { return true }
            position += 1
        }
        return false
    }

    /// Passes over entries and returns how many there were, up to a number of them.
    func pass(_ count: Int) throws(DataStoreError) -> Int {
        var passed = 0
        var entry = KeyValueEntry()
        while passed < count {
            if isInside {
                passed += try cursor.pass(count - passed, within: limit)
                if passed < count { leaveRange() }
            } else {
                guard try next(&entry) else { break }
                passed += 1
            }
        }
        return passed
    }

    private func leaveRange() {
        isInside = false
        position += 1
    }

    private func noteEnd(of range: KeyRange) {
        let bytes = isAscending ? range.upper : range.lower
        end.truncate()
        bytes?.withUnsafeBytes { end.append($0) }
        limit = KeyLimit(isAscending: isAscending, end: bytes == nil ? nil : end.bytes)
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
        try key.withUnsafeBufferPointer { key throws(DataStoreError) in
            try cursor.seek(UnsafeRawBufferPointer(key), &entry)
        }
    }
}
