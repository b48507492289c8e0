import Foundation
import Larder
import LarderTesting
import Testing

/// The code of `Documentation/Testing.md`, beside that of ``RecipeBookTests``.
struct TestingGuideTests {
    @Test func `a store that is reopened with other types`() throws {
        let store = try TemporaryStore(storing: [Recipe.self])
        try store.writeSync { try $0.insert(contentsOf: Pantry.recipes) }

        let later = try store.reopened(storing: [Recipe.self, Ingredient.self])

        #expect(try Pantry.recipes(in: later).map(\.slug) == ["cake", "stew", "toast"])
        #expect(try later.read { try $0.countItems(for: Ingredient.all) } == 0)
    }

    @Test func `the store that the app makes`() throws {
        let store = try TemporaryStore { AppStore.make(at: $0) }

        try store.writeSync { try $0.insert(contentsOf: Pantry.recipes) }
        #expect(try Pantry.recipes(in: store).map(\.slug) == ["cake", "stew", "toast"])
    }

    @Test func `memory with the limits of another engine`() throws {
        let limited = try TemporaryStore(.memory(strictLimits: .sqlite), storing: [Recipe.self])

        try limited.writeSync { try $0.insert(contentsOf: Pantry.recipes) }
        #expect(try Pantry.recipes(in: limited).map(\.slug) == ["cake", "stew", "toast"])
    }

    @Test func `faults by the kind and the number of a call`() throws {
        let store = try TemporaryStore(storing: [Recipe.self])

        store.faults.fail(.commit, number: 2, with: .simulated(.busy))
        store.faults.fail(.open, with: .simulated(.permissionDenied))
        store.faults.failAlways(.beginWriting, with: .simulated(.readOnly))
        store.faults.fillDisk()

        store.faults.removeAll()
        try store.writeSync { try $0.insert(contentsOf: Pantry.recipes) }
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
