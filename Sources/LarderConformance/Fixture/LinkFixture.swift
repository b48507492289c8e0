import Larder

/// A library of three books by one author, five labels and nine chapters.
enum LinkFixture {
    static func open(_ world: ConformanceWorld, labels: [String]...) throws -> any DataStore {
        let store = try world.open(
            Person.self, Passport.self, Book.self, Label.self, Shelf.self, Chapter.self)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Person(1, "Ada"), Person(2, "Bob")])
            try accessor.insert(
                contentsOf: ["black", "blue", "green", "red", "white"].map { Label($0) })
            try accessor.insert(contentsOf: (1...9 as ClosedRange<UInt8>).map { Chapter($0) })
            try accessor.insert(Shelf(1))
            for id in 1...3 as ClosedRange<Int64> {
                let book = try accessor.insert(Book(id, by: 1))
                if labels.count >= id { try book.labels.add(ids: labels[Int(id) - 1]) }
            }
        }
        return store
    }

    static func reopen(_ world: ConformanceWorld) throws -> any DataStore {
        try world.reopen(Person.self, Passport.self, Book.self, Label.self, Shelf.self, Chapter.self)
    }

    /// The labels of a book in a later block, which the other side must confirm.
    static func labels(of id: Int64, in store: any DataStore) throws -> [String] {
        try store.writeSync { accessor in
            let labels = try accessor.libraryBook(id).labels.ids()
            let all = try accessor.ids(for: Label.all)
            let others = try all.filter { try accessor.libraryLabel($0).books.contains(id: id) }
            try LarderConformance.expect(others, equals: labels, "labels that have book \(id)")
            return labels
        }
    }

    /// Fails unless the first books have these labels, seen from both sides.
    static func expect(
        _ store: any DataStore, labels: [String]..., file: StaticString = #fileID, line: Int = #line
    ) throws {
        for (position, expected) in labels.enumerated() {
            try LarderConformance.expect(
                try Self.labels(of: Int64(position) + 1, in: store), equals: expected,
                "labels of book \(position + 1)", file: file, line: line)
        }
    }
}

extension DataStoreReadWriteAccessor {
    func libraryBook(_ id: Int64) throws -> Mutable<Book> {
        try require(try mutableItem(id: id, of: Book.self), "book \(id)")
    }

    func libraryLabel(_ id: String) throws -> Mutable<Label> {
        try require(try mutableItem(id: id, of: Label.self), "label \(id)")
    }

    func libraryPerson(_ id: Int64) throws -> Mutable<Person> {
        try require(try mutableItem(id: ItemID(rawValue: id), of: Person.self), "person \(id)")
    }
}

/// A book before its type had a relationship.
struct EarlyBook: DataStoreItem {
    let id: Int64

    struct Attributes: StoredAttributes {
        let id = Attribute<EarlyBook, Int64>(column: 0)
    }

    static let attributes = Attributes()
    static let schema = EntitySchema("GrowingBook", attributes: [.attribute("id", Int64.self)])

    init(id: Int64) { self.id = id }

    init(row: borrowing RowReader) throws(DataStoreError) { id = try row.value(at: 0) }

    func encode(to row: inout RowWriter) throws(DataStoreError) { try row.set(id, at: 0) }
}

/// A label that knows of no books.
struct EarlyLabel: DataStoreItem {
    let id: String

    struct Attributes: StoredAttributes {
        let id = Attribute<EarlyLabel, String>(column: 0)
    }

    static let attributes = Attributes()
    static let schema = EntitySchema("GrowingLabel", attributes: [.attribute("id", String.self)])

    init(id: String) { self.id = id }

    init(row: borrowing RowReader) throws(DataStoreError) { id = try row.value(at: 0) }

    func encode(to row: inout RowWriter) throws(DataStoreError) { try row.set(id, at: 0) }
}

/// The book of a later version of the app.
struct LaterBook: DataStoreItem {
    let id: Int64
    var labels: ToMany<EarlyLabel>

    struct Attributes: StoredAttributes {
        let id = Attribute<LaterBook, Int64>(column: 0)
        let labels = RelationshipAttribute<LaterBook, ToMany<EarlyLabel>>(number: 0)
    }

    static let attributes = Attributes()
    static let schema = EntitySchema(
        "GrowingBook", attributes: [.attribute("id", Int64.self)],
        relationships: [.relationship("labels", ToMany<EarlyLabel>.self)])

    init(id: Int64) {
        self.id = id
        labels = []
    }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        labels = try row.value(atRelationship: 0, of: LaterBook.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        row.set(labels, atRelationship: 0)
    }
}
