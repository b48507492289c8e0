import Larder
import LarderKeyValue
import LarderMemory

/// An engine in memory that counts the cursors of its write transactions, and what is put after each was made.
final class CountingEngine: OrderedKeyValueEngine {
    private let wrapped: MemoryEngine
    /// A number for each cursor.
    let putsByCursor = Locked<[Int]>([])

    init(in storage: MemoryStorage = MemoryStorage()) {
        wrapped = MemoryEngine(in: storage)
    }

    var location: String { wrapped.location }

    func isStored() throws(DataStoreError) -> Bool { try wrapped.isStored() }

    func open() throws(DataStoreError) { try wrapped.open() }

    func close() throws(DataStoreError) { try wrapped.close() }

    func destroy() throws(DataStoreError) { try wrapped.destroy() }

    func beginReading() throws(DataStoreError) -> any KeyValueSnapshot { try wrapped.beginReading() }

    func beginWriting() throws(DataStoreError) -> any KeyValueTransaction {
        CountingTransaction(try wrapped.beginWriting(), putsByCursor)
    }
}

private final class CountingTransaction: KeyValueTransaction {
    private let wrapped: any KeyValueTransaction
    private let putsByCursor: Locked<[Int]>

    init(_ wrapped: any KeyValueTransaction, _ putsByCursor: Locked<[Int]>) {
        self.wrapped = wrapped
        self.putsByCursor = putsByCursor
    }

    var commitNumber: UInt64 { wrapped.commitNumber }

    func table(named name: String, _ keys: KeyKind) throws(DataStoreError) -> KeyValueTable? {
        try wrapped.table(named: name, keys)
    }

    func value(
        at key: UnsafeRawBufferPointer, in table: KeyValueTable
    ) throws(DataStoreError) -> UnsafeRawBufferPointer? { try wrapped.value(at: key, in: table) }

    func count(of table: KeyValueTable) throws(DataStoreError) -> Int { try wrapped.count(of: table) }

    func cursor(over table: KeyValueTable) throws(DataStoreError) -> any KeyValueCursor {
        putsByCursor.withLock { $0.append(0) }
        return try wrapped.cursor(over: table)
    }

    func end() { wrapped.end() }

    func makeTable(named name: String, _ keys: KeyKind) throws(DataStoreError) -> KeyValueTable {
        try wrapped.makeTable(named: name, keys)
    }

    func removeTable(_ table: KeyValueTable) throws(DataStoreError) { try wrapped.removeTable(table) }

    func put(
        _ value: UnsafeRawBufferPointer, at key: UnsafeRawBufferPointer, in table: KeyValueTable,
        overwrites: Bool
    ) throws(DataStoreError) -> Bool {
        putsByCursor.withLock { puts in
            if let last = puts.indices.last { puts[last] += 1 }
        }
        return try wrapped.put(value, at: key, in: table, overwrites: overwrites)
    }

    func delete(_ key: UnsafeRawBufferPointer, in table: KeyValueTable) throws(DataStoreError) -> Bool {
        try wrapped.delete(key, in: table)
    }

    func clear(_ table: KeyValueTable) throws(DataStoreError) { try wrapped.clear(table) }

    func setSavepoint() throws(DataStoreError) { try wrapped.setSavepoint() }

    func releaseSavepoint() throws(DataStoreError) { try wrapped.releaseSavepoint() }

    func rollBackToSavepoint() throws(DataStoreError) { try wrapped.rollBackToSavepoint() }

    func commit() throws(DataStoreError) { try wrapped.commit() }
}
