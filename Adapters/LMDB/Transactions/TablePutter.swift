import CLMDB
import LarderKernel
import LarderKeyValue

/// Puts entries into one table, by a cursor that stays where it put the last one: keys that rise find their
/// place without a search, and fill their pages.
///
/// *Rule:* closed before a savepoint is set or ends, and before the transaction ends.
struct TablePutter {
    private var cursor: OpaquePointer?
    private var count = 0
    /// The highest integer key of the table; nil when it is not known.
    private var highest: UInt64?
    /// The highest key of a table of bytes; empty when it is not known.
    private var highestBytes: [UInt8] = []

    /// The number of entries after which the end of a table of bytes is worth looking for: their keys seldom rise.
    private static let manyEntries = 64

    /// Puts an entry and returns LMDB's code.
    mutating func put(
        _ value: UnsafeRawBufferPointer, at key: UnsafeRawBufferPointer, in table: KeyValueTable,
        of transaction: OpaquePointer, overwrites: Bool
    ) -> Int32 {
        let code = open(table, transaction)
        if code != 0 { return code }
        count += 1
        var flags = overwrites ? 0 : MDB_NOOVERWRITE
        if table.keys == .integer {
            guard key.count == MemoryLayout<UInt64>.size else { return MDB_BAD_VALSIZE }
            if isHighest(key.loadUnaligned(as: UInt64.self)) { flags = MDB_APPEND }
        } else if count > Self.manyEntries, isHighest(key) {
            flags = MDB_APPEND
        }
        var key = MDB_val(key)
        var value = MDB_val(value)
        return mdb_cursor_put(cursor, &key, &value, UInt32(flags))
    }

    /// Counts the keys that begin with some bytes, as far as two, and returns LMDB's code.
    ///
    /// *Cost:* four steps inside a page right after one of them was put, as the cursor is there; a search otherwise.
    mutating func count(
        beginningWith start: UnsafeRawBufferPointer, in table: KeyValueTable,
        of transaction: OpaquePointer, _ count: inout Int
    ) -> Int32 {
        var code = open(table, transaction)
        if code == 0, isAtLoneKey(beginningWith: start) {
            count = 1
            return 0
        }
        var key = MDB_val(start)
        var value = MDB_val()
        if code == 0 { code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE) }
        while code == 0, count < 2, key.bytes.begins(with: start) {
            count += 1
            if count < 2 { code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT) }
        }
        return code == MDB_NOTFOUND ? 0 : code
    }

    /// True if the cursor is at a key that begins with some bytes, and the keys beside it do not.
    ///
    /// False if that is not known. LMDB compares no keys for it, as it does a dozen times for a search.
    private func isAtLoneKey(beginningWith start: UnsafeRawBufferPointer) -> Bool {
        var (key, value) = (MDB_val(), MDB_val())
        func begins(_ step: MDB_cursor_op) -> Bool? {
            mdb_cursor_get(cursor, &key, &value, step) == 0 ? key.bytes.begins(with: start) : nil
        }
        // Before the first key of the table there is none, and no way back from it.
        guard begins(MDB_GET_CURRENT) == true, begins(MDB_PREV) == false, begins(MDB_NEXT) == true else {
            return false
        }
        let code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
        return code == MDB_NOTFOUND || code == 0 && !key.bytes.begins(with: start)
    }

    private mutating func open(_ table: KeyValueTable, _ transaction: OpaquePointer) -> Int32 {
        cursor == nil ? mdb_cursor_open(transaction, table.handle, &cursor) : 0
    }

    mutating func close() {
        if let cursor { mdb_cursor_close(cursor) }
        cursor = nil
        count = 0
        highest = nil
        highestBytes.removeAll(keepingCapacity: true)
    }

    /// True if a key comes after all others; it is then the highest from now on.
    ///
    /// A lone entry is not worth looking for the end of the table.
    private mutating func isHighest(_ key: UInt64) -> Bool {
        guard count > 1 else { return false }
        if highest == nil {
            var last = MDB_val()
            var value = MDB_val()
            let code = mdb_cursor_get(cursor, &last, &value, MDB_LAST)
            guard code == 0, last.mv_size == MemoryLayout<UInt64>.size else { return false }
            highest = last.bytes.loadUnaligned(as: UInt64.self)
        }
        guard let highest, key > highest else { return false }
        self.highest = key
        return true
    }

    /// The same for a table of bytes.
    private mutating func isHighest(_ key: UnsafeRawBufferPointer) -> Bool {
        if highestBytes.isEmpty {
            var last = MDB_val()
            var value = MDB_val()
            guard mdb_cursor_get(cursor, &last, &value, MDB_LAST) == 0 else { return false }
            highestBytes.append(contentsOf: last.bytes)
        }
        guard highestBytes.withUnsafeBytes({ key.order(to: $0) }) > 0 else { return false }
        highestBytes.removeAll(keepingCapacity: true)
        highestBytes.append(contentsOf: key)
        return true
    }
}
