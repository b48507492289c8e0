import LarderKernel

/// The entries of an entity's table in the order of their identifiers, up or down, between two ends.
final class TableEntries {
    private let identifier: IdentifierForm
    private let span: ColumnSpan
    private let isAscending: Bool
    private let reading: PathReading
    // reason for unchecked: used by one thread at a time, and never by functions it calls.
    @exclusivity(unchecked) private var cursor: (any KeyValueCursor)?
    @exclusivity(unchecked) private var first: End?
    @exclusivity(unchecked) private var last: End?

    /// An end of the range as a key of the table.
    private struct End {
        let key: [UInt8]
        let isIncluded: Bool
    }

    init(between span: ColumnSpan, isAscending: Bool, in reading: PathReading) {
        identifier = reading.entity.identifier
        self.span = span
        self.isAscending = isAscending
        self.reading = reading
    }

    /// Begins to read between the ends in a predicate.
    func begin(_ predicate: RowPredicate) throws(DataStoreError) {
        var lower = try end(span.lower, predicate)
        var upper = try end(span.upper, predicate)
        if let prefix = span.prefix {
            let beginning = try key(of: prefix, predicate)
            if lower.map({ $0.key.lexicographicallyPrecedes(beginning) }) ?? true {
                lower = End(key: beginning, isIncluded: true)
            }
            if let last = beginning.last {
                // No byte of UTF-8 is 0xFF.
                let next = Array(beginning.dropLast()) + [last &+ 1]
                if upper.map({ !$0.key.lexicographicallyPrecedes(next) }) ?? true {
                    upper = End(key: next, isIncluded: false)
                }
            }
        }
        first = isAscending ? lower : upper
        last = isAscending ? upper : lower
        if cursor == nil { cursor = try reading.snapshot.cursor(over: reading.entity.rows) }
    }

    /// Reads the next entries; false when there are none.
    func read(into ahead: inout ReadAhead) throws(DataStoreError) -> Bool {
        guard let cursor else { return false }
        if ahead.wasFilled {
            guard try ahead.fill(from: cursor, isAscending: isAscending) else { return false }
        } else {
            var entry = KeyValueEntry()
            guard try start(cursor, &entry) else { return false }
            ahead.fill(with: entry)
        }
        if let last { ahead.removeLast { !isBefore(last, $0.key) } }
        return !ahead.isEmpty
    }

    /// Ends the reading; `keepsCursor` keeps the engine's cursor for the next request.
    func close(keepsCursor: Bool) {
        (first, last) = (nil, nil)
        if keepsCursor { return }
        cursor?.close()
        cursor = nil
    }

    private func end(
        _ bound: ColumnSpan.Bound?, _ predicate: RowPredicate
    ) throws(DataStoreError) -> End? {
        guard let bound else { return nil }
        return End(key: try key(of: bound, predicate), isIncluded: bound.isIncluded)
    }

    /// The value of a bound as a key of the table.
    private func key(
        of bound: ColumnSpan.Bound, _ predicate: RowPredicate
    ) throws(DataStoreError) -> [UInt8] {
        var value = Constant.null
        predicate.forEachValue(of: bound.condition) { value = $0 }
        let arena = RowArena(chunkBytes: 512)
        // No identifier is as long as the longest key, so a longer end may be cut.
        let key = try identifier.withKey(try arena.cell(of: value)) { key in
            Array(key.prefix(IndexKeyForm.maximumKeyBytes))
        }
        return key
    }

    private func start(
        _ cursor: any KeyValueCursor, _ entry: inout KeyValueEntry
    ) throws(DataStoreError) -> Bool {
        guard let first else { return isAscending ? try cursor.first(&entry) : try cursor.last(&entry) }
        let isFound = try seek(first.key, cursor, &entry)
        if isFound, order(of: entry.key, to: first.key) == 0 {
            if first.isIncluded { return true }
            return try isAscending ? cursor.next(&entry) : cursor.previous(&entry)
        }
        if isAscending { return isFound }
        return isFound ? try cursor.previous(&entry) : try cursor.last(&entry)
    }

    private func seek(
        _ key: [UInt8], _ cursor: any KeyValueCursor, _ entry: inout KeyValueEntry
    ) throws(DataStoreError) -> Bool {
        // The empty text is not a key, and comes before all keys.
        if key.isEmpty { return try cursor.first(&entry) }
        return try key.withUnsafeBufferPointer { key throws(DataStoreError) in
            try cursor.seek(UnsafeRawBufferPointer(key), &entry)
        }
    }

    /// True if a key lies before the last end, or on it if that is included.
    private func isBefore(_ end: End, _ key: UnsafeRawBufferPointer) -> Bool {
        let order = order(of: key, to: end.key)
        return order == 0 ? end.isIncluded : (order < 0) == isAscending
    }

    private func order(of key: UnsafeRawBufferPointer, to end: [UInt8]) -> Int {
        end.withUnsafeBytes { end in
            guard identifier.keys == .integer else { return key.order(to: end) }
            let left = key.loadUnaligned(as: UInt64.self)
            let right = end.loadUnaligned(as: UInt64.self)
            return left < right ? -1 : (left == right ? 0 : 1)
        }
    }
}
