import Larder

/// An author; the books that refer to it go with it.
@StoredItem
struct Author {
    @Unique var name: String
    @Relationship(deleteRule: .cascade, inverse: \Book.author)
    var books: ToMany<Book>
}

/// A book, which has one author.
@StoredItem
struct Book {
    @Indexed var title: String
    var year: Int
    var author: ToOne<Author>
}

/// Everything that the store keeps.
let itemTypes: [any DataStoreItem.Type] = [Author.self, Book.self]
