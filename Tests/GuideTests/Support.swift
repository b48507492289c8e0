import Foundation
import Larder
import LarderMemory

@testable import class AdapterTestSupport.TemporaryFolder

/// What stands around the guides' code: an app's own types and functions.
enum Pantry {
    static let types: [any DataStoreItem.Type] = [Recipe.self, Ingredient.self]

    static let recipes = [
        Recipe(name: "Toast", rating: 1, slug: "toast"), Recipe(name: "Cake", rating: 4.5, slug: "cake"),
        Recipe(name: "Stew", rating: 3, slug: "stew"),
    ]

    /// A store in memory that is set up and has these recipes.
    static func makeStore(with recipes: [Recipe] = recipes) throws -> any DataStore {
        let store = MemoryDataStore(storing: types)
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: recipes) }
        return store
    }

    /// All recipes, in the order of their names.
    static func recipes(in store: any DataStore) throws -> [Recipe] {
        try store.read { try $0.items(for: Recipe.all.sorted(by: \.name)) }
    }

    /// Runs a body in a folder that is removed behind it.
    static func inFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = try TemporaryFolder()
        return try withExtendedLifetime(folder) { try body(folder.url) }
    }
}

enum EditError: Error {
    case changedMeanwhile
}

extension Recipe {
    struct NoRecipe: Error {}

    /// From a line `slug: name`.
    init(parsing line: String) throws {
        let parts = line.split(separator: ": ")
        guard parts.count == 2 else { throw NoRecipe() }
        self.init(name: String(parts[1]), slug: String(parts[0]))
    }
}
