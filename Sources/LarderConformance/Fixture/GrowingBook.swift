import Larder

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
        labels = .notGiven
    }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        labels = try row.value(atRelationship: 0, of: LaterBook.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(labels, atRelationship: 0)
    }
}

/// The book of a still later version: another type of the app under the same stored name, and another name of
/// its relationship.
struct RenamedBook: DataStoreItem {
    let id: Int64
    var marks: ToMany<RenamedLabel>

    struct Attributes: StoredAttributes {
        let id = Attribute<RenamedBook, Int64>(column: 0)
        let marks = RelationshipAttribute<RenamedBook, ToMany<RenamedLabel>>(number: 0)
    }

    static let attributes = Attributes()
    static let schema = EntitySchema(
        "GrowingBook", attributes: [.attribute("id", Int64.self)],
        relationships: [
            .relationship("marks", ToMany<RenamedLabel>.self, originalName: "labels")
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        marks = try row.value(atRelationship: 0, of: RenamedBook.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(marks, atRelationship: 0)
    }
}

/// A label that shows the books that it marks.
struct RenamedLabel: DataStoreItem {
    let id: String
    var books: ToMany<RenamedBook>

    struct Attributes: StoredAttributes {
        let id = Attribute<RenamedLabel, String>(column: 0)
        let books = RelationshipAttribute<RenamedLabel, ToMany<RenamedBook>>(number: 0)
    }

    static let attributes = Attributes()
    static let schema = EntitySchema(
        "GrowingLabel", attributes: [.attribute("id", String.self)],
        relationships: [
            .relationship(
                "books", ToMany<RenamedBook>.self, of: RenamedLabel.self,
                inverse: RenamedBook.attributes.marks)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        books = try row.value(atRelationship: 0, of: RenamedLabel.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(books, atRelationship: 0)
    }
}
