import Larder
import LarderTesting
import Testing

/// The code of "Undo and redo" in the migration guide.
struct EditHistoryTests {
    private static let toast = Pantry.recipes[0]

    private func makeStore(_ engine: TestEngine = .memory) throws -> TemporaryStore {
        let store = try TemporaryStore(engine, storing: Pantry.types)
        try store.writeSync { try $0.insert(contentsOf: Pantry.recipes) }
        return store
    }

    private func toast(in store: any DataStore) throws -> Recipe? {
        try store.read { try $0.item(id: Self.toast.id) }
    }

    @Test(arguments: [TestEngine.memory, .sqlite])
    func `steps are undone, redone and confirmed`(_ engine: TestEngine) throws {
        let store = try makeStore(engine)
        let toast = Self.toast

        let history = EditHistory(of: store)
        try history.edit { try $0.mutableVersion(of: toast)?.rating = 4 }
        try history.edit { try $0.mutableVersion(of: toast)?.name = "French toast" }
        history.undo()
        let undone = try history.current.read { try $0.item(id: toast.id)?.name }
        history.redo()
        try history.confirm()

        #expect(undone == "Toast")
        #expect(try self.toast(in: store)?.name == "French toast")
        #expect(try self.toast(in: store)?.rating == 4)
        #expect(try Pantry.recipes(in: history.current) == (try Pantry.recipes(in: store)))
    }

    @Test func `each step shows those before it, and the store none`() throws {
        let store = try makeStore()
        let history = EditHistory(of: store)
        for rating in [2.0, 3, 4] {
            try history.edit { try $0.mutableVersion(of: Self.toast)?.rating = rating }
        }

        var shown: [Double?] = [try toast(in: history.current)?.rating]
        for _ in 1...4 {
            history.undo()
            shown.append(try toast(in: history.current)?.rating)
        }
        for _ in 1...4 {
            history.redo()
            shown.append(try toast(in: history.current)?.rating)
        }

        #expect(shown == [4, 3, 2, 1, 1, 2, 3, 4, 4])
        #expect(try toast(in: store)?.rating == 1)
    }

    @Test func `insertions and deletions are undone too`() throws {
        let store = try makeStore()
        let history = EditHistory(of: store)
        try history.edit { try $0.insert(Recipe(name: "Tea", slug: "tea")) }
        try history.edit { try $0.deleteItems(for: Recipe.where(\.slug != "tea")) }

        #expect(try Pantry.recipes(in: history.current).map(\.slug) == ["tea"])
        history.undo()
        #expect(try Pantry.recipes(in: history.current).map(\.slug) == ["cake", "stew", "tea", "toast"])
        history.undo()
        #expect(try Pantry.recipes(in: history.current).map(\.slug) == ["cake", "stew", "toast"])
        history.redo()
        history.redo()
        try history.confirm()
        #expect(try Pantry.recipes(in: store).map(\.slug) == ["tea"])
    }

    @Test func `a new step ends what was undone`() throws {
        let store = try makeStore()
        let history = EditHistory(of: store)
        try history.edit { try $0.mutableVersion(of: Self.toast)?.rating = 2 }
        try history.edit { try $0.mutableVersion(of: Self.toast)?.rating = 3 }
        history.undo()
        try history.edit { try $0.mutableVersion(of: Self.toast)?.rating = 5 }

        history.redo()

        #expect(try toast(in: history.current)?.rating == 5)
        history.undo()
        #expect(try toast(in: history.current)?.rating == 2)
    }

    @Test func `a step that changes nothing, or throws, is not a step`() throws {
        let store = try makeStore()
        let history = EditHistory(of: store)
        try history.edit { try $0.mutableVersion(of: Self.toast)?.rating = 2 }

        try history.edit { try $0.mutableVersion(of: Self.toast)?.rating = 2 }
        #expect(throws: EditError.self) {
            try history.edit { accessor in
                try accessor.mutableVersion(of: Self.toast)?.rating = 3
                throw EditError.changedMeanwhile
            }
        }

        #expect(try toast(in: history.current)?.rating == 2)
        history.undo()
        #expect(try toast(in: history.current)?.rating == 1)
    }

    @Test func `cancel ends every step, also for those who still hold one`() throws {
        let store = try makeStore()
        let history = EditHistory(of: store)
        try history.edit { try $0.mutableVersion(of: Self.toast)?.rating = 2 }
        try history.edit { try $0.mutableVersion(of: Self.toast)?.rating = 3 }
        let top = history.current

        try history.cancel()

        let error = #expect(throws: DataStoreError.self) { try toast(in: top) }
        #expect(error?.code == .discarded)
        #expect(try toast(in: history.current)?.rating == 1)
    }

    @Test func `a confirm that finds a conflict keeps the changes, and can be repeated`() throws {
        let store = try makeStore()
        let history = EditHistory(of: store)
        try history.edit { try $0.mutableVersion(of: Self.toast)?.rating = 2 }
        try history.edit { try $0.insert(Recipe(name: "Tea", slug: "tea")) }
        try store.writeSync { try $0.mutableVersion(of: Self.toast)?.rating = 5 }

        let error = #expect(throws: DataStoreError.self) { try history.confirm() }

        #expect(error?.conflicts.map(\.kind) == [.changedOnBothSides(attribute: "rating")])
        #expect(try toast(in: history.current)?.rating == 2)
        #expect(try Pantry.recipes(in: history.current).map(\.slug) == ["cake", "stew", "tea", "toast"])
        #expect(try Pantry.recipes(in: store).map(\.slug) == ["cake", "stew", "toast"])
        try history.confirm(policy: .childWins)
        #expect(try toast(in: store)?.rating == 2)
        #expect(try Pantry.recipes(in: store).map(\.slug) == ["cake", "stew", "tea", "toast"])
    }
}
