import Larder

/// Orders that follow references.
enum RelatedOrderCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Items are ordered by an attribute after a reference", proves: 8, 17, answersOf: .library
        ) {
            Answer(Book.all.sorted(by: \.author.name), [10, 20, 30, 40, 60, 50])
            Answer(Book.all.sorted(by: \.author.name, .descending), [50, 60, 40, 30, 20, 10])
        }
        ConformanceCase("Items without a reference come first ascending", proves: 8, 17, answersOf: .library)
        {
            Answer(Book.all.sorted(by: \.editor.name), [20, 50, 60, 30, 10, 40])
            Answer(Book.all.sorted(by: \.editor.name, .descending), [40, 10, 30, 60, 50, 20])
            Answer(Person.all.sorted(by: \.passport.number), [3, 4, 5, 1, 2])
            Answer(Person.all.sorted(by: \.passport.id, .descending), [2, 1, 5, 4, 3])
        }
        ConformanceCase("An order follows several references", proves: 8, 17, answersOf: .library) {
            Answer(Book.all.sorted(by: \.author.mentor.name), [10, 20, 30, 40, 60, 50])
            Answer(Book.all.sorted(by: \.author.mentor.mentor.name, .descending), [50, 60, 40, 30, 20, 10])
            Answer(Book.all.sorted(by: \.author.passport.number), [40, 50, 60, 10, 20, 30])
        }
        ConformanceCase("Orders by own and related attributes mix", proves: 8, 17, answersOf: .library) {
            Answer(
                Book.all.sorted(by: \.shelf.room, .descending).sorted(by: \.title), [50, 30, 10, 40, 20, 60])
            Answer(
                Book.all.sorted(by: \.year).sorted(by: \.author.name, .descending), [50, 10, 30, 20, 40, 60])
            Answer(
                Book.all.sorted(by: \.shelf.room).sorted(by: \.author.name).sorted(by: \.year, .descending),
                [20, 60, 10, 40, 30, 50])
            Answer(
                Book.all.sorted(by: \.id, .descending).sorted(by: \.author.name), [60, 50, 40, 30, 20, 10])
            Answer(Book.all.sorted(by: \.shelf.room).sorted(by: \.id, .descending), [60, 20, 40, 10, 50, 30])
        }
        ConformanceCase("An order by the identifier after a reference", proves: 8, 17, answersOf: .library) {
            Answer(Book.all.sorted(by: \.author.id), [10, 20, 30, 40, 60, 50])
            Answer(Book.all.sorted(by: \.editor.id, .descending), [40, 10, 30, 60, 50, 20])
            Answer(Book.all.sorted(by: \.author.mentor.id), [10, 20, 30, 40, 60, 50])
        }
        ConformanceCase(
            "A related order by a unique attribute, which many items have as nil", proves: 8, 17,
            answersOf: .towns
        ) {
            let houses = House.all.sorted(by: \.town.code)
            let falling = House.all.sorted(by: \.town.code, .descending)

            Answer(houses, [10, 11, 12, 13, 14])
            Answer(houses.limit(4), [10, 11, 12, 13])
            Answer(houses.offset(1).limit(2), [11, 12])
            Answer(falling, [14, 13, 12, 11, 10])
            Answer(falling.limit(4), [14, 13, 12, 11])
            Answer(House.all.sorted(by: \.town.name).limit(4), [10, 12, 11, 13])
        }
        ConformanceCase("A related order has windows", proves: 8, 17, answersOf: .library) {
            let books = Book.all.sorted(by: \.author.name)

            Answer(books.offset(2).limit(3), [30, 40, 60])
            Answer(books.limit(0), [])
            Answer(books.limit(2), [10, 20])
            Answer(books.offset(5), [50])
            Answer(books.offset(6), [])
            Answer(books.offset(1).limit(.max), [20, 30, 40, 60, 50])
        }
        ConformanceCase(
            "A window of a related order is a part of the whole order", proves: 8, 17
        ) { world in
            let store = try world.openSmallLibrary()
            let people = SmallLibrary.people.map(\.id.rawValue)
            // Some have an editor of each name, some none, and two editors share a name.
            try store.writeSync { accessor in
                try accessor.insert(Person(77, SmallLibrary.people[0].name))
                try accessor.insert(
                    contentsOf: (0..<120 as Range<Int64>).map { number in
                        let editor = number % 7 == 0 ? nil : (people + [77])[Int(number % 5)]
                        return Book(1000 + number, by: people[Int(number % 3)], editedBy: editor, year: 3)
                    })
            }
            let orders: [DataStoreRequest<Book>] = [
                Book.all.sorted(by: \.author.name), Book.all.sorted(by: \.author.name, .descending),
                Book.all.sorted(by: \.editor.name), Book.all.sorted(by: \.editor.name, .descending),
                Book.where(\.year == 3).sorted(by: \.editor.name),
                Book.where(\.id < 1050).sorted(by: \.editor.name, .descending),
            ]

            for order in orders {
                let whole = try store.read { try $0.ids(for: order) }
                for (offset, limit) in [(0, 1), (0, 30), (13, 20), (20, 60), (110, 40), (whole.count, 3)] {
                    let window = Array(whole.dropFirst(offset).prefix(limit))
                    try expect(order.offset(offset).limit(limit), gives: window, in: store)
                }
            }
        }
        ConformanceCase("A related order applies to filtered items", proves: 6, 8, 17, answersOf: .library) {
            Answer(
                Book.where(.any(\.labels, \.rank == 1)).sorted(by: \.author.name, .descending), [40, 20, 10])
            Answer(Book.where(\.year == 1990).sorted(by: \.editor.name, .descending).limit(1), [10])
            Answer(Book.where(\.author.name == "Nemo").sorted(by: \.author.name), [])
        }
        ConformanceCase(
            "A related order gives values, and sees the changes of its block", proves: 4, 8, 17
        ) { world in
            let store = try world.openSmallLibrary()
            let books = Book.all.sorted(by: \.author.name).offset(1).limit(3)

            let pairs = try store.read { try $0.values(for: books, \.title, \.editor, \.title) }
            try expect(pairs.map { $0.0 }, equals: ["Beta", "Gamma", "Delta"])
            try expect(
                pairs.map { $0.1 },
                equals: [nil, ToOne(SmallLibrary.people[0]), ToOne(SmallLibrary.people[2])])
            try expect(pairs.map { $0.2 }, equals: ["Beta", "Gamma", "Delta"])
            try store.writeSync { accessor in
                let ada = try require(accessor.mutableItem(id: SmallLibrary.people[0].id, of: Person.self))
                ada.name = "Zoe"
                try expect(try accessor.ids(for: books), equals: [40, 60, 50])
                try expect(try accessor.update(books, .set(\.year, to: 7)), equals: 3)
            }
            try expect(Book.where(\.year == 7), gives: [40, 50, 60], in: store)
        }
        ConformanceCase("A related order sorts thousands of items", proves: 8, 17) { world in
            let store = try world.openSmallLibrary()
            // The names are in the reverse order of the identifiers, a thousand times 3 of them.
            try store.writeSync { accessor in
                try accessor.insert(
                    contentsOf: (0..<3000).map { Person(1000 + $0, "x" + String(9999 - $0), mentor: nil) })
                try accessor.insert(contentsOf: (0..<6000).map { Book(1000 + $0, by: 1000 + $0 % 3000) })
            }
            let books = Book.where(\.id >= 1000).sorted(by: \.author.name)

            try expect(books.limit(4), gives: [3999, 6999, 3998, 6998], in: store)
            try expect(books.offset(5996), gives: [1001, 4001, 1000, 4000], in: store)
            try expect(
                books.sorted(by: \.id, .descending).offset(2000).limit(2), gives: [5999, 2999], in: store)
            let sorted = try store.read { try $0.ids(for: books) }
            let expected: [Int64] = (1000..<4000).reversed().flatMap { [$0, $0 + 3000] }
            try expect(sorted == expected, "all in order")
        }
        ConformanceCase(
            "A related order may follow more references than an engine joins tables", proves: 8, 17
        ) { world in
            let store = try world.openSmallLibrary()
            let matchings: [TextMatching] = [
                .exact, .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
            ]
            var order = ItemOrder<Book>.by(\.author.name)
            // They leave the books of an author equal: Dan is the only person with a mentor so far away.
            for matching in matchings {
                order += .by(\.author.mentor.mentor.mentor.name, matching)
                order += .by(\.editor.mentor.mentor.mentor.name, matching)
                order += .by(\.author.mentor.mentor.mentor.mentor.name, matching)
                order += .by(\.editor.mentor.mentor.mentor.mentor.name, matching)
            }
            order += .by(\.editor.name)

            try store.read { accessor in
                let rising = Book.all.sorted(by: order)
                try expect(try accessor.ids(for: rising), equals: [20, 10, 30, 60, 40, 50])
                try expect(try accessor.ids(for: rising.limit(2)), equals: [20, 10])
                let falling = Book.all.sorted(by: order.reversed)
                try expect(try accessor.ids(for: falling), equals: [50, 40, 60, 30, 10, 20])
            }
        }
        ConformanceCase(
            "A related order of items whose attributes have the names of an engine's own columns",
            proves: 8, 9, 17
        ) { world in
            let store = try world.open(NamedLikeJoin.self, NamedLikeTable.self)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [NamedLikeTable(1, "Zoe"), NamedLikeTable(2, "Ada")])
                try accessor.insert(
                    contentsOf: [(7, 1), (8, 2), (9, 2)].map { NamedLikeJoin($0.0, of: $0.1) })
            }
            let items = NamedLikeJoin.all.sorted(by: \.table.name)

            try expect(items, gives: [8, 9, 7], in: store)
            try expect(items.limit(2), gives: [8, 9], in: store)
            try expect(
                NamedLikeJoin.where(\.key > 7 && \.value == -9).sorted(by: \.table.name), gives: [9],
                in: store)
            try expect(
                NamedLikeJoin.all.sorted(by: \.table.name, .descending).sorted(by: \.key, .descending),
                gives: [7, 9, 8], in: store)
        }
    }
}
