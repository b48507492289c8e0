import Larder

#if canImport(SwiftUI)
    import SwiftUI
#endif

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
struct RecipeList: View {
    @State private var recipes: ObservedItems<Recipe>

    init(in store: any DataStore) {
        let best = Recipe.where(\.rating > 4).sorted(by: \.name)
        _recipes = State(wrappedValue: ObservedItems(best, in: store))
    }

    var body: some View {
        List(recipes.items) { recipe in Text(recipe.name) }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension RecipeList {
    func search(_ text: String) {
        recipes.request = Recipe.where(.contains(\.name, text, .caseInsensitive)).sorted(by: \.name)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
struct RecipeView: View {
    @State private var recipe: ObservedItem<Recipe>

    init(_ id: Recipe.ID, in store: any DataStore) {
        _recipe = State(wrappedValue: ObservedItem(id, in: store))
    }

    var body: some View {
        if let recipe = recipe.item {
            Text("\(recipe.name): \(recipe.rating)")
        } else {
            Text("This recipe was deleted.")
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
struct RecipeSections: View {
    @State private var recipes: ObservedList<Recipe>

    init(in store: any DataStore) {
        let all = Recipe.all.sorted(by: \.name)
        _recipes = State(wrappedValue: ObservedList(all, sectionedBy: \.rating, in: store))
    }

    var body: some View {
        List(recipes.list.sections) { section in
            Section(section.name) { ForEach(section) { recipe in Text(recipe.name) } }
        }
    }
}
