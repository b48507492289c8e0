import LarderKernel

/// The entries of a part of an index, up or down; used again for one request after the other.
final class IndexEntries {
    private let entries: KeyValueTable
    private let snapshot: any KeyValueSnapshot
    private let isAscending: Bool
    private let ranges: KeyRanges
    // reason for unchecked: used by one thread at a time, and never by functions it calls.
    @exclusivity(unchecked) private var cursor: (any KeyValueCursor)?
    /// The number of ranges that have been read.
    @exclusivity(unchecked) private var position = 0
    @exclusivity(unchecked) private var isInside = false
    /// The end of the present range in the direction of reading.
    @exclusivity(unchecked) private var limit: KeyLimit

    init(of scan: IndexScan, isAscending: Bool, in snapshot: any KeyValueSnapshot) {
        entries = scan.index.entries
        ranges = KeyRanges(of: scan)
        self.isAscending = isAscending
        self.snapshot = snapshot
        limit = KeyLimit(isAscending: isAscending, end: nil)
    }

    /// Begins to read for the values in a predicate.
    ///
    /// - Returns: True if one of them is too long for the keys.
    func begin(_ predicate: RowPredicate) throws(DataStoreError) -> Bool {
        ranges.fill(with: predicate)
        position = 0
        isInside = false
        if cursor == nil { cursor = try snapshot.cursor(over: entries) }
        return ranges.isTruncated
    }

    /// Gives the next entry; false when there is none.
    func next(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        guard let cursor else { return false }
        if isInside {
            let isFound = try isAscending ? cursor.next(&entry) : cursor.previous(&entry)
            if isFound, limit.allows(entry.key) { return true }
            leaveRange()
        }
        while position < ranges.count {
            let number = isAscending ? position : ranges.count - 1 - position
            isInside = try start(number, cursor, &entry) && limit.allows(entry.key)
            if isInside { return true }
            position += 1
        }
        return false
    }

    /// Reads the next entries; false when there are none.
    ///
    /// *Rule:* for one request either this or ``next(_:)``.
    func read(into ahead: inout ReadAhead) throws(DataStoreError) -> Bool {
        guard let cursor else { return false }
        if isInside {
            if try ahead.fill(from: cursor, isAscending: isAscending) {
                let limit = limit
                ahead.removeLast { !limit.allows($0.key) }
                if !ahead.isEmpty { return true }
            }
            leaveRange()
        }
        var entry = KeyValueEntry()
        guard try next(&entry) else { return false }
        ahead.fill(with: entry)
        return true
    }

    /// Passes over entries and returns how many there were, up to a number of them.
    func skip(_ count: Int) throws(DataStoreError) -> Int {
        guard let cursor else { return 0 }
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

    /// Ends the reading; `keepsCursor` keeps the engine's cursor for the next request.
    func close(keepsCursor: Bool) {
        ranges.reset()
        position = 0
        isInside = false
        if keepsCursor { return }
        cursor?.close()
        cursor = nil
    }

    /// Goes to the first entry of a range in the direction of the reading, or to one after it.
    private func start(
        _ number: Int, _ cursor: any KeyValueCursor, _ entry: inout KeyValueEntry
    ) throws(DataStoreError) -> Bool {
        let (lower, upper) = (ranges.lower(at: number), ranges.upper(at: number))
        if isAscending {
            limit = KeyLimit(isAscending: true, end: upper)
            return try lower.isEmpty ? cursor.first(&entry) : cursor.seek(lower, &entry)
        }
        limit = KeyLimit(isAscending: false, end: lower)
        guard let upper, try cursor.seek(upper, &entry) else { return try cursor.last(&entry) }
        return try cursor.previous(&entry)
    }
}
