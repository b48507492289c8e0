import Larder

/// Items that hold their related items, as the request has read these too.
enum PrefetchCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("An item holds the items of its references", proves: 17) { world in
            let store = try Library.open(world)
            let plain = try store.items(Book.all)

            let request = Book.all.prefetching(\.author, \.editor, \.shelf)
            let books = try store.items(request)

            try expect(books, equals: plain)
            try expect(plain.map(\.author.item?.name), equals: [nil, nil, nil, nil, nil])
            try expect(books.map(\.author.item?.name), equals: ["Ada", "Ada", "Bo", "Ada", "Cy"])
            try expect(books.map { $0.editor?.item?.name }, equals: ["Bo", nil, "Ada", "Bo", "Cy"])
            try expect(books.map { $0.shelf?.item?.room }, equals: ["north", "north", nil, nil, "north"])
            try expect(books.map { $0.labels.items?.count }, equals: [nil, nil, nil, nil, nil])
            try expect(request, gives: [10, 11, 12, 13, 14], in: store)
            let passports = try store.items(Passport.all.prefetching(\.holder))
            try expect(passports.map { $0.holder?.item?.name }, equals: ["Ada", nil, "Bo"])
            try expect(try store.items(Book.where(\.year > 3000).prefetching(\.author)).count, equals: 0)
            // The same author again, read from the store.
            let author = try store.read { try $0.item(books[2].author) }
            try expect(author?.name, equals: "Bo")
        }
        ConformanceCase("An item holds those that refer to it", proves: 17) { world in
            let store = try Library.open(world)

            let people = try store.items(Person.all.prefetching(\.books, \.edited, \.pupils, \.passport))

            try expect(people.map { $0.books.items?.map(\.id) }, equals: [[10, 11, 13], [12], [14], []])
            try expect(people.map { $0.edited.items?.map(\.id) }, equals: [[12], [10, 13], [14], []])
            try expect(people.map { $0.pupils.items?.map(\.name) }, equals: [["Bo", "Cy"], [], [], []])
            try expect(people.map(\.passport.item?.id), equals: ["p1", "\u{E9}-2", nil, nil])
            try expect(people[0].books.items?[0].author.item?.name, equals: nil)
            let shelves = try store.items(Shelf.all.prefetching(\.books))
            try expect(shelves.map { $0.books.items?.map(\.id) }, equals: [[10, 11, 14], []])
            // The relationship of a read item is a window too.
            let again = try store.read { try $0.items(people[1].edited, where: \.year > 1990) }
            try expect(again.map(\.id), equals: [13])
        }
        ConformanceCase(
            "An item holds those that are linked with it, in their order", proves: 17
        ) { world in
            let store = try Library.open(world)

            let books = try store.items(Book.all.prefetching(\.labels, \.chapters))
            try expect(
                books.map { $0.labels.items?.map(\.id) },
                equals: [["new", "old"], ["new"], [], ["new", "old", "łong"], ["old"]])
            try expect(
                books.map { $0.chapters.items?.map(\.id) },
                equals: ([[3, 1, 2], [], [2], [6, 5, 4, 3, 2, 1], []] as [[UInt8]]).map {
                    $0.map { Chapter($0).id }
                })
            let labels = try store.items(Label.all.prefetching(\.books))
            try expect(
                labels.map { $0.books.items?.map(\.id) }, equals: [[10, 11, 13], [10, 13, 14], [], [13]])
        }
        ConformanceCase("Related items hold their own in turn", proves: 17) { world in
            let store = try Library.open(world)

            let books = try store.items(Book.all.prefetching(\.author.mentor, \.author.books, \.labels))
            try expect(books.map(\.author.item?.name), equals: ["Ada", "Ada", "Bo", "Ada", "Cy"])
            try expect(
                books.map { $0.author.item?.mentor?.item?.name }, equals: [nil, nil, "Ada", nil, "Ada"])
            try expect(
                books.map { $0.author.item?.books.items?.map(\.id) },
                equals: [[10, 11, 13], [10, 11, 13], [12], [10, 11, 13], [14]])

            let people = try store.items(
                Person.all.prefetching(\.books) { books in
                    books.prefetching(\.editor.passport, \.chapters).prefetching(\.labels) {
                        $0.prefetching(\.books)
                    }
                })
            let cats = try require(people[0].books.items?.first)
            try expect(cats.editor?.item?.passport.item?.number, equals: 12)
            try expect(cats.chapters.items?.map(\.title), equals: ["chapter 1", "chapter 1", "chapter 0"])
            try expect(cats.labels.items?.map { $0.books.items?.count }, equals: [3, 3])
            try expect(people[3].books.items?.count, equals: 0)
        }
        ConformanceCase(
            "Related items are filtered, sorted and cut for each owner", proves: 17
        ) { world in
            let store = try Library.open(world)

            let people = try store.items(
                Person.all.prefetching(\.books) { $0.filter(\.year != 1990).sorted(by: \.title, .descending) }
            )
            try expect(people.map { $0.books.items?.map(\.id) }, equals: [[13, 11], [12], [14], []])
            let latest = try store.items(
                Person.all.prefetching(\.books) { $0.sorted(by: \.year, .descending).offset(1).limit(1) })
            try expect(latest.map { $0.books.items?.map(\.id) }, equals: [[11], [], [], []])
            let books = try store.items(
                Book.all
                    .prefetching(\.labels) { $0.filter(\.rank > 1).sorted(by: \.rank, .descending) }
                    .prefetching(\.chapters) { $0.filter(\.title == "chapter 1").limit(2) })
            try expect(
                books.map { $0.labels.items?.map(\.id) },
                equals: [["old"], [], [], ["łong", "old"], ["old"]])
            try expect(
                books.map { $0.chapters.items?.map(\.id) },
                equals: ([[3, 1], [], [], [5, 3], []] as [[UInt8]]).map { $0.map { Chapter($0).id } })
            let sorted = try store.items(
                Book.where(\.id == 13).prefetching(\.chapters) { $0.sorted(by: \.title).offset(1).limit(3) })
            try expect(
                sorted.first?.chapters.items?.map(\.id),
                equals: [Chapter(4), Chapter(6), Chapter(1)].map(\.id))
        }
        ConformanceCase(
            "A request with a window reads the related items of its window", proves: 17
        ) { world in
            let store = try Library.open(world)
            let request = Book.all.sorted(by: \.title).prefetching(\.author, \.labels)

            let books = try store.items(request.offset(1).limit(2))
            try expect(books.map(\.title), equals: ["Birds", "Cats"])
            try expect(books.map(\.author.item?.name), equals: ["Ada", "Ada"])
            try expect(books.map { $0.labels.items?.map(\.id) }, equals: [["new"], ["new", "old"]])
            let first = try store.read { try $0.firstItem(for: request) }
            try expect(first?.author.item?.name, equals: "Bo")
            var walked: [String?] = []
            try store.read { accessor in
                try accessor.forEachItem(for: request) { walked.append($0.author.item?.name) }
            }
            try expect(walked, equals: ["Bo", "Ada", "Ada", "Ada", "Cy"])
            let old = try require(try store.item("old", of: Label.self))
            let chapters = try require(try store.item(13, of: Book.self)).chapters.request
            try expect(
                try store.items(old.books.request.prefetching(\.author)).map(\.author.item?.name),
                equals: ["Ada", "Ada", "Cy"])
            try expect(
                try store.items(chapters.limit(2)).map(\.id), equals: [Chapter(6), Chapter(5)].map(\.id))
        }
        ConformanceCase(
            "A write block reads related items as it has changed them", proves: 4
        ) { world in
            let store = try Library.open(world)

            try store.writeSync { accessor in
                let ants = try require(try accessor.mutableItem(id: 12, of: Book.self))
                let ada = try require(try accessor.mutableItem(id: ItemID(rawValue: 1), of: Person.self))
                try accessor.insert(Book(20, "Foxes", by: 4))
                ants.author = ToOne(ada)
                ada.name = "Ida"
                let books = try accessor.items(for: Book.all.prefetching(\.author))
                try expect(books.map(\.author.item?.name), equals: ["Ida", "Ida", "Ida", "Ida", "Cy", "Di"])
                let people = try accessor.mutableItems(for: Person.all.prefetching(\.books))
                try expect(people[0] === ada, "the handle that the block had already")
                try expect(people[1].books.items?.map(\.id), equals: [])
                try expect(people[3].books.items?.map(\.id), equals: [20])
                try expect(try accessor.items(people[0].books).map(\.id), equals: [10, 11, 12, 13])
                var names: [String?] = []
                try accessor.forEachItem(for: Book.all.prefetching(\.author)) { book in
                    ada.name = "Eda"
                    names.append(book.author.item?.name)
                }
                try expect(names, equals: ["Ida", "Ida", "Ida", "Ida", "Cy", "Di"])
            }
            let author = try store.items(Book.where(\.id == 12).prefetching(\.author)).first?.author.item
            try expect(author?.name, equals: "Eda")
        }
        ConformanceCase(
            "Mistakes in a prefetch are thrown, even without items", proves: 17
        ) { world in
            let store = try Library.open(world)
            let wrong: [DataStoreRequest<Book>] = [
                Book.all.prefetching(\.author) { $0.filter(\.name == "Ada") },
                Book.all.prefetching(\.author) { $0.limit(1) },
                Book.all.prefetching(\.labels) { $0.limit(-1) },
                Book.all.prefetching(\.author) { $0.prefetching(\.books) { $0.offset(-1) } },
            ]

            try store.read { accessor in
                for request in wrong + wrong.map({ $0.filter(\.year > 3000) }) {
                    try expectError(.invalidRequest) { _ = try accessor.items(for: request) }
                    try expectError(.invalidRequest) { _ = try accessor.countItems(for: request) }
                    try expectError(.invalidRequest) { try request.validate() }
                }
            }
            let requests: Set = [
                Book.all.prefetching(\.author), Book.all.prefetching(\.author, \.author),
                Book.all.prefetching(\.author).prefetching(\.author), Book.all.prefetching(\.editor),
                Book.all,
            ]
            try expect(requests.count, equals: 3)
            try expect(
                Book.all.prefetching(\.author.books, \.author.mentor),
                equals: Book.all.prefetching(\.author) { $0.prefetching(\.books, \.mentor) })
        }
        ConformanceCase("Prefetches nest up to a limit", proves: 13, 17) { world in
            let limit = 200
            func nested(_ count: Int) -> DataStoreRequest<Person> {
                var request = Person.all.prefetching(\.mentor)
                for _ in 1..<count {
                    let inner = request
                    request = Person.all.prefetching(\.mentor) { _ in inner }
                }
                return request
            }
            let store = try Library.openEmpty(world)
            try store.writeSync { _ = try $0.insert(Person(1, "Ada", mentor: 1)) }

            var person = try require(try store.items(nested(limit)).first)
            var depth = 0
            while let mentor = person.mentor?.item { (person, depth) = (mentor, depth + 1) }
            try expect(depth, equals: limit)
            let message = "The prefetching nests more than \(limit) levels deep."
            // The greater depth needs more stack than any thread has, by recursion level by level.
            for count in [limit + 1, 50_000] {
                let (request, same) = (nested(count), nested(count))
                try expect(request == same, "equality of two requests \(count) levels deep")
                try expect(request.hashValue, equals: same.hashValue)
                try expect(request.description, equals: "Person (\(message))")
                // Nor does anything that is added to it make it shallow.
                let requests: [DataStoreRequest<Person>] = [
                    request, request.prefetching(\.books), Person.all + request, request + Person.all,
                    Person.all.prefetching(\.mentor).prefetching(\.mentor) { _ in request },
                ]
                for refused in requests {
                    let error = try expectError(.invalidRequest) { try refused.validate() }
                    try expect(error.message, equals: message)
                    try expectError(.invalidRequest) { _ = try store.items(refused) }
                }
            }
        }
        ConformanceCase("Thousands of items hold their related items", proves: 17) { world in
            let count = 3_000
            let numbers = (1...Int64(count))
            // Few, as the reference looks for the present passport of each holder in all of them.
            let holders = numbers.filter { $0 % 50 == 0 }
            let books = numbers.map { number in
                Book(
                    number, by: number, editedBy: number % 2 == 0 ? 1 : nil,
                    labels: number % 100 == 0 ? [Label("l\(number)"), Label("l1")] : [],
                    chapters: number % 100 == 0 ? [Chapter(2), Chapter(1)] : [])
            }
            let store = try Library.openEmpty(world)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: numbers.map { Person($0, "\($0)") })
                try accessor.insert(contentsOf: holders.map { Passport("\($0)", holder: $0) })
                try accessor.insert(contentsOf: numbers.map { Label("l\($0)") })
                try accessor.insert(contentsOf: [Chapter(1), Chapter(2)])
                try accessor.insert(contentsOf: books)
            }

            let people = try store.items(Person.all.prefetching(\.passport, \.books, \.edited))
            try expect(people.count, equals: count)
            try expect(people.filter { $0.passport.item?.id == $0.name }.count, equals: holders.count)
            try expect(people.filter { $0.books.items?.map(\.id) == [$0.id.rawValue] }.count, equals: count)
            try expect(people[0].edited.items?.count, equals: count / 2)
            try expect(people[1].edited.items?.count, equals: 0)
            let read = try store.items(Book.all.prefetching(\.author, \.editor, \.labels, \.chapters))
            try expect(read.filter { $0.author.item?.name == "\($0.id)" }.count, equals: count)
            try expect(read.filter { $0.editor?.item?.name == "1" }.count, equals: count / 2)
            try expect(
                read.filter { $0.labels.items?.map(\.id) == ["l1", "l\($0.id)"] }.count, equals: count / 100)
            try expect(read.filter { $0.labels.items?.isEmpty == true }.count, equals: count - count / 100)
            try expect(
                read.filter { $0.chapters.items?.map(\.id) == [Chapter(2).id, Chapter(1).id] }.count,
                equals: count / 100)
            var walked = 0
            try store.read { accessor in
                try accessor.forEachItem(for: Book.all.prefetching(\.author)) { book in
                    if book.author.item?.name == "\(book.id)" { walked += 1 }
                }
            }
            try expect(walked, equals: count)
        }
    }
}
