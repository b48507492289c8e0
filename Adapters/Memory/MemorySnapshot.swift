public import Larder
public import LarderKeyValue

/// One state of a ``MemoryStorage``.
public final class MemorySnapshot: KeyValueSnapshot {
    private var tables: MemoryTables

    init(_ tables: MemoryTables) {
        self.tables = tables
    }

    public func table(named name: String, _ keys: KeyKind) throws(DataStoreError) -> KeyValueTable? {
        tables.table(named: name, keys)
    }

    public func value(
        at key: UnsafeRawBufferPointer, in table: KeyValueTable
    ) throws(DataStoreError) -> UnsafeRawBufferPointer? {
        tables.value(at: key, in: table)
    }

    public func count(of table: KeyValueTable) throws(DataStoreError) -> Int {
        tables.count(of: table)
    }

    public func cursor(over table: KeyValueTable) throws(DataStoreError) -> MemoryCursor {
        MemoryCursor(tables.cursor(over: table))
    }

    public func end() {
        tables = MemoryTables()
    }
}

/// A place in a table of a ``MemoryStorage``.
///
/// In a transaction it keeps seeing its table as it was when the cursor was made.
public final class MemoryCursor: KeyValueCursor {
    private var cursor: MapCursor?

    init(_ cursor: MapCursor) {
        self.cursor = cursor
    }

    public func first(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        guard cursor?.first() == true else { return false }
        cursor?.read(&entry)
        return true
    }

    public func last(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        guard cursor?.last() == true else { return false }
        cursor?.read(&entry)
        return true
    }

    public func seek(
        _ key: UnsafeRawBufferPointer, _ entry: inout KeyValueEntry
    ) throws(DataStoreError) -> Bool {
        guard cursor?.seek(key) == true else { return false }
        cursor?.read(&entry)
        return true
    }

    public func next(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        guard cursor?.next() == true else { return false }
        cursor?.read(&entry)
        return true
    }

    public func previous(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool {
        guard cursor?.previous() == true else { return false }
        cursor?.read(&entry)
        return true
    }

    public func close() {
        cursor = nil
    }
}
