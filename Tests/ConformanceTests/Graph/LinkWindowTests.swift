import Larder
import LarderTesting
import Testing

@testable import LarderConformance

/// The items in a window of links are found by reading the links once.
struct LinkWindowTests {
    @Test func `aggregates and groups of a window read its links once`() throws {
        let store = try TemporaryStore(storing: Library.types)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: SmallLibrary.people)
            try accessor.insert(contentsOf: SmallLibrary.shelves)
            try accessor.insert(contentsOf: SmallLibrary.labels)
            try accessor.insert(contentsOf: SmallLibrary.chapters)
            try accessor.insert(contentsOf: SmallLibrary.books)
        }
        let book = try #require(try store.read { try $0.item(id: 40, of: Book.self) })
        let red = try #require(try store.read { try $0.item(id: "red", of: Label.self) })
        func expectLinksOnce(
            _ location: SourceLocation = #_sourceLocation,
            _ read: (DataStoreReadAccessor) throws -> Void
        ) throws {
            let recording = try store.record { try store.read(read) }
            let links = recording.requests.filter { $0.schema.isLink }
            #expect(links.count == 1, "\(links)", sourceLocation: location)
        }

        try expectLinksOnce {
            let sum = try $0.sum(\.rank, for: book.labels.request.limit(2))
            #expect(sum == 5)
        }
        try expectLinksOnce {
            let count = try $0.aggregate(book.labels.request.limit(2), .count)
            #expect(count == 2)
        }
        try expectLinksOnce {
            let title = try $0.maximum(\.title, for: book.chapters.request.limit(3))
            #expect(title == "Intro")
        }
        try expectLinksOnce {
            let groups = try $0.groups(for: red.books.request.limit(2).grouped(by: \.year), .count)
            #expect(groups.count == 2)
        }
        try expectLinksOnce {
            let names = red.books.request.limit(2).grouped(by: \.author.name)
            let groups = try $0.groups(for: names, .count)
            #expect(groups.count == 1)
        }
        try expectLinksOnce {
            let count = try $0.countItems(for: red.books.request.limit(2))
            #expect(count == 2)
        }
        try expectLinksOnce {
            let books = try $0.items(for: red.books.request.limit(2))
            #expect(books.map(\.id) == [10, 20])
        }
    }
}
