#if !canImport(SwiftUI)
    import Larder
    import LarderMemory
    import LarderSwiftUI
    import SwiftUIStandIns
    import Testing

    private struct RecipeList: View {
        @Items private var recipes: [Recipe]

        init(_ request: DataStoreRequest<Recipe> = Recipe.all.sorted(by: \.name)) {
            _recipes = Items(request)
        }

        var body: some View {
            ForEach(recipes) { recipe in Text("\(recipe.name) \(recipe.rating)") }
            if let error = $recipes.error as? DataStoreError { Text(error.code.rawValue) }
        }

        /// The object behind the items.
        var published: PublishedItems<Recipe> { $recipes }
    }

    /// A view that gets the object behind the items of another one.
    private struct RecipeNames: View {
        @ObservedObject var recipes: PublishedItems<Recipe>

        var body: some View { ForEach(recipes.items) { recipe in Text(recipe.name) } }
    }

    private struct RecipeSections: View {
        @SectionedItems(Recipe.all.sorted(by: \.name), by: \.rating) private var recipes

        var body: some View {
            ForEach(recipes.sections) { section in
                Section(section.name) { ForEach(section) { recipe in Text(recipe.name) } }
            }
        }
    }

    @MainActor
    struct ItemsTests {
        @Test func `a view shows the items in its first frame, and is drawn again when they change`()
            async throws
        {
            let store = try makeStore()
            let host = Host(RecipeList().dataStore(store))
            #expect(host.lines == ["Cake 5", "Stew 3", "Toast 2"])

            try store.change("Stew") { $0.rating = 4 }

            await host.staleness()
            #expect(host.lines == ["Cake 5", "Stew 4", "Toast 2"])
        }

        @Test func `a request that is set replaces the items, until the view gives another one`() async throws
        {
            let store = try makeStore()
            let list = RecipeList()
            let host = Host(list.dataStore(store))
            #expect(host.lines.count == 3)

            list.published.request = Recipe.where(\.rating > 4)
            await host.staleness()
            #expect(host.lines == ["Cake 5"])

            host.replace(by: RecipeList().dataStore(store))
            #expect(host.lines == ["Cake 5"])

            host.replace(by: RecipeList(Recipe.where(\.rating < 3)).dataStore(store))
            #expect(host.lines == ["Toast 2"])
        }

        @Test func `with another store come its items`() throws {
            let host = Host(RecipeList().dataStore(try makeStore()))
            #expect(host.lines.count == 3)
            let other = MemoryDataStore(storing: [Recipe.self, Step.self])
            try other.setup()
            try other.add(Recipe(name: "Soup"))

            host.replace(by: RecipeList().dataStore(other))

            #expect(host.lines == ["Soup 3"])
        }

        @Test func `without the store that it had, a view has no items, and the error says so`() throws {
            let store = try makeStore()
            let host = Host(RecipeList().dataStore(store))
            #expect(host.lines.count == 3)

            host.replace(by: RecipeList().dataStore(nil))
            #expect(host.lines == ["notSetUp"])

            host.replace(by: RecipeList().dataStore(store))
            #expect(host.lines == ["Cake 5", "Stew 3", "Toast 2"])
        }

        @Test func `with another store that cannot be read, no items of the first one stay`() throws {
            let host = Host(RecipeList().dataStore(try makeStore()))
            #expect(host.lines.count == 3)

            host.replace(by: RecipeList().dataStore(MemoryDataStore(storing: [Recipe.self, Step.self])))

            #expect(host.lines == ["notSetUp"])
        }

        @Test(.timeLimit(.minutes(5)))
        func `a view that observes the items of another view follows its request and store`()
            async throws
        {
            let store = try makeStore()
            let list = RecipeList()
            let (around, inside) = (Host(list.dataStore(store)), Host(RecipeNames(recipes: list.published)))
            #expect(around.lines.count == 3)
            #expect(inside.lines == ["Cake", "Stew", "Toast"])

            around.replace(by: RecipeList(Recipe.where(\.rating > 4)).dataStore(store))
            #expect(around.lines == ["Cake 5"])
            await inside.staleness()
            #expect(inside.lines == ["Cake"])

            try store.change("Cake") { $0.name = "Pie" }
            await inside.staleness()
            #expect(inside.lines == ["Pie"])

            around.replace(by: RecipeList(Recipe.where(\.rating > 4)).dataStore(nil))
            #expect(around.lines == ["notSetUp"])
            await inside.staleness()
            #expect(inside.lines.isEmpty)
        }

        @Test func `a draft in the environment shows what is staged`() async throws {
            let store = try makeStore()
            let draft = try store.makeChildDataStore()
            let host = Host(RecipeList(Recipe.where(\.rating > 4)).dataStore(draft))
            #expect(host.lines == ["Cake 5"])

            try draft.change("Cake") { $0.name = "Pie" }

            await host.staleness()
            #expect(host.lines == ["Pie 5"])
            #expect(try store.recipe("Pie") == nil)
        }

        @Test func `without a store there are no items, and the error says so`() {
            #expect(Host(RecipeList()).lines == ["notSetUp"])
        }

        @Test func `the last items stay when the store is closed, and a reload resumes`() async throws {
            let store = try makeStore()
            let list = RecipeList(Recipe.where(\.rating > 4))
            let host = Host(list.dataStore(store))
            #expect(host.lines == ["Cake 5"])
            #expect(!list.published.hasEnded)

            try store.tearDown()
            await host.staleness()
            #expect(host.lines == ["Cake 5"])
            #expect(list.published.hasEnded)

            list.published.reload()
            #expect(host.lines == ["Cake 5", "closed"])
        }

        @Test func `a view shows sections`() async throws {
            let store = try makeStore()
            let host = Host(RecipeSections().dataStore(store))
            #expect(host.lines == ["2", "Toast", "3", "Stew", "5", "Cake"])

            try store.change("Stew") { $0.rating = 5 }

            await host.staleness()
            #expect(host.lines == ["2", "Toast", "5", "Cake", "Stew"])
        }
    }

    @MainActor
    struct PublishedValueTests {
        private struct Count: View {
            @StateObject private var count: PublishedValue<Int>

            init(in store: any DataStore) {
                _count = StateObject(wrappedValue: PublishedValue(store.values(ofCount: Recipe.all)))
            }

            var body: some View { Text("\(count.value ?? 0) recipes") }
        }

        @Test func `a view follows any value`() async throws {
            let store = try makeStore()
            let host = Host(Count(in: store))
            #expect(host.lines == ["3 recipes"])

            try store.add(Recipe(name: "Soup"))

            await host.staleness()
            #expect(host.lines == ["4 recipes"])
        }

        @Test func `a list in the background is empty until it is loaded`() async throws {
            let store = try makeStore()
            let recipes = PublishedList(
                Recipe.all.sorted(by: \.name), sectionedBy: .by(\.rating), in: store, loading: .inBackground)
            let host = Host(Text("").dataStore(store))
            host.observe(recipes)
            #expect(recipes.list.isEmpty)
            #expect(!recipes.isLoaded)

            await host.staleness()

            #expect(recipes.list.map(\.name) == ["Toast", "Stew", "Cake"])
            #expect(recipes.isLoaded)
        }
    }

    @MainActor
    struct PreviewStoreTests {
        @Test func `a preview shows the data that was made for it`() {
            let preview = PreviewStore(MemoryDataStore(storing: [Recipe.self, Step.self])) { accessor in
                try accessor.insert(contentsOf: [Recipe(name: "Pie"), Recipe(name: "Soup")])
            } content: {
                RecipeList()
            }

            #expect(Host(preview).lines == ["Pie 3", "Soup 3"])
        }

        @Test func `a preview shows why there is no data`() {
            let preview = PreviewStore(MemoryDataStore(storing: [Recipe.self, Step.self])) { accessor in
                try accessor.insert(contentsOf: [Recipe(name: "Pie"), Recipe(name: "Pie")])
            } content: {
                RecipeList()
            }

            let lines = Host(preview).lines
            #expect(lines.count == 1)
            #expect(lines[0].hasPrefix("The preview has no data. "))
        }
    }
#endif
