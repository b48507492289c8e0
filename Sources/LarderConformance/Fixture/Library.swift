import Larder

/// The item types of the graph: every kind of relationship and every delete rule but `.noAction`.
enum Library {
    static let types: [any DataStoreItem.Type] = [
        Person.self, Passport.self, Book.self, Label.self, Shelf.self, Chapter.self,
    ]

    static let people = [Person(1, "Ada"), Person(2, "Bo", mentor: 1), Person(3, "Cy", mentor: 1), Person(4, "Di")]
    static let passports = [
        Passport("p1", number: 11, holder: 1), Passport("\u{E9}-2", number: 12, holder: 2), Passport("p3"),
    ]
    static let shelves = [Shelf(1, room: "north"), Shelf(2, room: "south")]
    /// By their bytes, "łong" is the last.
    static let labels = [Label("new", rank: 1), Label("old", rank: 2), Label("łong", rank: 3), Label("unused")]
    static let chapters = (1...6).map { Chapter($0, "chapter \($0 % 2)") }
    static let books = [
        Book(
            10, "Cats", by: 1, editedBy: 2, year: 1990, shelf: 1, labels: labels("old", "new"),
            chapters: chapters(3, 1, 2)),
        Book(11, "Birds", by: 1, year: 1995, shelf: 1, labels: labels("new")),
        Book(12, "Ants", by: 2, editedBy: 1, year: 2001, chapters: chapters(2)),
        Book(
            13, "Dogs", by: 1, editedBy: 2, year: 1995, labels: labels("łong", "new", "old"),
            chapters: chapters(6, 5, 4, 3, 2, 1)),
        Book(14, "Eels", by: 3, editedBy: 3, year: 2010, shelf: 1, labels: labels("old")),
    ]

    private static func labels(_ ids: String...) -> ToMany<Label> { ToMany(ids.map { Label($0) }) }

    private static func chapters(_ numbers: UInt8...) -> OrderedToMany<Chapter> {
        OrderedToMany(numbers.map { Chapter($0) })
    }

    /// Opens a store with all of these items.
    static func open(_ world: ConformanceWorld) throws -> any DataStore {
        let store = try openEmpty(world, linking: books)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: people)
            try accessor.insert(contentsOf: passports)
            try accessor.insert(contentsOf: shelves)
            try accessor.insert(contentsOf: labels)
            try accessor.insert(contentsOf: chapters)
            try accessor.insert(contentsOf: books)
        }
        return store
    }

    /// Opens a store without items, which links these books when they are inserted.
    static func openEmpty(_ world: ConformanceWorld, linking books: [Book]) throws -> any DataStore {
        try world.open(
            Person.self, Passport.self, Book.self, Label.self, Shelf.self, Chapter.self)
    }
}
