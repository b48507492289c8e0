import Larder
import LarderMemory
import LarderRouting
import Testing

@testable import AdapterTestSupport

@Suite struct `Changes without steps over several parts` {
    private typealias Kind = Texts<FirstKind>
    private typealias Note = Texts<FirstNote>
    private typealias LaterKind = Texts<CodedKind>
    private typealias LaterNote = Texts<UniqueNote>

    private let first = MemoryStorage()
    private let second = MemoryStorage()

    private func store(
        _ types: [any DataStoreItem.Type], _ others: [any DataStoreItem.Type]
    ) -> RoutedDataStore {
        RoutedDataStore([
            StorePart("first", MemoryDataStore(storing: types, in: first)),
            StorePart("second", MemoryDataStore(storing: others, in: second)),
        ])
    }

    /// The schemas that the closed parts have.
    private func schemas() throws -> [StoredSchema?] {
        try [first, second].map { storage in
            try MemoryDataStore(storing: [], in: storage).coordinator.adapter.storedSchema()
        }
    }

    @Test func `are made in all parts or in none`() throws {
        let early = store([Kind.self], [Note.self])
        try early.setup()
        try early.writeSync { accessor in
            try accessor.insert(Kind(1, "Soup"))
            try accessor.insert(contentsOf: [Note(1, "x"), Note(2, "x")])
        }
        try early.tearDown()
        let before = try schemas()

        let refused = thrown { try store([LaterKind.self], [LaterNote.self]).setup() }
        let after = try schemas()
        try early.setup()
        try early.writeSync { try $0.delete(id: 2, of: Note.self) }
        try early.tearDown()
        let late = store([LaterKind.self], [LaterNote.self])
        try late.setup()
        let (kinds, notes) = try late.read {
            (try $0.items(for: LaterKind.all), try $0.items(for: LaterNote.all))
        }
        try late.tearDown()

        #expect(refused?.code == .uniqueViolation)
        #expect(refused?.itemType == "Note")
        #expect(after == before)
        #expect(kinds == [LaterKind(1, "Soup", "none")])
        #expect(notes == [LaterNote(1, "x")])
    }

    @Test func `are refused without a history if another process upgrades the store first`() throws {
        let early = store([Kind.self], [Note.self])
        try early.setup()
        try early.writeSync { try $0.insert(Kind(1, "Soup")) }
        try early.tearDown()
        let versions = [
            SchemaVersion("1", storing: [Kind.self, Note.self]),
            SchemaVersion("2", storing: [LaterKind.self, Note.self]),
        ]
        let newer = RoutedDataStore(
            [
                StorePart("first", MemoryDataStore(storing: [LaterKind.self], in: first)),
                StorePart("second", MemoryDataStore(storing: [Note.self], in: second)),
            ], storing: SchemaHistory(versions, steps: [SchemaStep(from: "1", to: "2")]))
        let upgrade = Locked<(@Sendable () throws -> Void)?>({
            try newer.setup()
            try newer.writeSync { _ = try $0.insert(LaterKind(2, "Cake", "C2")) }
            try newer.tearDown()
        })
        let kinds = DecoratedStore(MemoryDataStore(storing: [Kind.self], in: first)) {
            OvertakenAdapter($0, by: upgrade)
        }
        let notes = MemoryDataStore(storing: [LaterNote.self], in: second)
        let older = RoutedDataStore([StorePart("first", kinds), StorePart("second", notes)])

        let refused = thrown { try older.setup() }
        try newer.setup()
        let found = try newer.read { try $0.items(for: LaterKind.all) }
        try newer.tearDown()

        #expect(refused?.code == .schemaMismatch)
        #expect(
            refused?.message
                == "The store is of version 2 of a schema, and would be changed without its history.")
        #expect(found == [LaterKind(1, "Soup", "none"), LaterKind(2, "Cake", "C2")])
        #expect(try schemas().map { $0?.version } == ["2", "2"])
    }

    @Test func `check values that become references, though no row changes`() throws {
        let early = store([Cook.self], [LooseOrder.self])
        try early.setup()
        try early.writeSync { accessor in
            try accessor.insert(Cook(1, name: "Ada"))
            try accessor.insert(LooseOrder(id: 1, cook: 9))
        }
        try early.tearDown()

        let refused = thrown { try store([Cook.self], [OrderOf<ToOne<Cook>>.self]).setup() }
        try early.setup()
        try early.writeSync { accessor in
            try accessor.mutableItem(id: 1, of: LooseOrder.self)?.cook = 1
        }
        try early.tearDown()
        let late = store([Cook.self], [OrderOf<ToOne<Cook>>.self])
        try late.setup()
        let cooks = try late.read { try $0.items(for: OrderOf<ToOne<Cook>>.all).map(\.cook?.id) }
        try late.tearDown()

        #expect(refused?.code == .targetNotFound)
        #expect(refused?.message == "Order 1 refers by cook to Cook 9, which does not exist.")
        #expect(cooks == [1])
    }

    @Test func `leave values that may lead to items of a part that is left out`() throws {
        func store(_ order: any DataStoreItem.Type, hasArchive: Bool = true) -> RoutedDataStore {
            let parts = [
                StorePart("Main", MemoryDataStore(storing: [Cook.self, Recipe.self, order], in: first)),
                StorePart("Archive", MemoryDataStore(storing: [Recipe.self], in: second)),
            ]
            return RoutedDataStore(
                hasArchive ? parts : Array(parts.prefix(1)), partitionedBy: [Shelves.key])
        }
        let early = store(LooseOrder.self)
        try early.setup()
        try early.writeSync { accessor in
            try accessor.insert(Recipe(1, "pie", on: "Archive"))
            try accessor.insert(contentsOf: [LooseOrder(id: 1, cook: 1), LooseOrder(id: 2, cook: 9)])
        }
        try early.tearDown()

        let without = store(OrderOf<ToOne<Recipe>>.self, hasArchive: false)
        try without.setup()
        let left = try without.read { try $0.items(for: OrderOf<ToOne<Recipe>>.all).map(\.cook?.id) }
        try without.tearDown()
        let refused = thrown { try store(OrderOf<ToOne<Recipe>>.self).setup() }

        #expect(left == [1, 9])
        #expect(refused?.code == .targetNotFound)
        #expect(refused?.message == "Order 2 refers by cook to Recipe 9, which does not exist.")
    }

    /// Leaves the store as early versions of the library did: without the row that names its relationships.
    private func forgetRelationships() throws {
        try withRecords(of: first) { writing, records in
            let cells = CellBuffer(count: 4)
            try "\trelationships".withBytes { bytes throws(DataStoreError) in
                cells.start[0] = .text(bytes)
                let mutation = RowMutation(.delete, entity: records, cells: cells.start)
                try withUnsafePointer(to: mutation) { mutation throws(DataStoreError) in
                    _ = try writing.apply(UnsafeBufferPointer(start: mutation, count: 1))
                }
            }
            try writing.commit()
        }
    }

    /// Leaves a store with three cooks, two of which are in a team of another part.
    private func makeTeam(_ store: RoutedDataStore) throws {
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: (1...3).map { Cook($0, name: "cook \($0)") })
            try accessor.insert(Team(1)).cooks.add(ids: [1, 3])
        }
        try store.tearDown()
    }

    private func team(in store: RoutedDataStore) throws -> [Int64] {
        try store.writeSync { try #require(try $0.mutableItem(id: 1, of: Team.self)).cooks.ids() }
    }

    @Test func `remove the links of a relationship that is given up`() throws {
        try makeTeam(store([Cook.self], [Team.self]))

        let without = store([Cook.self], [Texts<BareTeam>.self])
        try without.setup()
        try without.writeSync { try $0.delete(id: 3, of: Cook.self) }
        try without.tearDown()
        let links = try schemas().map { $0?.entity(named: "Team.cooks") }
        let again = store([Cook.self], [Team.self])
        try again.setup()
        let cooks = try team(in: again)
        try again.tearDown()

        #expect(links == [nil, nil])
        #expect(cooks == [])
    }

    @Test func `do not remove links of a version without its history`() throws {
        let named = RoutedDataStore(
            [
                StorePart("first", MemoryDataStore(storing: [Cook.self], in: first)),
                StorePart("second", MemoryDataStore(storing: [Team.self], in: second)),
            ], storing: SchemaHistory([SchemaVersion("1", storing: [Cook.self, Team.self])]))
        try makeTeam(named)

        let refused = thrown { try store([Cook.self], [Texts<BareTeam>.self]).setup() }
        try named.setup()
        let cooks = try team(in: named)
        try named.tearDown()

        #expect(refused?.code == .schemaMismatch)
        #expect(
            refused?.message
                == "The store is of version 1 of a schema, and would be changed without its history.")
        #expect(cooks == [1, 3])
    }

    @Test func `check all references if no row names those of before`() throws {
        let early = store([Cook.self], [LooseOrder.self])
        try early.setup()
        try early.writeSync { _ = try $0.insert(LooseOrder(id: 1, cook: 9)) }
        try early.tearDown()
        try forgetRelationships()
        let before = try schemas()

        let refused = thrown { try store([Cook.self], [OrderOf<ToOne<Cook>>.self]).setup() }

        #expect(refused?.code == .targetNotFound)
        #expect(refused?.message == "Order 1 refers by cook to Cook 9, which does not exist.")
        #expect(try schemas() == before)
    }

    @Test func `do not leave out a type whose references lead to another one`() throws {
        let whole = store([Cook.self], [OrderOf<ToOne<Cook>>.self])
        try whole.setup()
        try whole.tearDown()

        let refused = thrown { try store([Cook.self], []).setup() }
        let loose = store([], [LooseOrder.self])
        try loose.setup()
        try loose.tearDown()
        let alone = store([Cook.self], [])
        try alone.setup()
        try alone.tearDown()

        #expect(refused?.code == .schemaMismatch)
        #expect(
            refused?.differences.map(\.message) == [
                "Order.cook leads to Cook, and Order is not among the store's types"
            ])
    }
}

/// An adapter that another process overtakes when it is opened with a plan, or before that.
final class OvertakenAdapter: AdapterDecorator {
    let wrappedAdapter: any StorageAdapter
    private let other: Locked<(@Sendable () throws -> Void)?>
    private let whenAsked: Bool

    /// - Parameter whenAsked: True for the moment after the adapter was asked for its schema.
    init(
        _ adapter: any StorageAdapter, by other: Locked<(@Sendable () throws -> Void)?>,
        whenAsked: Bool = false
    ) {
        wrappedAdapter = adapter
        self.other = other
        self.whenAsked = whenAsked
    }

    func storedSchema() throws(DataStoreError) -> StoredSchema? {
        let stored = try wrappedAdapter.storedSchema()
        if whenAsked { try overtake() }
        return stored
    }

    func open(_ schema: StoreSchema, by plan: MigrationPlan?) throws(DataStoreError) {
        if plan != nil, !whenAsked { try overtake() }
        try wrappedAdapter.open(schema, by: plan)
    }

    private func overtake() throws(DataStoreError) {
        guard let body = other.withLock({ $0.take() }) else { return }
        do { try body() } catch { throw error as? DataStoreError ?? DataStoreError(.engine, "\(error)") }
    }
}

private enum CodedKind: TextVersion {
    static let schema = EntitySchema(
        "Kind", attributes: FirstKind.schema.attributes + [.attribute("code", String.self, default: "none")])
}

private enum BareTeam: TextVersion {
    static let schema = EntitySchema("Team", attributes: [.attribute("id", Int64.self)])
}

private enum UniqueNote: TextVersion {
    static let schema = EntitySchema(
        "Note", attributes: FirstNote.schema.attributes, indexes: [.unique("text")])
}

/// An order whose cook is a number.
private typealias LooseOrder = OrderOf<Int64>
