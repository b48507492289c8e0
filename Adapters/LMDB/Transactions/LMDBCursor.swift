import CLMDB
import LarderKernel
import LarderKeyValue

/// A place in a table.
///
/// LMDB's cursors belong to one transaction, and a savepoint is a transaction of its own: when one is set or
/// ends, the cursor closes, remembers its key, and opens again with the next move.
final class LMDBCursor: KeyValueCursor {
    let table: KeyValueTable
    private let reading: LMDBReading
    /// LMDB's cursor; nil if it must be opened first.
    // reason for unchecked: used by one thread at a time, and never by functions it calls.
    @exclusivity(unchecked) private var handle: OpaquePointer?
    /// The position of the cursor while it has no handle.
    private var suspendedKey: [UInt8]?
    private var isClosed = false

    init(over table: KeyValueTable, in reading: LMDBReading) {
        self.table = table
        self.reading = reading
    }

    func open() throws(DataStoreError) {
        let transaction = try reading.current()
        let code = mdb_cursor_open(transaction, table.handle, &handle)
        if code != 0 { throw reading.failure(code) }
    }

    func first(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        try place(MDB_FIRST, &entry)
    }

    func last(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        try place(MDB_LAST, &entry)
    }

    func seek(
        _ key: UnsafeRawBufferPointer, _ entry: inout KeyValueEntry
    ) throws(DataStoreError) -> Bool {
        try prepare(continuing: false)
        return try move(MDB_SET_RANGE, from: MDB_val(key), &entry)
    }

    func next(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        try prepare(continuing: true)
        return try move(MDB_NEXT, from: MDB_val(), &entry)
    }

    func previous(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        try prepare(continuing: true)
        return try move(MDB_PREV, from: MDB_val(), &entry)
    }

    func next(
        _ entries: UnsafeMutableBufferPointer<KeyValueEntry>, isAscending: Bool
    ) throws(DataStoreError) -> Int {
        try prepare(continuing: true)
        let operation = isAscending ? MDB_NEXT : MDB_PREV
        var count = 0
        while count < entries.count, try move(operation, from: MDB_val(), &entries[count]) { count += 1 }
        return count
    }

    func pass(_ count: Int, within limit: KeyLimit) throws(DataStoreError) -> Int {
        try prepare(continuing: true)
        let operation = limit.isAscending ? MDB_NEXT : MDB_PREV
        var entry = KeyValueEntry()
        var passed = 0
        while passed < count, try move(operation, from: MDB_val(), &entry), limit.allows(entry.key) {
            passed += 1
        }
        return passed
    }

    func close() {
        if isClosed { return }
        closeHandle()
        reading.remove(self)
    }

    private func place(
        _ operation: MDB_cursor_op, _ entry: inout KeyValueEntry
    ) throws(DataStoreError) -> Bool {
        try prepare(continuing: false)
        return try move(operation, from: MDB_val(), &entry)
    }

    @inline(__always)
    private func move(
        _ operation: MDB_cursor_op, from key: MDB_val, _ entry: inout KeyValueEntry
    ) throws(DataStoreError) -> Bool {
        var key = key
        var value = MDB_val()
        let code = mdb_cursor_get(handle, &key, &value, operation)
        guard code == 0 else {
            if code == MDB_NOTFOUND { return false }
            throw reading.failure(code)
        }
        entry.key = key.bytes
        entry.value = value.bytes
        return true
    }
}

extension LMDBCursor {
    /// Closes the cursor and remembers where it stood.
    func suspend() {
        guard let handle else { return }
        var key = MDB_val()
        var value = MDB_val()
        let code = mdb_cursor_get(handle, &key, &value, MDB_GET_CURRENT)
        suspendedKey = code == 0 ? Array(key.bytes) : nil
        mdb_cursor_close(handle)
        self.handle = nil
    }

    /// Closes the cursor for good.
    func closeHandle() {
        isClosed = true
        if let handle { mdb_cursor_close(handle) }
        handle = nil
    }

    /// Opens the cursor again if it was suspended.
    ///
    /// - Parameter isContinuing: True to return to its position.
    /// - Throws: `.usedAfterFork`, even if it is open.
    private func prepare(continuing isContinuing: Bool) throws(DataStoreError) {
        try reading.store.requireSameProcess()
        if handle == nil { try isContinuing ? resume() : reopen() }
    }

    /// Opens the cursor again, without a position.
    private func reopen() throws(DataStoreError) {
        if isClosed { throw DataStoreError(.closed, "The cursor was used after it had been closed.") }
        suspendedKey = nil
        try open()
    }

    /// Opens the cursor again and returns to its position.
    private func resume() throws(DataStoreError) {
        let suspended = suspendedKey
        try reopen()
        guard let key = suspended else { return }
        var value = MDB_val()
        let code = key.withUnsafeBytes { bytes in
            var key = MDB_val(bytes)
            return mdb_cursor_get(handle, &key, &value, MDB_SET)
        }
        if code != 0 && code != MDB_NOTFOUND { throw reading.failure(code) }
    }
}
