import Larder

/// The items that a value is given for its relationships, and those that it is not given.
enum GivenItemCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A value that is given an empty list removes what is stored", proves: 15
        ) { world in
            let store = try open(in: world)
            let empty: [(inout Book) -> Void] = [
                { ($0.labels, $0.chapters) = ([], []) },
                { ($0.labels, $0.chapters) = (ToMany([Label]()), OrderedToMany(ids: [])) },
                { ($0.labels, $0.chapters) = (ToMany(), OrderedToMany()) },
            ]
            for (position, write) in writes.enumerated() {
                var book = try book(store)
                empty[position % empty.count](&book)
                try store.writeSync { try write($0, book) }
                try expect(try counts(store), equals: [0, 0], "after write \(position)")
                (book.labels, book.chapters) = (ToMany(ids: ["red", "blue"]), [Chapter(3)])
                try store.writeSync { try write($0, book) }
                try expect(try counts(store), equals: [2, 1], "after write \(position)")
            }
            // Given to a new value, read with its items, and from the other side.
            try store.writeSync { _ = try $0.upsert(Book(1, by: 1, labels: [])) }
            try expect(try counts(store), equals: [0, 1])
            try store.writeSync { accessor in
                var ada = try require(
                    try accessor.items(for: Person.where(\.name == "Ada").prefetching(\.passport)).first)
                try expect(ada.passport.item?.id, equals: "p")
                ada.passport = nil
                try accessor.update(ada)
            }
            try expect(try store.items(Passport.all).map { $0.holder?.id }, equals: [nil])
            try store.writeSync { try $0.insert(contentsOf: [Book(7, by: 1, labels: []), Book(8, by: 1)]) }
            try LinkFixture.expect(store, labels: [], ["green"], [])
        }
        ConformanceCase("A value that is given nothing leaves what is stored", proves: 15) { world in
            let store = try open(in: world)
            let prefetched = try store.read { accessor in
                try require(
                    try accessor.items(for: Book.where(\.id == 1).prefetching(\.labels, \.chapters)).first)
            }
            try expect(prefetched.labels.items?.count, equals: 2)
            var reset = try book(store)
            (reset.labels, reset.chapters) = (.notGiven, .notGiven)
            let books = [try book(store), prefetched, Book(1, "new", by: 1), reset]
            for book in books {
                for (position, write) in writes.enumerated() {
                    var book = book
                    book.year += position + 1
                    try store.writeSync { try write($0, book) }
                    try expect(try counts(store), equals: [2, 2], "after write \(position)")
                }
            }
            try store.writeSync { accessor in
                try accessor.upsert(Person(1, "Ada!"))
                try accessor.upsert(contentsOf: [Person(1, "Ada?")])
            }
            try expect(try store.items(Passport.all).map { $0.holder?.id.rawValue }, equals: [1])
            try expect(try store.items(Book.all).map(\.author.id.rawValue), equals: [1, 1, 1])
        }
        ConformanceCase(
            "A value that is given what another item shows takes its items, or is refused", proves: 3, 15
        ) { world in
            let store = try open(in: world)
            let (plain, read) = try store.read { accessor in
                let request = Book.where(\.id == 2)
                return (
                    try require(try accessor.firstItem(for: request)),
                    try require(try accessor.firstItem(for: request.prefetching(\.labels, \.chapters)))
                )
            }
            for (position, write) in writes.enumerated() {
                var book = try book(store)
                book.title = "\(position)"
                book.labels = plain.labels
                let error = try expectError(.invalidValue) { try store.writeSync { try write($0, book) } }
                try expect([error.itemType, error.attribute], equals: ["Book", "labels"])
                try expect(try counts(store), equals: [2, 2], "after write \(position)")
                try expect(try Self.book(store).title == book.title, equals: false)
                (book.labels, book.chapters) = (read.labels, read.chapters)
                try store.writeSync { try write($0, book) }
                try LinkFixture.expect(store, labels: ["green"], ["green"], [])
                try expect(try counts(store), equals: [1, 0], "after write \(position)")
                (book.labels, book.chapters) = (ToMany(ids: ["red", "blue"]), [Chapter(2), Chapter(1)])
                try store.writeSync { try write($0, book) }
            }
            let copy = Book(9, "copy", by: 1, labels: plain.labels)
            try expectError(.invalidValue) { try store.writeSync { _ = try $0.insert(copy) } }
            try store.writeSync { try $0.insert(Book(9, "copy", by: 1, labels: read.labels)) }
            try expect(try LinkFixture.labels(of: 9, in: store), equals: ["green"])
        }
        // The parent has linked an item after the child had deleted it.
        ConformanceCase(
            "An item that a child inserts again has the items that it is given, and no others", proves: 15,
            18
        ) { world in
            let writes: [(DataStoreReadWriteAccessor, Linked) throws -> Void] = [
                { _ = try $0.insert($1) }, { try $0.insert(contentsOf: [$1]) }, { _ = try $0.upsert($1) },
                { _ = try $0.upsert(contentsOf: [$1]) },
            ]
            for others in [[], [2], [3, 2]] {
                for write in writes {
                    let store = try world.openElsewhere(Linked.self, LinkOwner.self)
                    try store.writeSync { try $0.insert(contentsOf: [Linked(1), Linked(2), Linked(3)]) }
                    let child = try store.makeChildDataStore()
                    try child.writeSync { _ = try $0.delete(id: 1, of: Linked.self) }
                    try store.writeSync {
                        try require(try $0.mutableItem(id: 1, of: Linked.self)).others.add(id: 2)
                    }
                    try child.writeSync { try write($0, Linked(1, others: others)) }

                    let shown = try child.read { accessor in
                        let item = try require(try accessor.item(id: 1, of: Linked.self))
                        return try accessor.items(item.others).map(\.id)
                    }
                    try expect(shown.sorted(), equals: others.sorted())
                }
            }
        }
        ConformanceCase("A handle is given an empty list, or nothing", proves: 4, 15) { world in
            let store = try open(in: world)

            try store.writeSync { accessor in
                let book = try accessor.libraryBook(1)
                book.labels = .notGiven
                try expect(try book.labels.ids(), equals: ["blue", "red"])
                book.labels = []
                book.chapters = OrderedToMany()
                try expect(try book.labels.ids(), equals: [])
                let ada = try accessor.libraryPerson(1)
                ada.passport = .notGiven
                try expect(try ada.passport.ids(), equals: ["p"])
                ada.passport = nil
                try expect(try ada.passport.ids(), equals: [])
            }
            try expect(try counts(store), equals: [0, 0])
        }
        ConformanceCase("An empty list for required items is refused", proves: 3, 15) { world in
            let store = try open(in: world)

            let error = try expectError(.invalidValue) {
                try store.writeSync { accessor in
                    var ada = try accessor.libraryPerson(1).item
                    ada.books = []
                    try accessor.update(ada)
                }
            }
            try expect(error.attribute, equals: "author")
            try expect(try store.items(Book.all).map(\.author.id.rawValue), equals: [1, 1, 1])
        }
        ConformanceCase(
            "Items of one call are linked with later ones at any distance", proves: 15
        ) { world in
            let store = try world.open(Linked.self)
            let all = (0..<600).map { Linked($0, others: [(($0 + 1) % 600), (($0 + 300) % 600)]) }

            try store.writeSync { try $0.insert(contentsOf: all) }
            try store.writeSync {
                try $0.upsert(contentsOf: all.map { Linked($0.id + 1000, others: [(999 - $0.id) + 600]) })
            }

            try store.read { accessor in
                for id in [0, 255, 256, 257, 299, 300, 599] {
                    let item = try require(try accessor.item(id: id, of: Linked.self))
                    try expect(
                        Set(try accessor.items(item.others).map(\.id)),
                        equals: [(id + 1) % 600, (id + 300) % 600])
                }
                let last = try require(try accessor.item(id: 1001, of: Linked.self))
                try expect(try accessor.items(last.others).map(\.id), equals: [1598])
            }
            let error = try expectError(.targetNotFound, writingTo: store) { accessor in
                try accessor.insert(
                    contentsOf: (5000..<5600).map { Linked($0, others: [$0 == 5001 ? 9 : 5599, 9999]) })
            }
            try expect(error.code, equals: .targetNotFound)
            try expect(try store.count(Linked.all), equals: 1200)
        }
        ConformanceCase(
            "Items of one call refer to owners before them at any distance", proves: 15
        ) { world in
            let store = try world.open(Linked.self)
            // Each is the parent of the one 300 after it, and the last of two parents gets the child.
            try store.writeSync { accessor in
                try accessor.insert(
                    contentsOf: (0..<700).map {
                        Linked($0, children: $0 < 400 ? [$0 + 300] : $0 == 500 ? [600] : [])
                    })
            }
            func parents() throws -> [Int?] { try store.items(Linked.all).map { $0.parent?.id } }
            var expected: [Int?] = (0..<700).map { $0 < 300 ? nil : $0 - 300 }
            expected[600] = 500
            try expect(try parents(), equals: expected)
            try store.writeSync { accessor in
                try accessor.upsert(
                    contentsOf: (0..<700).map { Linked($0 + 1000, children: $0 < 400 ? [$0 + 1300] : []) })
            }
            try expect(Array(try parents().suffix(400)), equals: (0..<400).map { Optional($0 + 1000) })
            let error = try expectError(.itemNotFound, writingTo: store) { accessor in
                try accessor.insert(
                    contentsOf: (5000..<5300).map { Linked($0, children: $0 == 5001 ? [9999] : []) })
            }
            try expect(error.identifier, equals: .integer(9999))
            try expect(try store.count(Linked.all), equals: 1400)
        }
        ConformanceCase(
            "An item and those that must refer to it are inserted at once", proves: 3, 15
        ) { world in
            let store = try world.open(Folder.self, File.self, Entry.self)
            let entries = (0..<300).map { Entry(ItemID(rawValue: Int64($0)), "e\($0)", in: 5) }

            try store.writeSync { accessor in
                let folder = try accessor.insert(
                    Folder(5, "f", files: ToMany(ids: [1, 2]), entries: ToMany(entries)), with: entries,
                    [File(1, "a"), File(2, "b"), File(3, "c", in: 6)], [Folder(6, "g")])
                try expect(folder.name, equals: "f")
                try expect(try folder.files.ids(), equals: [1, 2])
                try expect(try folder.entries.ids().count, equals: 300)
                try expectError(.targetNotFound) {
                    try accessor.insert(Folder(7), with: [File(9, "x", in: 8)])
                }
                try expectError(.itemNotFound) {
                    try accessor.insert(Folder(7, files: ToMany(ids: [9])), with: [File(8, "x", in: 7)])
                }
                try expectError(.uniqueViolation) {
                    try accessor.insert(Folder(7), with: [File(8, "x", in: 7), File(9, "x", in: 7)])
                }
            }
            try expect(try store.items(File.all).map { $0.folder?.id.rawValue }, equals: [5, 5, 6])
            try expect(try store.count(Folder.all), equals: 2)
            try expect(try store.count(Entry.all), equals: 300)
        }
        ConformanceCase(
            "If several inserted items refer to one alone, handles show the last with it", proves: 4, 15
        ) { world in
            let store = try open(in: world)

            try store.writeSync { accessor in
                let passports = try accessor.insert([Passport("a", holder: 2), Passport("b", holder: 2)])
                try expect(passports.map { $0.holder?.id.rawValue }, equals: [nil, 2])
                passports[0].holder = ToOne(id: ItemID(rawValue: 2))
            }
            try expect(
                try store.items(Passport.all).map { $0.holder?.id.rawValue }, equals: [2, nil, 1])
        }
        ConformanceCase(
            "Handles of inserted items show to whom they were given", proves: 4, 15
        ) { world in
            let store = try world.open(Linked.self)

            try store.writeSync { accessor in
                let handles = try accessor.insert([
                    Linked(1, children: [2]), Linked(2), Linked(3, children: [3]),
                ])
                try expect(handles.map { $0.parent?.id }, equals: [nil, 1, 3])
                let own = try accessor.insert(Linked(4, children: [4, 2]))
                try expect(own.parent?.id, equals: 4)
                try expect(handles[1].parent?.id, equals: 4)
                own.parent = nil
            }
            try expect(try store.items(Linked.all).map { $0.parent?.id }, equals: [nil, 4, 3, nil])
        }
        ConformanceCase(
            "Handles show what is stored after a lazy list was refused", proves: 3, 4
        ) { world in
            let store = try open(in: world)

            try store.writeSync { accessor in
                let book = try accessor.libraryBook(1)
                let titles = [1, 2].lazy.map { (number: Int) -> Label in
                    book.title = "lost"
                    _ = try? accessor.countItems(for: Book.all)
                    return Label(number == 1 ? "new" : "red")
                }
                try expectError(.duplicateIdentifier) { try accessor.insert(contentsOf: titles) }
                try expect(book.title, equals: "")
                book.title = "kept"
            }
            try expect(try book(store).title, equals: "kept")
        }
        ConformanceCase(
            "Handles show what a lazy list has changed, though it has set a handle itself", proves: 4, 15
        ) { world in
            let store = try world.open(
                Person.self, Passport.self, Book.self, Label.self, Shelf.self, Chapter.self, Wide.self)
            try store.writeSync { accessor in
                try accessor.insert(Person(1, "Ada"))
                try accessor.insert(Wide(1) { _ in 1 })
            }
            // A number that is stored, and one that makes no difference.
            for number in [5, 5] as [Int64] {
                try store.writeSync { accessor in
                    let old = try accessor.upsert(Passport("old", holder: 1))
                    let wide = try require(try accessor.mutableItem(id: 1, of: Wide.self))
                    try accessor.delete(id: "new", of: Passport.self)
                    let passports = ["new"].lazy.map { (id: String) -> Passport in
                        wide.numbers[0] = number
                        return Passport(id, holder: 1)
                    }
                    try accessor.insert(contentsOf: passports)
                    try expect(old.holder?.id, equals: nil)
                    try expect(wide.numbers[0], equals: 5)
                }
                try expect(
                    try store.items(Passport.all).map { $0.holder?.id.rawValue }, equals: [1, nil])
                try expect(try store.item(1, of: Wide.self)?.numbers[0], equals: 5)
            }
        }
        ConformanceCase(
            "A handle may refer to an item of the lazy list that is being made", proves: 4, 15
        ) { world in
            let store = try open(in: world)

            try store.writeSync { accessor in
                let book = try accessor.libraryBook(1)
                func people(_ id: Int64, editor: Int64, reads: Bool) -> some Sequence<Person> {
                    [id].lazy.map { id -> Person in
                        book.editor = ToOne(id: ItemID(rawValue: editor))
                        // A request saves what was set.
                        if reads { _ = try? accessor.countItems(for: Person.all) }
                        return Person(id, "New")
                    }
                }
                let map = ImportMap<Person, Person>(by: \.id, from: \.id) { Import(\.name, from: \.name) }
                for reads in [false, true] {
                    try accessor.deleteItems(for: Person.where(\.name == "New"))
                    // There is no such person.
                    try expectError(.targetNotFound) {
                        try accessor.insert(contentsOf: people(9, editor: 20, reads: reads))
                    }
                    try expect(book.editor?.id, equals: nil)
                    try accessor.insert(contentsOf: people(9, editor: 9, reads: reads))
                    try expect(book.editor?.id.rawValue, equals: 9)
                }
                // A savepoint in the making is judged and undone by itself.
                func careful(_ id: Int64) -> some Sequence<Person> {
                    [id].lazy.map { id -> Person in
                        try? accessor.savepoint { book.editor = ToOne(id: ItemID(rawValue: 20)) }
                        return Person(id, "Careful")
                    }
                }
                try accessor.insert(contentsOf: careful(10))
                try accessor.upsert(contentsOf: careful(11))
                try accessor.importItems(from: careful(12), using: map)
                try expect(book.editor?.id.rawValue, equals: 9)
            }
            try expect(try book(store).editor?.id.rawValue, equals: 9)
            try expect(try store.items(Person.all).map { $0.id.rawValue }, equals: [1, 2, 9, 10, 11, 12])
        }
        ConformanceCase(
            "The items of an owner that the store does not hold cannot be taken", proves: 5, 15
        ) { world in
            let store = try world.open(Linked.self)
            let other = try world.openElsewhere(Linked.self, LinkOwner.self)
            try other.writeSync { try $0.insert(LinkOwner(1)) }
            let window = try require(try other.item(1, of: LinkOwner.self)).items
            try store.writeSync { try $0.insert(contentsOf: [Linked(1, others: [2]), Linked(2)]) }

            try expectError(.unknownItemType, writingTo: store) { accessor in
                try accessor.mutableItem(id: 1, of: Linked.self)?.others = window
            }
            try store.read { accessor in
                try expect(
                    try accessor.countItems(try require(try accessor.item(id: 1, of: Linked.self)).others),
                    equals: 1)
            }
        }
    }

    private static func open(in world: ConformanceWorld) throws -> any DataStore {
        let store = try LinkFixture.open(world, labels: ["blue", "red"], ["green"])
        try store.writeSync { accessor in
            try accessor.libraryBook(1).chapters.add(ids: [Chapter(2).id, Chapter(1).id])
            try accessor.insert(Passport("p", holder: 1))
        }
        return store
    }

    private typealias Write = (DataStoreReadWriteAccessor, Book) throws -> Void

    private static var writes: [Write] {
        [
            { _ = try $0.update($1) }, { _ = try $0.upsert($1) }, { _ = try $0.upsert(contentsOf: [$1]) },
            { _ = try $0.upsert($1, by: \.id) }, { try $0.libraryBook($1.id).replace(by: $1) },
        ]
    }

    private static func book(_ store: any DataStore) throws -> Book {
        try require(try store.item(1, of: Book.self))
    }

    private static func counts(_ store: any DataStore) throws -> [Int] {
        try store.read { accessor in
            let book = try require(try accessor.item(id: 1, of: Book.self))
            return [try accessor.countItems(book.labels), try accessor.countItems(book.chapters)]
        }
    }
}
