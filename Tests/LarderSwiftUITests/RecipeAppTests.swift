#if !canImport(SwiftUI)
    import Larder
    import LarderMemory
    import LarderSwiftUI
    import SwiftUIStandIns
    import Testing

    @testable import RecipeApp

    /// The views of the sample app, drawn with the stand-ins.
    @MainActor
    struct RecipeAppTests {
        private func makeStore() throws -> MemoryDataStore {
            let store = MemoryDataStore(storing: [RecipeApp.Recipe.self])
            try store.setup()
            try store.writeSync { try $0.insert(contentsOf: RecipeApp.Recipe.samples) }
            return store
        }

        @Test func `the list shows the recipes`() throws {
            let host = Host(RecipeList().dataStore(try makeStore()))

            #expect(host.lines == ["[Cake, 5]", "[Stew, 3]", "[Toast, 2]", "[New recipe]"])
        }

        @Test func `the editor shows a recipe`() throws {
            let recipe = RecipeApp.Recipe(name: "Soup")
            let editor = RecipeEditor(Edited(recipe: recipe, isNew: true), in: try makeStore())

            #expect(Host(editor).lines == ["Name: Soup", "Rating: 3", "[Undo]", "[Cancel]", "[Save]"])
        }
    }
#endif
