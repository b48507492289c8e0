import struct Foundation.UUID
import Larder

/// A shelf, which refuses to go while there are books on it.
struct Shelf: DataStoreItem, Equatable {
    let id: Int
    var room: String
    var books: ToMany<Book>

    init(_ id: Int, room: String = "") {
        self.id = id
        self.room = room
        books = .notGiven
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Shelf, Int>(column: 0)
        let room = Attribute<Shelf, String>(column: 1)
        let books = RelationshipAttribute<Shelf, ToMany<Book>>(number: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Shelf",
        attributes: [.attribute("id", Int.self), .attribute("room", String.self)],
        relationships: [
            .relationship(
                "books", ToMany<Book>.self, of: Shelf.self, inverse: Book.attributes.shelf, deleteRule: .deny)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        room = try row.value(at: 1)
        books = try row.value(atRelationship: 0, of: Shelf.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(room, at: 1)
        try row.set(books, atRelationship: 0)
    }
}

/// A chapter of any number of books, in an order of its own in each; it knows none of them.
struct Chapter: DataStoreItem, Equatable {
    let id: UUID
    var title: String

    init(_ number: UInt8, _ title: String = "") {
        id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
        self.title = title
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Chapter, UUID>(column: 0)
        let title = Attribute<Chapter, String>(column: 1)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Chapter", attributes: [.attribute("id", UUID.self), .attribute("title", String.self)])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        title = try row.value(at: 1)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(title, at: 1)
    }
}
