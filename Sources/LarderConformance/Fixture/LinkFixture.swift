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
