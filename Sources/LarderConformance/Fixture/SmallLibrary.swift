import Larder

/// A few people, books and labels whose relationships expectations know by heart.
enum SmallLibrary {
    static let people = [
        Person(1, "Ada"), Person(2, "Bob", mentor: 1), Person(3, "Cy", mentor: 2),
        Person(4, "Dan", mentor: 4),
        Person(5, "Eve", mentor: 1),
    ]
    static let passports = [
        Passport("p1", number: 5, holder: 1), Passport("p2", number: 7, holder: 2), Passport("p3", number: 5),
    ]
    static let shelves = [Shelf(1, room: "north"), Shelf(2, room: "south"), Shelf(3)]
    static let labels = [
        Label("red", rank: 1), Label("green", rank: 2), Label("blue", rank: 3), Label("unused"),
    ]
    static let chapters = [Chapter(1, "Intro"), Chapter(2, "Egg"), Chapter(3, "End")]
    static let books = [
        Book(
            10, "Alpha", by: 1, editedBy: 2, year: 1990, shelf: 1, labels: [labels[0], labels[1]],
            chapters: [chapters[0], chapters[1]]),
        Book(20, "Beta", by: 1, year: 2000, labels: [labels[0]]),
        Book(
            30, "Gamma", by: 2, editedBy: 1, year: 2000, shelf: 2, chapters: [chapters[1], chapters[2]]),
        Book(
            40, "Delta", by: 3, editedBy: 3, year: 2010, shelf: 1,
            labels: [labels[1], labels[2], labels[0]], chapters: [chapters[0]]),
        Book(50, "Epsilon", by: 4, year: 1990, shelf: 2, labels: [labels[2]]),
        Book(60, "Zeta", by: 3, year: 2020, chapters: [chapters[2]]),
    ]

    static let types: [any DataStoreItem.Type] = [
        Person.self, Passport.self, Book.self, Label.self, Shelf.self, Chapter.self,
    ]

    /// Inserts all of these items.
    @Sendable static func fill(_ accessor: DataStoreReadWriteAccessor) throws {
        try accessor.insert(contentsOf: people)
        try accessor.insert(contentsOf: passports)
        try accessor.insert(contentsOf: shelves)
        try accessor.insert(contentsOf: labels)
        try accessor.insert(contentsOf: chapters)
        try accessor.insert(contentsOf: books)
    }
}

extension ConformanceWorld {
    /// Opens a store with the people, shelves, labels, chapters and books of the library.
    func openSmallLibrary() throws -> any DataStore {
        let store = try open(storing: SmallLibrary.types)
        try store.writeSync(SmallLibrary.fill)
        return store
    }
}
