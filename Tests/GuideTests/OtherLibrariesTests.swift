import Larder
import Testing

/// The code of the sections on Skopelos, CoreStore, Cadmium, MagicalRecord and GRDB in the migration guide.
struct OtherLibrariesTests {
    @Test func `from Skopelos`() throws {
        let store = try Pantry.makeStore(with: [])
        var shown: [String] = []
        func show(_ names: [String]) { shown = names }

        try store.writeSync { accessor in
            try accessor.insert(Recipe(name: "Toast", slug: "toast"))
        }
        show(try store.read { try $0.items(for: Recipe.all) }.map(\.name))

        #expect(shown == ["Toast"])
    }

    @Test func `from CoreStore`() async throws {
        let store = try Pantry.makeStore()

        let best = try store.read { try $0.items(for: Recipe.where(\.rating > 4).sorted(by: \.name)) }

        try await store.writeAsync { accessor in
            try accessor.firstMutableItem(for: Recipe.where(\.slug == "toast"))?.rating = 4
        }

        #expect(best.map(\.slug) == ["cake"])
        #expect(try Pantry.recipes(in: store).map(\.rating) == [4.5, 3, 4])
    }

    @Test func `from Cadmium`() throws {
        let store = try Pantry.makeStore()

        try store.writeSync { accessor in
            for recipe in try accessor.mutableItems(for: Recipe.where(\.rating < 2)) {
                recipe.rating = 2
            }
        }

        #expect(try Pantry.recipes(in: store).map(\.rating) == [4.5, 3, 2])
    }

    @Test(arguments: [Pantry.recipes, []])
    func `from MagicalRecord`(_ recipes: [Recipe]) throws {
        let store = try Pantry.makeStore(with: recipes)

        try store.writeSync { accessor in
            let found = try accessor.firstMutableItem(for: Recipe.where(\.slug == "toast"))
            let toast = try found ?? accessor.insert(Recipe(name: "", slug: "toast"))
            toast.name = "French toast"
        }

        let toast = try store.read { try $0.firstItem(for: Recipe.where(\.slug == "toast")) }
        #expect(toast?.name == "French toast")
        #expect(toast?.rating == (recipes.isEmpty ? 0 : 1))
    }

    @Test func `what a write has changed`() async throws {
        let store = try Pantry.makeStore()
        var uploaded: [Recipe.ID] = []
        func upload(_ ids: [Recipe.ID]) { uploaded = ids }

        let result = try await store.writeAsyncReportingChanges(origin: "editor") { accessor in
            try accessor.update(Recipe.where(\.rating < 2), .set(\.rating, to: 2))
        }
        if result.hasChanges {
            upload(result.changes.updated(Recipe.self).map(\.id))
        }

        #expect(uploaded.count == result.value)
        #expect(uploaded.count == 1)
    }

    @Test func `the origins of writes`() async throws {
        let store = try Pantry.makeStore()
        var printed: [String] = []
        func print(_ origin: WriteOrigin, _ count: Int) { printed.append("\(origin) \(count)") }

        let changes = store.changes.ignoring("sync")
        try await store.writeAsync(origin: "sync") { try $0.deleteItems(for: Recipe.where(\.rating < 3)) }
        try await store.writeAsync(origin: "editor") { try $0.insert(Recipe(name: "Soup", slug: "soup")) }
        for await change in changes {
            print(change.origin ?? "unnamed", change.inserted(Recipe.self).count)  // editor 1
            break
        }

        #expect(printed == ["editor 1"])
    }

    @Test func `from GRDB`() throws {
        let store = try Pantry.makeStore()

        try store.writeSync { accessor in
            for recipe in try accessor.mutableItems(for: Recipe.where(\.rating < 2).limit(10)) {
                recipe.rating = 2
            }
        }

        #expect(try Pantry.recipes(in: store).map(\.rating) == [4.5, 3, 2])
    }
}
