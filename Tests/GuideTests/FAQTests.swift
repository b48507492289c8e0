import Foundation
import Larder
import LarderSQLite
import Testing

@testable import func AdapterTestSupport.code

/// The code of the FAQ.
struct FAQTests {
    @Test func `each way to change items stores the change`() throws {
        let store = try Pantry.makeStore()

        try rateAll(in: store)

        #expect(try Pantry.recipes(in: store).map(\.slug) == ["cake", "stew", "toast"])
        #expect(try Pantry.recipes(in: store).map(\.rating) == [5, 4, 2])
    }

    @Test func `changing copies stores nothing`() throws {
        let store = try Pantry.makeStore()

        try store.writeSync { accessor in
            for var recipe in try accessor.items(for: Recipe.all) { recipe.rating = 4 }
        }

        #expect(try Pantry.recipes(in: store).map(\.rating) == [4.5, 3, 1])
    }

    @Test func `text is searched by the functions of Filter`() throws {
        let store = try Pantry.makeStore()

        let cakes = try store.read {
            try $0.items(for: Recipe.where(.contains(\.name, "CAKE", .caseInsensitive) && \.rating > 4))
        }

        #expect(cakes.map(\.slug) == ["cake"])
    }

    @Test func `a store that cannot be used is set aside where the app says so`() throws {
        let reports = Locked<[String]>([])
        @Sendable func report(_ reason: DataStoreError, _ place: String) {
            reports.withLock { $0.append("\(reason.code.rawValue) \(place)") }
        }

        try Pantry.inFolder { folder in
            let file = try Self.makeDamagedStore(in: folder)

            var options = DataStoreOptions()
            options.recovery = .recreate(keepingBackup: { old in report(old.reason, old.location) })

            let store = SQLiteDataStore(at: file, storing: [Recipe.self], storeOptions: options)
            try store.setup()
            #expect(try Pantry.recipes(in: store) == [])
            try store.tearDown()
            let aside = folder.appendingPathComponent("recipes.set-aside-1/recipes")
            #expect(reports.withLock { $0 } == ["damaged \(aside.path)"])
        }
    }

    @Test func `a store begins again in debug builds`() throws {
        try Pantry.inFolder { folder in
            let file = try Self.makeDamagedStore(in: folder)

            var options = DataStoreOptions()
            options.recovery = .recreateInDebugBuilds

            let store = SQLiteDataStore(at: file, storing: [Recipe.self], storeOptions: options)
            #if DEBUG
                try store.setup()
                #expect(try Pantry.recipes(in: store) == [])
                try store.tearDown()
            #else
                #expect(code { try store.setup() } == .damaged)
            #endif
        }
    }

    /// A store whose file was cut off.
    private static func makeDamagedStore(in folder: URL) throws -> URL {
        let file = folder.appendingPathComponent("recipes")
        let store = SQLiteDataStore(at: file, storing: [Recipe.self])
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: Pantry.recipes) }
        try store.tearDown()
        try Data(contentsOf: file).prefix(9000).write(to: file)
        return file
    }

    @Test func `SQL of the app's own`() throws {
        try Pantry.inFolder { folder in
            let store = SQLiteDataStore(at: folder.appendingPathComponent("recipes"), storing: [Recipe.self])
            try store.setup()
            try store.writeSync { try $0.insert(contentsOf: [Recipe(name: "Cake", slug: "cake")]) }

            try store.writeSync { accessor in
                try accessor.execute(sql: "UPDATE \(Recipe.self) SET \(\.rating, of: Recipe.self) = 5.0")
            }

            #expect(try store.read { try $0.items(for: Recipe.all) }.map(\.rating) == [5])
            try store.tearDown()
        }
    }

    @Test func `related items are asked for, or prefetched`() throws {
        typealias Recipe = Kitchen.Recipe
        let store = try Kitchen.makeStore()
        var shown: [String] = []
        func show(_ name: String, _ kind: String?, _ ingredients: [Kitchen.Ingredient]) {
            shown.append("\(name), \(kind ?? "-"), \(ingredients.map(\.name))")
        }

        try store.read { accessor throws in
            let cake = try #require(try accessor.firstItem(for: Recipe.where(\.name == "Cake")))

            let ingredients = try accessor.items(cake.ingredients)
            let kind = try accessor.item(cake.kind)

            for recipe in try accessor.items(for: Recipe.all.prefetching(\.ingredients, \.kind)) {
                show(recipe.name, recipe.kind?.item?.name, recipe.ingredients.items ?? [])
            }

            #expect(ingredients.map(\.name) == ["Flour", "Egg"])
            #expect(kind?.name == "Dessert")
        }

        #expect(shown == [#"Cake, Dessert, ["Flour", "Egg"]"#, #"Salad, -, ["Egg"]"#])
    }
}

func rateAll(in store: any DataStore) throws {
    try store.writeSync { accessor in
        // All items of a request at once, without loading them.
        try accessor.update(Recipe.where(\.rating < 2), .set(\.rating, to: 2))

        // One after the other, through handles, which save themselves.
        for recipe in try accessor.mutableItems(for: Recipe.where(\.rating > 4)) {
            recipe.rating = 5
        }

        // A value that was changed, here or anywhere before.
        for var recipe in try accessor.items(for: Recipe.where(\.slug == "stew")) {
            recipe.rating = 4
            try accessor.update(recipe)
        }
    }
}
