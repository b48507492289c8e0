import Larder
import LarderKeyValue

/// One state of a ``MemoryStorage``.
final class MemorySnapshot: KeyValueSnapshot {
    private var tables: MemoryTables

    init(_ tables: MemoryTables) {
        self.tables = tables
    }

    /// Begins anew, after its end.
    func begin(_ tables: MemoryTables) {
        self.tables = tables
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

    /// Lets go of what only this snapshot sees.
    func end() {
        tables = MemoryTables()
    }
}
