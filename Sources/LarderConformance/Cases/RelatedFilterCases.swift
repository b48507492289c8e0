import Larder

/// Filters that follow relationships.
enum RelatedFilterCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A filter follows a reference to an attribute", proves: 6, 17, answersOf: .library) {
            [
                (\.author.name == "Ada", [10, 20]), (\.author.name != "Ada", [30, 40, 50, 60]),
                (\.author.name == "Eve", []), (\.author.name < "Cy", [10, 20, 30]),
                (\.author.name <= "Cy", [10, 20, 30, 40, 60]), (\.author.name > "Cy", [50]),
                (\.author.name >= "Cy", [40, 50, 60]), (\.editor.name == "Ada", [30]),
                (\.editor.name > "B", [10, 40]), (\.shelf.room == "north", [10, 40]),
                (\.author == ToOne(SmallLibrary.people[0]), [10, 20]),
                (\.editor == ToOne(SmallLibrary.people[2]), [40]), (\.editor == nil, [20, 50, 60]),
                (\.shelf != nil, [10, 30, 40, 50]),
            ] as [(Filter<Book>, [Int64])]
        }
        ConformanceCase(
            "After a reference that is nil, every attribute is nil", proves: 6, 17, answersOf: .library
        ) {
            [
                (\.editor.name != "Ada", [10, 20, 40, 50, 60]),
                (!(\.editor.name == "Ada"), [10, 20, 40, 50, 60]),
                (!(\.editor.name > "B"), [20, 30, 50, 60]), (!(\.editor.name != "Ada"), [30]),
                (\.shelf.room != "north", [20, 30, 50, 60]),
                (!.contains(\.editor.name, "a", .caseInsensitive), [10, 20, 40, 50, 60]),
                (\.editor.mentor == nil, [20, 30, 50, 60]), (\.editor.mentor != nil, [10, 40]),
                (.isIn(\.editor.mentor, [nil]), [20, 30, 50, 60]),
            ] as [(Filter<Book>, [Int64])]
        }
        ConformanceCase(
            "The opposite of a Boolean attribute after a reference includes nil", proves: 6, 17,
            answersOf: .towns
        ) {
            Answer(House.where(\.neighbor.isSold), [11])
            Answer(House.where(!\.neighbor.isSold), [10, 12, 13, 14])
            Answer(House.where(!(\.neighbor.isSold == true)), [10, 12, 13, 14])
            Answer(House.where(\.neighbor.isSold == false), [12, 13])
            Answer(House.where(!\.neighbor.neighbor.isSold), [10, 11, 14])
            Answer(House.where(!\.neighbor.isSold && \.isSold), [10])
            Answer(House.where(!\.isSold), [11, 12, 13, 14])
        }
        ConformanceCase(
            "A filter follows several references, one after the other", proves: 6, 17, answersOf: .library
        ) {
            [
                (\.author.mentor.name == "Ada", [30]),
                (\.author.mentor.name != "Ada", [10, 20, 40, 50, 60]),
                (\.author.mentor.mentor.name == "Ada", [40, 60]),
                (\.author.mentor.mentor.mentor.mentor.name == "Dan", [50]),
                (\.editor.mentor.name == "Bob", [40]),
                (!(\.editor.mentor.name == "Bob"), [10, 20, 30, 50, 60]),
            ] as [(Filter<Book>, [Int64])]
        }
        ConformanceCase("Every kind of test works after a reference", proves: 6, 17, answersOf: .library) {
            [
                (.isIn(\.author.name, ["Cy", "Ada", "Cy"]), [10, 20, 40, 60]),
                (.isIn(\.author.name, []), []),
                (.between(\.author.name, "B"..."Cz"), [30, 40, 60]),
                (.contains(\.author.name, "A", .caseInsensitive), [10, 20, 50]),
                (.contains(\.author.name, "A"), [10, 20]), (.hasPrefix(\.editor.name, "B"), [10]),
                (.hasSuffix(\.author.name, "y"), [40, 60]),
                (.equals(\.author.name, "ADA", .caseInsensitive), [10, 20]),
                (.between(\.author.passport.number, 5...6), [10, 20]),
            ] as [(Filter<Book>, [Int64])]
        }
        ConformanceCase(
            "The identifier after a reference is the reference's own", proves: 6, 17
        ) { world in
            let store = try world.openSmallLibrary()
            let (ada, cy) = (SmallLibrary.people[0].id, SmallLibrary.people[2].id)

            try expect(
                [
                    (\.author.id == ada, [10, 20]), (\.editor.id != ada, [10, 20, 40, 50, 60]),
                    (.isIn(\.editor.id, [cy, ada]), [30, 40]), (\.author.mentor.id == ada, [30]),
                    (\.author.mentor.id != ada, [10, 20, 40, 50, 60]), (\.shelf.id > 1, [30, 50]),
                    (!(\.shelf.id > 1), [10, 20, 40, 60]),
                ] as [(Filter<Book>, [Int64])], in: store)
            // No other item is read for it.
            let lines = try store.read { try $0.explain(Book.where(\.author.id == ada)) }
            try expect(
                lines, equals: try store.read { try $0.explain(Book.where(\.author == ToOne(id: ada))) })
        }
        ConformanceCase(
            "The other side of a one-to-one is followed as a reference is", proves: 6, 17, answersOf: .library
        ) {
            [
                (\.passport.number == 5, [1]), (\.passport.number != 5, [2, 3, 4, 5]),
                (\.passport.id == "p2", [2]), (\.passport.holder.name == "Bob", [2]),
                (.any(\.passport), [1, 2]), (.none(\.passport), [3, 4, 5]),
                (.any(\.passport, \.number > 5), [2]), (.all(\.passport, \.number > 5), [2, 3, 4, 5]),
                (\.mentor.passport.number == 5, [2, 5]),
            ] as [(Filter<Person>, [Int64])]
            [
                (\.author.passport.number == 7, [30]),
                (\.author.passport.number != 7, [10, 20, 40, 50, 60]),
            ]
                as [(Filter<Book>, [Int64])]
        }
        ConformanceCase(
            "any, all and none test the items of a relationship", proves: 6, 17, answersOf: .library
        ) {
            [
                (.any(\.books, \.year == 2000), [1, 2]), (.none(\.books, \.year == 2000), [3, 4, 5]),
                (.all(\.books, \.year >= 2000), [2, 3, 5]), (.any(\.books), [1, 2, 3, 4]),
                (.none(\.books), [5]),
                (.any(\.edited), [1, 2, 3]), (.none(\.edited, \.title == "Delta"), [1, 2, 4, 5]),
                (.any(\.pupils, \.name == "Bob"), [1]), (.none(\.pupils), [3, 5]),
                (.any(\.books, \.year == 1990 && \.title == "Beta"), []),
                (.any(\.books, .always(false)), []), (.all(\.books, .always(false)), [5]),
                (.any(\.books, \.shelf == nil), [1, 3]),
                (.all(\.edited, \.shelf != nil), [1, 2, 3, 4, 5]),
            ] as [(Filter<Person>, [Int64])]
            [(.any(\.books, \.title == "Gamma"), [2]), (.none(\.books), [3])]
                as [(Filter<Shelf>, [Int64])]
        }
        ConformanceCase(
            "any, all and none test the items of a many-to-many relationship", proves: 6, 17,
            answersOf: .library
        ) {
            [
                (.any(\.labels, \.id == "red"), [10, 20, 40]),
                (.none(\.labels, \.id == "red"), [30, 50, 60]),
                (.all(\.labels, \.rank >= 2), [30, 50, 60]),
                (.all(\.labels, \.rank <= 2), [10, 20, 30, 60]),
                (.any(\.labels), [10, 20, 40, 50]), (.none(\.labels), [30, 60]),
                (.any(\.chapters, \.title == "Egg"), [10, 30]), (.any(\.labels, \.id == "unused"), []),
                (.none(\.labels, \.id == "unused"), everything),
            ] as [(Filter<Book>, [Int64])]
            let byCy = Label.where(.any(\.books, \.author.name == "Cy"))
            Answer(byCy, ["blue", "green", "red"].map { .string($0) })
            let unused = Label.where(.none(\.books, .always(true)))
            Answer(unused, [.string("unused")])
        }
        ConformanceCase("any, all and none follow references first", proves: 6, 17, answersOf: .library) {
            [
                (.any(\.author.books, \.year == 2020), [40, 60]),
                (.any(\.shelf.books, \.title == "Gamma"), [30, 50]),
                (.none(\.shelf.books, \.year == 1990), [20, 60]),
                (.all(\.shelf.books, \.year < 2005), [20, 30, 50, 60]),
                (!.any(\.shelf.books, \.year >= 2005), [20, 30, 50, 60]),
                (.any(\.author.mentor.pupils, \.name == "Eve"), [30]),
            ] as [(Filter<Book>, [Int64])]
        }
        ConformanceCase("Filters of related items nest", proves: 6, 17, answersOf: .library) {
            [
                (.any(\.books, .any(\.labels, \.rank == 3)), [3, 4]),
                (.all(\.books, .any(\.labels, \.rank == 3)), [4, 5]),
                (.none(\.books, .none(\.labels)), [1, 4, 5]),
                (.any(\.pupils, .any(\.pupils, .any(\.books, \.shelf.room == "north"))), [1]),
                (.any(\.books, \.labels.count > 1 && \.editor.name == "Bob"), [1]),
                (.any(\.books, .any(\.labels, .any(\.books, \.author.name == "Dan"))), [3, 4]),
            ] as [(Filter<Person>, [Int64])]
        }
        ConformanceCase(
            "The number of related items is compared, with none as 0", proves: 6, 17, answersOf: .library
        ) {
            [
                (\.books.count == 0, [5]), (\.books.count == 2, [1, 3]), (\.books.count != 2, [2, 4, 5]),
                (\.books.count < 2, [2, 4, 5]), (\.books.count <= 1, [2, 4, 5]),
                (\.books.count <= 0, [5]),
                (\.books.count > 1, [1, 3]), (\.books.count >= 1, [1, 2, 3, 4]), (\.books.count < 0, []),
                (\.books.count >= 0, [1, 2, 3, 4, 5]), (\.books.count == 9, []),
                (\.books.count == -1, []),
                (!(\.books.count > 1), [2, 4, 5]), (\.pupils.count == 2, [1]),
                (\.pupils.count != 1, [1, 3, 5]),
            ] as [(Filter<Person>, [Int64])]
            [
                (\.labels.count > 1, [10, 40]), (\.labels.count <= 1, [20, 30, 50, 60]),
                (\.labels.count == 3, [40]), (\.labels.count != 1, [10, 30, 40, 60]),
                (\.chapters.count >= 2, [10, 30]), (.isIn(\.labels.count, [0, 3]), [30, 40, 60]),
                (.between(\.labels.count, 1...2), [10, 20, 50]),
            ] as [(Filter<Book>, [Int64])]
            let used = Label.where(\.books.count == 2)
            Answer(used, ["blue", "green"].map { .string($0) })
        }
        ConformanceCase(
            "The number of related items is counted after references", proves: 6, 17, answersOf: .library
        ) {
            [
                (\.shelf.books.count == 2, [10, 30, 40, 50]), (\.shelf.books.count == 0, [20, 60]),
                (\.shelf.books.count != 2, [20, 60]), (\.author.pupils.count >= 1, [10, 20, 30, 50]),
            ] as [(Filter<Book>, [Int64])]
        }
        ConformanceCase(
            "NOT, AND and OR join filters of related items with others", proves: 6, 17, answersOf: .library
        ) {
            [
                (\.author.name == "Ada" && \.year == 2000, [20]),
                (\.author.name == "Ada" || \.year == 2000, [10, 20, 30]),
                (\.author.name == "Cy" && \.shelf.room == "north" && .any(\.labels), [40]),
                (!(\.author.name == "Cy" || .any(\.labels, \.rank == 3)), [10, 20, 30]),
                (\.author.name == "Nemo" || .none(\.chapters), [20, 50]),
                (\.author.name == "Nemo" && .none(\.chapters), []),
                (!(\.author.name == "Nemo") && \.id > 30, [40, 50, 60]),
            ] as [(Filter<Book>, [Int64])]
        }
        ConformanceCase(
            "Items are updated and deleted by filters of related items", proves: 3, 6, 17
        ) { world in
            let store = try world.openSmallLibrary()

            try store.writeSync { accessor in
                let updated = try accessor.update(Book.where(\.author.name == "Ada"), .set(\.year, to: 1))
                try expect(updated, equals: 2)
                try expect(try accessor.deleteItems(for: Book.where(.none(\.labels))), equals: 2)
            }

            try expect(Book.where(\.year == 1), gives: [10, 20], in: store)
            try expect(Book.all, gives: [10, 20, 40, 50], in: store)
            try expect(Person.where(\.books.count == 0), gives: [2, 5], in: store)
        }
        ConformanceCase(
            "A filter of related items sees the changes of its own block", proves: 4, 6, 17
        ) { world in
            let store = try world.openSmallLibrary()

            try store.writeSync { accessor in
                let ada = try require(accessor.mutableItem(id: SmallLibrary.people[0].id, of: Person.self))
                ada.name = "Zoe"
                try expect(try accessor.ids(for: Book.where(\.author.name == "Zoe")), equals: [10, 20])
                try expect(try accessor.countItems(for: Book.where(\.author.name == "Ada")), equals: 0)
                try accessor.insert(Book(70, "Eta", by: 5, labels: [SmallLibrary.labels[3]]))
                try expect(try accessor.ids(for: Book.where(.any(\.labels, \.id == "unused"))), equals: [70])
                try expect(try accessor.ids(for: Person.where(.none(\.books))), equals: [])
                try accessor.delete(id: 70, of: Book.self)
                try expect(
                    try accessor.ids(for: Person.where(.none(\.books))), equals: [SmallLibrary.people[4].id])
            }
        }
        ConformanceCase("An explanation names the plans for related items", proves: 17) { world in
            let store = try world.openSmallLibrary()

            let lines = try store.read {
                try $0.explain(Person.where(.any(\.books, .any(\.labels, \.rank == 3))))
            }

            let named = lines.joined(separator: "\n")
            try expect(named.contains("books") || named.contains("Book"), "a line about the books: \(named)")
            try expect(named.contains("labels"), "a line about the labels: \(named)")
        }
        ConformanceCase("Filters of related items pass thousands of owners", proves: 6, 17) { world in
            let store = try world.openSmallLibrary()
            let ids = Int64(1000)..<4000
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: ids.map { Person($0, "\($0 % 10)", mentor: 1) })
                try accessor.insert(contentsOf: ids.map { Book($0, by: $0, year: Int($0 % 3)) })
            }

            try store.read { accessor in
                func expectCount<Item: DataStoreItem>(_ filter: Filter<Item>, _ expected: Int) throws {
                    try expect(
                        try accessor.countItems(for: Item.where(filter)), equals: expected, "\(filter)")
                    try expect(try accessor.ids(for: Item.where(filter)).count, equals: expected, "\(filter)")
                }
                func people(_ filter: Filter<Person>, _ expected: Int) throws {
                    try expectCount(filter, expected)
                }
                func books(_ filter: Filter<Book>, _ expected: Int) throws {
                    try expectCount(filter, expected)
                }
                try people(.any(\.books, \.year < 3), 3000)
                try people(.none(\.books, \.year < 3), 5)
                try books(\.author.mentor.name == "Ada", 3001)
                try books(\.author.mentor.name != "Ada", 5)
                try books(\.author.name == "7", 300)
                try people(\.books.count == 1, 3002)
                try people(\.pupils.count == 3002, 1)
            }
        }
    }

    private static let everything: [Int64] = [10, 20, 30, 40, 50, 60]
}
