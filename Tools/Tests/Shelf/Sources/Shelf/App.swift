import Foundation
import Larder

@main
struct App {
    static func main() async throws {
        let store = try openStore(in: URL(fileURLWithPath: FileManager.default.currentDirectoryPath))

        // Write. A block is stored as a whole when it ends; a throw undoes all of it.
        try await store.writeAsync { accessor in try addFirstBooks(with: accessor) }

        // Read. Items are values: they never change by themselves.
        print("Jane Austen:", try titles(of: "Jane Austen", in: store))

        // Follow a list: it comes at once, and again after each change.
        let books = Book.all.sorted(by: \.title)
        var isNew = true
        for try await books in store.values(of: books) {
            print("\(books.count) books:", books.map(\.title).joined(separator: ", "))
            if !isNew { break }
            isNew = false
            try await store.writeAsync { accessor in try addVolume(books.count + 1, with: accessor) }
        }
        try store.tearDown()
    }
}

/// Inserts an author with two books, unless the store has authors already.
func addFirstBooks(with accessor: DataStoreReadWriteAccessor) throws {
    if try accessor.countItems(for: Author.all) > 0 { return }
    let author = try accessor.insert(Author(name: "Jane Austen"))
    try accessor.insert(Book(title: "Persuasion", year: 1817, author: ToOne(author)))
    try accessor.insert(Book(title: "Emma", year: 1815, author: ToOne(author)))
}

/// Inserts a book of the first author.
func addVolume(_ number: Int, with accessor: DataStoreReadWriteAccessor) throws {
    guard let author = try accessor.firstItem(for: Author.all.sorted(by: \.name)) else { return }
    try accessor.insert(Book(title: "Volume \(number)", year: 2000 + number, author: ToOne(author)))
}

/// The titles of an author's books, by year.
func titles(of name: String, in store: any DataStore) throws -> [String] {
    try store.read { accessor in
        try accessor.items(for: Book.where(\.author.name == name).sorted(by: \.year)).map(\.title)
    }
}
