import Larder
import LarderMemory
import LarderRouting
import Testing

@testable import AdapterTestSupport

/// Stores of which some parts take steps, and others have taken them or are left out.
@Suite struct `Schema steps of a type that not all of its parts take` {
    private typealias Kind = Texts<FirstKind>

    private let main = MemoryStorage()
    private let archive = MemoryStorage()

    private static let step = SchemaStep(from: "1", to: "2") {
        Transform("Kind") { _, new in _ = try new.make() }
    }

    private func history(
        _ types: [any DataStoreItem.Type], upgrades: Bool = true, by step: SchemaStep = Self.step
    ) -> SchemaHistory {
        let versions = [SchemaVersion("1", storing: types), SchemaVersion("2", storing: types)]
        return upgrades ? SchemaHistory(versions, steps: [step]) : SchemaHistory([versions[0]])
    }

    /// A store whose kinds are in two parts, and whose meals are in the first.
    private func store(
        upgrades: Bool, hasArchive: Bool = true, by step: SchemaStep = Self.step
    ) -> RoutedDataStore {
        let parts = [
            StorePart("Main", MemoryDataStore(storing: [Kind.self, Meal.self], in: main)),
            StorePart("Archive", MemoryDataStore(storing: [Kind.self], in: archive)),
        ]
        return RoutedDataStore(
            hasArchive ? parts : Array(parts.prefix(1)),
            storing: history([Kind.self, Meal.self], upgrades: upgrades, by: step),
            partitionedBy: [PartKey(of: Kind.self, column: 1) { $0.string }])
    }

    /// Leaves a store of the first version, with a meal that leads to both parts.
    private func fill() throws {
        let early = store(upgrades: false)
        try early.setup()
        try early.writeSync { accessor in
            try accessor.insert(contentsOf: [Kind(1, "Main"), Kind(2, "Archive")])
            try accessor.insert(Meal(1, kind: 2)).others.add(ids: [1, 2])
        }
        try early.tearDown()
    }

    /// Expects a store of the second version with all that ``fill()`` has made.
    private func expectAll(_ location: SourceLocation = #_sourceLocation) throws {
        let late = store(upgrades: true)
        try late.setup()
        let kinds = try late.read { try $0.items(for: Kind.all) }
        let meals = try late.read { try $0.items(for: Meal.all).map(\.kind?.id) }
        let others = try late.writeSync { accessor in
            try #require(try accessor.mutableItem(id: 1, of: Meal.self)).others.ids()
        }
        try late.tearDown()

        #expect(kinds == [Kind(1, "Main"), Kind(2, "Archive")], sourceLocation: location)
        #expect(meals == [2], sourceLocation: location)
        #expect(others == [1, 2], sourceLocation: location)
    }

    @Test func `keep references and links to the items of parts that took them before a kill`() throws {
        try fill()
        // As a process that is killed between the commits of the parts leaves them.
        let part = MemoryDataStore(storing: history([Kind.self]), in: archive)
        try part.setup()
        try part.tearDown()

        try expectAll()
    }

    @Test func `keep references and links to the items of a part that is left out`() throws {
        try fill()

        let without = store(upgrades: true, hasArchive: false)
        try without.setup()
        let kinds = try without.read { try $0.items(for: Kind.all) }
        let meals = try without.read { try $0.items(for: Meal.all).map(\.kind?.id) }
        try without.tearDown()

        #expect(kinds == [Kind(1, "Main")])
        #expect(meals == [2])
        try expectAll()
    }

    @Test func `do not make rows again in a part that was left out`() throws {
        try fill()
        let step = SchemaStep(from: "1", to: "2") {
            Insert("Kind") { _, new in try new.make(id: .integer(3)).set("name", to: "Main") }
        }
        let without = store(upgrades: true, hasArchive: false, by: step)
        try without.setup()
        try without.tearDown()

        let late = store(upgrades: true, by: step)
        try late.setup()
        let kinds = try late.read { try $0.items(for: Kind.all) }
        try late.tearDown()

        #expect(kinds == [Kind(1, "Main"), Kind(2, "Archive"), Kind(3, "Main")])
    }

    @Test func `do not make rows again in the first part of a type, which was left out`() throws {
        let attic = MemoryStorage()
        let step = SchemaStep(from: "1", to: "2") {
            Insert("Kind") { _, new in try new.make(id: .integer(3)).set("name", to: "Attic") }
        }
        func threeParts(upgrades: Bool, hasArchive: Bool = true) -> RoutedDataStore {
            var parts = [
                StorePart("Main", MemoryDataStore(storing: [Meal.self], in: main)),
                StorePart("Archive", MemoryDataStore(storing: [Kind.self], in: archive)),
                StorePart("Attic", MemoryDataStore(storing: [Kind.self], in: attic)),
            ]
            if !hasArchive { parts.remove(at: 1) }
            return RoutedDataStore(
                parts, storing: history([Kind.self, Meal.self], upgrades: upgrades, by: step),
                partitionedBy: [PartKey(of: Kind.self, column: 1) { $0.string }])
        }
        let early = threeParts(upgrades: false)
        try early.setup()
        try early.writeSync { try $0.insert(contentsOf: [Kind(1, "Archive"), Kind(2, "Attic")]) }
        try early.tearDown()
        let without = threeParts(upgrades: true, hasArchive: false)
        try without.setup()
        try without.tearDown()

        let late = threeParts(upgrades: true)
        try late.setup()
        let kinds = try late.read { try $0.items(for: Kind.all) }
        try late.tearDown()

        #expect(kinds == [Kind(1, "Archive"), Kind(2, "Attic"), Kind(3, "Attic")])
    }
}

/// A meal with a kind, which may be in another part, and with others.
private struct Meal: DataStoreItem {
    let id: Int64
    var kind: ToOne<Texts<FirstKind>>?
    var others: ToMany<Texts<FirstKind>> = .notGiven

    init(_ id: Int64, kind: Int64) { (self.id, self.kind) = (id, ToOne(id: kind)) }

    struct Attributes: Sendable {
        let id = Attribute<Meal, Int64>(column: 0)
        let kind = Attribute<Meal, ToOne<Texts<FirstKind>>?>(indexedColumn: 1)
        let others = RelationshipAttribute<Meal, ToMany<Texts<FirstKind>>>(number: 0)
    }
    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Meal",
        attributes: [.attribute("id", Int64.self), .attribute("kind", ToOne<Texts<FirstKind>>?.self)],
        relationships: [.relationship("others", ToMany<Texts<FirstKind>>.self)])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        kind = try row.value(at: 1)
        others = try row.value(atRelationship: 0, of: Meal.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(kind, at: 1)
        try row.set(others, atRelationship: 0)
    }
}
