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
        return engine.putsByCursor.withLock { $0 }
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
