import Larder
import LarderKeyValue

/// One state of a ``MemoryStorage``.
final class MemorySnapshot: KeyValueSnapshot {
    private let tables: MemoryTables

    init(_ tables: MemoryTables) {
        self.tables = tables
    }

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

    /// Does nothing: what only this snapshot sees goes with it.
    func end() {}
}
