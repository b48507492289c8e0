import Larder
import LarderMemory
import LarderSwiftUI

#if canImport(SwiftUI)
    import SwiftUI
#else
    import SwiftUIStandIns
#endif

/// All recipes, and a sheet for the one that is edited.
struct RecipeList: View {
    @Items(Recipe.all.sorted(by: \.name)) private var recipes
    @Environment(\.dataStore) private var store
    @State private var edited: Edited?

    var body: some View {
        VStack {
            List(recipes) { recipe in
                Button("\(recipe.name), \(recipe.rating)") { edited = Edited(recipe: recipe, isNew: false) }
            }
            if let error = $recipes.error { Text(String(describing: error)) }
            Button("New recipe") { edited = Edited(recipe: Recipe(name: ""), isNew: true) }
        }
        .sheet(item: $edited) { edited in
            if let store { RecipeEditor(edited, in: store) }
        }
    }
}

/// The recipe that is edited in the sheet.
struct Edited: Identifiable {
    let recipe: Recipe
    let isNew: Bool

    var id: Recipe.ID { recipe.id }
}

#if canImport(SwiftUI)
    #Preview {
        PreviewStore(MemoryDataStore(storing: [Recipe.self])) { accessor in
            try accessor.insert(contentsOf: Recipe.samples)
        } content: {
            RecipeList()
        }
    }
#endif
