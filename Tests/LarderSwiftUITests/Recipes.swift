import Larder
import LarderMemory

@StoredItem
struct Recipe: Equatable {
    @Unique var name: String
    var rating: Int = 3
    var note: String?
    @Relationship(deleteRule: .cascade, inverse: \Step.recipe) var steps: ToMany<Step>
}

@StoredItem
struct Step {
    var text: String
    var recipe: ToOne<Recipe>
}

/// A store with three recipes.
func makeStore() throws -> MemoryDataStore {
    let store = MemoryDataStore(storing: [Recipe.self, Step.self])
    try store.setup()
    try store.writeSync { accessor in
        try accessor.insert(contentsOf: [
            Recipe(name: "Toast", rating: 2), Recipe(name: "Cake", rating: 5), Recipe(name: "Stew"),
        ])
    }
    return store
}

extension DataStore {
    func recipe(_ name: String) throws -> Recipe? {
        try read { try $0.firstItem(for: Recipe.where(\.name == name)) }
    }

    /// Changes a recipe, as another part of the app would.
    func change(_ name: String, _ change: (Mutable<Recipe>) -> Void) throws {
        try writeSync { try $0.firstMutableItem(for: Recipe.where(\.name == name)).map(change) }
    }

    func add(_ recipe: Recipe) throws {
        try writeSync { _ = try $0.insert(recipe) }
    }

    func remove(_ name: String) throws {
        try writeSync { _ = try $0.deleteItems(for: Recipe.where(\.name == name)) }
    }
}
