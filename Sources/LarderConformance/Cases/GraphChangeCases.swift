import Larder

/// Change sets name relationships at both ends, and never links.
enum GraphChangeCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A change set names both ends of a reference that changes", proves: 5
        ) { world in
            let store = try GraphRuleCases.open(world)
            try write(to: store) { accessor in
                try accessor.insert(contentsOf: (1...3).map { Person($0) })
                try accessor.insert(Shelf(1))
                try accessor.insert(Book(1, by: 1))
                try accessor.insert(contentsOf: [Passport("a", holder: 1), Passport("b")])
            }

            let sets = try await changeSets(
                store,
                [
                    { try $0.insert(Book(2, by: 2, editedBy: 1, shelf: 1)) },
                    { accessor in
                        let book = try accessor.mutableItem(id: 1, of: Book.self)
                        book?.author = ToOne(id: ItemID(rawValue: 3))
                        book?.title = "Moved"
                    },
                    { try $0.update(Book.where(\.id == 2), .set(\.editor, to: nil)) },
                    {
                        try $0.mutableItem(id: ItemID<Person>(rawValue: 2))?.mentor = ToOne(
                            id: ItemID(rawValue: 2))
                    },
                    { accessor in
                        // The book comes before its author, who is new all the same.
                        try accessor.insert(Book(3, by: 1))
                        try accessor.insert(contentsOf: [Person(5, mentor: 6), Person(6)])
                        try accessor.delete(id: 3, of: Book.self)
                    },
                    { accessor in
                        try accessor.mutableItem(id: "b", of: Passport.self)?.holder = ToOne(
                            id: ItemID(rawValue: 1))
                    },
                    { try $0.mutableItem(id: 1, of: Book.self)?.year = 5 },
                ])

            try expect(
                sets.map { $0.sorted() },
                equals: [
                    [
                        "Book 2 inserted", "Person 1 updated edited", "Person 2 updated books",
                        "Shelf 1 updated books",
                    ],
                    ["Book 1 updated author title", "Person 1 updated books", "Person 3 updated books"],
                    ["Book 2 updated editor", "Person 1 updated edited"],
                    ["Person 2 updated mentor pupils"],
                    ["Person 1 updated books", "Person 5 inserted", "Person 6 inserted"],
                    ["Passport a updated holder", "Passport b updated holder", "Person 1 updated passport"],
                    ["Book 1 updated year"],
                ])
        }
        ConformanceCase("A change set names both ends of a link", proves: 5) { world in
            let store = try GraphRuleCases.open(world)
            let labels = try LinkRows("labels", of: Book.self, in: Library.types)
            let chapters = try LinkRows("chapters", of: Book.self, in: Library.types)
            let chapter = Chapter(1)
            let uuid = try Constant(encoding: chapter.id)
            try write(to: store) { accessor in
                try accessor.insert(Person(1))
                try accessor.insert(contentsOf: (1...3).map { Book($0, by: 1) })
                try accessor.insert(contentsOf: ["x", "y"].map { Label($0) })
                try accessor.insert(chapter)
            }

            let sets = try await changeSets(
                store,
                [
                    { try labels.insert([(1, .integer(1), .text("x")), (2, .integer(2), .text("x"))], $0) },
                    { try chapters.insert([(1, .integer(1), uuid)], $0) },
                    { try chapters.rank(1, "ax", $0) },
                    { try labels.delete(1, $0) },
                    { accessor in
                        try labels.insert([(3, .integer(3), .text("y"))], accessor)
                        try accessor.delete(id: "x", of: Label.self)
                    },
                    { try $0.deleteAllItems(of: Label.self) },
                ])

            try expect(
                sets.map { $0.sorted() },
                equals: [
                    ["Book 1 updated labels", "Book 2 updated labels", "Label x updated books"],
                    ["Book 1 updated chapters"],
                    ["Book 1 updated chapters"],
                    ["Book 1 updated labels", "Label x updated books"],
                    [
                        "Book 2 updated labels", "Book 3 updated labels", "Label x deleted",
                        "Label y updated books",
                    ],
                    ["Book 3 updated labels", "Label y deleted"],
                ])
        }
        ConformanceCase("A change set names all that follows from a deletion", proves: 5) { world in
            let store = try GraphRuleCases.open(world)
            try write(to: store) { accessor in
                try accessor.insert(contentsOf: [Person(1), Person(2, mentor: 1), Person(3)])
                try accessor.insert(Shelf(1))
                try accessor.insert(contentsOf: [
                    Book(1, by: 1, editedBy: 1, shelf: 1), Book(2, by: 2, editedBy: 1),
                    Book(3, by: 2, shelf: 1),
                ])
                try accessor.insert(Passport("a", holder: 1))
            }

            let sets = try await changeSets(
                store,
                [
                    { try $0.delete(id: ItemID<Person>(rawValue: 1)) },
                    { accessor in
                        try accessor.mutableItem(id: 2, of: Book.self)?.editor = ToOne(
                            id: ItemID(rawValue: 3))
                        try accessor.delete(id: 2, of: Book.self)
                    },
                    { try $0.deleteAllItems(of: Person.self) },
                ])

            try expect(
                sets.map { $0.sorted() },
                equals: [
                    [
                        "Book 1 deleted", "Book 2 updated editor", "Passport a updated holder",
                        "Person 1 deleted",
                        "Person 2 updated mentor", "Shelf 1 updated books",
                    ],
                    ["Book 2 deleted", "Person 2 updated books", "Person 3 updated edited"],
                    ["Book 3 deleted", "Person 2 deleted", "Person 3 deleted", "Shelf 1 updated books"],
                ])
        }
        ConformanceCase(
            "A change set names nothing that a refused call has done", proves: 3, 5
        ) { world in
            let store = try world.open(Node.self, Leaf.self)
            try write(to: store) { accessor in
                try accessor.insert(contentsOf: [
                    Node(1), Node(2, \.parent, 1), Node(3, \.guardian, 2), Node(4, \.shadow, 1),
                ])
            }

            let sets = try await changeSets(
                store,
                [
                    { accessor in
                        try expectError(.deletionDenied) { try accessor.delete(id: 1, of: Node.self) }
                        try accessor.mutableItem(id: 3, of: Node.self)?.weight = 5
                    },
                    { accessor in
                        try accessor.mutableItem(id: 3, of: Node.self)?.guardian = nil
                        try accessor.delete(id: 1, of: Node.self)
                    },
                    { try $0.mutableItem(id: 4, of: Node.self)?.shadow = ToOne(id: 3) },
                ])

            try expect(
                sets.map { $0.sorted() },
                equals: [
                    ["Node 3 updated weight"],
                    ["Node 1 deleted", "Node 2 deleted", "Node 3 updated guardian"],
                    ["Node 3 updated shadows", "Node 4 updated shadow"],
                ])
        }
        ConformanceCase(
            "A change set of a child names no item that its parent has deleted", proves: 5, 18
        ) { world in
            let store = try GraphRuleCases.open(world)
            try write(to: store) { accessor in
                try accessor.insert(contentsOf: [Person(1), Person(2), Person(3)])
                try accessor.insert(contentsOf: ["x", "y"].map { Label($0) })
                try accessor.insert(contentsOf: [
                    Book(1, by: 2, editedBy: 1), Book(2, by: 2, editedBy: 1), Book(3, by: 2, editedBy: 3),
                ])
            }
            let child = try store.makeChildDataStore()
            try write(to: child) { accessor in
                for id in 1...3 as ClosedRange<Int64> {
                    let book = try accessor.libraryBook(id)
                    book.title = "Staged"
                    try book.labels.add(ids: ["x", "y"])
                }
            }
            try write(to: store) { accessor in
                try accessor.delete(id: ItemID<Person>(rawValue: 1))
                try accessor.delete(id: "x", of: Label.self)
            }

            let sets = try await changeSets(
                child,
                [
                    { try $0.update(Book.where(\.id == 1), .set(\.editor, to: nil)) },
                    { try $0.libraryBook(1).labels.removeAll() },
                    { try $0.delete(id: 2, of: Book.self) },
                    { try $0.update(Book.where(\.id == 3), .set(\.editor, to: nil)) },
                ])

            try expect(
                sets.map { $0.sorted() },
                equals: [
                    ["Book 1 updated editor"],
                    ["Book 1 updated labels", "Label y updated books"],
                    ["Book 2 deleted", "Label y updated books", "Person 2 updated books"],
                    ["Book 3 updated editor", "Person 3 updated edited"],
                ])
        }
    }
}
