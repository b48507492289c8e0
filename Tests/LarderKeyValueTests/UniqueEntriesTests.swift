import Larder
import LarderMemory
import Testing

@testable import AdapterTestSupport
@testable import LarderKeyValue

@Suite struct UniqueEntriesTests {
    @Test func `judging values that all change owners takes a few cursors for each`() throws {
        let store = try CountingStore()
        let count: Int64 = 20_000
        try store.insert((0..<count).map { Recipe($0) })
        store.engine.cursors.withLock { $0 = 0 }

        try store.write { writer in
            for id in 0..<count {
                try writer.update(Recipe(id, slug: "recipe-\(count - 1 - id)"), Recipe.Column.slug)
            }
        }

        // One for each entry; one for each of the 1000, 3000 and 7000 that have a twin by then, and of the 10,000 that had
        // one before the commit.
        #expect(store.engine.cursors.withLock { $0 } == 20_000 + 11_000 + 10_000)
        #expect(try store.read { try $0.item(Recipe.self, 0)?.slug } == "recipe-19999")
    }
}

/// A store in memory that counts the cursors of its write transactions.
private struct CountingStore: SeamStore {
    let engine = CountingEngine()
    let schema: StoreSchema
    private let adapter: KeyValueAdapter<CountingEngine>

    init() throws {
        adapter = KeyValueAdapter(engine)
        schema = try StoreSchema(storing: [Recipe.self])
        try adapter.open(schema)
    }

    var seam: any StorageAdapter { adapter }
}

private final class CountingEngine: OrderedKeyValueEngine {
    private let wrapped = MemoryEngine(in: MemoryStorage())
    let cursors = Locked(0)

    var location: String { wrapped.location }

    func isStored() throws(DataStoreError) -> Bool { try wrapped.isStored() }

    func open() throws(DataStoreError) { try wrapped.open() }

    func close() throws(DataStoreError) { try wrapped.close() }

    func destroy() throws(DataStoreError) { try wrapped.destroy() }

    func beginReading() throws(DataStoreError) -> any KeyValueSnapshot { try wrapped.beginReading() }

    func beginWriting() throws(DataStoreError) -> any KeyValueTransaction {
        CountingTransaction(try wrapped.beginWriting(), cursors)
    }
}

private final class CountingTransaction: KeyValueTransaction {
    private let wrapped: any KeyValueTransaction
    private let cursors: Locked<Int>

    init(_ wrapped: any KeyValueTransaction, _ cursors: Locked<Int>) {
        self.wrapped = wrapped
        self.cursors = cursors
    }

    var commitNumber: UInt64 { wrapped.commitNumber }

    func table(named name: String, _ keys: KeyKind) throws(DataStoreError) -> KeyValueTable? {
        try wrapped.table(named: name, keys)
    }

    func value(
        at key: UnsafeRawBufferPointer, in table: KeyValueTable
    ) throws(DataStoreError) -> UnsafeRawBufferPointer? {
        try wrapped.value(at: key, in: table)
    }

    func count(of table: KeyValueTable) throws(DataStoreError) -> Int { try wrapped.count(of: table) }

    func cursor(over table: KeyValueTable) throws(DataStoreError) -> any KeyValueCursor {
        cursors.withLock { $0 += 1 }
        return try wrapped.cursor(over: table)
    }

    func makeTable(named name: String, _ keys: KeyKind) throws(DataStoreError) -> KeyValueTable {
        try wrapped.makeTable(named: name, keys)
    }

    func removeTable(_ table: KeyValueTable) throws(DataStoreError) { try wrapped.removeTable(table) }

    func put(
        _ value: UnsafeRawBufferPointer, at key: UnsafeRawBufferPointer, in table: KeyValueTable,
        overwrites: Bool
    ) throws(DataStoreError) -> Bool {
        try wrapped.put(value, at: key, in: table, overwrites: overwrites)
    }

    func delete(_ key: UnsafeRawBufferPointer, in table: KeyValueTable) throws(DataStoreError) -> Bool {
        try wrapped.delete(key, in: table)
    }

    func clear(_ table: KeyValueTable) throws(DataStoreError) { try wrapped.clear(table) }

    func setSavepoint() throws(DataStoreError) { try wrapped.setSavepoint() }

    func releaseSavepoint() throws(DataStoreError) { try wrapped.releaseSavepoint() }

    func rollBackToSavepoint() throws(DataStoreError) { try wrapped.rollBackToSavepoint() }

    func commit() throws(DataStoreError) { try wrapped.commit() }

    func end() { wrapped.end() }
}
