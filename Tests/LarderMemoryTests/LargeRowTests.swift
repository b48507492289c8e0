import Larder
import LarderKeyValue
import LarderMemory
import Testing

/// Rows that a change of their attributes writes again, in batches.
@Suite struct `Rows that are written again` {
    private let storage = MemoryStorage()

    /// Changes items with texts, and returns how many rows each cursor has led to.
    private func change(_ texts: [String]) throws -> [Int] {
        let early = MemoryDataStore(storing: [VersionedItem<Plain>.self], in: storage)
        try early.setup()
        try early.writeSync { accessor in
            try accessor.insert(
                contentsOf: texts.enumerated().map { VersionedItem<Plain>(Int64($0), .text($1)) })
        }
        try early.tearDown()
        let engine = CountingEngine(in: storage)
        let adapter = KeyValueAdapter(engine)
        try adapter.open(try StoreSchema(storing: [VersionedItem<Marked>.self]))
        try adapter.close()
        return engine.counts.withLock { $0 }
    }

    @Test func `are held as far as they have 4 MB, and one at least`() throws {
        let (large, larger) = (String(repeating: "x", count: 1 << 20), String(repeating: "y", count: 5 << 20))
        let texts = Array(repeating: large, count: 10) + [larger, larger, "z"]

        let counts = try change(texts)

        // The last cursor has found none; what follows is what the store keeps of itself.
        #expect(counts == [4, 4, 3, 1, 1, 5])
        let later = MemoryDataStore(storing: [VersionedItem<Marked>.self], in: storage)
        try later.setup()
        let items = try later.read { try $0.items(for: VersionedItem<Marked>.all) }
        try later.tearDown()
        #expect(items == texts.enumerated().map { VersionedItem<Marked>(Int64($0), .text($1), .null) })
    }

    @Test func `are held up to 256 if they are small`() throws {
        #expect(try change((0..<600).map { "\($0)" }) == [256, 256, 88, 5])
    }
}

/// An engine in memory that counts the rows that are written after each cursor was made.
private final class CountingEngine: OrderedKeyValueEngine {
    private let wrapped: MemoryEngine
    let counts = Locked<[Int]>([])

    init(in storage: MemoryStorage) {
        wrapped = MemoryEngine(in: storage)
    }

    var location: String { wrapped.location }

    func isStored() throws(DataStoreError) -> Bool { try wrapped.isStored() }

    func open() throws(DataStoreError) { try wrapped.open() }

    func close() throws(DataStoreError) { try wrapped.close() }

    func destroy() throws(DataStoreError) { try wrapped.destroy() }

    func beginReading() throws(DataStoreError) -> any KeyValueSnapshot { try wrapped.beginReading() }

    func beginWriting() throws(DataStoreError) -> any KeyValueTransaction {
        CountingTransaction(try wrapped.beginWriting(), counts)
    }
}

private final class CountingTransaction: KeyValueTransaction {
    private let wrapped: any KeyValueTransaction
    private let counts: Locked<[Int]>

    init(_ wrapped: any KeyValueTransaction, _ counts: Locked<[Int]>) {
        self.wrapped = wrapped
        self.counts = counts
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
        counts.withLock { $0.append(0) }
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
        counts.withLock { counts in
            if let last = counts.indices.last { counts[last] += 1 }
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

private enum Plain: SchemaVersion {
    static let schema = EntitySchema(
        "Item", attributes: [.attribute("id", Int64.self), .attribute("text", String.self)])
}

private enum Marked: SchemaVersion {
    static let schema = EntitySchema(
        "Item",
        attributes: [
            .attribute("id", Int64.self), .attribute("text", String.self), .attribute("mark", Int64?.self),
        ])
}
