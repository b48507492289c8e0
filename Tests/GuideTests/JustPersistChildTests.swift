import Larder
import LarderMemory
import LarderTesting
import Testing

/// What users of JustPersist know of its child stores, and where Larder differs on purpose.
struct JustPersistChildTests {
    private static let engines = [TestEngine.memory, .sqlite]
    private let toast = Pantry.recipes[0]

    private func makeStore(_ engine: TestEngine = .memory) throws -> TemporaryStore {
        let store = try TemporaryStore(engine, storing: Pantry.types)
        try store.writeSync { try $0.insert(contentsOf: Pantry.recipes) }
        return store
    }

    private func slugs(in store: any DataStore) throws -> [String] {
        try Pantry.recipes(in: store).map(\.slug)
    }

    private func insertTea(into store: any DataStore) throws {
        try store.writeSync { try $0.insert(Recipe(name: "Tea", slug: "tea")) }
    }

    private func toast(in store: any DataStore) throws -> Recipe? {
        try store.read { try $0.item(id: toast.id) }
    }

    // JustPersist's own test: 0 and 0, then 0 in the parent and 1 in the child, then 1 and 1.
    @Test(arguments: engines)
    func `a child keeps its changes to itself until it is merged`(_ engine: TestEngine) throws {
        let store = try TemporaryStore(engine, storing: Pantry.types)
        let child = try store.makeChildDataStore()
        func counts() throws -> [Int] {
            try [store as any DataStore, child].map { try $0.read { try $0.countItems(for: Recipe.all) } }
        }

        #expect(try counts() == [0, 0])
        try insertTea(into: child)
        #expect(try counts() == [0, 1])
        try store.merge(child)
        #expect(try counts() == [1, 1])
    }

    @Test(arguments: engines)
    func `siblings do not see each other's changes`(_ engine: TestEngine) throws {
        let store = try makeStore(engine)
        let children = try (1...3).map { _ in try store.makeChildDataStore() }

        try insertTea(into: children[0])
        try children[1].writeSync { _ = try $0.deleteAllItems(of: Recipe.self) }

        #expect(try slugs(in: children[0]) == ["cake", "stew", "tea", "toast"])
        #expect(try slugs(in: children[1]) == [])
        #expect(try slugs(in: children[2]) == ["cake", "stew", "toast"])
    }

    @Test(arguments: engines)
    func `a child sees its parent as it is now, except for what it has changed`(_ engine: TestEngine) throws {
        let store = try makeStore(engine)
        let child = try store.makeChildDataStore()
        try child.writeSync { try $0.mutableVersion(of: toast)?.rating = 4 }

        try store.writeSync { accessor in
            try accessor.update(Recipe.all, .set(\.name, to: "New"))
            try accessor.insert(Recipe(name: "Tea", slug: "tea"))
        }

        let names = try child.read { try $0.items(for: Recipe.all.sorted(by: \.slug)) }.map(\.name)
        #expect(names == ["New", "New", "Tea", "Toast"])
    }

    @Test(arguments: engines)
    func `a merge is stored when it returns, and the child goes on`(_ engine: TestEngine) throws {
        let store = try makeStore(engine)
        let child = try store.makeChildDataStore()
        try insertTea(into: child)

        try store.merge(child)
        #expect(try slugs(in: child) == ["cake", "stew", "tea", "toast"])
        try child.writeSync { _ = try $0.delete(toast) }
        let result = try store.merge(child)

        #expect([result.inserted, result.updated, result.deleted] == [0, 0, 1])
        let reopened = try store.reopened(storing: Pantry.types)
        #expect(try slugs(in: reopened) == ["cake", "stew", "tea"])
    }

    @Test(arguments: engines)
    func `attributes that the child has changed win, if the app says so`(_ engine: TestEngine) throws {
        let store = try makeStore(engine)
        let child = try store.makeChildDataStore()
        try child.writeSync { try $0.mutableVersion(of: toast)?.rating = 4 }
        try store.writeSync { accessor in
            try accessor.mutableVersion(of: toast)?.rating = 2
            try accessor.mutableVersion(of: toast)?.name = "French toast"
        }

        let error = #expect(throws: DataStoreError.self) { try store.merge(child) }
        #expect(error?.code == .mergeConflict)
        #expect(try toast(in: store)?.rating == 2)
        try store.merge(child, policy: .childWins)
        #expect(try toast(in: store)?.rating == 4)
        #expect(try toast(in: store)?.name == "French toast")
    }

    @Test(arguments: engines)
    func `a merge moves the changes up by one level`(_ engine: TestEngine) throws {
        let store = try makeStore(engine)
        let child = try store.makeChildDataStore()
        let grandchild = try child.makeChildDataStore()
        try insertTea(into: grandchild)

        try child.merge(grandchild)
        #expect(try slugs(in: child) == ["cake", "stew", "tea", "toast"])
        #expect(try slugs(in: store) == ["cake", "stew", "toast"])
        try store.merge(child)
        #expect(try slugs(in: store) == ["cake", "stew", "tea", "toast"])
    }

    @Test func `a child of another store is refused, and nothing is merged`() throws {
        let store = try makeStore()
        let child = try store.makeChildDataStore()
        let grandchild = try child.makeChildDataStore()
        try insertTea(into: child)
        try grandchild.writeSync { _ = try $0.deleteAllItems(of: Recipe.self) }
        let others: [any DataStore] = [
            try makeStore(), try makeStore(.sqlite), try store.makeChildDataStore(),
        ]

        for other in others {
            let error = #expect(throws: DataStoreError.self) { try other.merge(child) }
            #expect(error?.code == .foreignChild)
            #expect(try slugs(in: other) == ["cake", "stew", "toast"])
        }
        let error = #expect(throws: DataStoreError.self) { try store.merge(grandchild) }

        #expect(error?.code == .foreignChild)
        #expect(try slugs(in: store) == ["cake", "stew", "toast"])
        #expect(child.hasChanges && grandchild.hasChanges)
    }

    @Test func `discard drops the changes; tearDown and a second setup keep them`() throws {
        let store = try makeStore()
        let child = try store.makeChildDataStore()
        try insertTea(into: child)

        try child.setup()
        #expect(try slugs(in: child) == ["cake", "stew", "tea", "toast"])
        try child.tearDown()
        let closed = #expect(throws: DataStoreError.self) { try slugs(in: child) }
        try child.setup()
        #expect(try slugs(in: child) == ["cake", "stew", "tea", "toast"])
        try child.discard()
        let discarded = #expect(throws: DataStoreError.self) { try slugs(in: child) }

        #expect(closed?.code == .closed)
        #expect(discarded?.code == .discarded)
        #expect(try slugs(in: store) == ["cake", "stew", "toast"])
    }

    @Test(arguments: engines)
    func `a child keeps its parent`(_ engine: TestEngine) throws {
        var store: TemporaryStore? = try makeStore(engine)
        let child = try #require(try store?.makeChildDataStore())

        store = nil

        #expect(try slugs(in: child) == ["cake", "stew", "toast"])
    }

    @Test func `a child of a store before its setup is an error and no trap`() {
        let store = MemoryDataStore(storing: Pantry.types)

        let error = #expect(throws: DataStoreError.self) { try store.makeChildDataStore() }

        #expect(error?.code == .notSetUp)
    }
}
