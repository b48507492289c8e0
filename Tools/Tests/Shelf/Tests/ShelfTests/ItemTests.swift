import Larder
import LarderTesting
import Testing

@testable import Shelf

/// Each test has a store of its own, in memory: it keeps the same rules as every engine.
struct ItemTests {
    let store: TemporaryStore

    init() throws {
        store = try TemporaryStore(storing: itemTypes)
        try store.writeSync { try addFirstBooks(with: $0) }
    }

    @Test func `the books of an author are listed by year`() throws {
        #expect(try titles(of: "Jane Austen", in: store) == ["Emma", "Persuasion"])
    }

    @Test func `the books of an author go with it`() throws {
        try store.writeSync { try $0.deleteItems(for: Author.all) }

        #expect(try store.read { try $0.countItems(for: Book.all) } == 0)
    }
}
