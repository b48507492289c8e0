import Larder
import Testing

/// The code of "Items that change on the way" and "From another framework" in the migration guide.
struct TakingOverTests {
    @Test func `by requests, a type at a time`() throws {
        let (old, new) = (try Pantry.makeStore(), try Pantry.makeStore(with: []))

        try copy(from: old, to: new)

        #expect(try Pantry.recipes(in: new) == Pantry.recipes(in: old))
    }

    @Test func `by requests, a page at a time`() throws {
        let many = (0..<2_500).map { Recipe(name: "\($0)", slug: "\($0)") }
        let (old, new) = (try Pantry.makeStore(with: many), try Pantry.makeStore(with: []))

        try old.read { source in
            try new.writeSync { target in
                var page: [Recipe] = []
                try source.forEachItem(for: Recipe.all) { recipe in
                    page.append(recipe)
                    if page.count == 1_000 {
                        try target.insert(contentsOf: page)
                        page.removeAll(keepingCapacity: true)
                    }
                }
                try target.insert(contentsOf: page)
            }
        }

        #expect(try Pantry.recipes(in: new) == Pantry.recipes(in: old))
    }

    @Test func `what another framework kept is taken over once`() throws {
        let store = try Pantry.makeStore(with: [])
        let old = [
            OldRecipe(name: "Toast", rating: 1, slug: "toast", ingredients: ["Bread"]),
            OldRecipe(name: "Cake", rating: 4, slug: "cake", ingredients: ["Flour", "Egg"]),
        ]

        for _ in 0..<2 { try takeOver(old, into: store) }

        #expect(try Pantry.recipes(in: store).map(\.name) == ["Cake", "Toast"])
        #expect(try store.read { try $0.countItems(for: Ingredient.all) } == 3)
    }
}
