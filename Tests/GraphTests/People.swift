import Larder

/// A person: the inverse of references in this file and in others, twice of one type, and of its own.
@StoredItem
struct Person {
    var name: String
    var mentor: ToOne<Person>?
    @Relationship(inverse: \Person.mentor) var pupils: ToMany<Person>
    @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: ToMany<Book>
    @Relationship(deleteRule: .nullify, inverse: \Book.editor) var edited: ToMany<Book>
    @Relationship(inverse: \Passport.holder) var passport: ToOneInverse<Passport>
    /// Directed, and many-to-many with its own type.
    var friends: ToMany<Person>
    @Relationship(inverse: \Self.friends) var admirers: ToMany<Self>
}

@StoredItem
struct Passport {
    let id: String
    @Relationship(deleteRule: .cascade) var holder: ToOne<Person>?
}

@StoredItem
struct Label {
    let id: Int
    var name: String
    @Relationship(inverse: \Book.labels) var books: ToMany<Book>
}
