import Larder

/// Reading through relationships.
enum RelatedReadingCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A reference leads to its item, or to none", proves: 17) { world in
            let store = try Library.open(world)

            try store.read { accessor in
                let book = try require(try accessor.item(id: 12, of: Book.self))
                try expect(try accessor.item(book.author)?.name, equals: "Bo")
                try expect(try accessor.requiredItem(book.author).name, equals: "Bo")
                try expect(try accessor.item(book.editor)?.name, equals: "Ada")
                try expect(try accessor.item(book.shelf)?.room, equals: nil)
                let people = try accessor.items(for: Person.all)
                try expect(
                    try people.map { try accessor.item($0.passport)?.number }, equals: [11, 12, nil, nil])
                try expect(
                    try people.map { try accessor.item($0.mentor)?.name }, equals: [nil, "Ada", "Ada", nil])
                let nobody = ToOne<Person>(id: ItemID(rawValue: 99))
                try expect(try accessor.item(nobody)?.name, equals: nil)
                let error = try expectError(.itemNotFound) { _ = try accessor.requiredItem(nobody) }
                try expect(error.itemType, equals: "Person")
                try expect(error.identifier, equals: .integer(99))
            }
        }
        ConformanceCase(
            "The items that refer to an item are a request like any other", proves: 17
        ) { world in
            let store = try Library.open(world)
            let people = try store.items(Person.all)

            let books = people[0].books.request
            try expect(books, gives: [10, 11, 13], in: store)
            try expect(books.sorted(by: \.title, .descending), gives: [13, 10, 11], in: store)
            try expect(books.sorted(by: \.year).limit(2), gives: [10, 11], in: store)
            try expect(books.sorted(by: \.year, .descending).offset(1), gives: [11, 10], in: store)
            try expect(books.filter(\.year == 1995), gives: [11, 13], in: store)
            try expect(books.filter(\.year == 1995 || \.title == "Ants"), gives: [11, 13], in: store)
            try expect(books.offset(1).limit(1), gives: [11], in: store)
            try expect(books.offset(3), gives: [Int64](), in: store)
            try expect(books.limit(0), gives: [Int64](), in: store)
            try expect(people[1].edited.request, gives: [10, 13], in: store)
            try expect(people[3].books.request, gives: [Int64](), in: store)
            try expect(people[0].pupils.request, gives: [2, 3], in: store)
            try expect(people[1].passport.request, gives: [.string("\u{E9}-2")], in: store)
        }
        ConformanceCase("Linked items are found from both ends", proves: 17) { world in
            let store = try Library.open(world)
            let books = try store.items(Book.all)
            let labels = try store.items(Label.all)

            func expectLabels(_ request: DataStoreRequest<Label>, _ ids: String...) throws {
                try expect(request, gives: ids.map { .string($0) }, in: store)
            }
            try expectLabels(books[0].labels.request, "new", "old")
            try expectLabels(books[2].labels.request)
            try expectLabels(books[3].labels.request, "new", "old", "łong")
            try expectLabels(books[3].labels.request.offset(1), "old", "łong")
            try expectLabels(books[3].labels.request.offset(1).limit(1), "old")
            try expectLabels(books[3].labels.request.limit(0))
            try expectLabels(books[3].labels.request.sorted(by: \.rank, .descending).limit(2), "łong", "old")
            try expectLabels(books[3].labels.request.filter(\.rank < 3).offset(1), "old")
            try expect(labels.map(\.id), equals: ["new", "old", "unused", "łong"])
            try expect(labels[0].books.request, gives: [10, 11, 13], in: store)
            try expect(labels[0].books.request.sorted(by: \.title), gives: [11, 10, 13], in: store)
            try expect(labels[1].books.request.filter(\.year > 1990), gives: [13, 14], in: store)
            try expect(labels[2].books.request, gives: [Int64](), in: store)
        }
        ConformanceCase(
            "Ordered items come in their order, unless asked for another", proves: 8, 17
        ) { world in
            let store = try Library.open(world)
            let books = try store.items(Book.all)

            func expectChapters(_ request: DataStoreRequest<Chapter>, _ numbers: UInt8...) throws {
                try expect(request, gives: numbers.map { .uuid(Chapter($0).id) }, in: store)
            }
            try expectChapters(books[0].chapters.request, 3, 1, 2)
            try expectChapters(books[1].chapters.request)
            try expectChapters(books[2].chapters.request, 2)
            let six = books[3].chapters.request
            try expectChapters(six, 6, 5, 4, 3, 2, 1)
            try expectChapters(six.offset(2).limit(3), 4, 3, 2)
            try expectChapters(six.offset(5), 1)
            try expectChapters(six.filter(\.title == "chapter 1"), 5, 3, 1)
            try expectChapters(six.filter(\.title == "chapter 1").offset(1).limit(1), 3)
            try expectChapters(six.filter(\.title == "none"))
            try expectChapters(six.sorted(by: \.title), 2, 4, 6, 1, 3, 5)
            try expectChapters(six.sorted(by: \.title, .descending).limit(2), 5, 3)
            try expectChapters(Chapter.where(\.title == "chapter 0").related(to: books[3].chapters), 6, 4, 2)
            let titles = try store.read { try $0.values(for: six.limit(3), \.title) }
            try expect(titles, equals: ["chapter 0", "chapter 1", "chapter 0"])
        }
        ConformanceCase("An item must be in all windows that a request names", proves: 17) { world in
            let store = try Library.open(world)
            let people = try store.items(Person.all)
            let books = try store.items(Book.all)
            let old = try require(try store.item("old", of: Label.self))

            try expect(
                Book.all.related(to: people[0].books).related(to: old.books), gives: [10, 13], in: store)
            try expect(
                people[0].books.request.related(to: people[1].edited).filter(\.year > 1990), gives: [13],
                in: store)
            try expect(
                books[0].chapters.request.related(to: books[3].chapters),
                gives: [3, 1, 2].map { .uuid(Chapter($0).id) }, in: store)
            try expect(
                books[0].labels.request.related(to: books[1].labels), gives: [.string("new")], in: store)
        }
        ConformanceCase("Related items are read with a filter and counted", proves: 17) { world in
            let store = try Library.open(world)

            try store.read { accessor in
                let ada = try require(try accessor.item(id: ItemID(rawValue: 1), of: Person.self))
                let dogs = try require(try accessor.item(id: 13, of: Book.self))
                try expect(try accessor.items(ada.books).map(\.title), equals: ["Cats", "Birds", "Dogs"])
                try expect(try accessor.items(ada.books, where: \.year > 1990).map(\.id), equals: [11, 13])
                try expect(
                    try accessor.items(dogs.labels, where: \.rank > 1).map(\.id), equals: ["old", "łong"])
                try expect(
                    try accessor.items(dogs.chapters, where: \.title != "chapter 1").map(\.id),
                    equals: [Chapter(6), Chapter(4), Chapter(2)].map(\.id))
                try expect(try accessor.countItems(ada.books), equals: 3)
                try expect(try accessor.countItems(ada.books, where: \.year > 1990), equals: 2)
                try expect(try accessor.countItems(dogs.labels), equals: 3)
                try expect(try accessor.countItems(dogs.labels, where: \.rank > 1), equals: 2)
                try expect(try accessor.countItems(dogs.chapters), equals: 6)
                try expect(try accessor.countItems(for: dogs.chapters.request.offset(4).limit(9)), equals: 2)
                try expect(try accessor.countItems(ada.passport), equals: 1)
            }
        }
        ConformanceCase(
            "A write block sees its own changes through relationships", proves: 4
        ) { world in
            let store = try Library.open(world)

            try store.writeSync { accessor in
                let ada = try require(try accessor.item(id: ItemID(rawValue: 1), of: Person.self))
                let bo = try require(try accessor.mutableItem(id: ItemID(rawValue: 2), of: Person.self))
                try accessor.insert(Book(20, "Foxes", by: 1, year: 2020))
                try expect(try accessor.items(ada.books).map(\.id), equals: [10, 11, 13, 20])
                let birds = try require(try accessor.mutableItem(id: 11, of: Book.self))
                birds.author = ToOne(bo)
                try expect(try accessor.items(ada.books).map(\.id), equals: [10, 13, 20])
                try expect(try accessor.items(bo.books).map(\.id), equals: [11, 12])
                try expect(try accessor.item(birds.author)?.name, equals: "Bo")
                bo.name = "Bob"
                try expect(try accessor.item(birds.author)?.name, equals: "Bob")
                try accessor.delete(id: 20, of: Book.self)
                try expect(try accessor.countItems(ada.books), equals: 2)
            }
            let people = try store.items(Person.all)
            try expect(people[1].books.request, gives: [11, 12], in: store)
            try store.writeSync { accessor in
                try accessor.deleteItems(for: people[2].books.request)
                try accessor.delete(people[2])
                try expect(try accessor.items(people[2].books).count, equals: 0)
            }
            try expect(people[2].books.request, gives: [Int64](), in: store)
        }
        ConformanceCase("The handle of an inserted item has relationships", proves: 4) { world in
            let store = try Library.open(world)

            try store.writeSync { accessor in
                let eve = try accessor.insert(Person(5, "Eve"))
                try expect(try accessor.items(eve.books).count, equals: 0)
                let book = try accessor.insert(Book(30, "Gnus", by: 5))
                try accessor.insert(Book(31, "Hens", by: 1, editedBy: 5))
                try expect(try accessor.items(eve.books).map(\.id), equals: [30])
                try expect(try accessor.items(eve.edited).map(\.id), equals: [31])
                try expect(try accessor.item(eve.passport)?.id, equals: nil)
                try expect(try accessor.items(book.labels).count, equals: 0)
                try expect(try accessor.countItems(book.chapters), equals: 0)
                let other = try accessor.upsert(Person(2, "Bo"))
                try expect(try accessor.items(other.books).map(\.id), equals: [12])
            }
        }
        ConformanceCase("Related items are changed and deleted by request", proves: 4) { world in
            let store = try Library.open(world)
            let people = try store.items(Person.all)
            let books = try store.items(Book.all)

            try store.writeSync { accessor in
                for book in try accessor.mutableItems(for: people[0].books.request) { book.year += 1 }
                try expect(
                    try accessor.update(people[1].edited.request, .set(\.title, to: "Same")), equals: 2)
                let first = try accessor.firstMutableItem(for: books[3].chapters.request)
                first?.title = "first"
                try accessor.forEachMutableItem(for: books[3].labels.request.offset(1)) { $0.rank += 10 }
                try expect(
                    try accessor.deleteItems(for: people[0].books.request.filter(\.year == 1996).limit(1)),
                    equals: 1)
            }

            try expect(try store.items(Book.all).map(\.year), equals: [1991, 2001, 1996, 2010])
            try expect(try store.items(Book.all).map(\.title), equals: ["Same", "Ants", "Same", "Eels"])
            try expect(try store.item(Chapter(6).id, of: Chapter.self)?.title, equals: "first")
            try expect(try store.items(Label.all).map(\.rank), equals: [1, 12, 0, 13])
        }
        ConformanceCase(
            "The relationship of an item that is not stored is refused, not empty", proves: 17
        ) { world in
            let store = try Library.open(world)
            let new = Person(1, "Ada")
            let elsewhere = try world.openElsewhere(Chapter.self)
            let book = try require(try store.item(10, of: Book.self))

            try store.read { accessor in
                let error = try expectError(.invalidRequest) { _ = try accessor.items(new.books) }
                try expect(error.itemType, equals: "Book")
                try expectError(.invalidRequest) { _ = try accessor.item(new.passport) }
                try expectError(.invalidRequest) { _ = try accessor.countItems(new.pupils) }
                try expectError(.invalidRequest) {
                    _ = try accessor.contains(Book.all.related(to: new.books))
                }
                try expectError(.invalidRequest) { try new.books.request.validate() }
                try expectError(.invalidRequest) {
                    _ = try accessor.items(for: book.labels.request.limit(-1))
                }
            }
            try elsewhere.read { accessor in
                let error = try expectError(.unknownItemType) { _ = try accessor.items(book.chapters) }
                try expect(error.itemType, equals: "Book")
                try expectError(.unknownItemType) { _ = try accessor.countItems(book.chapters) }
                try expectError(.unknownItemType) { _ = try accessor.items(book.labels) }
            }
        }
        ConformanceCase(
            "A request for related items is a value and describes itself", proves: 17
        ) { world in
            let store = try Library.open(world)
            let people = try store.items(Person.all)
            let book = try require(try store.item(10, of: Book.self))

            let requests: Set = [
                people[0].books.request, people[0].books.request, people[0].edited.request,
                people[1].books.request,
                Book.all.related(to: people[0].books), Book.all,
            ]
            try expect(requests.count, equals: 4)
            try expect(
                people[0].books.request.filter(\.year > 1990).limit(2).description,
                equals: "Book where (year > 1990 and author == 1) order id ascending limit 2")
            try expect(
                book.labels.request.description, equals: "Label where any books {id == 10} order id ascending"
            )
            try expect(
                book.chapters.request.description,
                equals: "Chapter where any Book.chapters {id == 10} order id ascending")
            try book.chapters.request.validate()
        }
    }
}
