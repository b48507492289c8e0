import Foundation
import Larder
import LarderText
import Testing

/// The code of "From JustPersist" in the migration guide.
struct JustPersistTests {
    @Test func `a write and a read`() throws {
        let store = try Pantry.makeStore(with: [])

        try store.writeSync { accessor in
            let toast = try accessor.insert(Recipe(name: "Toast", slug: "toast"))
            toast.rating = 5
        }

        let names = try store.read { accessor in
            try accessor.items(for: Recipe.where(\.rating == 5).sorted(by: \.name)).map(\.name)
        }

        #expect(names == ["Toast"])
    }

    @Test func `a write with a completion`() throws {
        let store = try Pantry.makeStore()

        store.writeAsync { accessor in
            try accessor.firstMutableItem(for: Recipe.where(\.slug == "toast"))?.rating = 4
        } completion: { result in
            // .success after the commit, .failure with the error
        }

        try store.flush()
        #expect(try Pantry.recipes(in: store).map(\.rating) == [4.5, 3, 4])
    }

    @Test func `a request in types and as text`() throws {
        let store = try Pantry.makeStore()
        let typed: DataStoreRequest<Recipe>
        do {
            let request = Recipe.where(\.rating >= 4 && !.contains(\.name, "toast", .caseInsensitive))
                .sorted(by: \.rating, .descending)
                .sorted(by: \.name)
                .limit(20)
            typed = request
        }

        let request = try DataStoreRequest<Recipe>(
            filter: #"rating >= 4 AND NOT name CONTAINS[c] "toast""#, sort: "rating DESC, name", limit: 20)

        #expect(try store.read { try $0.items(for: typed) }.map(\.slug) == ["cake"])
        #expect(try store.read { try $0.items(for: request) }.map(\.slug) == ["cake"])
    }

    @Test func `an owner and its parts`() throws {
        let store = try Pantry.makeStore()
        let cake = Pantry.recipes[1]
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: ["Flour", "Egg"].map { Ingredient(name: $0, recipe: cake.id) })
        }

        func ingredients(_ accessor: DataStoreReadAccessor) throws -> [Ingredient] {
            let parts = try accessor.items(for: Ingredient.where(\.recipe == cake.id).sorted(by: \.name))
            return parts
        }
        #expect(try store.read(ingredients).map(\.name) == ["Egg", "Flour"])

        try store.writeSync { accessor in
            try accessor.deleteItems(for: Ingredient.where(\.recipe == cake.id))
            try accessor.delete(cake)
        }

        #expect(try store.read { try $0.countItems(for: Ingredient.all) } == 0)
        #expect(try Pantry.recipes(in: store).map(\.slug) == ["stew", "toast"])
    }

    @Test func `an error that is caught`() throws {
        let store = try Pantry.makeStore()
        let recipes = [Recipe(name: "Tea", slug: "tea"), Recipe(name: "Bread", slug: "toast")]

        do {
            try store.writeSync { try $0.insert(contentsOf: recipes) }
        } catch DataStoreError.Code.uniqueViolation {
            // one of the slugs is taken; nothing was inserted
        }

        #expect(try Pantry.recipes(in: store).map(\.slug) == ["cake", "stew", "toast"])
    }
}
