// A recipe book in SwiftUI: a list that follows the store, and a sheet that edits a recipe with Cancel, Save and undo.
//
// It needs a Mac; README.md in this folder says how to run it. On Linux it is compiled against stand-ins of SwiftUI, and
// its views are tested with them.

import Foundation
import Larder
import LarderSQLite
import LarderSwiftUI

#if canImport(SwiftUI)
    import SwiftUI
#else
    import SwiftUIStandIns
#endif

@main
struct RecipeBookApp: App {
    private let store: any DataStore
    private let failure: String?

    init() {
        // `setup()` makes the folder.
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
        let file = support.appendingPathComponent("RecipeApp/recipes.sqlite")
        store = SQLiteDataStore(at: file, storing: [Recipe.self])
        do {
            try store.setup()
            failure = nil
        } catch {
            failure = "\(error)"
        }
    }

    var body: some Scene {
        WindowGroup {
            if let failure {
                Text(failure)
            } else {
                RecipeList().dataStore(store)
            }
        }
    }
}

/// A recipe.
@StoredItem
struct Recipe: Equatable {
    @Unique var name: String
    var rating: Int = 3

    /// Recipes for previews.
    static var samples: [Recipe] {
        [Recipe(name: "Cake", rating: 5), Recipe(name: "Stew"), Recipe(name: "Toast", rating: 2)]
    }
}
