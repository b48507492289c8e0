import Larder

/// The entries of an entity's table in the order of their identifiers, up or down, between two ends.
final class TableEntries {
    private let identifier: IdentifierForm
    private let cursor: any KeyValueCursor
    private let isAscending: Bool
    private let first: End?
    private let last: End?

    /// An end of the range as a key of the table.
    private struct End {
        let key: [UInt8]
        let isIncluded: Bool
    }

    init(
        between range: ColumnSpan, isAscending: Bool, over entity: EntityTable,
        in snapshot: any KeyValueSnapshot
    ) throws(DataStoreError) {
        identifier = entity.identifier
        self.isAscending = isAscending
        let lower = try Self.end(range.lower, identifier)
        let upper = try Self.end(range.upper, identifier)
        first = isAscending ? lower : upper
        last = isAscending ? upper : lower
        cursor = try snapshot.cursor(over: entity.rows)
    }

    /// Reads the next entries; false when there are none.
    func read(into ahead: inout ReadAhead) throws(DataStoreError) -> Bool {
        if ahead.wasFilled {
            guard try ahead.fill(from: cursor, isAscending: isAscending) else { return false }
        } else {
            var entry = KeyValueEntry()
            guard try start(&entry) else { return false }
            ahead.fill(with: entry)
        }
        if let last { ahead.removeLast { !isBefore(last, $0.key) } }
        return !ahead.isEmpty
    }

    func close() {
        cursor.close()
    }

    private static func end(
        _ bound: ColumnSpan.Bound?, _ form: IdentifierForm
    ) throws(DataStoreError) -> End? {
        guard let bound else { return nil }
        let arena = RowArena(chunkBytes: 512)
        // No identifier is as long as the longest key, so a longer end may be cut.
        let key = try form.withKey(try arena.cell(of: bound.value)) { key in
            Array(key.prefix(IndexKeyForm.maximumKeyBytes))
        }
        return End(key: key, isIncluded: bound.isIncluded)
    }

    private func advance(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        isAscending ? try cursor.next(&entry) : try cursor.previous(&entry)
    }

    private func start(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        guard let first else { return isAscending ? try cursor.first(&entry) : try cursor.last(&entry) }
        let isFound = try seek(first.key, &entry)
        if isFound, order(of: entry.key, to: first.key) == 0 {
            return first.isIncluded ? true : try advance(&entry)
        }
        if isAscending { return isFound }
        return isFound ? try cursor.previous(&entry) : try cursor.last(&entry)
    }

    private func seek(_ key: [UInt8], _ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        // The empty text is no key, and comes before all of them.
        if key.isEmpty { return try cursor.first(&entry) }
        return try key.withUnsafeBufferPointer { key throws(DataStoreError) in
            try cursor.seek(UnsafeRawBufferPointer(key), &entry)
        }
    }

    /// Whether a key lies before the last end, or on it where that is included.
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
