import LarderKernel

/// A snapshot whose cursors throw `.cancelled` soon after their task is cancelled.
///
/// It wraps the engine's, so that the reading of apps, which is never cancelled, pays nothing for it.
final class CancellableSnapshot: KeyValueSnapshot {
    private let snapshot: any KeyValueSnapshot

    init(_ snapshot: any KeyValueSnapshot) {
        self.snapshot = snapshot
    }

    var commitNumber: UInt64 { snapshot.commitNumber }

    func table(named name: String, _ keys: KeyKind) throws(DataStoreError) -> KeyValueTable? {
        try snapshot.table(named: name, keys)
    }

    func value(
        at key: UnsafeRawBufferPointer, in table: KeyValueTable
    ) throws(DataStoreError) -> UnsafeRawBufferPointer? {
        try snapshot.value(at: key, in: table)
    }

    func count(of table: KeyValueTable) throws(DataStoreError) -> Int {
        try snapshot.count(of: table)
    }

    func cursor(over table: KeyValueTable) throws(DataStoreError) -> any KeyValueCursor {
        CancellableCursor(try snapshot.cursor(over: table))
    }

    func end() {
        snapshot.end()
    }
}

/// A cursor that checks its task regularly.
private final class CancellableCursor: KeyValueCursor {
    /// The number of moves between two checks of the task.
    private static let movesPerLook = 16
    /// The number of entries skipped between two checks: some milliseconds.
    private static let entriesPerLook = 65_536

    private let cursor: any KeyValueCursor
    private var moves = 0

    init(_ cursor: any KeyValueCursor) {
        self.cursor = cursor
    }

    func first(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        try noteMove()
        return try cursor.first(&entry)
    }

    func last(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        try noteMove()
        return try cursor.last(&entry)
    }

    func seek(_ key: UnsafeRawBufferPointer, _ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        try noteMove()
        return try cursor.seek(key, &entry)
    }

    func next(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        try noteMove()
        return try cursor.next(&entry)
    }

    func previous(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        try noteMove()
        return try cursor.previous(&entry)
    }

    func next(
        _ entries: UnsafeMutableBufferPointer<KeyValueEntry>, isAscending: Bool
    ) throws(DataStoreError) -> Int {
        try noteMove()
        return try cursor.next(entries, isAscending: isAscending)
    }

    func pass(_ count: Int, within limit: KeyLimit) throws(DataStoreError) -> Int {
        var passed = 0
        while passed < count {
            try Cancellation.check("The reading")
            let step = min(count - passed, Self.entriesPerLook)
            let found = try cursor.pass(step, within: limit)
            passed += found
            if found < step { break }
        }
        return passed
    }

    func close() {
        cursor.close()
    }

    private func noteMove() throws(DataStoreError) {
        moves &+= 1
        if moves % Self.movesPerLook == 0 { try Cancellation.check("The reading") }
    }
}
