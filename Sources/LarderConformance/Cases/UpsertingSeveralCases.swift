import Larder

/// Items are inserted or changed by one call, and attributes are set to the values of others.
enum UpsertingSeveralCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("An upsert of items inserts some and changes others", proves: 11) { world in
            let store = try world.openFilled()
            var changed = Fixture.restaurant(2)
            changed.city = "Basel"

            let counts = try store.writeSync { accessor in
                try accessor.upsert(contentsOf: [Restaurant(20, name: "new"), changed, Fixture.restaurant(3)])
            }

            try expect(counts, equals: ImportCounts(inserted: 1, updated: 1, unchanged: 1))
            var expected = Fixture.restaurants + [Restaurant(20, name: "new")]
            expected[1] = changed
            try expect(try store.items(Restaurant.all), equals: expected)
            try expect(Restaurant.where(\.city == "Basel"), gives: [2, 3, 7], in: store)
            let none = try store.writeSync { try $0.upsert(contentsOf: [Restaurant]()) }
            try expect(none, equals: ImportCounts())
        }
        ConformanceCase(
            "An upsert of items by an attribute keeps identifiers; nil inserts", proves: 11
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let counts = try accessor.upsert(
                    contentsOf: [
                        Restaurant(77, name: "Otoro", slug: "otoro"), Restaurant(78, name: "a"),
                        Restaurant(79, name: "b"), Restaurant(80, name: "New", slug: "new"),
                    ], by: \.slug)
                try expect(counts, equals: ImportCounts(inserted: 3, updated: 1))
                try expectError(.duplicateIdentifier) {
                    try accessor.upsert(contentsOf: [Restaurant(81), Restaurant(78)], by: \.slug)
                }
                try expectError(.invalidRequest) {
                    try accessor.upsert(contentsOf: [Restaurant(1)], by: \.city)
                }
            }

            try expect(try store.restaurant(6), equals: Restaurant(6, name: "Otoro", slug: "otoro"))
            try expect(Restaurant.where(\.id > ItemID(rawValue: 12)), gives: [78, 79, 80], in: store)
        }
        ConformanceCase("The last item of a key wins", proves: 11) { world in
            let store = try world.open(Restaurant.self)
            // The same keys in one batch and far from each other.
            let items = (1...3000).map { Restaurant($0, slug: "s\($0 % 700 / 2)", seats: Int($0)) }

            let counts = try store.writeSync { try $0.upsert(contentsOf: items, by: \.slug) }

            try expect(counts.inserted, equals: 350)
            try expect(counts.total, equals: 3000)
            try expect(try store.count(Restaurant.all), equals: 350)
            let first = try require(try store.items(Restaurant.where(\.slug == "s10")).first)
            try expect(first.id.rawValue, equals: 20)
            try expect(first.seats, equals: 2821)
            // These keys are two, though Swift's texts are equal.
            for distance in [1, 300] {
                var other = (1...400).map { Restaurant($0, slug: "k\($0)") }
                (other[0].slug, other[distance].slug) = ("\u{E9}", "e\u{301}")
                let counts = try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Restaurant.self)
                    return try accessor.upsert(contentsOf: other, by: \.slug)
                }
                try expect(counts, equals: ImportCounts(inserted: 400))
            }
        }
        ConformanceCase("Unique values are swapped anywhere in one upsert", proves: 11) { world in
            let store = try world.open(Restaurant.self)
            let items = (1...1000).map { Restaurant($0, slug: "s\($0)") }
            try store.writeSync { try $0.insert(contentsOf: items) }

            // Each takes the slug of the one at the other end, and a new item one that comes free.
            var turned = items.map {
                Restaurant($0.id.rawValue, name: "t", slug: "s\(1001 - $0.id.rawValue)")
            }
            turned[0].slug = "free"
            turned.insert(Restaurant(2000, slug: "s1000"), at: 0)
            // One comes up again while it waits.
            turned.append(Restaurant(2, name: "again", slug: "s999"))
            let counts = try store.writeSync { try $0.upsert(contentsOf: turned) }

            try expect(counts, equals: ImportCounts(inserted: 1, updated: 1001))
            turned[2] = turned.removeLast()
            try expect(try store.items(Restaurant.all), equals: Array(turned.dropFirst()) + [turned[0]])
            try expect(Restaurant.where(\.slug == "s3"), gives: [998], in: store)
            try expect(Restaurant.where(\.slug == "s1000"), gives: [2000], in: store)
        }
        ConformanceCase("An upsert that clashes at its end changes nothing", proves: 3, 11) { world in
            let store = try world.openFilled()
            let new = (100...700).map { Restaurant($0, slug: "n\($0)") }

            try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(3)
                handle.seats = 81
                let error = try expectError(.uniqueViolation) {
                    try accessor.upsert(
                        contentsOf: [Restaurant(3, name: "changed"), Restaurant(4, slug: "roma")] + new)
                }
                try expect(error.identifier, equals: .itemID(1))
                try expect(handle.name, equals: Fixture.restaurant(3).name)
                try expect(handle.seats, equals: 81)
                try expectError(.invalidValue) {
                    try accessor.upsert(contentsOf: new + [Restaurant(5, rating: .nan)])
                }
            }

            var expected = Fixture.restaurants
            expected[2].seats = 81
            try expect(try store.items(Restaurant.all), equals: expected)
        }
        ConformanceCase("Handles show what an upsert of items has stored", proves: 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let known = try accessor.mutableRestaurant(3)
                let swapped = try accessor.mutableRestaurant(1)
                let deleted = try accessor.mutableRestaurant(5)
                try accessor.delete(deleted)
                known.slug = "lion"
                try accessor.upsert(
                    contentsOf: [Restaurant(50, name: "Lion", slug: "lion"), Restaurant(5, slug: "five")],
                    by: \.slug)
                try expect(known.name, equals: "Lion")
                try expect(deleted.slug, equals: "five")
                try accessor.upsert(contentsOf: [Restaurant(1, slug: "roma-2"), Restaurant(2, slug: "roma")])
                try expect(swapped.slug, equals: "roma-2")
                known.seats = 1
                deleted.seats = 2
                swapped.seats = 3
            }

            try expect(try store.restaurant(3), equals: Restaurant(3, name: "Lion", slug: "lion", seats: 1))
            try expect(try store.restaurant(5), equals: Restaurant(5, slug: "five", seats: 2))
            try expect(try store.restaurant(1), equals: Restaurant(1, slug: "roma-2", seats: 3))
        }
        ConformanceCase("An upsert of items is heard with what it changed", proves: 5) { world in
            let store = try world.openFilled()
            var changed = Fixture.restaurant(2)
            changed.city = "Basel"
            changed.note = nil

            let sets = try await changeSets(
                store,
                [
                    { [changed] accessor in
                        try accessor.upsert(contentsOf: [changed, Fixture.restaurant(1), Restaurant(20)])
                    },
                    { try $0.upsert(contentsOf: [Restaurant(20)]) },
                    {
                        try $0.update(
                            Restaurant.where(\.id == ItemID(rawValue: 20)), .set(\.name, to: \.city))
                    },
                ])

            try expect(sets, equals: [["Restaurant 2 updated city note", "Restaurant 20 inserted"]])
        }
        ConformanceCase("An upsert of items replaces the links that it gives", proves: 15) { world in
            let store = try Library.open(world)

            let counts = try store.writeSync { accessor in
                try accessor.upsert(contentsOf: [
                    Book(10, "Cats", by: 1, editedBy: 2, year: 1990, shelf: 1, labels: [Label("unused")]),
                    Book(11, "Birds", by: 1, year: 1995, shelf: 1, labels: [Label("new")]),
                    Book(13, "Dogs", by: 1, editedBy: 2, year: 1995),
                    Book(30, "Foxes", by: 4, labels: [Label("old")]),
                ])
            }

            try expect(counts, equals: ImportCounts(inserted: 1, updated: 1, unchanged: 2))
            try expect(try LinkFixture.labels(of: 10, in: store), equals: ["unused"])
            try expect(try LinkFixture.labels(of: 11, in: store), equals: ["new"])
            try expect(try LinkFixture.labels(of: 13, in: store), equals: ["new", "old", "łong"])
            try expect(try LinkFixture.labels(of: 30, in: store), equals: ["old"])
            // Each item of the list counts by what it has changed itself.
            let linked = try world.openElsewhere(Linked.self)
            for distance in [1, 300] {
                var items = (1000..<1400).map { Linked($0) }
                items[0] = Linked(1, others: [5])
                items[distance] = Linked(1, others: [5])
                items[distance + 1] = Linked(1, others: [5, 6])
                let counts = try linked.writeSync { accessor in
                    try accessor.deleteAllItems(of: Linked.self)
                    try accessor.insert(contentsOf: [Linked(5), Linked(6)])
                    return try accessor.upsert(contentsOf: items)
                }
                try expect(counts, equals: ImportCounts(inserted: 398, updated: 1, unchanged: 1))
            }
            // An item refers to its owner if that was given others before it, and not if after it.
            for distance in [1, 300] {
                for ownerIsLast in [false, true] {
                    var child = Linked(6)
                    child.parent = ToOne(id: 1)
                    var items = (1000..<1400).map { Linked($0) }
                    items[ownerIsLast ? distance : 0] = Linked(1, children: [5])
                    items[ownerIsLast ? 0 : distance] = child
                    try linked.writeSync { accessor in
                        try accessor.deleteAllItems(of: Linked.self)
                        try accessor.insert(contentsOf: [Linked(1), Linked(5), Linked(6)])
                        try accessor.upsert(contentsOf: items)
                    }
                    try expect(try linked.item(5, of: Linked.self)?.parent?.id, equals: 1)
                    let owner = try linked.item(6, of: Linked.self)?.parent?.id
                    try expect(owner, equals: ownerIsLast ? nil : 1)
                }
            }
            // An item stays with the owner that was given it, and keeps a reference to one that was given others before.
            for distance in [1, 150] {
                func owner(in parent: Int, after given: [Int]...) throws -> Int? {
                    var child = Linked(6)
                    child.parent = ToOne(id: parent)
                    var items = (1000..<1400).map { Linked($0) }
                    for (turn, children) in given.enumerated() {
                        items[turn * distance] = Linked(1, children: children)
                    }
                    items[2 * distance] = child
                    try linked.writeSync { accessor in
                        try accessor.deleteAllItems(of: Linked.self)
                        try accessor.insert(contentsOf: [Linked(1), Linked(5), Linked(6)])
                        try accessor.upsert(contentsOf: items)
                    }
                    return try linked.item(6, of: Linked.self)?.parent?.id
                }
                try expect(try owner(in: 1, after: [6]), equals: 1)
                try expect(try owner(in: 1, after: [6], []), equals: 1)
                try expect(try owner(in: 1, after: [], [6]), equals: 1)
                try expect(try owner(in: 5, after: [6]), equals: 1)
            }
        }
        ConformanceCase("References of an upsert may lead to its later items", proves: 15) { world in
            let store = try Library.open(world)

            try store.writeSync { accessor in
                let people = (100...900).map { Person($0, "p\($0)", mentor: $0 < 900 ? $0 + 1 : 100) }
                try accessor.upsert(contentsOf: people)
                let error = try expectError(.targetNotFound) {
                    try accessor.upsert(contentsOf: [Person(1, "Ada", mentor: 5000)])
                }
                try expect(error.attribute, equals: "mentor")
            }

            try expect(try store.count(Person.all), equals: 805)
            try expect(Person.where(\.mentor.name == "p900"), gives: [899] as [Int64], in: store)
        }
        ConformanceCase(
            "In a child, an upsert of items touches what upserts one by one touch", proves: 15, 18
        ) { world in
            let store = try Library.open(world)
            // The first takes the holder of the second, which takes it back; the third has its own all the time.
            let given = [Passport("p3", holder: 1)] + Library.passports.prefix(2)
            let children = try (0..<2).map { _ in try store.makeChildDataStore() }
            let counts = try children[0].writeSync { try $0.upsert(contentsOf: given) }
            try expect(counts, equals: ImportCounts(updated: 1, unchanged: 2))
            try children[1].writeSync { accessor in
                for passport in given { try accessor.upsert(passport) }
            }

            try store.writeSync { try $0.deleteAllItems(of: Passport.self) }

            for child in children {
                let passports = try child.items(Passport.all)
                try expect(passports, equals: [Library.passports[0], Library.passports[2]])
                try expect(child.stagedChanges.isEmpty, "what is changed back is not staged")
                try child.refresh()
                try expect(try child.count(Passport.all), equals: 0)
            }
        }
        ConformanceCase("Found items stay unchanged, others are inserted", proves: 11) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let known = try accessor.findOrInsert(Restaurant(50, name: "no", slug: "otoro"), by: \.slug)
                try expect(known.item, equals: Fixture.restaurant(6))
                let new = try accessor.findOrInsert(Restaurant(51, name: "yes", slug: "new"), by: \.slug)
                try expect(new.id.rawValue, equals: 51)
                try expect(
                    try accessor.findOrInsert(Restaurant(52, slug: "new"), by: \.slug) === new, "one handle")
                try accessor.findOrInsert(Restaurant(53), by: \.slug)
                try expect(try accessor.findOrInsert(Restaurant(53, name: "x"), by: \.id).name, equals: "")
                try expectError(.invalidRequest) { try accessor.findOrInsert(Restaurant(54), by: \.city) }
            }

            try expect(Restaurant.where(\.id > ItemID(rawValue: 12)), gives: [51, 53], in: store)
        }
        ConformanceCase("An update sets attributes to the values of others", proves: 11) { world in
            let store = try world.openFilled()

            let count = try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(1)
                let count = try accessor.update(
                    Restaurant.where(\.id <= ItemID(rawValue: 3)), .set(\.name, to: \.city),
                    .set(\.city, to: \.name),
                    .set(\.note, to: \.name), .set(\.seats, to: 1))
                try expect(handle.name, equals: "Rome")
                return count
            }

            try expect(count, equals: 3)
            for id in 1...3 {
                var expected = Fixture.restaurant(id)
                (expected.name, expected.city) = (expected.city, expected.name)
                expected.note = expected.city
                expected.seats = 1
                try expect(try store.restaurant(Int64(id)), equals: expected)
            }
            try expect(try store.writeSync { try $0.update(Dish.all, .set(\.name, to: \.name)) }, equals: 0)
            try expectError(.uniqueViolation, writingTo: store) {
                try $0.update(Restaurant.all, .set(\.slug, to: \.city))
            }
        }
        ConformanceCase(
            "An update sets attributes to values of related items", proves: 17
        ) { world in
            let store = try Library.open(world)

            let count = try store.writeSync { accessor in
                try accessor.update(
                    Book.all, .set(\.title, to: \.author.name), .set(\.editor, to: \.author.mentor))
            }

            try expect(count, equals: 5)
            let books = try store.items(Book.all)
            try expect(books.map(\.title), equals: ["Ada", "Ada", "Bo", "Ada", "Cy"])
            try expect(books.map { $0.editor?.id.rawValue }, equals: [nil, nil, 1, nil, 1])
            let error = try expectError(.invalidValue, writingTo: store) {
                try $0.update(Book.where(\.author.name == "Ada"), .set(\.title, to: \.editor.name))
            }
            try expect(error.attribute, equals: "title")
            try store.writeSync { accessor in
                try accessor.update(
                    Person.where(\.id == ItemID(rawValue: 1)), .set(\.name, to: \.passport.id))
            }
            try expect(try store.item(ItemID(rawValue: 1), of: Person.self)?.name, equals: "p1")
        }
        ConformanceCase("An update sets an attribute that may be nil to a related value", proves: 17) {
            world in
            let store = try world.open(Song.self, Album.self)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Album(1, "Blue"), Album(2, "Red")])
                try accessor.insert(
                    contentsOf: [Song(1, "a", on: 2), Song(2, "b", by: "Ann"), Song(3, "c", on: 1)])
            }

            let count = try store.writeSync { try $0.update(Song.all, .set(\.artist, to: \.album.name)) }

            try expect(count, equals: 3)
            try expect(try store.items(Song.all).map(\.artist), equals: ["Red", nil, "Blue"])
        }
        ConformanceCase(
            "An update reads related items of its own type before it changes any", proves: 17
        ) { world in
            let store = try Library.openEmpty(world)

            for count: Int64 in [255, 257, 600] {
                // The mentor of each is the one before, and the first has none other.
                let people = (1...count).map { Person($0, "p\($0)", mentor: max(1, $0 - 1)) }
                let changed = try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Person.self)
                    try accessor.insert(contentsOf: people)
                    return try accessor.update(Person.all, .set(\.name, to: \.mentor.name))
                }

                try expect(changed, equals: Int(count) - 1)
                try expect(
                    try store.items(Person.all).map(\.name),
                    equals: (1...count).map { "p\(max(1, $0 - 1))" })
                // Two steps lead through the same items.
                try store.writeSync { try $0.update(Person.all, .set(\.name, to: \.mentor.mentor.name)) }
                try expect(
                    try store.items(Person.all).map(\.name),
                    equals: (1...count).map { "p\(max(1, $0 - 3))" })
            }
        }
    }
}
