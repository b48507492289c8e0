import Foundation
import Larder
import LarderRecords
import LarderTransfer
import Testing

/// The code of "Several items at once, and import" in the migration guide.
struct ImportGuideTests {
    @Test func `from CoreStore's ImportableUniqueObject`() throws {
        let store = try Pantry.makeStore()
        let responses = [
            RecipeResponse(slug: "cake", title: "Big cake"), RecipeResponse(slug: nil, title: "No key"),
            RecipeResponse(slug: "soup", title: "Soup", stars: 2),
            RecipeResponse(slug: "draft", title: "Draft", isDraft: true),
        ]

        let counts = try store.writeSync {
            try $0.importItems(from: responses, using: RecipeResponse.recipes)
        }

        #expect(counts == ImportCounts(inserted: 1, updated: 1, skipped: 2))
        let recipes = try Pantry.recipes(in: store)
        #expect(recipes.map(\.name) == ["Big cake", "Soup", "Stew", "Toast"])
        #expect(recipes.map(\.rating) == [4.5, 2, 3, 1])
    }

    @Test func `from MagicalRecord's import`() throws {
        let store = try Pantry.makeStore()
        let json = Data(
            #"""
            {"slug": "cake", "stats": {"stars": 5}}
            {"slug": "pie", "name": "Pie", "cooked": "01.05.2024"}
            """#.utf8)

        let recipes = ImportMap<Recipe, ImportRecord>(by: \.slug, key: "slug") {
            Import(\.name, key: "title", "name")
            Import(\.rating, key: "stats.stars")
            Import(\.cookedAt, key: "cooked", format: .date("dd.MM.yyyy"))
        }
        let counts = try store.writeSync { try $0.importItems(from: JSONRecords(json), using: recipes) }

        #expect(counts == ImportCounts(inserted: 1, updated: 1))
        let stored = try Pantry.recipes(in: store)
        #expect(stored.map(\.name) == ["Cake", "Pie", "Stew", "Toast"])
        #expect(stored.map(\.rating) == [5, 0, 3, 1])
        #expect(stored[1].cookedAt == Date(timeIntervalSince1970: 1_714_521_600))
    }

    @Test func `the calls for lists of items`() throws {
        let store = try Pantry.makeStore()
        let all = try Pantry.recipes(in: store)

        try store.writeSync { accessor in
            #expect(try accessor.items(ids: [all[2].id, ItemID(), all[0].id]) == [all[2], nil, all[0]])
            for recipe in try accessor.mutableVersions(of: all) { recipe?.rating += 0.25 }
            #expect(try accessor.delete([all[0], all[0]]) == 1)
            let new = try accessor.insert([Recipe(name: "Pie", slug: "pie")])
            new.first?.rating = 4
            #expect(try accessor.findOrInsert(Recipe(name: "", slug: "pie"), by: \.slug) === new.first)
            try accessor.upsert(contentsOf: [Recipe(name: "Thick stew", slug: "stew")], by: \.slug)
            #expect(try accessor.update(Recipe.where(\.slug == "toast"), .set(\.name, to: \.slug)) == 1)
        }

        #expect(try Pantry.recipes(in: store).map(\.name) == ["Pie", "Thick stew", "toast"])
    }
}

struct RecipeResponse: Decodable {
    var slug: String?
    var title: String
    var stars: Int?
    var isDraft = false
}

extension RecipeResponse {
    static let recipes = ImportMap<Recipe, RecipeResponse>(by: \.slug, from: \.slug) {
        Import(\.name, from: \.title)
        Import(\.rating, ifPresent: { $0.stars.map(Double.init) })
    }
    .shouldInsert { !$0.isDraft }
    .shouldUpdate { recipe, source in recipe.rating < 5 }
}
