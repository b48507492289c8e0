import Larder
import LarderTesting
import Testing

/// What users of CoreStore know of its long-lived transactions and of `edit`, and those of Cadmium of
/// `useInCurrentContext` and of transactions inside each other.
struct LongLivedTransactionTests {
    private static let engines = [TestEngine.memory, .sqlite]
    private let toast = Pantry.recipes[0]
    private let cake = Pantry.recipes[1]
    private let stew = Pantry.recipes[2]

    private func makeStore(_ engine: TestEngine = .memory) throws -> TemporaryStore {
        let store = try TemporaryStore(engine, storing: Pantry.types)
        try store.writeSync { try $0.insert(contentsOf: Pantry.recipes) }
        return store
    }

    private func rate(_ recipe: Recipe, _ rating: Double, in store: any DataStore) throws {
        try store.writeSync { try $0.mutableVersion(of: recipe)?.rating = rating }
    }

    /// The ratings of the cake, the stew and the toast, and of what comes between them by name.
    private func ratings(in store: any DataStore) throws -> [Double] {
        try Pantry.recipes(in: store).map(\.rating)
    }

    // MARK: Long-lived transactions

    @Test(arguments: engines)
    func `each of several commits is seen in the store at once`(_ engine: TestEngine) throws {
        let store = try makeStore(engine)
        let session = try store.makeChildDataStore()

        try rate(toast, 2, in: session)
        #expect(try ratings(in: store) == [4.5, 3, 1])
        try store.merge(session)
        #expect(try ratings(in: store) == [4.5, 3, 2])
        try rate(toast, 3, in: session)
        try session.writeSync { _ = try $0.delete(cake) }
        try store.merge(session)
        #expect(try ratings(in: store) == [3, 3])
        #expect(!session.hasChanges)
    }

    @Test(arguments: engines)
    func `a roll back restores what was inserted, changed and deleted since the last commit`(
        _ engine: TestEngine
    ) throws {
        let store = try makeStore(engine)
        let session = try store.makeChildDataStore()
        try rate(toast, 2, in: session)
        try store.merge(session)
        try session.writeSync { accessor in
            try accessor.insert(Recipe(name: "Tea", slug: "tea"))
            try accessor.mutableVersion(of: toast)?.rating = 5
            _ = try accessor.delete(cake)
        }
        #expect(try ratings(in: session) == [3, 0, 5])

        try session.rollBack()

        #expect(try ratings(in: session) == [4.5, 3, 2])
        #expect(try ratings(in: store) == [4.5, 3, 2])
        #expect(!session.hasChanges)
        #expect(try session.stagedChanges.isEmpty)
    }

    @Test(arguments: engines)
    func `items that were not edited are always fresh, edited ones after a commit, refresh or roll back`(
        _ engine: TestEngine
    ) throws {
        let store = try makeStore(engine)
        let session = try store.makeChildDataStore()
        try rate(toast, 2, in: session)
        try rate(stew, 2, in: session)
        try store.writeSync { try $0.update(Recipe.all, .set(\.name, to: "New")) }

        func shown() throws -> [String] {
            try session.read { try $0.items(for: Recipe.all.sorted(by: \.slug)) }.map {
                "\($0.name) \($0.rating)"
            }
        }
        #expect(try shown() == ["New 4.5", "Stew 2.0", "Toast 2.0"])
        try store.merge(session)
        #expect(try shown() == ["New 4.5", "New 2.0", "New 2.0"])
        try rate(toast, 5, in: session)
        try store.writeSync { try $0.update(Recipe.all, .set(\.name, to: "Newer")) }
        #expect(try shown() == ["Newer 4.5", "Newer 2.0", "New 5.0"])
        try session.refresh()
        #expect(try shown() == ["Newer 4.5", "Newer 2.0", "Newer 5.0"])
        try session.rollBack()
        #expect(try shown() == ["Newer 4.5", "Newer 2.0", "Newer 2.0"])
    }

    @Test func `a transaction of a transaction commits to it alone`() throws {
        let store = try makeStore()
        let session = try store.makeChildDataStore()
        let inner = try session.makeChildDataStore()

        try rate(toast, 2, in: inner)
        try session.merge(inner)
        #expect(try ratings(in: session) == [4.5, 3, 2])
        #expect(try ratings(in: store) == [4.5, 3, 1])
        try rate(toast, 3, in: inner)
        try session.rollBack()
        #expect(try ratings(in: inner) == [4.5, 3, 3])
        #expect(try ratings(in: session) == [4.5, 3, 1])
    }

    @Test func `a block is seen by children at once, and reported by changes`() async throws {
        let store = try makeStore()
        let session = try store.makeChildDataStore()
        let inner = try session.makeChildDataStore()
        let changes = session.changes
        let toast = toast

        try await session.writeAsync { try $0.mutableVersion(of: toast)?.rating = 2 }
        try await store.writeAsync { try $0.mutableVersion(of: toast)?.name = "Not the child's" }
        #expect(try ratings(in: inner) == [4.5, 3, 2])
        try await store.merge(session)
        try await session.writeAsync { _ = try $0.delete(toast) }
        try session.tearDown()

        var kinds: [ChangeSet.Kind] = []
        for await set in changes { kinds += set.changes.map(\.kind) }
        #expect(kinds == [.updated(attributes: ["rating"]), .deleted])
    }

    @Test func `pending changes are listed by type and kind until the commit`() throws {
        let store = try makeStore()
        let session = try store.makeChildDataStore()
        let tea = Recipe(name: "Tea", slug: "tea")
        #expect(!session.hasChanges)
        try session.writeSync { accessor in
            try accessor.insert(tea)
            try accessor.mutableVersion(of: toast)?.rating = 2
            _ = try accessor.delete(cake)
        }

        let changes = try session.stagedChanges
        #expect(session.hasChanges)
        #expect(try changes.inserted(Recipe.self) == [tea])
        #expect(try changes.updated(Recipe.self).map(\.old) == [toast])
        #expect(try changes.updated(Recipe.self).map(\.attributes) == [["rating"]])
        #expect(try changes.deleted(Recipe.self) == [cake])
        #expect(try changes.inserted(Ingredient.self) == [])
        try store.merge(session)
        #expect(!session.hasChanges)
        // A commit without changes succeeds.
        let result = try store.merge(session)
        #expect([result.inserted, result.updated, result.deleted] == [0, 0, 0])
    }

    // MARK: edit and useInCurrentContext

    @Test func `edit gives the stored version, and nil for an item that is gone`() throws {
        let store = try makeStore()
        var stale = toast
        stale.rating = 5  // of a copy only
        try rate(toast, 2, in: store)
        try store.writeSync { _ = try $0.delete(cake) }

        try store.writeSync { accessor throws in
            #expect(try accessor.mutableVersion(of: stale)?.rating == 2)
            #expect(try accessor.mutableVersion(of: cake) == nil)
            #expect(try accessor.mutableItem(id: toast.id, of: Recipe.self)?.rating == 2)
        }
    }

    @Test func `an item of any store can be edited in any other, by its identifier`() throws {
        let store = try makeStore()
        let child = try store.makeChildDataStore()
        let tea = Recipe(name: "Tea", slug: "tea")
        try child.writeSync { accessor in
            try accessor.insert(tea)
            // A value that was read in the parent.
            try accessor.mutableVersion(of: toast)?.rating = 2
        }

        try store.writeSync { accessor throws in #expect(try accessor.mutableVersion(of: tea) == nil) }
        try store.merge(child)
        // The identifier of the new item is the one that it had in the child.
        try rate(tea, 4, in: store)
        #expect(try child.read { try $0.item(id: tea.id) }?.rating == 4)
    }

    @Test func `asking for an item again keeps the changes that the block has made to it`() throws {
        let store = try makeStore()

        try store.writeSync { accessor in
            let stored = try accessor.mutableVersion(of: toast)
            stored?.rating = 2
            let again = try accessor.mutableVersion(of: toast)
            #expect(again?.rating == 2)
            #expect(again === stored)
        }

        #expect(try ratings(in: store) == [4.5, 3, 2])
    }

    @Test func `a child inside a write block does not depend on the outcome of the block`() throws {
        let store = try makeStore()
        let child = try store.makeChildDataStore()

        #expect(throws: EditError.self) {
            try store.writeSync { accessor throws in
                try accessor.mutableVersion(of: toast)?.rating = 5
                try child.writeSync { inner throws in
                    // What is not committed yet is not seen.
                    #expect(try inner.mutableVersion(of: toast)?.rating == 1)
                    try inner.mutableVersion(of: cake)?.rating = 5
                }
                throw EditError.changedMeanwhile
            }
        }
        #expect(try ratings(in: store) == [4.5, 3, 1])
        try store.merge(child)
        #expect(try ratings(in: store) == [5, 3, 1])
    }
}
