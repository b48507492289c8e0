import Larder

/// Lists that follow the stored items, and report each change.
enum ListCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A list comes at once, and then with each change", proves: 21) { world in
            let store = try world.open(Restaurant.self)
            var lists = ObservedLists(store.list(byName), of: store)
            try await lists.expectFirst([[Int]()])

            try await lists.expect("insert 0.0, insert 0.1, insert 0.2", [[1, 2, 3]]) { accessor in
                let restaurants = [
                    Restaurant(1, name: "B"), Restaurant(2, name: "D"), Restaurant(3, name: "F"),
                ]
                try accessor.insert(contentsOf: restaurants)
            }
            try await lists.expect("insert 0.1", [[1, 4, 2, 3]]) {
                _ = try $0.insert(Restaurant(4, name: "C"))
            }
            try await lists.expect("update 0.3→0.3", [[1, 4, 2, 3]]) { try $0.mutableRestaurant(3).seats = 9 }
            try await lists.expect("move 0.0→0.3 updated", [[4, 2, 3, 1]]) {
                try $0.mutableRestaurant(1).name = "Z"
            }
            try await lists.expect("delete 0.1", [[4, 3, 1]]) {
                _ = try $0.delete(id: .init(rawValue: 2), of: Restaurant.self)
            }
            try await lists.expect("delete 0.0, insert 0.1, update 0.1→0.0", [[3, 5, 1]]) { accessor in
                try accessor.delete(id: .init(rawValue: 4), of: Restaurant.self)
                try accessor.insert(Restaurant(5, name: "Y"))
                try accessor.mutableRestaurant(3).note = "changed"
            }
            try await lists.expect("delete 0.0, delete 0.1, delete 0.2", [[Int]()]) {
                _ = try $0.deleteAllItems(of: Restaurant.self)
            }
        }
        ConformanceCase("Sections of a list come and go with their items", proves: 8, 21) { world in
            let store = try world.open(Restaurant.self)
            try insert(
                Restaurant(1, name: "a", city: "Rome"), Restaurant(2, name: "b", city: "Bonn"),
                Restaurant(3, name: "c", city: "Rome"), into: store)
            var lists = ObservedLists(store.list(byName, sectionedBy: \.city) { "in \($0)" }, of: store)
            try await lists.expectFirst([[2], [1, 3]])
            try expect(lists.last.sections.map(\.name), equals: ["in Bonn", "in Rome"])
            try expect(lists.last.sections[0].value(as: String.self), equals: "Bonn")

            try await lists.expect("move 1.1→0.1 updated", [[2, 3], [1]]) {
                try $0.mutableRestaurant(3).city = "Bonn"
            }
            try await lists.expect(
                "delete section 1, insert section 1, move 1.0→1.0 updated", [[2, 3], [1]]
            ) {
                try $0.mutableRestaurant(1).city = "Oslo"
            }
            try await lists.expect("insert section 0, insert 0.0", [[4], [2, 3], [1]]) {
                _ = try $0.insert(Restaurant(4, name: "d"))
            }
            try await lists.expect("delete section 0, delete 0.0", [[2, 3], [1]]) {
                _ = try $0.delete(id: .init(rawValue: 4), of: Restaurant.self)
            }
            try await lists.expect(
                "delete section 0, insert section 0, move 0.0→0.0 updated, move 0.1→0.1 updated",
                [[2, 3], [1]]
            ) {
                _ = try $0.update(Restaurant.where(\.city == "Bonn"), .set(\.city, to: "Aachen"))
            }
            try expect(lists.last.sections.map(\.name), equals: ["in Aachen", "in Oslo"])
            try expect(lists.last.sectionIndexTitles, equals: ["I"])
        }
        ConformanceCase("A list has sections of related items", proves: 8, 17, 21) { world in
            let store = try Library.openEmpty(world)
            try await store.writeAsync { accessor in
                try accessor.insert(contentsOf: [Person(1, "Ada"), Person(2, "Bob"), Person(3, "Ada")])
                try accessor.insert(contentsOf: [
                    Book(10, "x", by: 1), Book(20, "y", by: 2), Book(30, "z", by: 3),
                ])
            }
            var lists = ObservedLists(
                store.list(Book.all.sorted(by: \.title), sectionedBy: \.author.name), of: store)
            // Two people of one name are one section.
            try await lists.expectFirst([[10, 30], [20]])
            try expect(lists.last.sections.map(\.name), equals: ["Ada", "Bob"])
            try expect(lists.last.sectionIndexTitles, equals: ["A", "B"])
            try expect(lists.last.section(forIndexTitle: "B"), equals: 1)

            func rename(_ id: Int64, _ name: String) -> @Sendable (DataStoreReadWriteAccessor) throws -> Void
            {
                { accessor in
                    let person = try accessor.mutableItem(id: .init(rawValue: id), of: Person.self)
                    try require(person).name = name
                }
            }
            // The books themselves have not changed.
            try await lists.expect("delete section 1, move 1.0→0.1", [[10, 20, 30]], rename(2, "Ada"))
            try await lists.expect("insert section 1, move 0.0→1.0", [[20, 30], [10]], rename(1, "Zed"))
            try expect(lists.last.sections.map(\.name), equals: ["Ada", "Zed"])
            try await lists.expect(
                "delete section 0, insert section 1, move 0.0→1.0, move 0.1→1.1", [[10], [20, 30]],
                { accessor in _ = try accessor.update(Person.where(\.name == "Ada"), .set(\.name, to: "ß")) })
            try expect(lists.last.sectionIndexTitles, equals: ["Z", "SS"])
        }
        ConformanceCase("Items without a value are a section", proves: 6, 8, 17, 21) { world in
            let store = try world.openSmallLibrary()
            let list = try store.read { accessor in
                try accessor.list(for: Book.all, sectionedBy: .by(\.editor.name))
            }
            let named = try store.read { accessor in
                try accessor.list(for: Book.all, sectionedBy: .by(\.editor.name) { $0 ?? "no editor" })
            }

            try expect(list.sections.map(\.name), equals: ["", "Ada", "Bob", "Cy"])
            try expect(list.sections.map { $0.map(\.id) }, equals: [[20, 50, 60], [30], [10], [40]])
            try expect(list.sections[0].value(as: String.self), equals: nil)
            try expect(list.sectionIndexTitles, equals: ["A", "B", "C"])
            try expect(named.sections[0].name, equals: "no editor")
            try expect(list.map(\.id), equals: [20, 50, 60, 30, 10, 40])
        }
        ConformanceCase("A list prints its number of items and its sections", proves: 8) { world in
            let store = try world.openSmallLibrary()

            let (whole, one, byEditor, byName) = try store.read { accessor in
                (
                    try accessor.list(for: Book.all), try accessor.list(for: Book.all.limit(1)),
                    try accessor.list(for: Book.all, sectionedBy: .by(\.editor.name)),
                    try accessor.list(for: Person.all, sectionedBy: .by(\.name))
                )
            }

            try expect("\(whole)", equals: "6 items of Book")
            try expect("\(one)", equals: "1 item of Book")
            try expect(
                "\(byEditor)",
                equals: #"6 items of Book in sections "" (3), "Ada" (1), "Bob" (1), "Cy" (1)"#)
            try expect(
                "\(byName)",
                equals: #"5 items of Person in sections "Ada" (1), "Bob" (1), "Cy" (1), "Dan" (1), "Eve" (1)"#
            )
            try expect("\(ItemList<Book>())", equals: "0 items of Book")
        }
        ConformanceCase("A list is sorted by its sections first", proves: 8) { world in
            let store = try world.openSmallLibrary()
            func ids(
                _ request: DataStoreRequest<Book>, _ sections: ListSectioning<Book>
            ) throws -> [String: [Int64]] {
                let list = try store.read { try $0.list(for: request, sectionedBy: sections) }
                try expect(list.sections.flatMap { Array($0) }, equals: list.items)
                return Dictionary(
                    uniqueKeysWithValues: list.sections.enumerated().map {
                        ("\($0) \($1.name)", $1.map(\.id))
                    })
            }
            try expect(
                try ids(Book.all.sorted(by: \.title, .descending), .by(\.year)),
                equals: ["0 1990": [50, 10], "1 2000": [30, 20], "2 2010": [40], "3 2020": [60]])
            // In the direction in which the request sorts by it, wherever it does.
            try expect(
                try ids(Book.all.sorted(by: \.title).sorted(by: \.year, .descending), .by(\.year)),
                equals: ["0 2020": [60], "1 2010": [40], "2 2000": [20, 30], "3 1990": [10, 50]])
            try expect(
                try ids(Book.all.sorted(by: \.author.name, .descending).limit(3), .by(\.author.name)),
                equals: ["0 Dan": [50], "1 Cy": [60, 40]])
            // The window belongs to the request, and the sections divide the items in it.
            try expect(
                try ids(Book.all.sorted(by: \.title, .descending).limit(4), .by(\.year)),
                equals: ["0 1990": [50], "1 2000": [30], "2 2010": [40], "3 2020": [60]])
            try expect(
                try ids(Book.all.sorted(by: \.title).offset(1).limit(3), .by(\.author.name)),
                equals: ["0 Ada": [20], "1 Cy": [40], "2 Dan": [50]])
            try expect(try ids(Book.all.offset(9), .by(\.year)), equals: [:])
            try expect(
                try ids(Book.where(\.year > 1990).sorted(by: \.title), .by(\.author.mentor.id)),
                equals: ["0 ": [20], "1 0000000000001": [30], "2 0000000000002": [40, 60]])
        }
    }

    private static func insert(_ restaurants: Restaurant..., into store: any DataStore) throws {
        try store.writeSync { try $0.insert(contentsOf: restaurants) }
    }

    private static let byName = Restaurant.all.sorted(by: \.name)
}
