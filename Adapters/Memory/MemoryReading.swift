import LarderKernel
import LarderKeyValue

/// The common part of reading in a snapshot and in the write transaction: one state of a ``MemoryStorage``.
class MemoryReading {
    final let storage: MemoryStorage
    // reason for unchecked: used by one thread at a time, and never by functions it calls.
    @exclusivity(unchecked) final var tables: MemoryTables

    init(_ tables: MemoryTables, of storage: MemoryStorage) {
        self.tables = tables
        self.storage = storage
    }

    final var commitNumber: UInt64 { tables.commitNumber }

    final func table(named name: String, _ keys: KeyKind) throws(DataStoreError) -> KeyValueTable? {
        tables.table(named: name, keys)
    }

    final func value(
        at key: UnsafeRawBufferPointer, in table: KeyValueTable
    ) throws(DataStoreError) -> UnsafeRawBufferPointer? {
        tables.value(at: key, in: table)
    }

    final func count(of table: KeyValueTable) throws(DataStoreError) -> Int {
        tables.count(of: table)
    }

    final func cursor(over table: KeyValueTable) throws(DataStoreError) -> any KeyValueCursor {
        tables.cursor(over: table)
    }
}
