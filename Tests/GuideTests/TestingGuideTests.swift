import Foundation
import Larder
import LarderTesting
import Testing

@testable import func AdapterTestSupport.code

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

        #expect(store.faults.unmetCount == 2)
        #expect(code { try store.writeSync { try $0.insert(contentsOf: Pantry.recipes) } } == .readOnly)
        store.faults.removeAll()
        try store.writeSync { try $0.insert(contentsOf: Pantry.recipes) }
        #expect(try Pantry.recipes(in: store).count == 3)
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

    @Test func `misuse is reported`() throws {
        var options = DataStoreOptions()
        options.assertsOnMisuse = false

        let store = try TemporaryStore(storing: [Recipe.self], options: options)
        try store.writeSync { try $0.insert(contentsOf: Pantry.recipes) }
        let reported = Locked<[DataStoreError.Code?]>([])
        let isReported = DispatchSemaphore(value: 0)
        store.errorHandler = { error in
            reported.withLock { $0.append((error as? DataStoreError)?.code) }
            isReported.signal()
        }
        let kept = try store.writeSync { try $0.firstMutableItem(for: Recipe.all) }

        kept?.rating = 5

        #expect(isReported.wait(timeout: .now() + 20) == .success)
        #expect(reported.withLock { $0 } == [.accessorExpired])
    }
}
