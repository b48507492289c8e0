import Larder

/// A book: references of each kind, and links to labels and, in an order, to chapters.
struct Book: DataStoreItem, Equatable {
    let id: Int64
    var title: String
    var year: Int
    var author: ToOne<Person>
    var editor: ToOne<Person>?
    /// A shelf with books on it cannot be deleted.
    var shelf: ToOne<Shelf>?
    var labels: ToMany<Label>
    /// Deleted with the book.
    var chapters: OrderedToMany<Chapter>

    init(
        _ id: Int64, _ title: String = "", by author: Int64, editedBy editor: Int64? = nil, year: Int = 0,
        shelf: Int? = nil, labels: ToMany<Label> = .notGiven, chapters: OrderedToMany<Chapter> = .notGiven
    ) {
        self.id = id
        self.title = title
        self.year = year
        self.author = ToOne(id: ItemID(rawValue: author))
        self.editor = editor.map { ToOne(id: ItemID(rawValue: $0)) }
        self.shelf = shelf.map { ToOne(id: $0) }
        self.labels = labels
        self.chapters = chapters
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Book, Int64>(column: 0)
        let title = Attribute<Book, String>(column: 1)
        let year = Attribute<Book, Int>(column: 2)
        let author = Attribute<Book, ToOne<Person>>(indexedColumn: 3)
        let editor = Attribute<Book, ToOne<Person>?>(indexedColumn: 4)
        let shelf = Attribute<Book, ToOne<Shelf>?>(indexedColumn: 5)
        let labels = RelationshipAttribute<Book, ToMany<Label>>(number: 0)
        let chapters = RelationshipAttribute<Book, OrderedToMany<Chapter>>(number: 1)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Book",
        attributes: [
            .attribute("id", Int64.self),
            .attribute("title", String.self),
            .attribute("year", Int.self),
            .attribute("author", ToOne<Person>.self),
            .attribute("editor", ToOne<Person>?.self),
            .attribute("shelf", ToOne<Shelf>?.self),
        ],
        relationships: [
            .relationship("labels", ToMany<Label>.self),
            .relationship("chapters", OrderedToMany<Chapter>.self, deleteRule: .cascade),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        title = try row.value(at: 1)
        year = try row.value(at: 2)
        author = try row.value(at: 3)
        editor = try row.value(at: 4)
        shelf = try row.value(at: 5)
        labels = try row.value(atRelationship: 0, of: Book.self)
        chapters = try row.value(atRelationship: 1, of: Book.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(title, at: 1)
        try row.set(year, at: 2)
        try row.set(author, at: 3)
        try row.set(editor, at: 4)
        try row.set(shelf, at: 5)
        try row.set(labels, atRelationship: 0)
        try row.set(chapters, atRelationship: 1)
    }
}

/// A label of any number of books; identified by text.
struct Label: DataStoreItem, Equatable {
    let id: String
    var rank: Int
    var books: ToMany<Book>

    init(_ id: String, rank: Int = 0) {
        self.id = id
        self.rank = rank
        books = .notGiven
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Label, String>(column: 0)
        let rank = Attribute<Label, Int>(column: 1)
        let books = RelationshipAttribute<Label, ToMany<Book>>(number: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Label",
        attributes: [.attribute("id", String.self), .attribute("rank", Int.self)],
        relationships: [
            .relationship("books", ToMany<Book>.self, of: Label.self, inverse: Book.attributes.labels)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        rank = try row.value(at: 1)
        books = try row.value(atRelationship: 0, of: Label.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(rank, at: 1)
        try row.set(books, atRelationship: 0)
    }
}
