import Foundation
import Larder
import LarderLMDB
import LarderRouting
import LarderSQLite
import Testing

@StoredItem
struct Volume: Equatable {
    var title: String
    var shelf: String?
}

/// The code of `Documentation/SeveralStores.md`.
struct SeveralStoresTests {
    @Test func `types in parts`() throws {
        try Pantry.inFolder { folder in
            let recipes = SQLiteDataStore(
                at: folder.appendingPathComponent("recipes"), storing: [Recipe.self])
            let ingredients = LMDBDataStore(
                at: folder.appendingPathComponent("ingredients"), storing: [Ingredient.self])
            let store = RoutedDataStore([
                StorePart("recipes", recipes), StorePart("ingredients", ingredients),
            ])
            try store.setup()

            try store.writeSync { accessor in
                let cake = try accessor.insert(Recipe(name: "Cake", slug: "cake"))
                try accessor.insert(Ingredient(name: "Egg", recipe: cake.id))
            }

            #expect(try store.read { try $0.items(for: Ingredient.all) }.map(\.name) == ["Egg"])
            try store.tearDown()
        }
    }

    @Test func `one type in several parts`() throws {
        try Pantry.inFolder { folder in
            let (main, archive) = (
                folder.appendingPathComponent("main"), folder.appendingPathComponent("archive")
            )

            let store = RoutedDataStore(
                [
                    StorePart("Main", SQLiteDataStore(at: main, storing: [Volume.self])),
                    StorePart("Archive", LMDBDataStore(at: archive, storing: [Volume.self])),
                ],
                partitionedBy: [PartKey(of: Volume.self, \.shelf)])
            try store.setup()

            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [
                    Volume(title: "New"), Volume(title: "Old", shelf: "Archive"),
                ])
            }
            let old = try store.read { try $0.items(for: Volume.where(\.shelf == "Archive")) }

            #expect(old.map(\.title) == ["Old"])
            try store.tearDown()
        }
    }
}
