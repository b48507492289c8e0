import Larder

/// Items are found by a key or inserted, and changed in what a source has.
enum ImportCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "An import inserts new items and changes what its map names", proves: 11
        ) { world in
            let store = try world.openFilled()

            let counts = try store.writeSync { accessor in
                try accessor.importItems(
                    from: [
                        Source("otoro", seats: 9), Source("new", name: "New"), Source("vegan"),
                        Source("roma-2", note: .some(nil)),
                    ], using: map)
            }

            try expect(counts, equals: ImportCounts(inserted: 1, updated: 3))
            var expected = Fixture.restaurants
            expected[5].seats = 9
            expected[1].note = nil
            for position in [5, 9, 1] { expected[position].city = "Import" }
            try expect(Array(try store.items(Restaurant.all).prefix(12)), equals: expected)
            let new = try require(try store.items(Restaurant.where(\.slug == "new")).first)
            try expect(new, equals: Restaurant(new.id.rawValue, name: "New", city: "Import", slug: "new"))
            try expect(
                try store.writeSync {
                    try $0.importItems(from: [Source("vegan"), Source("new")], using: map)
                },
                equals: ImportCounts(unchanged: 2))
            try expectError(.invalidRequest, writingTo: store) {
                try $0.importItems(
                    from: [Source("a")], using: ImportMap<Restaurant, Source>(by: \.city, from: \.slug))
            }
        }
        ConformanceCase("An import by an identifier that the source gives", proves: 11) { world in
            let store = try world.openFilled()
            let map = ImportMap<Dish, (Int64, String)>(by: \.id, from: { ItemID(rawValue: $0.0) }) {
                Import(\.name, from: \.1)
                Import(\.course) { _ in .dessert }
                Import(\.cents) { _ in 5 }
            }

            try store.writeSync {
                try $0.importItems(from: [(3, "Pie"), (70, "Tea")] as [(Int64, String)], using: map)
            }

            try expect(try store.dish(3), equals: Dish(3, at: 2, name: "Pie", course: .dessert, cents: 5))
            try expect(try store.dish(70), equals: Dish(70, name: "Tea", course: .dessert, cents: 5))
        }
        ConformanceCase("An import without a key inserts each source", proves: 11) { world in
            let store = try world.open(Keyed<Int64>.self)
            let map = ImportMap<Keyed<Int64>, Int64> {
                Import(\.id, from: \.self)
                Import(\.rank) { Int($0) * 2 }
            }

            let counts = try store.writeSync {
                try $0.importItems(from: 1...600 as ClosedRange<Int64>, using: map)
            }

            try expect(counts, equals: ImportCounts(inserted: 600))
            try expect(try store.item(600, of: Keyed<Int64>.self), equals: Keyed(600, rank: 1200))
            try expectError(.duplicateIdentifier, writingTo: store) {
                try $0.importItems(from: [601, 5] as [Int64], using: map)
            }
            try expect(try store.count(Keyed<Int64>.all), equals: 600)
        }
        ConformanceCase("New items get defaults, and must have what they need", proves: 3) { world in
            let store = try world.openFilled()
            let some = ImportMap<Restaurant, String>(by: \.slug, from: \.self) {
                Import(\.name, from: \.self)
            }

            let error = try expectError(.invalidValue, writingTo: store) {
                try $0.importItems(from: ["roma", "x"], using: some)
            }
            try expect(error.attribute, equals: "city")
            try expect(error.importPlace, equals: ImportPlace(position: 1))
            let made = some.inserting { Restaurant(90, name: "not this", city: "Bern", rating: 3, slug: $0) }
            try store.writeSync { try $0.importItems(from: ["roma", "x"], using: made) }

            try expect(
                try store.restaurant(90),
                equals: Restaurant(90, name: "x", city: "Bern", rating: 3, slug: "x"))
            try expect(try store.restaurant(1)?.name, equals: "roma")
            try expect(try store.restaurant(1)?.city, equals: "Rome")
        }
        ConformanceCase("A source without a key is skipped", proves: 11) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try expect(
                    try accessor.importItems(from: [Source(nil, name: "no"), Source("roma")], using: map),
                    equals: ImportCounts(updated: 1, skipped: 1))
                try expect(try accessor.importItem(from: Source(nil), using: map) == nil, "no item")
                try expect(try accessor.importItems(from: [Source](), using: map), equals: ImportCounts())
            }

            try expect(try store.count(Restaurant.all), equals: 12)
        }
        ConformanceCase("The last source of a key wins, in the first place", proves: 8) { world in
            let store = try world.open(Restaurant.self)
            let sources = (0..<2000).map {
                Source("s\($0 % 700 / 2)", name: $0 < 600 ? "n\($0)" : nil, seats: $0)
            }
            let named = map.inserting { Restaurant(1000 + Int64($0.seats ?? 0), name: "") }

            let ids = try store.writeSync { accessor in
                try accessor.importMutableItems(from: sources, using: named).map(\.id.rawValue)
            }

            try expect(ids, equals: (0..<350).map { 1000 + 2 * Int64($0) })
            let item = try require(try store.items(Restaurant.where(\.slug == "s10")).first)
            try expect(item.id.rawValue, equals: 1020)
            try expect(item.seats, equals: 1421)
            try expect(item.name, equals: "n21")
            // These keys are two, though Swift's texts are equal.
            let new = map.inserting { _ in Restaurant(ItemID<Restaurant>().rawValue) }
            for (map, distance) in [(new, 1), (new, 300), (new.shouldUpdate { _, _ in true }, 1)] {
                var sources = (0..<400).map { Source("k\($0)") }
                (sources[0].slug, sources[distance].slug) = ("\u{E9}", "e\u{301}")
                let counts = try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Restaurant.self)
                    return try accessor.importItems(from: sources, using: map)
                }
                try expect(counts, equals: ImportCounts(inserted: 400))
            }
        }
        ConformanceCase(
            "A source is asked about insertion only while there is no item", proves: 4
        ) { world in
            let store = try world.open(Keyed<Int64>.self)
            // A rank that is not negative is inserted; any may change what is there.
            let map = ImportMap<Keyed<Int64>, (Int64, Int)>(by: \.id, from: \.0) { Import(\.rank, from: \.1) }
                .shouldInsert { $0.1 >= 0 }
            // The same source twice, next to each other and hundreds apart.
            for distance in [1, 300] {
                var sources: [(Int64, Int)] = (0..<400).map { (Int64(1000 + $0), $0) }
                sources[0] = (1, 5)
                sources[distance] = (1, -7)
                sources[distance + 1] = (2, -1)
                let counts = try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Keyed<Int64>.self)
                    return try accessor.importItems(from: sources, using: map)
                }
                try expect(counts, equals: ImportCounts(inserted: 398, updated: 1, skipped: 1))
                try expect(try store.item(1, of: Keyed<Int64>.self)?.rank, equals: -7)
                try expect(try store.item(2, of: Keyed<Int64>.self) == nil, "no item")
            }
        }
        ConformanceCase("An import sees what the block has done", proves: 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let handle = try accessor.insert(Restaurant(30, slug: "here"))
                try accessor.mutableRestaurant(3).slug = "lion"
                try accessor.delete(Fixture.restaurant(6))
                let counts = try accessor.importItems(
                    from: [Source("here", seats: 3), Source("lion"), Source("otoro", name: "Otoro")],
                    using: map)
                try expect(counts, equals: ImportCounts(inserted: 1, updated: 2))
                try expect(handle.seats, equals: 3)
            }

            try expect(try store.restaurant(30)?.city, equals: "Import")
            try expect(try store.restaurant(3)?.slug, equals: "lion")
            try expect(try store.restaurant(6), equals: nil)
        }
        ConformanceCase("Hooks decide and finish", proves: 4) { world in
            let store = try world.openFilled()
            let hooked = map.shouldInsert { $0.seats != 0 }.shouldUpdate { item, source in
                item.seats < source.seats ?? 0
            }.didImport { handle, source, accessor in
                handle.note = "\(source.name ?? "-") \(try accessor.countItems(for: Restaurant.all))"
            }

            let counts = try store.writeSync { accessor in
                try accessor.importItems(
                    from: [
                        Source("a", name: "A", seats: 5), Source("b", name: "B", seats: 0),
                        Source("a", name: "AA", seats: 4), Source("a", seats: 6), Source("roma", seats: 40),
                        Source("vegan", seats: 1001),
                    ], using: hooked)
            }

            try expect(counts, equals: ImportCounts(inserted: 1, updated: 2, skipped: 3))
            let item = try require(try store.items(Restaurant.where(\.slug == "a")).first)
            try expect(item.name, equals: "A")
            try expect(item.seats, equals: 6)
            try expect(item.note, equals: "- 13")
            try expect(try store.restaurant(1), equals: Fixture.restaurant(1))
            try expect(try store.restaurant(10)?.seats, equals: 1001)
            try expect(Restaurant.where(\.slug == "b"), gives: [Int64](), in: store)
        }
        ConformanceCase("A throw in any closure leaves nothing half-made", proves: 3) { world in
            let store = try world.openFilled()
            let sources = [
                Source("roma", name: "changed", seats: 1), Source("new", name: "n"), Source("bad", name: "b"),
            ]
            @Sendable func fail(_ source: Source) throws { if source.slug == "bad" { throw OwnError() } }
            let maps = [
                map.inserting {
                    try fail($0)
                    return Restaurant(ItemID<Restaurant>().rawValue)
                },
                map.shouldInsert {
                    try fail($0)
                    return true
                },
                map.didImport { handle, source, accessor in
                    handle.name = "half"
                    try accessor.insert(Restaurant(ItemID<Restaurant>().rawValue))
                    try fail(source)
                },
                ImportMap<Restaurant, Source>(by: \.slug, from: \.slug) {
                    Import(\.name) {
                        try fail($0)
                        return "x"
                    }
                }.inserting { _ in Restaurant(ItemID<Restaurant>().rawValue) },
            ]

            try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(1)
                handle.note = "kept"
                let new = (0..<600).map { Source("m\($0)", name: "m") }
                for map in maps {
                    try expectOwnError {
                        try accessor.importItems(from: new.prefix(300) + sources, using: map)
                    }
                    try expect(handle.name, equals: "Trattoria Roma")
                    try expect(handle.seats, equals: 40)
                }
                var count = 0
                try expectOwnError {
                    try accessor.importItems(from: new, using: map) { progress in
                        count = progress.done
                        if count > 500 { throw OwnError() }
                    }
                }
                try expect(count, equals: 512)
            }

            var expected = Fixture.restaurants
            expected[0].note = "kept"
            try expect(try store.items(Restaurant.all), equals: expected)
        }
        ConformanceCase("A refused value names the source", proves: 3, 9) { world in
            let store = try world.openFilled()
            let map = ImportMap<Restaurant, (String, Double)>(by: \.slug, from: \.0) {
                Import(\.rating, from: \.1)
            }

            let error = try expectError(.invalidValue, writingTo: store) {
                try $0.importItems(from: [("roma", 1), ("otoro", .nan)], using: map)
            }

            try expect(error.importPlace, equals: ImportPlace(position: 1))
            try expect(error.itemType, equals: "Restaurant")
            try expect(error.attribute, equals: "rating")
            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("An error of a hook names the source that the hook is about", proves: 3, 9) { world in
            let store = try world.openFilled()
            let ratings = ImportMap<Restaurant, (String, Double)>(by: \.slug, from: \.0) {
                Import(\.rating, from: \.1)
            }
            @Sendable func importMore(_ accessor: DataStoreReadWriteAccessor) throws {
                // The second of these sources is refused.
                try accessor.importItems(
                    from: [("vegan", 1), ("otoro", .nan)] as [(String, Double)], using: ratings)
            }
            let hooked = map.didImport { _, source, accessor in
                if source.slug == "vegan" { try importMore(accessor) }
            }
            let sources = ["roma", "roma-2", "vegan", "otoro"].map { Source($0) }

            let error = try expectError(.invalidValue, writingTo: store) {
                try $0.importItems(from: sources, using: hooked)
            }
            let later = try await expectError(
                .invalidValue,
                async: { try await store.importItems(from: sources, using: hooked, committingEvery: 2) })
            // The first source waits for the slug of the last one.
            let waiting = ImportMap<Restaurant, Restaurant>(by: \.id, from: \.id) {
                Import(\.slug, from: \.slug)
            }.inserting { $0 }.didImport { _, source, accessor in
                if source.slug == "otoro" { try importMore(accessor) }
            }
            let items = [Restaurant(1, slug: "otoro"), Restaurant(2, slug: "n")]
            let last = try expectError(.invalidValue, writingTo: store) {
                try $0.importItems(
                    from: items + (1000..<1300).map { Restaurant($0) } + [Restaurant(6, slug: "x")],
                    using: waiting)
            }

            try expect(error.importPlace, equals: ImportPlace(position: 2))
            try expect(later.importPlace, equals: ImportPlace(position: 2))
            try expect(last.importPlace, equals: ImportPlace(position: 0))
        }
        ConformanceCase("Unique values are swapped anywhere in one import", proves: 11) { world in
            let store = try world.open(Restaurant.self)
            let items = (1...700).map { Restaurant($0, slug: "s\($0)") }
            try store.writeSync { try $0.insert(contentsOf: items) }
            let map = ImportMap<Restaurant, Restaurant>(by: \.id, from: \.id) { Import(\.slug, from: \.slug) }
                .didImport { handle, source, _ in handle.note = source.slug }

            try store.writeSync { accessor in
                let turned = items.map { Restaurant($0.id.rawValue, slug: "s\(701 - $0.id.rawValue)") }
                try accessor.importItems(from: turned, using: map)
                let error = try expectError(.uniqueViolation) {
                    try accessor.importItems(
                        from: [Restaurant(3, slug: "s1"), Restaurant(4, slug: "x")], using: map)
                }
                try expect(error.identifier, equals: .itemID(700))
            }

            try expect(try store.restaurant(3), equals: Restaurant(3, slug: "s698", note: "s698"))
            try expect(try store.restaurant(700), equals: Restaurant(700, slug: "s1", note: "s1"))
            try expect(Restaurant.where(\.slug == "x"), gives: [Int64](), in: store)
        }
        ConformanceCase("An import is heard with what it changed", proves: 5) { world in
            let store = try world.openFilled()

            let sets = try await changeSets(
                store,
                [
                    { try $0.importItems(from: [Source("roma", seats: 4), Source("otoro")], using: map) },
                    { try $0.importItems(from: [Source("roma")], using: map) },
                ])

            try expect(sets, equals: [["Restaurant 1 updated city seats", "Restaurant 6 updated city"]])
        }
        ConformanceCase("Handles show what an import has stored", proves: 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let known = try accessor.mutableRestaurant(6)
                known.seats = 77
                let handles = try accessor.importMutableItems(
                    from: [
                        Source("new", name: "N", seats: 1), Source(nil), Source("otoro", name: "O"),
                        Source("new", seats: 2),
                    ],
                    using: map)
                try expect(handles.map(\.name), equals: ["N", "O"])
                try expect(handles[1] === known, "one handle")
                try expect(known.seats, equals: 77)
                try expect(handles[0].seats, equals: 2)
                known.seats += 1
            }

            try expect(try store.restaurant(6)?.seats, equals: 78)
            try expect(try store.restaurant(6)?.name, equals: "O")
        }
        ConformanceCase("An import in parts commits each of them", proves: 3) { world in
            let store = try world.open(Restaurant.self)
            let map = map.inserting { Restaurant(Int64($0.seats ?? 0)) }
            let sources = (1...1000 as ClosedRange<Int>).lazy.map { Source("s\($0)", seats: $0) }

            var steps: [DataStoreProgress] = []
            let counts = try await store.importItems(from: sources, using: map, committingEvery: 400) {
                steps.append($0)
            }
            let bad = ImportMap<Restaurant, Source>(by: \.slug, from: \.slug) {
                Import(\.rating) { $0.seats == 900 ? .nan : 1 }
            }
            let error = try await expectError(
                .invalidValue,
                async: { try await store.importItems(from: Array(sources), using: bad, committingEvery: 400) }
            )

            try expect(counts, equals: ImportCounts(inserted: 1000))
            let expected = [400, 800, 1000].map { DataStoreProgress("importing", done: $0, total: 1000) }
            try expect(steps, equals: expected)
            try expect(steps.map(\.fraction), equals: [0.4, 0.8, 1])
            try expect(error.importPlace, equals: ImportPlace(position: 899))
            try expect(try store.count(Restaurant.where(\.rating == 1)), equals: 800)
        }
    }

    /// A source of a restaurant; nil if it has nothing.
    struct Source: Sendable {
        var slug: String?
        var name: String?
        var seats: Int?
        var note: String??

        init(_ slug: String?, name: String? = nil, seats: Int? = nil, note: String?? = nil) {
            self.slug = slug
            self.name = name
            self.seats = seats
            self.note = note
        }
    }

    static let map = ImportMap<Restaurant, Source>(by: \.slug, from: \.slug) {
        Import(\.name, ifPresent: \.name)
        Import(\.seats, ifPresent: \.seats)
        Import(\.note, ifPresent: \.note)
        Import(\.city) { _ in "Import" }
    }
}
