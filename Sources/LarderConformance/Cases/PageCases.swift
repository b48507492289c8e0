import Larder

/// Pages: by the item that they follow, and by number.
enum PageCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Pages after each other are the whole, in every order", proves: 8, asking: .restaurants
        ) { accessor in
            for order in orders { try expectPages(of: order, in: accessor) }
        }
        ConformanceCase(
            "Pages before each other are the whole, in every order", proves: 8, asking: .restaurants
        ) { accessor in
            for order in orders { try expectPages(of: order, in: accessor, isForward: false) }
        }
        ConformanceCase("Pages follow nil and equal values", proves: 6, 8) { world in
            let store = try world.open(Restaurant.self)
            try store.writeSync { accessor in
                try accessor.insert(
                    contentsOf: (1...60).map { number in
                        Restaurant(
                            number, city: "city \(number % 2)", rating: Double(number % 3),
                            note: number % 4 == 0 ? nil : "note \(number % 4)")
                    })
            }
            for direction in [SortDirection.ascending, .descending] {
                for order in [
                    Restaurant.all.sorted(by: \.note, direction),
                    Restaurant.all.sorted(by: \.rating).sorted(by: \.note, direction),
                    Restaurant.all.sorted(by: \.note, direction).sorted(by: \.city, .descending),
                ] {
                    try store.read { accessor in
                        try expectPages(of: order, in: accessor, sizes: [7, 20])
                        try expectPages(of: order, in: accessor, isForward: false, sizes: [7, 20])
                    }
                }
            }
        }
        ConformanceCase("Pages follow an order through references", proves: 8, 17) { world in
            let store = try world.openSmallLibrary()
            let orders = [
                Book.all.sorted(by: \.author.name), Book.all.sorted(by: \.editor.name, .descending),
                Book.all.sorted(by: \.editor.name), Book.all.sorted(by: \.author.mentor.name),
                Book.all.sorted(by: \.author.passport.number, .descending),
                Book.all.sorted(by: \.shelf.room, .descending).sorted(by: \.title),
                Book.all.sorted(by: \.editor.id, .descending), Book.all.sorted(by: \.author.mentor.id),
                Book.where(.any(\.labels, \.rank == 1)).sorted(by: \.author.name, .descending),
            ]
            let people = Person.all.sorted(by: \.passport.number)
            try store.read { accessor in
                for order in orders {
                    try expectPages(of: order, in: accessor, sizes: [1, 4])
                    try expectPages(of: order, in: accessor, isForward: false, sizes: [1, 4])
                }
                try expectPages(of: people, in: accessor, sizes: [2])
            }

            let gone = try require(try store.items(Book.all).last)
            try store.writeSync { _ = try $0.delete(gone) }
            try store.read { accessor in
                let error = try expectError(.itemNotFound) {
                    _ = try accessor.page(of: orders[0], after: gone, size: 2)
                }
                try expect(error.identifier, equals: gone.id.anyItemID)
                try expect(try accessor.page(of: Book.all, after: gone, size: 2).items.count, equals: 0)
            }
        }
        ConformanceCase("A page continues from an item that is gone or has changed", proves: 8) { world in
            let store = try world.open(Restaurant.self)
            let restaurants = (1...9).map { Restaurant($0, rating: Double($0)) }
            try store.writeSync { try $0.insert(contentsOf: restaurants) }
            let request = Restaurant.all.sorted(by: \.rating)
            let first = try store.read { try $0.page(of: request, size: 3) }
            try expect(first.items.map(\.id.rawValue), equals: [1, 2, 3])

            try store.writeSync { accessor in
                try accessor.delete(first.items[2])
                try accessor.insert(Restaurant(20, rating: 0.5))
                try accessor.insert(Restaurant(21, rating: 3.5))
                try accessor.update(Restaurant.where(\.rating == 2), .set(\.rating, to: 7.5))
            }

            var shown = first.items
            while let page = try? store.read({ try $0.page(of: request, after: shown.last, size: 3) }) {
                shown += page.items
                if !page.hasMore { break }
            }
            // By the value that the item had: no other one is missed, and none before it comes.
            try expect(shown.map(\.id.rawValue), equals: [1, 2, 3, 21, 4, 5, 6, 7, 2, 8, 9])
        }
        ConformanceCase("Pages go by stored values, and not by their fallbacks", proves: 8, 9) { world in
            let raw = try world.open(Versioned<MealAsStored>.self)
            try raw.writeSync { accessor in
                let courses = ["starter", "zebra", "main", "main", "zebra", "brunch"]
                for (place, course) in courses.enumerated() {
                    try accessor.insert(
                        Versioned<MealAsStored>(Int64(place + 1), .text(course), .null, .integer(0)))
                }
            }
            let store = try world.reopen(Meal<Lenient>.self)
            let request = Meal<Lenient>.all.sorted(by: \.course)
            let orders = [
                request, Meal<Lenient>.all.sorted(by: \.course, .descending),
                Meal<Lenient>.all.sorted(by: \.price).sorted(by: \.course),
            ]
            func expectEachOnce(_ accessor: DataStoreReadAccessor) throws {
                try expect(try accessor.items(for: request).map(\.id), equals: [6, 3, 4, 1, 2, 5])
                for order in orders {
                    try expectPages(of: order, in: accessor, sizes: [1, 2])
                    try expectPages(of: order, in: accessor, isForward: false, sizes: [1, 2])
                }
            }
            func idsAfter(_ meal: Meal<Lenient>) throws -> [Int64] {
                try store.read { try $0.page(of: request, after: meal, size: 10).items.map(\.id) }
            }

            try store.read { try expectEachOnce($0) }
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                try require(try accessor.mutableItem(id: 5, of: Meal<Lenient>.self)).price = 1
                try expectEachOnce(accessor)
            }
            try child.read { try expectEachOnce($0) }

            // The given value counts if the stored item shows another one, or if the item is gone.
            let last = try require(try store.item(5, of: Meal<Lenient>.self))
            try expect(last.course, equals: .main)
            try expect(try idsAfter(last), equals: [])
            try expect(try idsAfter(Meal(5, course: .dessert)), equals: [3, 4, 1, 2, 5])
            try store.writeSync { _ = try $0.delete(last) }
            try expect(try idsAfter(last), equals: [1, 2])
            _ = try world.reopen(Versioned<MealAsStored>.self)
        }
        ConformanceCase("Pages of a relationship, with what is prefetched", proves: 8, 17) { world in
            let store = try world.openSmallLibrary()
            let author = try require(try store.items(Person.all).first)
            try store.read { accessor in
                try expectPages(of: author.books.request, in: accessor, sizes: [1, 2])
                try expectPages(of: author.books.request.sorted(by: \.title), in: accessor, sizes: [1, 2])
            }
            let books = Book.all.sorted(by: \.title).prefetching(\.author)
            let page = try store.read { accessor in
                try accessor.page(of: books, after: try accessor.firstItem(for: books), size: 2)
            }
            let all = try store.items(books)
            try expect(page.items, equals: Array(all[1...2]))
            try expect(
                page.items.map { $0.author.item?.name },
                equals: all[1...2].map { $0.author.item?.name })
            try expect(page.items[0].author.item != nil, "prefetched")
        }
        ConformanceCase("Numbered pages divide the items of a request", proves: 8) { world in
            let store = try world.openFilled()
            let best = Restaurant.all.sorted(by: \.rating, .descending)
            let all = try store.items(best)
            func page(_ number: Int, _ request: DataStoreRequest<Restaurant>, size: Int) throws -> [String] {
                let page = try store.read { try $0.page(number, of: request, size: size) }
                return ["\(page.number) of \(page.pageCount), \(page.itemCount)"]
                    + page.items.map { "\($0.id.rawValue)" }
            }
            func ids(_ range: Range<Int>) -> [String] { all[range].map { "\($0.id.rawValue)" } }

            try expect(try page(1, best, size: 5), equals: ["1 of 3, 12"] + ids(0..<5))
            try expect(try page(3, best, size: 5), equals: ["3 of 3, 12"] + ids(10..<12))
            try expect(try page(4, best, size: 5), equals: ["4 of 3, 12"])
            try expect(try page(.max, best, size: 5), equals: ["\(Int.max) of 3, 12"])
            try expect(try page(2, best, size: 6), equals: ["2 of 2, 12"] + ids(6..<12))
            try expect(try page(1, best, size: 100), equals: ["1 of 1, 12"] + ids(0..<12))
            try expect(try page(2, best.offset(3).limit(7), size: 5), equals: ["2 of 2, 7"] + ids(8..<10))
            try expect(try page(1, Restaurant.where(\.seats > 20_000), size: 5), equals: ["1 of 0, 0"])
        }
        ConformanceCase("Pages include the block's own changes", proves: 4, 8) { world in
            let store = try world.openFilled()
            try store.writeSync { accessor in
                let request = Restaurant.all.sorted(by: \.rating, .descending)
                let first = try accessor.page(of: request, size: 2)
                try accessor.mutableRestaurant(8).rating = 100
                let last = try require(first.items.last)
                try accessor.insert(Restaurant(20, rating: last.rating))
                let before = try accessor.page(of: request, before: last, size: 10)
                try expect(before.items.map(\.id.rawValue), equals: [9, 8, 20])
                let all = try accessor.items(for: request)
                let place = try require(all.firstIndex(of: last))
                try expect(before.items, equals: Array(all[..<place]))
                let after = try accessor.page(of: request, after: last, size: 100)
                try expect(after.items, equals: Array(all[(place + 1)...]))
            }
        }
        ConformanceCase("Pages that cannot be are refused", proves: 13, asking: .library) { accessor in
            let book = try require(try accessor.firstItem(for: Book.all))
            for request in [Book.all.offset(1), Book.all.limit(5), Book.all.offset(-1)] {
                _ = try expectError(.invalidRequest) {
                    _ = try accessor.page(of: request, after: book, size: 2)
                }
            }
            for size in [0, -1, Int.min, Int.max] {
                _ = try expectError(.invalidRequest) { _ = try accessor.page(of: Book.all, size: size) }
                _ = try expectError(.invalidRequest) {
                    _ = try accessor.page(1, of: Book.all, size: size)
                }
            }
            for number in [0, -1, Int.min] {
                _ = try expectError(.invalidRequest) {
                    _ = try accessor.page(number, of: Book.all, size: 5)
                }
            }
            // The places in an ordered relationship are not values of its items.
            _ = try expectError(.invalidRequest) {
                _ = try accessor.page(of: book.chapters.request, size: 2)
            }
            let chapters = try accessor.page(1, of: book.chapters.request, size: 2).items
            try expect(chapters, equals: Array(try accessor.items(for: book.chapters.request.limit(2))))
        }
        ConformanceCase(
            "The explanation of a page says if no index gives the order", proves: 8
        ) { world in
            let store = try world.openSmallLibrary()
            let slow = "each page is a pass over the items of the request, as no index gives its order"
            try store.read { accessor in
                let book = try require(try accessor.firstItem(for: Book.all))
                func isSlow(_ request: DataStoreRequest<Book>) throws -> [Bool] {
                    try [nil, book].map {
                        try accessor.explainPage(of: request, after: $0, size: 2).last == slow
                    }
                }
                // Few books are sorted by the names of their authors.
                try expect(try isSlow(Book.all.sorted(by: \.author.name)), equals: [true, true])
                try expect(try isSlow(Book.all), equals: [false, false])
                try expect(try isSlow(Book.where(\.year > 1990)), equals: [false, false])
                try expect(try isSlow(Book.all.sorted(by: \.author)), equals: [false, false])
                try expect(try isSlow(Book.all.sorted(by: \.title)), equals: [true, true])
                try expectError(.invalidRequest) {
                    _ = try accessor.explainPage(of: Book.all.limit(3), size: 2)
                }
            }
            // The authors are sorted instead if each has many books.
            let many = (100..<160 as Range<Int64>).map { Book($0, "Many", by: 1 + $0 % 4, year: 2000) }
            try store.writeSync { _ = try $0.insert(contentsOf: many) }
            try store.read { accessor in
                let book = try require(try accessor.firstItem(for: Book.all))
                for item in [nil, book] {
                    for direction in [SortDirection.ascending, .descending] {
                        let lines = try accessor.explainPage(
                            of: Book.all.sorted(by: \.author.name, direction), after: item, size: 2)
                        try expect(lines.last, equals: slow)
                        try expect(lines.dropLast().contains { $0.contains("sort") }, lines.description)
                    }
                }
            }
        }
    }

    /// Walks through the pages of a request in both directions, and compares them with its items.
    private static func expectPages<Item: DataStoreItem & Equatable>(
        of request: DataStoreRequest<Item>, in accessor: DataStoreReadAccessor, isForward: Bool = true,
        sizes: [Int] = [1, 2, 5, 100], file: StaticString = #fileID, line: Int = #line
    ) throws {
        let expected = try accessor.items(for: request)
        for size in sizes {
            var found: [Item] = []
            var hasMore = true
            while hasMore, found.count <= expected.count {
                let page =
                    isForward
                    ? try accessor.page(of: request, after: found.last, size: size)
                    : try accessor.page(of: request, before: found.first, size: size)
                found = isForward ? found + page.items : page.items + found
                hasMore = page.hasMore
                try expect(
                    hasMore, equals: found.count < expected.count, "\(request) by \(size): has more",
                    file: file, line: line)
            }
            try expect(found, equals: expected, "\(request) by \(size)", file: file, line: line)
        }
    }

    private static let orders: [DataStoreRequest<Restaurant>] = [
        Restaurant.all, Restaurant.all.sorted(by: \.id, .descending), Restaurant.all.sorted(by: \.rating),
        Restaurant.all.sorted(by: \.rating, .descending), Restaurant.all.sorted(by: \.isOpen),
        Restaurant.all.sorted(by: \.city).sorted(by: \.rating, .descending),
        Restaurant.all.sorted(by: \.city, .descending).sorted(by: \.name),
        Restaurant.all.sorted(by: \.note).sorted(by: \.slug, .descending),
        Restaurant.all.sorted(by: \.openedAt, .descending).sorted(by: \.seats),
        Restaurant.where(\.seats > 20).sorted(by: \.city),
        Restaurant.where(\.city == "Berlin" || \.rating > 4).sorted(by: \.isOpen).sorted(by: \.note),
        Restaurant.where(\.seats > 20_000).sorted(by: \.city),
    ]
}
