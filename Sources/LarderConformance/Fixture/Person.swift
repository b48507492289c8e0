import Larder

/// An author or editor: one-to-many to books twice, one-to-one to a passport, and to other people.
struct Person: DataStoreItem, Equatable {
    let id: ItemID<Person>
    var name: String
    var mentor: ToOne<Person>?
    /// Deleted with their author.
    var books: ToMany<Book>
    /// Stay when their editor is deleted.
    var edited: ToMany<Book>
    var pupils: ToMany<Person>
    var passport: ToOneInverse<Passport>

    init(_ id: Int64, _ name: String = "", mentor: Int64? = nil) {
        self.id = ItemID(rawValue: id)
        self.name = name
        self.mentor = mentor.map { ToOne(id: ItemID(rawValue: $0)) }
        (books, edited, pupils, passport) = (.notGiven, .notGiven, .notGiven, .notGiven)
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Person, ItemID<Person>>(column: 0)
        let name = Attribute<Person, String>(column: 1)
        let mentor = Attribute<Person, ToOne<Person>?>(indexedColumn: 2)
        let books = RelationshipAttribute<Person, ToMany<Book>>(number: 0)
        let edited = RelationshipAttribute<Person, ToMany<Book>>(number: 1)
        let pupils = RelationshipAttribute<Person, ToMany<Person>>(number: 2)
        let passport = RelationshipAttribute<Person, ToOneInverse<Passport>>(number: 3)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Person",
        attributes: [
            .attribute("id", ItemID<Person>.self),
            .attribute("name", String.self),
            .attribute("mentor", ToOne<Person>?.self),
        ],
        relationships: [
            .relationship(
                "books", ToMany<Book>.self, of: Person.self, inverse: Book.attributes.author,
                deleteRule: .cascade),
            .relationship("edited", ToMany<Book>.self, of: Person.self, inverse: Book.attributes.editor),
            .relationship("pupils", ToMany<Person>.self, of: Person.self, inverse: Person.attributes.mentor),
            .relationship(
                "passport", ToOneInverse<Passport>.self, of: Person.self, inverse: Passport.attributes.holder
            ),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        mentor = try row.value(at: 2)
        books = try row.value(atRelationship: 0, of: Person.self)
        edited = try row.value(atRelationship: 1, of: Person.self)
        pupils = try row.value(atRelationship: 2, of: Person.self)
        passport = try row.value(atRelationship: 3, of: Person.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(mentor, at: 2)
        try row.set(books, atRelationship: 0)
        try row.set(edited, atRelationship: 1)
        try row.set(pupils, atRelationship: 2)
        try row.set(passport, atRelationship: 3)
    }
}

/// The one passport of a person.
struct Passport: DataStoreItem, Equatable {
    let id: String
    var number: Int
    var holder: ToOne<Person>?

    init(_ id: String, number: Int = 0, holder: Int64? = nil) {
        self.id = id
        self.number = number
        self.holder = holder.map { ToOne(id: ItemID(rawValue: $0)) }
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Passport, String>(column: 0)
        let number = Attribute<Passport, Int>(column: 1)
        let holder = Attribute<Passport, ToOne<Person>?>(indexedColumn: 2)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Passport",
        attributes: [
            .attribute("id", String.self),
            .attribute("number", Int.self),
            .attribute("holder", ToOne<Person>?.self),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        number = try row.value(at: 1)
        holder = try row.value(at: 2)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(number, at: 1)
        try row.set(holder, at: 2)
    }
}
