import Larder
import LarderLMDB
import LarderMemory
import LarderRouting
import LarderSQLite
import Testing

@testable import AdapterTestSupport

@Suite struct `A type in several parts` {
    private let shelves = Shelves()

    /// A store with the recipes 1, 3 and 5 in the first part, and 2 and 4 in the archive.
    private func filled() throws -> RoutedDataStore {
        let store = try shelves.openStore()
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [
                Recipe(1, "soup", rating: 4), Recipe(2, "pie", on: "Archive", rating: 1),
                Recipe(3, "cake", on: "Main", rating: 3), Recipe(4, "tart", on: "Archive", rating: 5),
                Recipe(5, "pie", rating: 2),
            ])
        }
        return store
    }

    @Test func `is kept where the attribute says`() throws {
        let store = try filled()

        try store.tearDown()

        #expect(try Shelves.identifiers(in: shelves.main) == [1, 3, 5])
        #expect(try Shelves.identifiers(in: shelves.archive) == [2, 4])
    }

    @Test func `is read from all parts in the order of the request`() throws {
        let store = try filled()
        let byName = Recipe.all.sorted(by: \.name).sorted(by: \.rating, .descending)

        #expect(try store.recipes(Recipe.all) == [1, 2, 3, 4, 5])
        #expect(try store.recipes(byName) == [3, 5, 2, 1, 4])
        #expect(try store.recipes(byName.offset(1).limit(3)) == [5, 2, 1])
        #expect(try store.recipes(byName.offset(5)) == [])
        #expect(try store.recipes(Recipe.where(\.rating > 2)) == [1, 3, 4])
        try store.read { accessor throws in
            #expect(try accessor.ids(for: byName) == [3, 5, 2, 1, 4])
            #expect(try accessor.firstItem(for: Recipe.all.sorted(by: \.rating))?.id == 2)
            #expect(try accessor.countItems(for: Recipe.all) == 5)
            #expect(try accessor.countItems(for: byName.offset(1).limit(3)) == 3)
            #expect(try accessor.countItems(for: byName.offset(4).limit(3)) == 1)
            #expect(try accessor.item(id: 4, of: Recipe.self)?.name == "tart")
            #expect(try accessor.items(ids: [5, 4, 9, 1], of: Recipe.self).map { $0?.id } == [5, 4, nil, 1])
            #expect(
                try accessor.page(of: byName, after: Recipe(2, "pie", rating: 1), size: 2).items.count == 2)
        }
    }

    @Test func `is summed up over all parts`() throws {
        let store = try filled()

        try store.read { accessor throws in
            #expect(try accessor.sum(\.rating, for: Recipe.all) == 15)
            #expect(try accessor.average(\.rating, for: Recipe.where(\.name == "pie")) == 1.5)
            #expect(try accessor.maximum(\.rating, for: Recipe.all) == 5)
            #expect(try accessor.countDistinct(\.name, for: Recipe.all) == 4)
            #expect(try accessor.distinctValues(for: Recipe.all, \.name) == ["cake", "pie", "soup", "tart"])
            let averages = try accessor.groups(
                for: Recipe.where(\.rating < 4).grouped(by: \.name), .count, .average(\.rating)
            ) { name, count, average in "\(name): \(count), \(average ?? 0)" }
            #expect(averages == ["cake: 1, 3.0", "pie: 2, 1.5"])
        }
    }

    @Test func `is asked in one part or several`() throws {
        let store = try filled()

        #expect(try store.recipes(Recipe.where(\.shelf == "Archive")) == [2, 4])
        #expect(try store.recipes(Recipe.where(\.shelf == "Main")) == [3])
        #expect(try store.recipes(Recipe.where(\.shelf == nil)) == [1, 5])
        #expect(try store.recipes(Recipe.where(\.shelf == nil || \.shelf == "Archive")) == [1, 2, 4, 5])
        #expect(try store.recipes(Recipe.where(.isIn(\.shelf, ["Archive", "Main"]))) == [2, 3, 4])
        #expect(try store.recipes(Recipe.where(\.shelf == "Main" && \.shelf == "Archive")) == [])
        #expect(try store.recipes(Recipe.where(\.shelf != "Archive")) == [1, 3, 5])
        try store.read { accessor throws in
            let archived = Recipe.where(\.shelf == "Archive")
            #expect(try accessor.countItems(for: archived) == 2)
            #expect(try accessor.average(\.rating, for: archived) == 3)
            let steps = try accessor.explain(Recipe.all)
            #expect(steps == [#"part "Main": scan"#, #"part "Archive": scan"#, "merge 2 parts"])
            #expect(try accessor.explain(archived).contains { $0.hasPrefix("part") } == false)
        }
    }

    @Test func `is changed and deleted wherever it is`() throws {
        let store = try filled()

        try store.writeSync { accessor in
            try accessor.mutableItem(id: 4, of: Recipe.self)?.name = "apple tart"
            try accessor.update(Recipe.where(\.rating < 3), .set(\.rating, to: 0))
            try accessor.delete(id: 1, of: Recipe.self)
            try accessor.deleteItems(for: Recipe.where(\.name == "pie" && \.shelf == "Archive"))
        }

        let found = try store.read { try $0.items(for: Recipe.all) }
        #expect(
            found == [
                Recipe(3, "cake", on: "Main", rating: 3), Recipe(4, "apple tart", on: "Archive", rating: 5),
                Recipe(5, "pie", rating: 0),
            ])
        try store.writeSync { try $0.deleteAllItems(of: Recipe.self) }
        #expect(try store.recipes(Recipe.all) == [])
    }

    @Test func `moves when the attribute changes`() throws {
        let store = try filled()

        try store.writeSync { accessor in
            try accessor.mutableItem(id: 1, of: Recipe.self)?.shelf = "Archive"
            try accessor.update(Recipe.where(\.id == 4), .set(\.shelf, to: nil))
            let moved = try accessor.item(id: 1, of: Recipe.self)
            #expect(moved == Recipe(1, "soup", on: "Archive", rating: 4))
        }
        try store.tearDown()

        #expect(try Shelves.identifiers(in: shelves.main) == [3, 4, 5])
        #expect(try Shelves.identifiers(in: shelves.archive) == [1, 2])
    }

    @Test func `is not moved by a block or savepoint that throws`() throws {
        let store = try filled()
        struct Undone: Error {}

        try store.writeSync { accessor in
            try? accessor.savepoint {
                try accessor.mutableItem(id: 1, of: Recipe.self)?.shelf = "Archive"
                throw Undone()
            }
            try accessor.mutableItem(id: 5, of: Recipe.self)?.name = "big pie"
        }
        try? store.writeSync { accessor in
            try accessor.mutableItem(id: 2, of: Recipe.self)?.shelf = nil
            throw Undone()
        }
        try store.tearDown()

        #expect(try Shelves.identifiers(in: shelves.main) == [1, 3, 5])
        #expect(try Shelves.identifiers(in: shelves.archive) == [2, 4])
    }

    @Test func `has each identifier and unique value once among all parts`() throws {
        let store = try filled()
        try store.writeSync { try $0.insert(Recipe(6, "stew", on: "Archive", slug: "stew")) }

        func refused(_ recipe: Recipe) -> DataStoreError? {
            thrown { try store.writeSync { try $0.insert(recipe) } }
        }
        let again = refused(Recipe(2, "other"))
        let inOnePart = refused(Recipe(2, "other", on: "Archive"))
        let slug = refused(Recipe(7, "other", slug: "stew"))

        #expect(again?.code == .duplicateIdentifier)
        #expect(again?.description == inOnePart?.description)
        #expect(slug?.code == .uniqueViolation)
        let two = thrown {
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Recipe(8, "one"), Recipe(8, "two", on: "Archive")])
            }
        }
        #expect(two?.code == .duplicateIdentifier)
        #expect(try store.recipes(Recipe.all) == [1, 2, 3, 4, 5, 6])
    }

    @Test func `is not stored in a part that does not exist, and the block continues`() throws {
        let store = try filled()

        try store.writeSync { accessor in
            let refused = thrown { try accessor.insert(Recipe(6, "stew", on: "Attic")) }
            #expect(refused?.code == .invalidValue)
            #expect(
                refused?.message
                    == "An item of Recipe names the part \"Attic\" in shelf, and no part of that name keeps the type."
            )
            try accessor.insert(Recipe(7, "salad", on: "Archive"))
        }
        let asked = thrown { try store.recipes(Recipe.where(\.shelf == "Attic")) }

        #expect(asked?.code == .invalidRequest)
        #expect(try store.recipes(Recipe.where(\.shelf == "Archive")) == [2, 4, 7])
    }

    @Test func `relates across parts`() throws {
        let store = try filled()
        try store.writeSync { accessor in
            try accessor.insert(Cook(1, name: "Ada"))
            try accessor.insert(Recipe(6, "stew", on: "Archive", cook: 1))
            try accessor.insert(Recipe(7, "salad", cook: 1))
        }

        let refused = thrown {
            try store.writeSync { try $0.insert(Recipe(8, "other", on: "Archive", cook: 9)) }
        }
        let found = try store.recipes(Recipe.where(\.cook.name == "Ada"))
        try store.writeSync { try $0.delete(id: 1, of: Cook.self) }

        #expect(refused?.code == .targetNotFound)
        #expect(found == [6, 7])
        #expect(try store.read { try $0.items(for: Recipe.where(\.id > 5)).map(\.cook) } == [nil, nil])
    }

    @Test func `is moved in a child store and merged`() throws {
        let store = try filled()
        let child = try store.makeChildDataStore()
        let unknown = try store.makeChildDataStore()

        try child.writeSync { accessor in
            try accessor.mutableItem(id: 1, of: Recipe.self)?.shelf = "Archive"
            try accessor.insert(Recipe(6, "stew", on: "Archive"))
        }
        let inChild = try child.recipes(Recipe.where(\.shelf == "Archive"))
        try store.merge(child)
        try unknown.writeSync { try $0.insert(Recipe(7, "other", on: "Attic")) }
        let refused = thrown { try store.merge(unknown) }

        #expect(inChild == [1, 2, 4, 6])
        #expect(refused?.code == .invalidValue)
        #expect(try store.recipes(Recipe.where(\.shelf == "Archive")) == [1, 2, 4, 6])
    }

    @Test func `is observed in one part`() async throws {
        let store = try filled()
        var archived = store.values(of: Recipe.where(\.shelf == "Archive")).makeAsyncIterator()

        let before = try await archived.next()
        try await store.writeAsync { try $0.mutableItem(id: 1, of: Recipe.self)?.shelf = "Archive" }
        let after = try await archived.next()

        #expect(before?.map(\.id) == [2, 4])
        #expect(after?.map(\.id) == [1, 2, 4])
    }

    @Test func `has moved whole after a kill between the commits of two parts`() throws {
        try filled().tearDown()
        let killed = try shelves.openStore(archiveFails: 1)

        try killed.writeSync { accessor in
            try accessor.mutableItem(id: 1, of: Recipe.self)?.shelf = "Archive"
            try accessor.mutableItem(id: 4, of: Recipe.self)?.shelf = "Main"
        }
        try? killed.tearDown()
        let again = try shelves.openStore()

        #expect(try again.recipes(Recipe.all) == [1, 2, 3, 4, 5])
        #expect(try again.recipes(Recipe.where(\.shelf == "Archive")) == [1, 2])
        try again.tearDown()
        #expect(try Shelves.identifiers(in: shelves.main) == [3, 4, 5])
    }

    @Test(arguments: [1, nil] as [Int?], [1, nil] as [Int?])
    func `has moved whole whichever commits after the first one fail`(
        archiveFails: Int?, atticFails: Int?
    ) throws {
        var store = try shelves.openStore(hasAttic: true)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [
                Recipe(1, "soup"), Recipe(2, "pie", on: "Archive"), Recipe(3, "tart", on: "Attic"),
            ])
        }
        try store.tearDown()
        store = try shelves.openStore(archiveFails: archiveFails, hasAttic: true, atticFails: atticFails)
        try store.writeSync { accessor in
            for (id, shelf) in [(1, "Archive"), (2, "Attic"), (3, nil)] as [(Int64, String?)] {
                try accessor.mutableItem(id: id, of: Recipe.self)?.shelf = shelf
            }
        }
        try? store.tearDown()

        store = try shelves.openStore(hasAttic: true)
        let names = try store.read { try $0.items(for: Recipe.all).map(\.name) }
        try store.tearDown()

        #expect(names == ["soup", "pie", "tart"])
        let parts = try [shelves.main, shelves.archive, shelves.attic].map(Shelves.identifiers(in:))
        #expect(parts == [[3], [1], [2]])
    }

    @Test func `is walked while another type changes`() throws {
        let folder = try TemporaryFolder()
        let recipes = [Recipe.self]
        let store = RoutedDataStore(
            [
                StorePart(
                    "Main",
                    LMDBDataStore(at: folder.file("main"), storing: [Cook.self, Recipe.self])),
                StorePart("Archive", SQLiteDataStore(at: folder.file("archive"), storing: recipes)),
            ], partitionedBy: [Shelves.key])
        try store.setup()
        defer { try? store.destroy() }
        let names = (1...60).map { "recipe \($0) " + String(repeating: "x", count: Int($0)) }
        try store.writeSync { accessor in
            try accessor.insert(
                contentsOf: names.enumerated().map { number, name in
                    Recipe(Int64(number), name, on: number.isMultiple(of: 3) ? "Archive" : "Main")
                })
        }

        var walked: [String] = []
        try store.writeSync { accessor in
            try accessor.forEachItem(for: Recipe.all) { recipe in
                walked.append(recipe.name)
                try accessor.insert(Cook(recipe.id, name: recipe.name))
            }
        }

        #expect(walked == names)
        #expect(try store.cooks() == names)
    }
}
