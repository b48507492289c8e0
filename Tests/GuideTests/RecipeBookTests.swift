import Larder
import LarderTesting
import Testing

struct RecipeBookTests {
    let store: TemporaryStore
    let book: RecipeBook

    init() throws {
        store = try TemporaryStore(storing: [Recipe.self])
        try store.writeSync { try $0.insert(contentsOf: [Recipe(name: "Toast", slug: "toast")]) }
        book = RecipeBook(store: store)
    }

    @Test func `rating a recipe stores the rating`() throws {
        try book.rate("toast", 4)

        let toast = try store.read { try $0.firstItem(for: Recipe.where(\.slug == "toast")) }
        #expect(toast?.rating == 4)
    }
}

extension RecipeBookTests {
    @Test func `a full disk keeps the old rating`() throws {
        store.faults.failNextWrite(with: .simulated(.storeFull))

        #expect(throws: DataStoreError.self) { try book.rate("toast", 4) }

        let toast = try store.read { try $0.firstItem(for: Recipe.where(\.slug == "toast")) }
        #expect(toast?.rating == 0)
    }

    @Test func `rating a recipe is one request and one change`() throws {
        let recording = try store.record { try book.rate("toast", 4) }

        #expect(recording.requests.count == 1)
        #expect(recording.updated(Recipe.self).map(\.attributes) == [["rating"]])
        print(recording)

        let toast = try store.read { try $0.firstItem(for: Recipe.where(\.slug == "toast")) }
        #expect(
            recording.description == """
                request Recipe where slug == "toast" order id ascending limit 1
                update Recipe \(try #require(toast).id) set rating
                commit
                """)
    }

    @Test(arguments: [TestEngine.memory, .sqlite])
    func `rating an unknown recipe changes nothing`(engine: TestEngine) throws {
        try withTemporaryStore(engine, storing: [Recipe.self]) { store in
            let recording = try store.record { try RecipeBook(store: store).rate("pizza", 4) }
            #expect(recording.changes.isEmpty)
        }
    }
}
