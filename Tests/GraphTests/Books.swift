import Larder

/// A book, which refers to types of another file that name it.
@StoredItem
struct Book: Equatable {
    var title: String
    var author: ToOne<Person>
    @Attribute(originalName: "reader") var editor: Optional<Larder.ToOne<Person>>
    @Unique var cover: ToOne<Covers.Cover>?
    var labels: ToMany<Label>
    @Relationship(deleteRule: .cascade) var chapters: OrderedToMany<Covers.Chapter>
}

enum Covers {
    @StoredItem
    struct Cover {
        var color: String
        @Relationship(deleteRule: .cascade, inverse: \Book.cover) var book: ToOneInverse<Book>
    }

    @StoredItem("Part")
    struct Chapter {
        let id: Int
        var title: String
        @Relationship(inverse: \Book.chapters) var books: ToMany<Book>
        @Relationship(deleteRule: .deny, inverse: \Covers.Note.chapter) var notes: ToMany<Note>
    }

    @StoredItem
    struct Note: Equatable {
        let id: Int
        var chapter: ToOne<Chapter>
        var words: ToMany<Word> = .notGiven
    }
}

extension Covers.Note {
    @StoredItem
    fileprivate struct Secret {
        let id: Int
        var text: String
    }
}

/// An item type without an initializer from the macro, since Swift's own says all.
@StoredItem
struct Word {
    let id: Int
    var text: String
    @Relationship(inverse: \Covers.Note.words) var notes: ToMany<Covers.Note> = .notGiven
}
