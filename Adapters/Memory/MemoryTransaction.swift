import LarderKernel
import LarderKeyValue

/// The write transaction of a ``MemoryStorage``: a state of its own, which takes the place of the last one.
final class MemoryTransaction: MemoryReading, KeyValueTransaction {
    // reason for unchecked: used by one thread at a time, and never by functions it calls.
    @exclusivity(unchecked) private var savepoints: [MemoryTables] = []
    @exclusivity(unchecked) private var hasEnded = false

    deinit {
        end()
    }

    func beginAgain() throws(DataStoreError) -> Bool {
        tables = try storage.beginWriting()
        hasEnded = false
        return true
    }

    func makeTable(named name: String, _ keys: KeyKind) throws(DataStoreError) -> KeyValueTable {
        tables.makeTable(named: name, keys)
    }

    func removeTable(_ table: KeyValueTable) throws(DataStoreError) {
        tables.removeTable(table)
    }

    func put(
        _ value: UnsafeRawBufferPointer, at key: UnsafeRawBufferPointer, in table: KeyValueTable,
        overwrites: Bool
    ) throws(DataStoreError) -> Bool {
        tables.put(value, at: key, in: table, overwrites: overwrites)
    }

    func delete(
        _ key: UnsafeRawBufferPointer, in table: KeyValueTable
    ) throws(DataStoreError) -> Bool {
        tables.remove(key, in: table)
    }

    func clear(_ table: KeyValueTable) throws(DataStoreError) {
        tables.clear(table)
    }

    func setSavepoint() throws(DataStoreError) {
        savepoints.append(tables)
    }

    func releaseSavepoint() throws(DataStoreError) {
        _ = savepoints.popLast()
    }

    func rollBackToSavepoint() throws(DataStoreError) {
        guard let savepoint = savepoints.popLast() else {
            throw DataStoreError(.unsupported, "There is no savepoint to go back to.")
        }
        tables = savepoint
    }

    func commit() throws(DataStoreError) {
        guard !hasEnded else { throw DataStoreError(.closed, "The write transaction has ended.") }
        hasEnded = true
        storage.endWriting(tables)
        release()
    }

    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        storage.endWriting(nil)
        release()
    }

    private func release() {
        tables = MemoryTables()
        savepoints = []
    }
}
