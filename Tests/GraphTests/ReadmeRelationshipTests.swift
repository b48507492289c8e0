import Foundation
import Larder
import LarderMemory
import Testing

/// The README's relationships, compiled and run.
struct ReadmeRelationshipTests {
    @StoredItem
    struct Ingredient {
        var name: String
        var recipe: ToOne<Recipe>  // required; ToOne<Recipe>? is optional
    }
    @StoredItem
    struct Recipe {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Ingredient.recipe)
        var ingredients: ToMany<Ingredient>  // the other side: nothing is stored
        var tags: ToMany<Tag>  // many-to-many: a link for each pair
    }
    @StoredItem
    struct Tag {
        @Unique var label: String
        @Relationship(inverse: \Recipe.tags)
        var recipes: ToMany<Recipe>
    }

    @Test func `the relationships in the README are these, and work`() throws {
        let store = MemoryDataStore(storing: [Recipe.self, Ingredient.self, Tag.self])
        try store.setup()

        try store.writeSync { accessor in
            let sweet = try accessor.insert(Tag(label: "sweet"))
            let cake = try accessor.insert(Recipe(name: "Cake", tags: [sweet.item]))
            try accessor.insert(Ingredient(name: "Egg", recipe: ToOne(cake)))
        }
        let sweet = Recipe.where(.any(\.tags, \.label == "sweet") && \.ingredients.count > 0)
        let recipes = try store.read { try $0.items(for: sweet.prefetching(\.ingredients)) }

        #expect((recipes[0].ingredients.items?.map(\.name) ?? []) == ["Egg"])
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let block = try #require(readme.components(separatedBy: "## Relationships\n\n```swift\n").last)
        for line in block.components(separatedBy: "\n```")[0].split(separator: "\n")
        where !line.hasPrefix("print(") {
            #expect(words(source).contains(words(String(line))), "\(line)")
        }
    }

    private func words(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
