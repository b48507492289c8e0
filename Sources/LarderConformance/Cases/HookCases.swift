import struct Foundation.Date
import Larder

/// Hooks run once for each item that a block has changed, at its end, by whichever way it was changed.
enum HookCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Hooks run once for each item at the end of a block", proves: 22) { world in
            let calls = Locked<[String]>([])
            let store = try open(world, noting: calls)

            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Memo(1, "one"), Memo(2, "two")])
                try accessor.insert(Memo(3, "three")).stars = 3
                try expect(try accessor.item(id: 1, of: Memo.self)?.slug, equals: nil)
                try require(try accessor.mutableItem(id: 1, of: Memo.self)).text = "uno"
                try accessor.delete(id: 2, of: Memo.self)
            }
            try expect(try store.items(Memo.all).map(\.slug), equals: ["uno", "three"])
            try expect(calls.withLock { $0 }, equals: ["insert 1", "insert 3"])
            try store.writeSync { accessor in
                try require(try accessor.mutableItem(id: 1, of: Memo.self)).text = "eins"
                try require(try accessor.mutableItem(id: 3, of: Memo.self)).text = "three"
                try accessor.insert(Memo(4, "four"))
                try accessor.delete(id: 4, of: Memo.self)
            }

            try expect(calls.withLock { $0 }, equals: ["insert 1", "insert 3", "update 1 uno"])
            try expect(try store.items(Memo.all).map(\.stars), equals: [1, 3])
        }
        ConformanceCase("All findings of a block come in one error", proves: 3, 22) { world in
            let store = try open(world)

            let error = try expectError(.invalidItems, writingTo: store) { accessor in
                try accessor.insert(contentsOf: [Memo(1), Memo(2, "two"), Memo(3, "three", stars: 9)])
            }

            try expect(
                error.findings.map(\.description),
                equals: ["Memo 1, text: is empty", "Memo 3, stars: is over 5", "Memo 3: is too good"])
            try expect(error.identifier, equals: .integer(1))
            try expect(try store.count(Memo.all), equals: 0)
        }
        ConformanceCase("Each way of changing an item meets its hooks", proves: 22) { world in
            let store = try open(world)
            try store.writeSync { try $0.insert(contentsOf: [Memo(1, "one"), Memo(2, "two")]) }
            let map = ImportMap<Memo, Int>(by: \.id, from: { Int64($0) }) {
                Import(\.text) { $0 == 2 ? "" : "imported" }
            }

            let ways: [(String, (DataStoreReadWriteAccessor) throws -> Void)] = [
                ("insert", { try $0.insert(Memo(7)) }),
                ("several", { try $0.insert(contentsOf: [Memo(7, "seven"), Memo(8)]) }),
                ("upsert", { try $0.upsert(Memo(1)) }),
                ("handle", { try require(try $0.mutableItem(id: 1, of: Memo.self)).text = "" }),
                ("value", { try $0.update(Memo(1)) }),
                ("request", { try $0.update(Memo.where(\.id > 1), .set(\.text, to: "")) }),
                ("walk", { try $0.forEachMutableItem(for: Memo.all) { $0.text = "" } }),
                ("import", { try $0.importItems(from: [1, 2], using: map) }),
            ]
            for (name, way) in ways {
                let error = try expectError(.invalidItems, writingTo: store, way)
                try expect(error.findings.map(\.message).contains("is empty"), name)
            }

            try expect(try store.items(Memo.all).map(\.text), equals: ["one", "two"])
        }
        ConformanceCase("Hooks ignore what a savepoint undid", proves: 3, 22) { world in
            let calls = Locked<[String]>([])
            let store = try open(world, noting: calls)
            try store.writeSync { try $0.insert(Memo(1, "one")) }

            try store.writeSync { accessor in
                try expectOwnError {
                    try accessor.savepoint {
                        try accessor.insert(Memo(2))
                        try accessor.update(Memo.all, .set(\.text, to: ""))
                        throw OwnError()
                    }
                }
                try accessor.insert(Memo(3, "three"))
            }

            try expect(calls.withLock { $0 }, equals: ["insert 1", "insert 3"])
            try expect(try store.items(Memo.all).map(\.text), equals: ["one", "three"])
        }
        ConformanceCase("A commit in the middle of a block runs the hooks before it", proves: 3, 22) {
            world in
            let store = try open(world)

            let error = try expectError(.invalidItems, writingTo: store) { accessor in
                let memo = try accessor.insert(Memo(1, "one"))
                try accessor.commit()
                try expect(memo.slug, equals: "one")
                try accessor.insert(Memo(2))
            }

            try expect(error.findings.map(\.identifier), equals: [.integer(2)])
            try expect(try store.items(Memo.all).map(\.slug), equals: ["one"])
        }
        ConformanceCase("Findings refuse one block of those that share a commit", proves: 2, 22) { world in
            let store = try open(world)

            let blocks: [@Sendable (DataStoreReadWriteAccessor) throws -> Void] = [
                { try $0.insert(Memo(1, "one")) },
                { try $0.insert(Memo(2)) },
                { try $0.mutableItem(id: 1, of: Memo.self)?.text = "" },
                { try $0.insert(Memo(3, "three")) },
            ]
            let results = try WaitingWriteCases.results(of: blocks, in: store)

            try expect(
                WaitingWriteCases.codes(results),
                equals: ["stored", "invalidItems", "invalidItems", "stored"])
            try expect(try store.items(Memo.all).map(\.slug), equals: ["one", "three"])
        }
        ConformanceCase("Values that hooks set are judged by the rules of the store", proves: 11, 22) {
            world in
            let store = try open(world)
            try store.writeSync { try $0.insert(Memo(1, "one")) }

            try expectError(.uniqueViolation, writingTo: store) { accessor in
                try accessor.insert(Memo(2, "one"))
            }

            try expect(try store.items(Memo.all).map(\.id), equals: [1])
        }
        ConformanceCase("A hook cannot give an item another identifier", proves: 3, 22) { world in
            let store = try world.open(Memo.self) { options in
                options.setHooks(
                    ItemHooks(Memo.self)
                        .beforeInsert { memo in memo = Memo(99, memo.text.lowercased()) }
                        .beforeUpdate { memo, stored in if memo.stars > 0 { memo = Memo(1, stored.text) } })
            }

            let inserted = try expectError(.invalidValue, writingTo: store) { try $0.insert(Memo(1, "ONE")) }
            try expect(inserted.identifier, equals: .integer(1))
            try expect(try store.count(Memo.all), equals: 0)

            // The same identifier is fine, and its row is safe from the hooks of others.
            try store.writeSync { try $0.insert(Memo(99, "NINE")) }
            try expectError(.invalidValue, writingTo: store) { try $0.insert(Memo(1, "ONE")) }
            let updated = try expectError(.invalidValue, writingTo: store) { accessor in
                try accessor.update(Memo.all, .set(\.stars, to: 5))
            }
            try expect(updated.identifier, equals: .integer(99))
            let memos = try store.items(Memo.all)
            try expect(memos.map(\.id), equals: [99])
            try expect(memos.map(\.text), equals: ["nine"])
            try expect(memos.map(\.stars), equals: [0])
        }
        ConformanceCase("Hooks leave a value stored that a fallback stands for", proves: 9, 22) { world in
            let store = try openMeals(
                world,
                ItemHooks(Meal<Lenient>.self)
                    .beforeUpdate { meal, stored in if stored.course == .starter { meal.course = .dessert } }
                    .validating(\.course, "is a starter") { $0 != .starter })

            try store.writeSync { accessor in
                try require(try accessor.mutableItem(id: 2, of: Meal<Lenient>.self)).price = 8
            }
            try store.writeSync { accessor in
                let both = Meal<Lenient>.where(\.id < 3)
                try expect(try accessor.update(both, .set(\.price, to: 9)), equals: 2)
            }
            let child = try store.makeChildDataStore()
            try child.writeSync { accessor in
                try require(try accessor.mutableItem(id: 2, of: Meal<Lenient>.self)).price = 10
            }
            try store.merge(child)

            let raw = try world.reopen(Versioned<MealAsStored>.self)
            try expect(
                try raw.items(Versioned<MealAsStored>.where(\.id < 3)),
                equals: [
                    Versioned(1, .text("dessert"), .integer(300), .integer(9)),
                    Versioned(2, .text("brunch"), .null, .integer(10)),
                ])
        }
        ConformanceCase("Hooks of insertions do not read the items that a block updates", proves: 9, 22) {
            world in
            let store = try openMeals(world, ItemHooks(Meal<Strict>.self).beforeInsert { $0.price += 1 })

            try store.writeSync { accessor in
                let dear = Meal<Strict>.where(\.price > 5)
                try expect(try accessor.update(dear, .set(\.price, to: 8)), equals: 3)
                try accessor.insert(Meal<Strict>(5, price: 1))
            }
            try store.writeSync { accessor in
                let brunch = Meal<Strict>.where(\.id == 2)
                try expect(try accessor.update(brunch, .set(\.course, to: .dessert)), equals: 1)
            }

            let raw = try world.reopen(Versioned<MealAsStored>.self)
            try expect(
                try raw.items(Versioned<MealAsStored>.where(\.id > 1)),
                equals: [
                    Versioned(2, .text("dessert"), .null, .integer(8)),
                    Versioned(3, .text("main"), .integer(77), .integer(8)),
                    Versioned(4, .text("main"), .integer(0), .integer(8)),
                    Versioned(5, .text("main"), .null, .integer(2)),
                ])
        }
        ConformanceCase("A check of an attribute gets its fallback", proves: 9, 22) { world in
            let store = try openMeals(
                world, ItemHooks(Meal<Lenient>.self).validating(\.course, "is the main one") { $0 != .main })

            let error = try expectError(.invalidItems, writingTo: store) { accessor in
                try accessor.update(Meal<Lenient>.where(\.id < 3), .set(\.price, to: 9))
            }

            try expect(error.findings.map(\.description), equals: ["Meal 2, course: is the main one"])
            _ = try world.reopen(Versioned<MealAsStored>.self)
        }
        ConformanceCase("Hooks of deletions see what delete rules take along", proves: 16, 22) { world in
            let gone = Locked<[String]>([])
            let store = try world.open(
                Person.self, Book.self, Shelf.self, Label.self, Chapter.self, Passport.self
            ) { options in
                options.setHooks(
                    ItemHooks(Book.self)
                        .beforeDelete { book, findings in
                            gone.withLock { $0.append(book.title) }
                            if book.year > 0 { findings.add("is printed", at: \.year) }
                        }
                        .beforeUpdate { book, stored in
                            if book.editor == nil, stored.editor != nil { book.title += " freed" }
                        })
            }
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Person(1), Person(2), Person(3)])
                try accessor.insert(contentsOf: [
                    Book(1, "a", by: 1, editedBy: 3), Book(2, "b", by: 1), Book(3, "c", by: 2, editedBy: 3),
                    Book(4, "d", by: 2, year: 7),
                ])
            }

            try store.writeSync { try $0.delete(id: ItemID<Person>(rawValue: 1)) }
            try expect(gone.withLock { $0.sorted() }, equals: ["a", "b"])
            try store.writeSync { try $0.delete(id: ItemID<Person>(rawValue: 3)) }
            try expect(try store.items(Book.all).map(\.title), equals: ["c freed", "d"])
            let error = try expectError(.invalidItems, writingTo: store) {
                try $0.deleteAllItems(of: Book.self)
            }

            try expect(error.findings.map(\.description), equals: ["Book 4, year: is printed"])
            try expect(try store.count(Book.all), equals: 2)
        }
        ConformanceCase("Several hooks of one type run one after the other", proves: 22) { world in
            let store = try world.open(Memo.self) { options in
                options.setHooks(
                    ItemHooks(Memo.self)
                        .beforeInsert { memo in memo.slug = memo.text }
                        .validating(\.stars, "is over 5") { $0 <= 5 }
                        .timestamps(created: \.createdAt, now: { Date(timeIntervalSinceReferenceDate: 1) }),
                    ItemHooks(Memo.self)
                        .beforeInsert { memo in memo.slug = "the \(memo.slug ?? "none")" }
                        .validating(\.text, "is empty") { !$0.isEmpty }
                        .timestamps(updated: \.updatedAt, now: { Date(timeIntervalSinceReferenceDate: 2) }))
            }

            try store.writeSync { try $0.insert(Memo(1, "one")) }
            let error = try expectError(.invalidItems, writingTo: store) { try $0.insert(Memo(2, stars: 9)) }

            try expect(error.findings.map(\.message), equals: ["is over 5", "is empty"])
            let memos = try store.items(Memo.all)
            try expect(memos.map(\.slug), equals: ["the one"])
            try expect(memos.map(\.createdAt), equals: [Date(timeIntervalSinceReferenceDate: 1)])
            try expect(memos.map(\.updatedAt), equals: [Date(timeIntervalSinceReferenceDate: 2)])
        }
        ConformanceCase("An item that another one's hook changes meets its own hooks again", proves: 15, 22) {
            world in
            let store = try world.open(
                Person.self, Book.self, Shelf.self, Label.self, Chapter.self, Passport.self
            ) { options in
                options.setHooks(
                    ItemHooks(Passport.self)
                        .beforeUpdate { passport, stored in
                            if passport.number == 7 { passport.holder = ToOne(id: ItemID(rawValue: 1)) }
                            if passport.holder == nil, stored.holder != nil { passport.number -= 1 }
                        }
                        .validating(\.number, "is 9") { $0 != 9 })
            }
            try store.writeSync { accessor in
                try accessor.insert(Person(1))
                try accessor.insert(contentsOf: [Passport("a", number: 5, holder: 1), Passport("b")])
            }

            try store.writeSync { try setNumbers(6, 7, in: $0) }
            try expect(try store.items(Passport.all).map(\.number), equals: [5, 7])
            try expect(try store.items(Passport.all).map { $0.holder == nil }, equals: [true, false])
            let refused = try expectError(.invalidItems, writingTo: store) { try setNumbers(7, 10, in: $0) }
            try expect(refused.findings.map(\.message), equals: ["is 9"])
            // Each takes the holder from the other.
            let endless = try expectError(.invalidItems, writingTo: store) { try setNumbers(7, 7, in: $0) }

            try expect(
                endless.findings.map(\.message),
                equals: ["is changed again and again by hooks that undo each other's changes"])
            try expect(try store.items(Passport.all).map(\.number), equals: [5, 7])
        }
    }

    /// Sets the numbers of the passports a and b.
    private static func setNumbers(
        _ first: Int, _ second: Int, in accessor: DataStoreReadWriteAccessor
    ) throws {
        try require(try accessor.mutableItem(id: "a", of: Passport.self)).number = first
        try require(try accessor.mutableItem(id: "b", of: Passport.self)).number = second
    }

    /// A store with the meals of a later version of the app, of which the second has a course that this one does not know.
    private static func openMeals<Reading: MealReading>(
        _ world: ConformanceWorld, _ hooks: ItemHooks<Meal<Reading>>
    ) throws -> any DataStore {
        try StoredFormCases.storeMeals(in: world)
        try world.closeAll()
        return try world.open(Meal<Reading>.self) { $0.setHooks(hooks) }
    }

    /// A store whose memos need a text, have at most five stars, and get their text as slug.
    static func open(
        _ world: ConformanceWorld, noting calls: Locked<[String]> = Locked([])
    ) throws -> any DataStore {
        try world.open(Memo.self) { $0.setHooks(hooks(noting: calls)) }
    }

    static func hooks(noting calls: Locked<[String]> = Locked([])) -> ItemHooks<Memo> {
        ItemHooks(Memo.self)
            .beforeInsert { memo in
                calls.withLock { $0.append("insert \(memo.id)") }
                memo.slug = memo.text.lowercased()
            }
            .beforeUpdate { memo, stored in
                calls.withLock { $0.append("update \(memo.id) \(stored.text)") }
                memo.stars += 1
            }
            .validating(\.text, "is empty") { !$0.isEmpty }
            .validating(\.stars, "is over 5") { $0 <= 5 }
            .validating { memo, findings in if memo.stars > 8 { findings.add("is too good") } }
    }
}
