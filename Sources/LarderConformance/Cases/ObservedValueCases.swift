import Larder

/// Values that follow what is stored.
enum ObservedValueCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A value comes at once, and after each change", proves: 21) { world in
            let store = try world.openWithRestaurants()
            let request = Restaurant.where(\.rating > 4).sorted(by: \.name)
            var values = Values(store.values(of: request))

            func expectNext(line: Int = #line) async throws {
                let items = try await store.readAsync { try $0.items(for: request) }
                try await values.expectNext(items, line: line)
            }
            try await expectNext()
            try await store.writeAsync { _ = try $0.insert(Restaurant(20, name: "A", rating: 5)) }
            try await expectNext()
            try await store.writeAsync { try $0.mutableRestaurant(20).name = "Z" }
            try await expectNext()
            try await store.writeAsync { try $0.mutableRestaurant(20).note = "shown, not tested" }
            try await expectNext()
            try await store.writeAsync { try $0.mutableRestaurant(20).rating = 1 }
            try await expectNext()
            try await store.writeAsync { _ = try $0.deleteAllItems(of: Restaurant.self) }
            try await expectNext()
            // Another iteration begins with what there is.
            var others = Values(store.values(of: request))
            try await others.expectNext([])
        }
        ConformanceCase("A value that is the same again is not sent", proves: 21) { world in
            let store = try world.openWithRestaurants()
            let count = try await store.readAsync { try $0.countItems(for: Restaurant.where(\.rating > 4)) }
            var counts = Values(store.values(ofCount: Restaurant.where(\.rating > 4)))
            var names = Values(
                store.values { accessor in
                    try accessor.values(for: Restaurant.all, \.city).allSatisfy { $0 == "?" }
                })
            try await counts.expectNext(count)
            try await names.expectNext(false)

            // None of these changes the number, or the value of the block.
            try await store.writeAsync { try $0.mutableRestaurant(4).rating = 4.75 }
            try await store.writeAsync { try $0.mutableRestaurant(1).seats = 1 }
            try await store.writeAsync { try $0.mutableRestaurant(1).city = "Napoli" }
            try await store.writeAsync { accessor in
                try accessor.insert(Restaurant(20, rating: 5))
                try accessor.delete(id: .init(rawValue: 4), of: Restaurant.self)
            }
            try await store.writeAsync { _ = try $0.insert(Restaurant(21, rating: 5)) }
            try await counts.expectNext(count + 1)
            try await store.writeAsync { _ = try $0.update(Restaurant.all, .set(\.city, to: "?")) }
            try await names.expectNext(true)
        }
        ConformanceCase("A block that catches an error is read again when that may have changed", proves: 21)
        { world in
            let store = try Library.open(world)
            let last = Book(99, by: 1)
            let request = Book.all.sorted(by: \.author.name)
            var counts = Values(
                store.values { accessor in
                    (try? accessor.page(of: request, after: last, size: 20))?.items.count ?? -1
                })
            try await counts.expectNext(-1)

            try await store.writeAsync { _ = try $0.insert(last) }

            let count = try await store.readAsync {
                try $0.page(of: request, after: last, size: 20).items.count
            }
            try await counts.expectNext(count)
        }
        ConformanceCase("A slow consumer gets the newest value", proves: 21) { world in
            let store = try world.open(Restaurant.self)
            var values = Values(store.values(ofCount: Restaurant.all))
            try await values.expectNext(0)
            for id in 1...40 as ClosedRange<Int64> {
                try await store.writeAsync { _ = try $0.insert(Restaurant(id)) }
            }
            try await values.expectNext(40)
            for id in 1...39 as ClosedRange<Int64> {
                store.writeAsync(
                    { _ = try $0.delete(id: .init(rawValue: id), of: Restaurant.self) }, completion: nil)
            }
            try await store.flush()
            try await values.expectNext(1)
        }
        ConformanceCase("A value follows a single item", proves: 21) { world in
            let store = try world.openWithRestaurants()
            let id = ItemID<Restaurant>(rawValue: 20)
            var values = Values(store.values(ofItem: id, of: Restaurant.self))

            try await values.expectNext(.some(nil))
            try await store.writeAsync { _ = try $0.insert(Restaurant(20, name: "new")) }
            try await values.expectNext(Restaurant(20, name: "new"))
            try await store.writeAsync { try $0.mutableRestaurant(1).seats = 1 }
            try await store.writeAsync { try $0.mutableRestaurant(20).seats = 2 }
            try await values.expectNext(Restaurant(20, name: "new", seats: 2))
            try await store.writeAsync { _ = try $0.delete(id: id, of: Restaurant.self) }
            try await values.expectNext(.some(nil))
        }
        ConformanceCase("A value follows relationships", proves: 17, 21) { world in
            let store = try world.openSmallLibrary()
            func titles(
                _ request: DataStoreRequest<Book>
            ) -> @Sendable (DataStoreReadAccessor) throws -> [Int64] {
                { try $0.ids(for: request) }
            }
            let byAuthor = titles(Book.all.sorted(by: \.author.name))
            let labelled = titles(Book.where(.any(\.labels, \.rank == 1)))
            let many = titles(Book.where(\.labels.count > 1))
            let blocks = [byAuthor, labelled, many]
            var values = blocks.map { Values(store.values($0)) }
            var known: [[Int64]] = []
            for position in blocks.indices {
                known.append(try await store.readAsync(blocks[position]))
                try await values[position].expectNext(known[position])
            }
            let changes: [@Sendable (DataStoreReadWriteAccessor) throws -> Void] = [
                { accessor in
                    for person in try accessor.mutableItems(for: Person.all) {
                        person.name = String(person.name.reversed())
                    }
                },
                { try $0.update(Label.all, .set(\.rank, to: 1)) },
                { accessor in
                    let labels = try accessor.items(for: Label.all)
                    for book in try accessor.mutableItems(for: Book.all) {
                        try book.labels.replace(by: labels)
                    }
                },
                { accessor in
                    for book in try accessor.mutableItems(for: Book.all.limit(2)) {
                        try book.labels.replace(by: [])
                    }
                },
                { _ = try $0.deleteAllItems(of: Label.self) },
            ]
            for change in changes {
                try await store.writeAsync(change)
                for position in blocks.indices {
                    let now = try await store.readAsync(blocks[position])
                    if now != known[position] { try await values[position].expectNext(now) }
                    known[position] = now
                }
            }
            try expect(known[1...], equals: [[], []], "no book has a label at the end")
        }
        ConformanceCase("A value follows the items that its block prefetches", proves: 17, 21) { world in
            let store = try Library.open(world)
            let request = Book.where(\.id == 10).prefetching(\.author, \.labels)
            var iterator = store.values { try $0.items(for: request) }.makeAsyncIterator()

            func expectNext(_ author: String, _ labels: [String], line: Int = #line) async throws {
                let books = try await iterator.next() ?? []
                try expect(books.map { $0.author.item?.name }, equals: [author], line: line)
                try expect(books.map { $0.labels.items?.map(\.id) }, equals: [labels], line: line)
            }
            try await expectNext("Ada", ["new", "old"])
            try await store.writeAsync { accessor in
                _ = try accessor.update(Person.where(\.name == "Ada"), .set(\.name, to: "Eve"))
            }
            try await expectNext("Eve", ["new", "old"])
            // The book does not hold this person.
            try await store.writeAsync { accessor in
                _ = try accessor.update(Person.where(\.name == "Cy"), .set(\.name, to: "Zoe"))
            }
            try await store.writeAsync { accessor in
                for book in try accessor.mutableItems(for: Book.where(\.id == 10)) {
                    try book.labels.replace(by: [])
                }
            }
            try await expectNext("Eve", [])
        }
        ConformanceCase("A value follows what its block reads", proves: 21) { world in
            let store = try world.openWithRestaurants()
            let cheap = Restaurant.where(\.rating < 3)
            var values = Values(
                store.values { accessor in
                    // The next reading depends on the values of the last.
                    guard let first = try accessor.firstItem(for: Restaurant.all) else { return "none" }
                    return first.isOpen ? "\(try accessor.countItems(for: cheap)) cheap" : first.name
                })
            let count = try await store.readAsync { try $0.countItems(for: cheap) }
            try await values.expectNext("\(count) cheap")
            try await store.writeAsync { _ = try $0.insert(Restaurant(20, rating: 1)) }
            try await values.expectNext("\(count + 1) cheap")
            try await store.writeAsync { accessor in
                let first = try accessor.mutableRestaurant(1)
                (first.isOpen, first.name) = (false, "closed")
            }
            try await values.expectNext("closed")
            try await store.writeAsync { _ = try $0.insert(Restaurant(21, rating: 1)) }
            try await store.writeAsync { try $0.mutableRestaurant(1).name = "sold" }
            try await values.expectNext("sold")
            try await store.writeAsync { _ = try $0.deleteAllItems(of: Restaurant.self) }
            try await values.expectNext("none")
        }
        ConformanceCase("A value follows aggregates and groups", proves: 17, 21) { world in
            let store = try world.openSmallLibrary()
            var years = Values(store.values { try $0.maximum(\.year, for: Book.all) ?? 0 })
            var names = Values(store.values { try $0.minimum(\.author.name, for: Book.all) ?? "" })
            let latest = try await store.readAsync { try $0.maximum(\.year, for: Book.all) ?? 0 }
            let first = try await store.readAsync { try $0.minimum(\.author.name, for: Book.all) ?? "" }
            try await years.expectNext(latest)
            try await names.expectNext(first)

            try await store.writeAsync { _ = try $0.update(Book.all.limit(1), .set(\.year, to: 9000)) }
            try await years.expectNext(9000)
            try await store.writeAsync { _ = try $0.update(Person.all, .set(\.name, to: "!")) }
            try await names.expectNext("!")
        }
        ConformanceCase("Values do not show what is not committed", proves: 3, 21) { world in
            let store = try world.openWithRestaurants()
            let count = Fixture.restaurants.count
            var values = Values(store.values(ofCount: Restaurant.all))
            try await values.expectNext(count)

            do {
                try await store.writeAsync { accessor in
                    _ = try accessor.insert(Restaurant(20))
                    throw OwnError()
                }
            } catch is OwnError {}
            try await store.writeAsync { accessor in
                _ = try accessor.insert(Restaurant(21))
                try? accessor.savepoint {
                    try accessor.deleteAllItems(of: Restaurant.self)
                    throw OwnError()
                }
            }
            try await values.expectNext(count + 1)
        }
        ConformanceCase("Values in a child follow both sides", proves: 18, 21) { world in
            let store = try world.open(Restaurant.self)
            try await store.writeAsync { try $0.insert(contentsOf: [Restaurant(1), Restaurant(2)]) }
            let child = try store.makeChildDataStore()
            let request = Restaurant.all
            let ids: @Sendable (DataStoreReadAccessor) throws -> [Int64] = {
                try $0.ids(for: request).map(\.rawValue)
            }
            var inChild = Values(child.values(ids))
            var inParent = Values(store.values(ids))
            try await inChild.expectNext([1, 2])
            try await inParent.expectNext([1, 2])

            try await child.writeAsync { _ = try $0.insert(Restaurant(3)) }
            try await inChild.expectNext([1, 2, 3])
            try await store.writeAsync { _ = try $0.insert(Restaurant(4)) }
            try await inChild.expectNext([1, 2, 3, 4])
            try await inParent.expectNext([1, 2, 4])
            try await store.merge(child)
            try await inParent.expectNext([1, 2, 3, 4])
            try await child.writeAsync { _ = try $0.delete(id: .init(rawValue: 1), of: Restaurant.self) }
            try await inChild.expectNext([2, 3, 4])
            try child.rollBack()
            try await inChild.expectNext([1, 2, 3, 4])
            try child.discard()
            try await inChild.expectNext(nil)
            try await store.writeAsync { _ = try $0.delete(id: .init(rawValue: 4), of: Restaurant.self) }
            try await inParent.expectNext([1, 2, 3])
        }
        ConformanceCase(
            "A value in a child follows a write that began before a commit of the parent", proves: 18, 21
        ) { world in
            let store = try world.open(Restaurant.self)
            try await store.writeAsync { accessor in
                try accessor.insert(contentsOf: [Restaurant(1, name: "one"), Restaurant(2, name: "two")])
            }

            let renamed = try await names(in: store) { try $0.mutableRestaurant(1).name = "uno" }
            try expect(renamed, equals: ["one", "uno", "one"])
            let deleted = try await names(in: store) {
                _ = try $0.delete(id: .init(rawValue: 1), of: Restaurant.self)
            }
            try expect(deleted, equals: ["uno", "two", "uno"])
        }
        ConformanceCase("Values end with their store and their task", proves: 21) { world in
            let store = try world.openWithRestaurants()
            var values = Values(store.values(ofCount: Restaurant.all))
            try await values.expectNext(12)
            let request = store.values(ofCount: Restaurant.where(\.seats > 1_000_000))
            let (first, firstSeen) = AsyncStream<Int>.makeStream()
            let cancelled = Task {
                var seen: [Int] = []
                for try await value in request {
                    seen.append(value)
                    firstSeen.yield(value)
                }
                return seen
            }
            for await _ in first { break }
            cancelled.cancel()
            let seen = try await cancelled.value
            try expect(seen, equals: [0])

            try store.tearDown()
            try await values.expectNext(nil, "after the end of the store")
            try await values.expectNext(nil, "a second time")
            try store.setup()
            var again = Values(store.values(ofCount: Restaurant.all))
            try await again.expectNext(12)
        }
        ConformanceCase("Each value is a state that there was", proves: 1, 21) { world in
            let store = try world.open(Restaurant.self)
            try await store.writeAsync { _ = try $0.insert(Restaurant(1)) }
            let rounds: Int64 = 60
            let values = store.values { accessor in
                // The first says how many others there are.
                let first = try accessor.item(id: ItemID(rawValue: 1), of: Restaurant.self)
                return [first?.seats ?? -1, try accessor.countItems(for: Restaurant.all) - 1]
            }
            async let seen: [[Int]] = {
                var seen: [[Int]] = []
                for try await value in values {
                    seen.append(value)
                    if value[0] == Int(rounds) { break }
                }
                return seen
            }()
            for round in 1...rounds {
                try await store.writeAsync { accessor in
                    try accessor.insert(Restaurant(round + 1))
                    try accessor.mutableRestaurant(1).seats = Int(round)
                }
            }
            let states = try await seen
            try expect(states.allSatisfy { $0[0] == $0[1] }, "no value mixes two states: \(states)")
            try expect(states.map { $0[0] }, equals: Set(states.map { $0[0] }).sorted())
            try expect(states.last, equals: [Int(rounds), Int(rounds)])
        }
        ConformanceCase("Values throw what reading throws", proves: 21) { world in
            let store = try world.openWithRestaurants()
            let refused = store.values(of: Restaurant.all.limit(-1))
            _ = try await expectError(
                .invalidRequest,
                async: {
                    for try await _ in refused { throw OwnError() }
                })
            let own = store.values { accessor in
                if try accessor.countItems(for: Restaurant.all) > 12 { throw OwnError() }
                return 1
            }
            var iterator = own.makeAsyncIterator()
            let first = try await iterator.next()
            try expect(first, equals: 1)
            try await store.writeAsync { _ = try $0.insert(Restaurant(20)) }
            var isThrown = false
            do { _ = try await iterator.next() } catch is OwnError { isThrown = true }
            try expect(isThrown, "the block's own error")
            let afterError = try await iterator.next()
            try expect(afterError, equals: nil)
            try store.tearDown()
            let closed = store.values(ofCount: Restaurant.all)
            _ = try await expectError(.closed, async: { for try await _ in closed {} })
        }
    }

    /// The names of the first restaurant in a child: before a change in its parent, after it, and after a write block of the
    /// child that has begun before the change, and sets another attribute of the first restaurant.
    private static func names(
        in store: any DataStore,
        around change: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Void
    ) async throws -> [String] {
        let child = try store.makeChildDataStore()
        let values = child.values { accessor in
            try accessor.values(for: Restaurant.all.limit(1), \.name).first ?? "none"
        }
        let isGiven = [Signal(), Signal(), Signal()]
        let observer = Task {
            var names: [String] = []
            for try await name in values {
                isGiven[names.count].fire()
                names.append(name)
                if names.count == isGiven.count { break }
            }
            return names
        }
        defer { observer.cancel() }
        try await isGiven[0].fired()
        let isWriting = Signal()
        let writer = Background {
            try child.writeSync { accessor in
                let first = try accessor.mutableRestaurant(1)
                isWriting.fire()
                try isGiven[1].wait()
                first.seats = 99
            }
        }
        try await isWriting.fired()
        try await store.writeAsync(change)
        try await isGiven[1].fired()
        try writer.value()
        try await isGiven[2].fired()
        let names = try await observer.value
        try child.discard()
        return names
    }

    /// Goes through the values of one iteration.
    private struct Values<Value: Sendable & Equatable> {
        private var iterator: StoreValues<Value>.Iterator

        init(_ values: StoreValues<Value>) { iterator = values.makeAsyncIterator() }

        mutating func expectNext(
            _ expected: Value?, _ what: String = "", file: StaticString = #fileID, line: Int = #line
        ) async throws {
            let value = try await iterator.next()
            try expect(value, equals: expected, what, file: file, line: line)
        }
    }
}
