import Larder
import LarderMemory
import Testing

struct RecipeBookTests {
    let store = MemoryDataStore(storing: [Recipe.self])
    let book: RecipeBook

    init() throws {
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: [Recipe(name: "Toast", slug: "toast")]) }
        book = RecipeBook(store: store)
    }

    @Test func `rating a recipe stores the rating`() throws {
        try book.rate("toast", 4)

        let toast = try store.read { try $0.firstItem(for: Recipe.where(\.slug == "toast")) }
        #expect(toast?.rating == 4)
    }
}
