import Larder
import LarderMemory
import LarderRouting
import Testing

@testable import AdapterTestSupport

@Suite struct `The key of a type in several parts` {
    private let shelves = Shelves()

    /// Leaves a store of its own with these recipes in the memory of a part.
    private func leave(_ recipes: [Recipe], in storage: MemoryStorage) throws {
        let store = MemoryDataStore(storing: [Cook.self, Recipe.self], in: storage)
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: recipes) }
        try store.tearDown()
    }

    private let inOneStore = [
        Recipe(1, "soup"), Recipe(2, "pie", on: "Archive", slug: "pie"), Recipe(3, "cake", on: "Main"),
    ]

    @Test func `moves the items of a store that had one part`() throws {
        try leave(inOneStore, in: shelves.main)

        let store = try shelves.openStore()
        let found = try store.read { try $0.items(for: Recipe.all) }
        try store.tearDown()

        #expect(found == inOneStore)
        #expect(try Shelves.identifiers(in: shelves.main) == [1, 3])
        #expect(try Shelves.identifiers(in: shelves.archive) == [2])
    }

    @Test func `moves items when a part is added, and when it was left out for a time`() throws {
        var store = try shelves.openStore()
        try store.writeSync { try $0.insert(contentsOf: inOneStore) }
        try store.tearDown()
        store = try shelves.openStore(hasAttic: true)
        try store.writeSync { try $0.mutableItem(id: 1, of: Recipe.self)?.shelf = "Attic" }
        try store.tearDown()

        store = try shelves.openStore()
        let without = try store.recipes(Recipe.all)
        try store.writeSync { try $0.insert(Recipe(4, "tart", on: "Archive")) }
        try store.tearDown()
        store = try shelves.openStore(hasAttic: true)

        #expect(without == [2, 3])
        #expect(try store.recipes(Recipe.all) == [1, 2, 3, 4])
        #expect(try store.recipes(Recipe.where(\.shelf == "Attic")) == [1])
    }

    @Test func `does not bring back a part whose references lead nowhere by now`() throws {
        var store = try shelves.openStore(hasAttic: true)
        try store.writeSync { accessor in
            try accessor.insert(Cook(1, name: "Ada"))
            try accessor.insert(Recipe(2, "pie", on: "Attic", cook: 1))
        }
        try store.tearDown()
        store = try shelves.openStore()
        try store.writeSync { try $0.delete(id: 1, of: Cook.self) }
        try store.tearDown()

        let refused = thrown { try shelves.openStore(hasAttic: true) }
        store = try shelves.openStore()
        try store.writeSync { _ = try $0.insert(Cook(1, name: "Bea")) }
        try store.tearDown()
        store = try shelves.openStore(hasAttic: true)

        #expect(refused?.code == .targetNotFound)
        #expect(refused?.message == "Recipe 2 refers by cook to Cook 1, which does not exist.")
        #expect(try store.recipes(Recipe.where(\.cook.name == "Bea")) == [2])
    }

    @Test func `is not used without a part that may lack the last commit`() throws {
        var store = try shelves.openStore(hasAttic: true, atticFails: 2)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Recipe(1, "soup", on: "Attic"), Recipe(2, "pie", on: "Archive")])
        }
        try store.tearDown()

        let error = thrown { try shelves.openStore() }
        store = try shelves.openStore(hasAttic: true)
        let found = try store.recipes(Recipe.all)
        try store.tearDown()
        store = try shelves.openStore()
        let without = try store.recipes(Recipe.all)
        try store.writeSync {
            try $0.insert(contentsOf: [Recipe(3, "tart"), Recipe(4, "jam", on: "Archive")])
        }
        try store.tearDown()
        store = try shelves.openStore(hasAttic: true)

        #expect(error?.code == .partMissing)
        #expect(error?.message.contains("Attic") == true)
        #expect(found == [1, 2])
        #expect(without == [2])
        #expect(try store.recipes(Recipe.all) == [1, 2, 3, 4])
    }

    @Test func `is not used for several parts while one that was left out may lack a commit`() throws {
        var places: [SharedPlace] = []
        let parts = [
            StorePart.shared("Main", [Cook.self, Recipe.self], in: shelves.main, noting: &places),
            StorePart.shared("Archive", [Recipe.self], in: shelves.archive, noting: &places),
        ]
        let store = RoutedDataStore(parts, partitionedBy: [Shelves.key])
        try store.setup()

        for place in places { try place.leave() }
        let other = try shelves.openStore(hasAttic: true, atticFails: 2)
        try other.writeSync { accessor in
            try accessor.insert(contentsOf: [Recipe(1, "soup", on: "Attic"), Recipe(2, "pie", on: "Archive")])
        }
        try other.tearDown()
        for place in places { try place.comeBack() }

        let several = thrown {
            try store.writeSync {
                try $0.insert(contentsOf: [Recipe(3, "tart"), Recipe(4, "jam", on: "Archive")])
            }
        }
        try store.writeSync { _ = try $0.insert(Recipe(5, "cake")) }
        // A block of the first part does not wait for a writer of another one.
        let before = places[1].writings
        try store.writeSync { _ = try $0.insert(Cook(1, name: "Ada")) }
        #expect(places[1].writings == before)
        let found = try store.recipes(Recipe.all)
        try store.tearDown()
        // Nothing was noted when it was closed.
        let without = thrown { try shelves.openStore() }
        let whole = try shelves.openStore(hasAttic: true)

        #expect(several?.code == .partMissing)
        #expect(several?.message.contains("Attic") == true)
        #expect(found == [2, 5])
        #expect(without?.code == .partMissing)
        #expect(try whole.recipes(Recipe.all) == [1, 2, 5])
    }

    @Test func `moves nothing if an item names no part`() throws {
        try leave(
            inOneStore + [Recipe(4, "tart", on: "Attic")], in: shelves.main)

        let error = thrown { try shelves.openStore() }

        #expect(error?.code == .invalidValue)
        #expect(error?.identifier == Int64(4).anyItemID)
        #expect(try Shelves.identifiers(in: shelves.main) == [1, 2, 3, 4])
        let store = try shelves.openStore(hasAttic: true)
        #expect(try store.recipes(Recipe.where(\.shelf == "Attic")) == [4])
    }

    /// More items than one commit moves.
    private let many = (1...5000).map { Recipe($0, "recipe \($0)", on: "Archive") }

    @Test func `moves some thousand items in a commit, and the rest when it is opened again`() throws {
        try leave(many, in: shelves.main)

        // The first commit of the archive is its record.
        let killed = thrown { try shelves.openStore(archiveFails: 2) }
        let left = try Shelves.identifiers(in: shelves.main)
        let store = try shelves.openStore()
        let found = try store.recipes(Recipe.where(\.shelf == "Archive"))
        try store.tearDown()

        #expect(killed?.message == FailingAdapter.error.message)
        #expect(left == Array(4097...5000))
        #expect(found == Array(1...5000))
        #expect(try Shelves.identifiers(in: shelves.main) == [])
    }

    @Test func `moves some megabytes in a commit, into the first part too`() throws {
        let text = String(repeating: "x", count: 1 << 20)
        try leave((1...20).map { Recipe($0, text, on: "Main") }, in: shelves.archive)

        // The first commit of the archive is its record; what the third one lacks is in the journal.
        let killed = thrown { try shelves.openStore(archiveFails: 3) }
        let moved = try Shelves.identifiers(in: shelves.main)
        let store = try shelves.openStore()
        let found = try store.recipes(Recipe.where(\.shelf == "Main"))
        try store.tearDown()

        #expect(killed?.message == FailingAdapter.error.message)
        #expect(moved == Array(1...16))
        #expect(found == Array(1...20))
        #expect(try Shelves.identifiers(in: shelves.archive) == [])
    }

    @Test func `moves items back by an earlier key if another one has moved some of them`() throws {
        try leave(many, in: shelves.main)
        try shelves.openStore().tearDown()
        let other = shelves.makeStore(
            archiveFails: 1, keys: [PartKey(of: Recipe.self, column: 2) { _ in "Main" }])

        let killed = thrown { try other.setup() }
        let store = try shelves.openStore()
        let found = try store.recipes(Recipe.where(\.shelf == "Archive"))

        #expect(killed?.message == FailingAdapter.error.message)
        #expect(found == Array(1...5000))
    }

    @Test func `lets a type be renamed by the next opening if only some parts have done so`() throws {
        typealias Book = Texts<EarlyBook>
        typealias Volume = Texts<LaterBook>
        func store<Item: DataStoreItem>(of type: Item.Type) -> RoutedDataStore {
            RoutedDataStore(
                [
                    StorePart("Main", MemoryDataStore(storing: [type], in: shelves.main)),
                    StorePart("Archive", MemoryDataStore(storing: [type], in: shelves.archive)),
                ], partitionedBy: [PartKey(of: type, column: 1) { $0.string }])
        }
        let early = store(of: Book.self)
        try early.setup()
        try early.writeSync { try $0.insert(contentsOf: [Book(1, "Main"), Book(2, "Archive")]) }
        try early.tearDown()
        // As a process that is killed between the commits of the parts leaves them.
        let archive = MemoryDataStore(storing: [Volume.self], in: shelves.archive)
        try archive.setup()
        try archive.tearDown()

        let late = store(of: Volume.self)
        try late.setup()
        let found = try late.read { try $0.items(for: Volume.all) }
        try late.tearDown()

        #expect(found == [Volume(1, "Main"), Volume(2, "Archive")])
    }

    @Test func `refuses parts that share an identifier or a unique value`() throws {
        try leave(inOneStore, in: shelves.main)
        try leave([Recipe(2, "other")], in: shelves.archive)
        let others = Shelves()
        try leave(inOneStore, in: others.main)
        try leave([Recipe(9, "other", slug: "pie")], in: others.archive)

        let identifier = thrown { try shelves.openStore() }
        let slug = thrown { try others.openStore() }

        #expect(identifier?.code == .duplicateIdentifier)
        #expect(slug?.code == .uniqueViolation)
        #expect(try Shelves.identifiers(in: shelves.main) == [1, 2, 3])
    }

    @Test func `is refused if it does not fit`() {
        let missing = shelves.makeStore(keys: [])
        let number = shelves.makeStore(keys: [PartKey(of: Recipe.self, \.rating)])
        let twice = shelves.makeStore(keys: [Shelves.key, Shelves.key])
        let unkept = shelves.makeStore(keys: [Shelves.key, PartKey(of: Dish.self, \.name)])

        #expect(
            thrown { try missing.setup() }?.message
                == "The parts \"Main\" and \"Archive\" both keep Recipe.")
        #expect(
            thrown { try number.setup() }?.message
                == "The attribute rating of Recipe cannot name parts, as it is not stored as text.")
        #expect(thrown { try twice.setup() }?.message == "The type Recipe has two PartKeys.")
        #expect(thrown { try unkept.setup() }?.message == "No part keeps Dish, which has a PartKey.")
    }

    /// A note, whose properties have other names in the store.
    private struct Note: DataStoreItem {
        let id: Int64
        var shelf: String
        var stars: Double

        struct Attributes: Sendable {
            let id = Attribute<Note, Int64>(column: 0)
            let shelf = Attribute<Note, String>(column: 1)
            let stars = Attribute<Note, Double>(column: 2)
        }
        static let attributes = Attributes()
        static let schema = EntitySchema(
            "Note",
            attributes: [
                .attribute("id", Int64.self), .attribute("note_shelf", String.self, property: "shelf"),
                .attribute("rating", Double.self, property: "stars"),
            ])

        init(_ id: Int64, on shelf: String) { (self.id, self.shelf, self.stars) = (id, shelf, 0) }

        init(row: borrowing RowReader) throws(DataStoreError) {
            id = try row.value(at: 0)
            shelf = try row.value(at: 1)
            stars = try row.value(at: 2)
        }

        func encode(to row: inout RowWriter) throws(DataStoreError) {
            try row.set(id, at: 0)
            try row.set(shelf, at: 1)
            try row.set(stars, at: 2)
        }
    }

    @Test func `has the name of the app in errors`() throws {
        func makeStore(_ key: PartKey) -> RoutedDataStore {
            RoutedDataStore(
                [
                    StorePart("Main", MemoryDataStore(storing: [Note.self], in: shelves.main)),
                    StorePart("Archive", MemoryDataStore(storing: [Note.self], in: shelves.archive)),
                ], partitionedBy: [key])
        }
        let store = makeStore(PartKey(of: Note.self, \.shelf))
        try store.setup()
        let unknown = thrown { try store.writeSync { _ = try $0.insert(Note(1, on: "Attic")) } }
        try store.tearDown()
        let number = makeStore(PartKey(of: Note.self, \.stars))

        #expect(unknown?.attribute == "shelf")
        #expect(
            unknown?.message
                == #"An item of Note names the part "Attic" in shelf, and no part of that name keeps the type."#
        )
        #expect(
            thrown { try number.setup() }?.message
                == "The attribute stars of Note cannot name parts, as it is not stored as text.")
    }
}

private enum EarlyBook: TextVersion {
    static let schema = EntitySchema(
        "Book", attributes: [.attribute("id", Int64.self), .attribute("shelf", String.self)])
}

private enum LaterBook: TextVersion {
    static let schema = EntitySchema("Volume", originalName: "Book", attributes: EarlyBook.schema.attributes)
}
