import Larder
import LarderKeyValue
import LarderMemory
import Testing

/// An upgrade after which another process opens the store first.
@Suite struct `A store that another process has upgraded further` {
    private let storage = MemoryStorage()

    /// The versions up to one, each with a new attribute.
    private static func history(upTo version: Int) -> SchemaHistory {
        let all: SchemaHistory = [
            "1": [VersionedItem<First>.self], "2": [VersionedItem<Second>.self],
            "3": [VersionedItem<Third>.self],
        ]
        return SchemaHistory(Array(all.versions.prefix(version)))
    }

    @Test func `is not brought back by the one that has upgraded it before`() throws {
        let early = MemoryDataStore(storing: Self.history(upTo: 1), in: storage)
        try early.setup()
        try early.writeSync { try $0.insert(VersionedItem<First>(1)) }
        try early.tearDown()
        let later = MemoryDataStore(storing: Self.history(upTo: 3), in: storage)
        let engine = OvertakenEngine(in: storage) {
            try later.setup()
            try later.writeSync { try $0.insert(VersionedItem<Third>(2, .integer(20), .text("slow"))) }
            try later.tearDown()
        }
        let history = Self.history(upTo: 2)

        let error = #expect(throws: DataStoreError.self) {
            try KeyValueAdapter(engine).open(try history.schemaOfTypes(), by: history.plan())
        }

        #expect(error?.code == .schemaMismatch)
        #expect(error?.message == "The store has version 3 of the schema, and the app knows only 1, 2.")
        #expect(try MemoryAdapter(in: storage).storedSchema()?.version == "3")
        try later.setup()
        let items = try later.read { try $0.items(for: VersionedItem<Third>.all) }
        try later.tearDown()
        #expect(
            items == [
                VersionedItem<Third>(1, .null, .null), VersionedItem<Third>(2, .integer(20), .text("slow")),
            ])
    }
}

/// An engine in memory that another process overtakes when it opens a store again.
private final class OvertakenEngine: OrderedKeyValueEngine {
    private let wrapped: MemoryEngine
    private let other: Locked<(@Sendable () throws -> Void)?>

    init(in storage: MemoryStorage, by other: @escaping @Sendable () throws -> Void) {
        wrapped = MemoryEngine(in: storage)
        self.other = Locked<(@Sendable () throws -> Void)?>(other)
    }

    var location: String { wrapped.location }

    func isStored() throws(DataStoreError) -> Bool { try wrapped.isStored() }

    func open() throws(DataStoreError) {
        if let body = other.withLock({ $0.take() }) {
            do { try body() } catch { throw error as? DataStoreError ?? DataStoreError(.engine, "\(error)") }
        }
        try wrapped.open()
    }

    func open(
        for schema: StoreSchema?, by plan: MigrationPlan?, addingTables count: Int
    ) throws(DataStoreError) { try wrapped.open() }

    func close() throws(DataStoreError) { try wrapped.close() }

    func destroy() throws(DataStoreError) { try wrapped.destroy() }

    func beginReading() throws(DataStoreError) -> any KeyValueSnapshot { try wrapped.beginReading() }

    func beginWriting() throws(DataStoreError) -> any KeyValueTransaction { try wrapped.beginWriting() }
}

private enum First: SchemaVersion {
    static let schema = EntitySchema("Item", attributes: [.attribute("id", Int64.self)])
}

private enum Second: SchemaVersion {
    static let schema = EntitySchema(
        "Item", attributes: [.attribute("id", Int64.self), .attribute("size", Int64?.self)])
}

private enum Third: SchemaVersion {
    static let schema = EntitySchema(
        "Item",
        attributes: [
            .attribute("id", Int64.self), .attribute("size", Int64?.self), .attribute("note", String?.self),
        ])
}
