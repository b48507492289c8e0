import Larder
import LarderMemory
import Testing

/// A graph of item types in two files that name each other, made by the macro and run.
struct GraphTests {
    private static let types: [any DataStoreItem.Type] = [
        Person.self, Passport.self, Label.self, Book.self, Covers.Cover.self, Covers.Chapter.self,
        Covers.Note.self, Word.self, Room.self, Door.self, Shelf.self, Box.self,
    ]

    @Test func `each relationship finds its place, its rule and its inverse`() throws {
        let schema = try StoreSchema(storing: Self.types)

        #expect(
            schema.entities.filter(\.isLink).map(\.name) == [
                "Person.friends", "Book.labels", "Book.chapters", "Note.words", "Door.keys",
            ])
        #expect(
            schema.graph(of: "Person") == [
                "pupils: toMany Person, nullify, referrers mentor, inverse mentor",
                "books: toMany Book, cascade, referrers author, inverse author",
                "edited: toMany Book, nullify, referrers editor, inverse editor",
                "passport: toOneInverse Passport, nullify, referrers holder, inverse holder",
                "friends: toMany Person, nullify, links, inverse admirers",
                "admirers: toMany Person, nullify, reversed links, inverse friends",
                "mentor: toOne Person, nullify, column, inverse pupils",
            ])
        #expect(schema.graph(of: "Passport") == ["holder: toOne Person, cascade, column, inverse passport"])
        #expect(schema.graph(of: "Label") == ["books: toMany Book, nullify, reversed links, inverse labels"])
        #expect(
            schema.graph(of: "Book") == [
                "labels: toMany Label, nullify, links, inverse books",
                "chapters: orderedToMany Part, cascade, ordered links, inverse books",
                "author: toOne Person, nullify, column, inverse books",
                "editor: toOne Person, nullify, column, inverse edited",
                "cover: toOne Cover, nullify, column, inverse book",
            ])
        #expect(
            schema.graph(of: "Cover") == ["book: toOneInverse Book, cascade, referrers cover, inverse cover"])
        #expect(
            schema.graph(of: "Part") == [
                "books: toMany Book, nullify, reversed links, inverse chapters",
                "notes: toMany Note, deny, referrers chapter, inverse chapter",
            ])
        #expect(
            schema.graph(of: "Note") == [
                "words: toMany Word, nullify, links, inverse notes",
                "chapter: toOne Part, nullify, column, inverse notes",
            ])
        #expect(schema.graph(of: "Word") == ["notes: toMany Note, nullify, reversed links, inverse words"])
        #expect(
            schema.graph(of: "Room") == [
                "doors: toMany Door, cascade, referrers room, inverse room",
                "others: toMany Door, nullify, referrers other, inverse other",
            ])
        #expect(
            schema.graph(of: "Door") == [
                "keys: orderedToMany Door, nullify, ordered links, inverse none",
                "room: toOne Room, nullify, column, inverse doors",
                "other: toOne Room, nullify, column, inverse others",
            ])
        #expect(
            schema.graph(of: "Shelf") == [
                "boxes: toMany Box, deny, referrers shelf, inverse shelf",
                "room: toOne Room, nullify, column, inverse none",
            ])
        #expect(schema.graph(of: "Box") == ["shelf: toOne Shelf, nullify, column, inverse boxes"])
    }

    @Test func `each ToOne has one index, which @Unique makes unique`() {
        let indexes = Book.schema.indexes.map { "\($0.columns)\($0.isUnique ? " unique" : "")" }

        #expect(indexes == ["[4] unique", "[2]", "[3]"])
        #expect(Book.schema.attributes.map(\.name) == ["id", "title", "author", "editor", "cover"])
    }

    @Test func `items are made with and without their relationships`() throws {
        let ada = Person(name: "Ada")
        let ben = Person(name: "Ben", mentor: ToOne(ada), friends: [ada])
        let label = Label(id: 1, name: "new")
        let chapter = Covers.Chapter(id: 2, title: "One")
        let book = Book(title: "B", author: ToOne(ben), labels: [label], chapters: [chapter])
        let shelf = Shelf(title: "low")
        let word = Word(id: 3, text: "w")
        let note = Covers.Note(id: 4, chapter: ToOne(chapter), words: ToMany([word]))

        #expect(ben.friends.assignedIdentifiers == [ada.id.anyItemID])
        #expect(book.labels.assignedIdentifiers == [label.id.anyItemID])
        #expect(book.chapters.assignedIdentifiers == [chapter.id.anyItemID])
        #expect(book.editor == nil && ada.passport.item == nil && shelf.boxes.items == nil)
        #expect(note.words.assignedIdentifiers == [word.id.anyItemID])
        #expect(Passport(id: "x").holder == nil)
        #expect(Shelf(id: shelf.id, title: "high", boxes: []).id == shelf.id)
        #expect(Covers.Note(id: 5, chapter: ToOne(id: 2)).words.assignedIdentifiers == nil)
    }

    @Test func `references are stored, and what has no column is read back`() throws {
        let store = MemoryDataStore(storing: Self.types)
        try store.setup()
        defer { try? store.tearDown() }
        let ada = Person(name: "Ada")
        let ben = Person(name: "Ben", mentor: ToOne(ada))
        let book = Book(title: "B", author: ToOne(ben), editor: ToOne(ada))
        try store.writeSync {
            try $0.insert(contentsOf: [ada, ben])
            try $0.insert(book)
        }

        let (people, books) = try store.read {
            (try $0.items(for: Person.all.sorted(by: \.name)), try $0.items(for: Book.all))
        }

        #expect(people.map(\.name) == ["Ada", "Ben"])
        #expect(people.map(\.mentor) == [nil, ToOne(ada)])
        #expect(books == [book])
        #expect(books.map(\.author.id) == [ben.id] && books.map(\.editor?.id) == [ada.id])
    }

    @Test func `paths lead to the relationships`() {
        let names: (RelationshipPath<Person, ToMany<Book>>, AttributePath<Book, ToOne<Person>>) =
            (\.edited, \.author)
        let related: RelatedAttributePath<Book, String> = \.author.name
        let further: RelatedAttributePath<Book, ToOne<Person>?> = \.editor.mentor
        let beyond: RelationshipPath<Book, ToMany<Person>> = \.author.pupils

        #expect(names.0 != \.books)
        #expect(Set([related as AnyKeyPath, further, beyond]).count == 3)
    }
}

extension StoreSchema {
    /// The relationships of an item type, a line for each.
    fileprivate func graph(of name: String) -> [String] {
        relationships.joined().filter { entities[$0.owner].name == name }.map { relationship in
            let target = relationship.targetSchema
            let place: String
            switch relationship.form {
            case .reference: place = "column"
            case .referrers(let column): place = "referrers \(target.attributes[column].name)"
            case .links(let side):
                place = "\(side.isOrdered ? "ordered " : "")\(side.isReversed ? "reversed " : "")links"
            }
            let inverse = relationship.inverse.map { relationships[relationship.target][$0].name }
            return "\(relationship.name): \(relationship.kind) \(target.name), \(relationship.deleteRule), "
                + "\(place), inverse \(inverse ?? "none")"
        }
    }
}
