import struct Foundation.Date
import Larder

/// Timestamps and limited relationships, which hooks make; and soft deletion, children and merges beside them.
enum HookedAttributeCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Timestamps show the insertion and the last change", proves: 22) { world in
            let clock = Locked(1.0)
            let store = try openTimed(world, clock)

            try store.writeSync { try $0.insert(contentsOf: [Memo(1, "one"), Memo(2, "two")]) }
            clock.withLock { $0 = 2 }
            try store.writeSync { accessor in
                var memo = Memo(1, "uno")
                memo.updatedAt = date(99)
                try accessor.upsert(memo)
                try accessor.update(Memo.where(\.id == 2), .set(\.text, to: "two"))
            }
            try expect(try store.items(Memo.all).map(\.updatedAt), equals: [date(2), date(1)])
            clock.withLock { $0 = 3 }
            try store.writeSync { try $0.update(Memo.all, .set(\.stars, to: 1)) }

            let memos = try store.items(Memo.all)
            try expect(memos.map(\.createdAt), equals: [date(1), date(1)])
            try expect(memos.map(\.updatedAt), equals: [date(3), date(3)])
            try expect(memos.map(\.text), equals: ["uno", "two"])
            clock.withLock { $0 = 4 }
            try store.writeSync { try $0.insert(Memo(3)) }
            try store.writeSync { try $0.mutableItem(id: 1, of: Memo.self)?.stars = 1 }
            try expect(try store.items(Memo.all).map(\.updatedAt), equals: [date(3), date(3), date(4)])
        }
        ConformanceCase("A child stages drafts, and a merge runs the hooks", proves: 19, 22) { world in
            let clock = Locked(1.0)
            let store = try openTimed(world, clock)
            try store.writeSync { try $0.insert(Memo(1, "one")) }
            let child = try store.makeChildDataStore()

            try child.writeSync { accessor in
                try accessor.insert(Memo(2, stars: 9))
                try require(try accessor.mutableItem(id: 1, of: Memo.self)).text = "uno"
            }
            try expect(try child.items(Memo.all).map(\.updatedAt), equals: [date(1), date(0)])
            let error = try expectError(.invalidItems) { try store.merge(child) }
            try expect(error.findings.map(\.description), equals: ["Memo 2, stars: is over 5"])
            try expect(try store.items(Memo.all).map(\.text), equals: ["one"])
            try child.writeSync { try $0.mutableItem(id: 2, of: Memo.self)?.stars = 5 }
            clock.withLock { $0 = 5 }
            // A change of another attribute does not conflict, as the child has left the timestamps alone.
            try store.writeSync { try $0.mutableItem(id: 1, of: Memo.self)?.stars = 2 }
            clock.withLock { $0 = 10 }
            try expect(try store.merge(child).settled, equals: [])

            let memos = try store.items(Memo.all)
            try expect(memos.map(\.text), equals: ["uno", ""])
            try expect(memos.map(\.stars), equals: [2, 5])
            try expect(memos.map(\.createdAt), equals: [date(1), date(10)])
            try expect(memos.map(\.updatedAt), equals: [date(10), date(10)])
        }
        ConformanceCase("A merge runs hooks on the result of both sides", proves: 19, 22) { world in
            let store = try world.open(Memo.self) { options in
                options.setHooks(
                    ItemHooks(Memo.self).validating { memo, findings in
                        if memo.stars > 3, memo.text.isEmpty { findings.add("has stars without a text") }
                    })
            }
            try store.writeSync { try $0.insert(Memo(1, "one")) }
            let child = try store.makeChildDataStore()
            try child.writeSync { try $0.mutableItem(id: 1, of: Memo.self)?.text = "" }
            try store.writeSync { try $0.mutableItem(id: 1, of: Memo.self)?.stars = 4 }

            let error = try expectError(.invalidItems) { try store.merge(child) }

            try expect(error.findings.map(\.message), equals: ["has stars without a text"])
            try expect(try store.items(Memo.all).map(\.text), equals: ["one"])
            try expect(try child.items(Memo.all).map(\.text), equals: [""])
        }
        ConformanceCase("A preview of a merge runs no hooks", proves: 19, 22) { world in
            let calls = Locked<[String]>([])
            let store = try HookCases.open(world, noting: calls)
            let child = try store.makeChildDataStore()
            try child.writeSync { try $0.insert(Memo(1)) }

            let preview = try store.mergePreview(child)

            try expect([preview.inserted, preview.updated, preview.deleted], equals: [1, 0, 0])
            try expect(preview.conflicts, equals: [])
            try expect(calls.withLock { $0 }, equals: [])
            let error = try expectError(.invalidItems) { try store.merge(child) }
            try expect(error.findings.map(\.message), equals: ["is empty"])
            try expect(calls.withLock { $0 }, equals: ["insert 1"])
        }
        ConformanceCase("A store that is opened without hooks runs none", proves: 22) { world in
            _ = try HookCases.open(world)

            let store = try world.reopen(Memo.self)
            try store.writeSync { try $0.insert(Memo(1, stars: 9)) }

            try expect(try store.items(Memo.all).map(\.slug), equals: [nil])
            let findings = try HookCases.hooks().findings(in: Memo(1, stars: 6))
            try expect(findings.map(\.message), equals: ["is empty", "is over 5"])
        }
        ConformanceCase("Relationships have at least and at most so many items", proves: 16, 22) { world in
            let store = try openLimited(
                world, ItemHooks(Book.self).limiting(\.chapters, minimumCount: 1, maximumCount: 2),
                ItemHooks(Person.self).limiting(\.books, maximumCount: 2))

            try store.writeSync { accessor in
                // Too few until the end of the block.
                let book = try accessor.insert(Book(1, by: 1))
                try accessor.insert(contentsOf: [Chapter(1), Chapter(2), Chapter(3)])
                try book.chapters.add(Chapter(1))
            }
            let none = try expectError(.invalidItems, writingTo: store) { try $0.insert(Book(2, by: 1)) }
            try expect(none.findings.map(\.attribute), equals: ["chapters"])
            let gone = try expectError(.invalidItems, writingTo: store) { try $0.delete(Chapter(1)) }
            try expect(
                gone.findings.map(\.description),
                equals: ["Book 1, chapters: has 0 items, and its minimum is 1"])
            let many = try expectError(.invalidItems, writingTo: store) { accessor in
                let book = try require(try accessor.mutableItem(id: 1, of: Book.self))
                for number in 2...3 { try book.chapters.add(Chapter(UInt8(number))) }
            }
            try expect(
                many.findings.map(\.description),
                equals: ["Book 1, chapters: has 3 items, and its maximum is 2"])
            let books = try expectError(.invalidItems, writingTo: store) { accessor in
                try accessor.insert(contentsOf: [
                    Book(2, by: 1, chapters: [Chapter(2)]), Book(3, by: 1, chapters: [Chapter(3)]),
                ])
            }
            try expect(
                books.findings.map(\.description),
                equals: ["Person \(AnyItemID.itemID(1)), books: has 3 items, and its maximum is 2"])

            // An item that is gone has no minimum.
            try store.writeSync { try $0.delete(id: ItemID<Person>(rawValue: 1)) }
            try expect(try store.count(Book.all), equals: 0)
        }
        ConformanceCase("Several limits of a relationship hold together", proves: 16, 22) { world in
            let none = ItemHooks(Book.self)
            let least = none.limiting(\.chapters, minimumCount: 1)
            let most = none.limiting(\.chapters, maximumCount: 3)
            let limits: [(ItemHooks<Book>, ItemHooks<Book>)] = [
                (least.limiting(\.chapters, maximumCount: 3), none),
                (most.limiting(\.chapters, minimumCount: 1), none), (least, most), (most, least),
            ]

            for (books, others) in limits {
                let store = try openLimited(try world.sibling(), books, and: others)
                try store.writeSync { accessor in
                    try accessor.insert(contentsOf: [Chapter(1), Chapter(2), Chapter(3), Chapter(4)])
                }
                let few = try expectError(.invalidItems, writingTo: store) { try $0.insert(Book(1, by: 1)) }
                try expect(
                    few.findings.map(\.description),
                    equals: ["Book 1, chapters: has 0 items, and its minimum is 1"])
                let many = try expectError(.invalidItems, writingTo: store) { accessor in
                    let chapters: OrderedToMany<Chapter> = [Chapter(1), Chapter(2), Chapter(3), Chapter(4)]
                    try accessor.insert(Book(1, by: 1, chapters: chapters))
                }
                try expect(
                    many.findings.map(\.description),
                    equals: ["Book 1, chapters: has 4 items, and its maximum is 3"])
            }
        }
        ConformanceCase("Limits count the references that hooks set", proves: 16, 22) { world in
            let store = try openLimited(
                world, ItemHooks(Book.self).beforeInsert { $0.author = ToOne(id: ItemID(rawValue: 1)) },
                ItemHooks(Person.self).limiting(\.books, maximumCount: 1))
            try store.writeSync { try $0.insert(Person(2)) }

            let error = try expectError(.invalidItems, writingTo: store) { accessor in
                try accessor.insert(contentsOf: [Book(1, by: 2), Book(2, by: 2)])
            }

            try expect(error.findings.map(\.message), equals: ["has 2 items, and its maximum is 1"])
            try expect(error.identifier, equals: .itemID(1))
        }
        ConformanceCase("A refused block does not count what its hooks would set", proves: 16, 22) { world in
            let store = try openLimited(
                world,
                ItemHooks(Book.self).beforeInsert { $0.author = $0.editor ?? $0.author }
                    .validating(\.title, "is empty") { !$0.isEmpty },
                ItemHooks(Person.self).limiting(\.books, maximumCount: 1))
            try store.writeSync { try $0.insert(Person(2)) }

            // The hook would give one book to each of the two.
            let error = try expectError(.invalidItems, writingTo: store) { accessor in
                try accessor.insert(contentsOf: [Book(1, "", by: 1, editedBy: 2), Book(2, "B", by: 1)])
            }
            try expect(error.findings.map(\.message), equals: ["is empty"])

            // The hook changes nothing here, so the books are counted.
            let both = try expectError(.invalidItems, writingTo: store) { accessor in
                try accessor.insert(contentsOf: [Book(1, "", by: 1), Book(2, "B", by: 1)])
            }
            try expect(
                both.findings.map(\.message), equals: ["is empty", "has 2 items, and its maximum is 1"])
        }
        ConformanceCase("A limit of a related item's relationship is refused", proves: 16, 22) { world in
            let hooks = ItemHooks(Book.self).limiting(\.author.books, maximumCount: 3)
            let store = try openLimited(world, hooks)

            let error = try expectError(.invalidRequest, writingTo: store) { try $0.insert(Book(1, by: 1)) }
            try expect(
                error.advice, equals: "Limit it in the hooks of the item at the end of the reference.")
            try expect(error.itemType, equals: "Book")
            try expectError(.invalidRequest) { _ = try hooks.findings(in: Book(1, by: 1)) }

            try expect(try store.count(Book.all), equals: 0)
        }
        ConformanceCase("Items that are marked as deleted stay until they are purged", proves: 11, 22) {
            world in
            let store = try world.open(Memo.self)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [
                    Memo(1, slug: "a"), Memo(2, slug: "b"), Memo(3, slug: "c"),
                ])
                try expect(try accessor.softDeleteItems(for: Memo.where(\.id < 3), at: date(5)), equals: 2)
                try expect(try accessor.softDeleteItems(for: Memo.all, at: date(7)), equals: 1)
                try expect(try accessor.restoreItems(for: Memo.where(\.id != 1)), equals: 2)
            }

            try expect(try store.items(Memo.all.withoutDeleted).map(\.id), equals: [2, 3])
            try expect(try store.items(Memo.all.onlyDeleted).map(\.deletedAt), equals: [date(5)])
            try expect(try store.count(Memo.all), equals: 3)
            // It keeps its unique value.
            try expectError(.uniqueViolation, writingTo: store) { try $0.insert(Memo(4, slug: "a")) }
            try store.writeSync { accessor in
                try expect(try accessor.purgeItems(of: Memo.self, deletedBefore: date(5)), equals: 0)
                try expect(try accessor.purgeItems(of: Memo.self, deletedBefore: date(6)), equals: 1)
                try accessor.insert(Memo(4, slug: "a"))
            }
            try expect(try store.items(Memo.all).map(\.id), equals: [2, 3, 4])
        }
        ConformanceCase("Marks do not move the window of a request", proves: 22) { world in
            let store = try world.open(Memo.self)
            let two = Memo.all.limit(2)

            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Memo(1), Memo(2), Memo(3), Memo(4)])
                try expect(try accessor.softDeleteItems(for: two, at: date(5)), equals: 2)
                try expect(try accessor.softDeleteItems(for: two, at: date(6)), equals: 0)
                try expect(try accessor.softDeleteItems(for: two.offset(1), at: date(7)), equals: 1)
                let times = try accessor.items(for: Memo.all).map(\.deletedAt)
                try expect(times, equals: [date(5), date(5), date(7), nil])
                try expect(try accessor.restoreItems(for: two), equals: 2)
                try expect(try accessor.restoreItems(for: two), equals: 0)
            }

            try expect(try store.items(Memo.all).map(\.deletedAt), equals: [nil, nil, date(7), nil])
        }
    }

    private static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

    /// A store that takes the time from the case.
    private static func openTimed(_ world: ConformanceWorld, _ clock: Locked<Double>) throws -> any DataStore
    {
        try world.open(Memo.self) { options in
            options.setHooks(
                ItemHooks(Memo.self)
                    .validating(\.stars, "is over 5") { $0 <= 5 }
                    .timestamps(created: \.createdAt, updated: \.updatedAt) { date(clock.withLock { $0 }) })
        }
    }

    /// A store with a person, and with hooks of books and people.
    private static func openLimited(
        _ world: ConformanceWorld, _ books: ItemHooks<Book>, _ people: ItemHooks<Person> = ItemHooks(),
        and others: ItemHooks<Book> = ItemHooks()
    ) throws -> any DataStore {
        let store = try world.open(
            Person.self, Book.self, Shelf.self, Label.self, Chapter.self, Passport.self
        ) { options in
            options.setHooks(books, people, others)
        }
        try store.writeSync { try $0.insert(Person(1)) }
        return store
    }
}
