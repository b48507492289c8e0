import LarderKernel
import LarderKeyValue

/// One state of a ``MemoryStorage``.
final class MemorySnapshot: MemoryReading, KeyValueSnapshot {
    func beginAgain() throws(DataStoreError) -> Bool {
        tables = storage.tables
        return true
    }

    /// Releases everything that only this snapshot uses.
    func end() {
        tables = MemoryTables()
    }
}
