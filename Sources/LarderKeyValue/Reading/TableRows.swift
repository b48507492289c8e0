import Larder

/// Rows of a table in the order of their identifiers, up or down, between two ends.
final class TableRows<Snapshot: KeyValueSnapshot> {
    private let identifier: IdentifierForm
    private let cursor: Snapshot.Cursor
    private let isAscending: Bool
    private let first: End?
    private let last: End?
    private var entry = KeyValueEntry()
    private var isStarted = false

    /// An end of the range as a key of the table.
    private struct End {
        let key: [UInt8]
        let isIncluded: Bool
    }

    init(
        between range: IdentifierRange, isAscending: Bool, over entity: EntityTable, in snapshot: Snapshot
    ) throws(DataStoreError) {
        identifier = entity.identifier
        self.isAscending = isAscending
        let lower = try Self.end(range.lower, identifier)
        let upper = try Self.end(range.upper, identifier)
        first = isAscending ? lower : upper
        last = isAscending ? upper : lower
        cursor = try snapshot.cursor(over: entity.rows)
    }

    func next(_ row: inout FoundRow) throws(DataStoreError) -> Bool {
        guard try isStarted ? advance() : start() else { return false }
        if let last, !isBefore(last) { return false }
        row.identifier = try identifier.identifier(inKey: entry.key)
        row.bytes = entry.value
        return true
    }

    func close() {
        cursor.close()
    }

    private static func end(
        _ bound: IdentifierRange.Bound?, _ form: IdentifierForm
    ) throws(DataStoreError) -> End? {
        guard let bound else { return nil }
        let arena = RowArena(chunkBytes: 512)
        let key = try form.withKey(try arena.cell(of: bound.value)) { key in
            Array(key.prefix(IndexKeyForm.maximumKeyBytes))
        }
        return End(key: key, isIncluded: bound.isIncluded)
    }

    private func advance() throws(DataStoreError) -> Bool {
        isAscending ? try cursor.next(&entry) : try cursor.previous(&entry)
    }

    private func start() throws(DataStoreError) -> Bool {
        isStarted = true
        guard let first else { return isAscending ? try cursor.first(&entry) : try cursor.last(&entry) }
        let isFound = try seek(first.key)
        if isFound, order(to: first.key) == 0 { return first.isIncluded ? true : try advance() }
        if isAscending { return isFound }
        return isFound ? try cursor.previous(&entry) : try cursor.last(&entry)
    }

    private func seek(_ key: [UInt8]) throws(DataStoreError) -> Bool {
        // The empty text is no key, and comes before all of them.
        if key.isEmpty { return try cursor.first(&entry) }
        let result = key.withUnsafeBytes { key in
            Result { () throws(DataStoreError) in try cursor.seek(key, &entry) }
        }
        return try result.get()
    }

    /// Whether the entry lies before the last end, or on it where that is included.
    private func isBefore(_ end: End) -> Bool {
        let order = order(to: end.key)
        return order == 0 ? end.isIncluded : (order < 0) == isAscending
    }

    private func order(to key: [UInt8]) -> Int {
        key.withUnsafeBytes { key in
            guard identifier.keys == .integer else { return entry.key.order(to: key) }
            let left = entry.key.loadUnaligned(as: UInt64.self)
            let right = key.loadUnaligned(as: UInt64.self)
            return left < right ? -1 : (left == right ? 0 : 1)
        }
    }
}
