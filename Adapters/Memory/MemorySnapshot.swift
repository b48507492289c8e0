import LarderKernel
import LarderKeyValue

/// One state of a ``MemoryStorage``.
final class MemorySnapshot: KeyValueSnapshot {
    private let storage: MemoryStorage
    // reason for unchecked: used by one thread at a time, and never by functions it calls.
    @exclusivity(unchecked) private var tables: MemoryTables

    init(_ tables: MemoryTables, of storage: MemoryStorage) {
        self.tables = tables
        self.storage = storage
    }

    func beginAgain() throws(DataStoreError) -> Bool {
        tables = storage.tables
        return true
    }

    var commitNumber: UInt64 { tables.commitNumber }

    func table(named name: String, _ keys: KeyKind) throws(DataStoreError) -> KeyValueTable? {
        tables.table(named: name, keys)
    }

    func value(
        at key: UnsafeRawBufferPointer, in table: KeyValueTable
    ) throws(DataStoreError) -> UnsafeRawBufferPointer? {
        tables.value(at: key, in: table)
    }

    func count(of table: KeyValueTable) throws(DataStoreError) -> Int {
        tables.count(of: table)
    }

    func cursor(over table: KeyValueTable) throws(DataStoreError) -> any KeyValueCursor {
        tables.cursor(over: table)
    }

    /// Releases everything that only this snapshot uses.
    func end() {
        tables = MemoryTables()
    }
}
