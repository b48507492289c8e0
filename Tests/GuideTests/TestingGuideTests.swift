import Foundation
import Larder
import LarderMemory
import Testing

/// The code of `Documentation/Testing.md`, beside that of ``RecipeBookTests``.
struct TestingGuideTests {
    @Test func `two stores over one piece of memory`() throws {
        let storage = MemoryStorage()
        let before = MemoryDataStore(storing: [Recipe.self], in: storage)
        // … set up, fill, tear down …
        let after = MemoryDataStore(storing: [Recipe.self, Ingredient.self], in: storage)

        try before.setup()
        try before.writeSync { try $0.insert(contentsOf: Pantry.recipes) }
        try before.tearDown()
        try after.setup()
        #expect(try Pantry.recipes(in: after).map(\.slug) == ["cake", "stew", "toast"])
        #expect(try after.read { try $0.countItems(for: Ingredient.all) } == 0)
    }

    @Test func `a temporary store on a disk`() throws {
        try Pantry.inFolder { folder in
            let store = try temporaryStore(
                in: folder.appendingPathComponent("new"), storing: [Recipe.self])

            try store.writeSync { try $0.insert(contentsOf: Pantry.recipes) }

            #expect(try Pantry.recipes(in: store).map(\.slug) == ["cake", "stew", "toast"])
            try store.tearDown()
        }
    }

    @Test func `changes are asked for before the write`() async throws {
        let store = try Pantry.makeStore()

        let changes = store.changes
        let count = try await store.writeAsync { try $0.deleteAllItems(of: Recipe.self) }
        var iterator = changes.makeAsyncIterator()
        let first = await iterator.next()
        #expect(first?.deleted(Recipe.self).count == count)

        #expect(count == 3)
    }

    @Test func `identifiers that are the same in every run`() {
        let generator = ItemIDGenerator(process: 7) { 1_000 }
        let toast = Recipe(id: ItemID(from: generator), name: "Toast", slug: "toast")

        let other = Recipe(id: ItemID(from: ItemIDGenerator(process: 7) { 1_000 }), name: "", slug: "")
        #expect(toast.id == other.id)
    }

    @Test func `misuse is reported`() {
        var options = DataStoreOptions()
        options.assertsOnMisuse = false

        #expect(!options.assertsOnMisuse)
    }
}
