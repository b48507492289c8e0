import Larder
import LarderMemory
import LarderRouting
import Testing

@testable import AdapterTestSupport

@Suite struct `Schema steps over several parts` {
    typealias Kind = Texts<FirstKind>
    typealias Note = Texts<FirstNote>
    typealias LaterKind = Texts<SecondKind>
    typealias LaterNote = Texts<SecondNote>

    private let first = MemoryStorage()
    private let second = MemoryStorage()

    private static let early = SchemaVersion("1", storing: [Kind.self, Note.self])
    private static let late = SchemaVersion("2", storing: [LaterKind.self, LaterNote.self])

    /// The mapping of kinds, and of notes.
    private static let keep = Keep("Kind").renaming("name", to: "title").fill("code") { "K\(try $0.id)" }
    private static let transform = Transform("Note") { old, new in
        try new.make().set("line", to: "\(try old["text", as: String.self])!")
    }.entityMapping

    private static func history(_ step: SchemaStep) -> SchemaHistory {
        SchemaHistory([early, late], steps: [step])
    }

    private static let step = SchemaStep(from: "1", to: "2") {
        keep
        transform
    }

    /// A store of the second version.
    private func later(
        _ history: SchemaHistory = Self.history(Self.step), _ options: DataStoreOptions = DataStoreOptions()
    ) -> RoutedDataStore {
        RoutedDataStore(
            [
                StorePart("kinds", MemoryDataStore(storing: [LaterKind.self], in: first)),
                StorePart("notes", MemoryDataStore(storing: [LaterNote.self], in: second)),
            ], storing: history, storeOptions: options)
    }

    private func earlier() throws -> RoutedDataStore {
        let store = RoutedDataStore(
            [
                StorePart("kinds", MemoryDataStore(storing: [Kind.self], in: first)),
                StorePart("notes", MemoryDataStore(storing: [Note.self], in: second)),
            ], storing: SchemaHistory([Self.early]))
        try store.setup()
        return store
    }

    /// Leaves a store of the first version with two kinds and two notes.
    private func fill() throws {
        let store = try earlier()
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Kind(1, "Soup"), Kind(2, "Cake")])
            try accessor.insert(contentsOf: [Note(1, "x"), Note(2, "y")])
        }
        try store.tearDown()
    }

    /// The versions of both parts.
    private func versions() throws -> [String?] {
        try [first, second].map { storage in
            try MemoryDataStore(storing: [], in: storage).coordinator.adapter.storedSchema()?.version
        }
    }

    /// Expects the store of ``fill()``.
    private func expectUnchanged(_ location: SourceLocation = #_sourceLocation) throws {
        #expect(try versions() == ["1", "1"], sourceLocation: location)
        let store = try earlier()
        let (kinds, notes) = try store.read {
            (try $0.items(for: Kind.all), try $0.items(for: Note.all))
        }
        #expect(kinds == [Kind(1, "Soup"), Kind(2, "Cake")], sourceLocation: location)
        #expect(notes == [Note(1, "x"), Note(2, "y")], sourceLocation: location)
        try store.tearDown()
    }

    @Test func `are taken by each part, and their progress is one fraction`() throws {
        try fill()
        let reports = Locked<[DataStoreProgress]>([])
        var options = DataStoreOptions()
        options.schemaProgress = { report in reports.withLock { $0.append(report) } }

        let store = later(Self.history(Self.step), options)
        try store.setup()

        let (kinds, notes) = try store.read {
            (try $0.items(for: LaterKind.all), try $0.items(for: LaterNote.all))
        }
        #expect(kinds == [LaterKind(1, "Soup", "K1"), LaterKind(2, "Cake", "K2")])
        #expect(notes == [LaterNote(1, "x!"), LaterNote(2, "y!")])
        let seen = reports.withLock { $0 }
        #expect(
            seen.map(\.description) == [
                "step 1 of 2, 1 → 2: 0 of 2", "step 1 of 2, 1 → 2: 2 of 2", "step 2 of 2, 1 → 2: 0 of 2",
                "step 2 of 2, 1 → 2: 2 of 2",
            ])
        #expect(seen.map(\.fraction) == [0, 0.5, 0.5, 1])
        try store.tearDown()
        #expect(try versions() == ["2", "2"])
    }

    @Test func `change no part if a closure of the last one throws`() throws {
        try fill()
        struct Stumble: Error {}
        let failing = SchemaStep(from: "1", to: "2") {
            Self.keep
            Transform("Note") { old, new in
                if try old.id == .integer(2) { throw Stumble() }
                try new.make().set("line", to: "")
            }
        }

        let error = thrown { try later(Self.history(failing)).setup() }

        #expect(error?.code == .migrationFailed)
        #expect(error?.message == "The step 1 → 2 failed at Note 2: Stumble()")
        #expect(error?.advice.hasSuffix("The part is \"notes\".") == true)
        try expectUnchanged()
    }

    @Test func `are taken by the other parts if some have them already`() throws {
        try fill()
        // As a process that is killed between the commits of the parts leaves them.
        let notes = MemoryDataStore(
            storing: SchemaHistory(
                [
                    SchemaVersion("1", storing: [Note.self]), SchemaVersion("2", storing: [LaterNote.self]),
                ], steps: [SchemaStep(from: "1", to: "2") { Self.transform }]), in: second)
        try notes.setup()
        try notes.tearDown()
        #expect(try versions() == ["1", "2"])
        let earlier = thrown { try self.earlier() }

        let store = later()
        try store.setup()

        #expect(earlier?.code == .schemaMismatch)
        let items = try store.read {
            (try $0.items(for: LaterKind.all), try $0.items(for: LaterNote.all))
        }
        #expect(items.0 == [LaterKind(1, "Soup", "K1"), LaterKind(2, "Cake", "K2")])
        // Once, and not twice.
        #expect(items.1 == [LaterNote(1, "x!"), LaterNote(2, "y!")])
        try store.tearDown()
        #expect(try versions() == ["2", "2"])
    }

    @Test func `run a closure before or after the mappings in the part whose types it uses`() throws {
        try fill()
        let step = Self.step
            .before { try $0.update("Note", at: .integer(1)) { $0["text"] = .value("z") } }
            .after { try $0.update("Kind", at: .integer(2)) { $0["code"] = .value("none") } }

        let store = later(Self.history(step))
        try store.setup()

        let items = try store.read {
            (try $0.items(for: LaterKind.all), try $0.items(for: LaterNote.all))
        }
        #expect(items.0 == [LaterKind(1, "Soup", "K1"), LaterKind(2, "Cake", "none")])
        #expect(items.1 == [LaterNote(1, "z!"), LaterNote(2, "y!")])
    }

    @Test func `refuse closures that use rows of two parts`() throws {
        try fill()
        let reading = SchemaStep(from: "1", to: "2") {
            Self.keep
            Transform("Note") { old, new in
                _ = try old.source.row("Kind", at: .integer(1))
                try new.make().set("line", to: "")
            }
        }
        let counting = Self.step.before { accessor in
            _ = try accessor.rows.count(of: "Note")
            _ = try accessor.rows.count(of: "Kind")
        }

        for (step, message) in [
            (reading, "A step over the part \"notes\" uses Kind, which belongs to another part."),
            (
                counting,
                """
                A closure of the step 1 → 2 uses Kind besides types of the part "notes", which does not keep Kind.
                """
            ),
        ] {
            let error = thrown { try later(Self.history(step)).setup() }
            #expect(error?.code == .unsupported)
            #expect(error?.message == message)
            #expect(error?.itemType == "Kind")
            try expectUnchanged()
        }
    }

    @Test func `refuse to move items to another part, and to run in a copy`() throws {
        try fill()
        let moving = SchemaStep(from: "1", to: "2") {
            Transform("Kind", to: "Note") { _, new in try new.make().set("line", to: "") }
            Self.transform
        }
        var options = DataStoreOptions()
        options.schemaUpgrade = .copying()

        let moved = thrown { try later(Self.history(moving)).setup() }
        let copied = thrown { try later(Self.history(Self.step), options).setup() }

        #expect(moved?.code == .unsupported)
        #expect(moved?.itemType == "Note")
        #expect(copied?.code == .unsupported)
        try expectUnchanged()
    }

    @Test func `are refused if a part keeps a type that the current version lacks`() throws {
        let store = RoutedDataStore(
            [
                StorePart("kinds", MemoryDataStore(storing: [LaterKind.self, Cook.self], in: first)),
                StorePart("notes", MemoryDataStore(storing: [LaterNote.self], in: second)),
            ], storing: Self.history(Self.step))

        let error = thrown { try store.setup() }

        #expect(error?.code == .invalidSchema)
        #expect(error?.itemType == "Cook")
    }
}

@Suite struct `Schema steps of items that are related across parts` {
    private let first = MemoryStorage()
    private let second = MemoryStorage()

    private static let types: [any DataStoreItem.Type] = [Cook.self, Dish.self, Team.self]

    /// A store over cooks in one part, dishes and teams in another.
    private func store(_ step: SchemaStep? = nil) -> RoutedDataStore {
        let versions = [SchemaVersion("1", storing: Self.types), SchemaVersion("2", storing: Self.types)]
        return RoutedDataStore(
            [
                StorePart("cooks", MemoryDataStore(storing: [Cook.self], in: first)),
                StorePart("dishes", MemoryDataStore(storing: [Dish.self, Team.self], in: second)),
            ],
            storing: step.map { SchemaHistory(versions, steps: [$0]) } ?? SchemaHistory([versions[0]]))
    }

    private func fill() throws {
        let store = store()
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(
                contentsOf: (1...3 as ClosedRange<Int64>).map { Cook($0, name: "cook \($0)") })
            try accessor.insert(Dish(1, name: "dish 1", cook: ToOne(id: 2)))
            try accessor.insert(Team(1)).cooks.add(ids: [1, 3])
        }
        try store.tearDown()
    }

    private func team(in store: RoutedDataStore) throws -> [Int64] {
        try store.writeSync { accessor in
            try #require(try accessor.mutableItem(id: 1, of: Team.self)).cooks.ids()
        }
    }

    /// A step that leaves out a cook.
    private func dropping(_ id: Int64) -> SchemaStep {
        SchemaStep(from: "1", to: "2") {
            Transform("Cook") { old, new in if try old.id != .integer(id) { _ = try new.make() } }
        }
    }

    @Test func `remove the links to a row that goes`() throws {
        try fill()

        let store = store(dropping(3))
        try store.setup()

        #expect(try store.cooks() == ["cook 1", "cook 2"])
        #expect(try team(in: store) == [1])
        #expect(try store.read { try $0.items(for: Dish.all).map { $0.cook?.id } } == [2])
    }

    @Test func `are refused if a reference would lead nowhere, or to another item`() throws {
        try fill()
        let moving = SchemaStep(from: "1", to: "2") {
            Transform("Cook") { old, new in
                guard case .integer(let id) = try old.id else { return }
                _ = try new.make(id: .integer(id % 3 + 1))
            }
        }
        let following = SchemaStep(from: "1", to: "2") {
            Transform("Dish") { old, new in
                if try old.reference("cook") != nil { _ = try new.make() }
            }
        }

        let lost = thrown { try store(dropping(2)).setup() }
        let moved = thrown { try store(moving).setup() }
        let followed = thrown { try store(following).setup() }

        #expect(lost?.code == .targetNotFound)
        #expect(lost?.itemType == "Dish")
        #expect(lost?.attribute == "cook")
        #expect(lost?.identifier == .integer(1))
        #expect(moved?.code == .unsupported)
        #expect(moved?.itemType == "Cook")
        #expect(followed?.code == .unsupported)
        #expect(followed?.attribute == "cook")
        let old = store()
        try old.setup()
        #expect(try old.cooks() == ["cook 1", "cook 2", "cook 3"])
        #expect(try team(in: old) == [1, 3])
    }

    @Test func `are refused if a copied reference to another part would lead to another type`() throws {
        typealias Order = OrderOf<ToOne<Cook>>
        let types: [any DataStoreItem.Type] = [Cook.self, Texts<FirstKind>.self, Order.self]
        let versions = [SchemaVersion("1", storing: types), SchemaVersion("2", storing: types)]
        func store(_ history: SchemaHistory) -> RoutedDataStore {
            let cooks = MemoryDataStore(storing: [Cook.self, Texts<FirstKind>.self], in: first)
            let orders = MemoryDataStore(storing: [Order.self], in: second)
            return RoutedDataStore(
                [StorePart("cooks", cooks), StorePart("orders", orders)], storing: history)
        }
        let early = store(SchemaHistory([versions[0]]))
        try early.setup()
        try early.writeSync { accessor in
            try accessor.insert(Cook(1, name: "Ada"))
            try accessor.insert(Texts<FirstKind>(1, "Soup"))
            try accessor.insert(Order(id: 1, cook: ToOne(id: 1)))
        }
        try early.tearDown()
        let swap = SchemaStep(from: "1", to: "2") {
            Transform("Cook", to: "Kind") { _, new in _ = try new.make() }
            Transform("Kind", to: "Cook") { _, new in _ = try new.make() }
            Transform("Order") { _, new in _ = try new.make() }
        }

        let error = thrown { try store(SchemaHistory(versions, steps: [swap])).setup() }

        #expect(error?.code == .unsupported)
        #expect(error?.itemType == "Order")
        try early.setup()
        #expect(try early.cooks() == ["Ada"])
    }
}

@Suite struct `Schema steps of a type in several parts` {
    private let shelves = Shelves()

    private func store(_ mapping: EntityMapping? = nil) -> RoutedDataStore {
        let types: [any DataStoreItem.Type] = [Cook.self, Recipe.self]
        let versions = [SchemaVersion("1", storing: types), SchemaVersion("2", storing: types)]
        let step = SchemaStep(from: "1", to: "2") { if let mapping { mapping } }
        return RoutedDataStore(
            [
                StorePart("Main", MemoryDataStore(storing: types, in: shelves.main)),
                StorePart("Archive", MemoryDataStore(storing: [Recipe.self], in: shelves.archive)),
            ],
            storing: mapping == nil ? SchemaHistory([versions[0]]) : SchemaHistory(versions, steps: [step]),
            partitionedBy: [Shelves.key])
    }

    private func fill() throws {
        let store = store()
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Recipe(1, "Leek"), Recipe(2, "Pie", on: "Archive")])
        }
        try store.tearDown()
    }

    /// Puts each recipe on the shelf of a number.
    private func moving(_ shelf: @escaping @Sendable (AnyItemID) -> String?) -> EntityMapping {
        Transform("Recipe") { old, new in
            try new.make().set("shelf", to: shelf(old.id))
        }.entityMapping
    }

    @Test func `deal its items out again`() throws {
        try fill()

        let store = store(moving { $0 == .integer(1) ? "Archive" : nil })
        try store.setup()
        #expect(try store.recipes(Recipe.where(\.shelf == "Archive")) == [1])
        try store.tearDown()

        #expect(try Shelves.identifiers(in: shelves.main) == [2])
        #expect(try Shelves.identifiers(in: shelves.archive) == [1])
    }

    @Test func `are refused if an item would name no part`() throws {
        try fill()

        let error = thrown { try store(moving { $0 == .integer(2) ? "Attic" : nil }).setup() }
        let old = store()
        try old.setup()

        #expect(error?.code == .invalidValue)
        #expect(error?.identifier == .integer(2))
        #expect(try old.recipes(Recipe.where(\.shelf == "Archive")) == [2])
    }
}
