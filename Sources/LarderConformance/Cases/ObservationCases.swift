import Larder

/// Observers get every commit, once, in order, and nothing else.
enum ObservationCases {
    static let all = [
        ConformanceCase(
            "A change set tells inserted, updated and deleted items apart", proves: 5, async: kinds),
        ConformanceCase(
            "An update names the attributes that changed, and no others", proves: 5, async: attributes),
        ConformanceCase(
            "Each commit is one change set, in the order of the commits", proves: 2, 5, async: order),
        ConformanceCase(
            "An item changed several times in a block appears once", proves: 5, async: coalescing),
        ConformanceCase(
            "What is inserted and deleted in one block is not mentioned", proves: 5, async: comesAndGoes),
        ConformanceCase("An item deleted and inserted again counts as updated", proves: 5, async: replaced),
        ConformanceCase(
            "Observers do not hear of a block that was rolled back", proves: 3, 5, async: rolledBack),
        ConformanceCase(
            "Observers do not hear of a savepoint that failed", proves: 3, 5, async: failedSavepoint),
        ConformanceCase(
            "Observers do not hear of blocks that change nothing", proves: 5, async: nothingChanged),
        ConformanceCase("Changes by request name each item", proves: 5, async: byRequest),
        ConformanceCase("Deleting all items of a type names each of them", proves: 5, async: deleteAll),
        ConformanceCase("An upsert is an insertion or an update", proves: 5, async: upsert),
        ConformanceCase(
            "A commit in the middle of a block is a change set of its own", proves: 3, 5, async: midCommit),
        ConformanceCase(
            "Every observer hears everything from its start on", proves: 5, async: severalObservers),
        ConformanceCase("Asynchronous writes are heard in their order", proves: 2, 5, async: asyncWrites),
        ConformanceCase(
            "Observation ends when the store is torn down, and begins again", proves: 5, async: ends),
        ConformanceCase("Changes name identifiers of every kind", proves: 5, async: identifiers),
        ConformanceCase(
            "An observer reads the state its change set tells of", proves: 2, 5, async: readsTheState),
    ]

    /// The change sets of some blocks, as text, up to tearing the store down.
    private static func changeSets(
        _ store: any DataStore, _ blocks: [(DataStoreReadWriteAccessor) throws -> Void]
    ) async throws -> [[String]] {
        let changes = store.changes
        for block in blocks { try write(block, to: store) }
        try store.tearDown()
        var sets: [[String]] = []
        for await set in changes { sets.append(set.changes.map(text)) }
        try store.setup()
        return sets
    }

    private static func write(
        _ block: (DataStoreReadWriteAccessor) throws -> Void, to store: any DataStore
    ) throws {
        try store.writeSync(block)
    }

    private static func text(_ change: ChangeSet.Change) -> String {
        let kind =
            switch change.kind {
            case .inserted: "inserted"
            case .updated(let attributes): "updated " + attributes.sorted().joined(separator: " ")
            case .deleted: "deleted"
            }
        return "\(change.itemType) \(change.identifier.number) \(kind)"
    }

    private static func kinds(_ world: ConformanceWorld) async throws {
        let store = try world.openWithRestaurants()
        let changes = store.changes

        try await store.writeAsync { accessor in
            try accessor.insert(Restaurant(20))
            try accessor.mutableRestaurant(1).seats = 1
            try accessor.delete(id: ItemID(rawValue: 2), of: Restaurant.self)
            try accessor.insert(Dish(1))
        }
        try store.tearDown()
        var sets: [ChangeSet] = []
        for await set in changes { sets.append(set) }

        try expect(sets.count, equals: 1)
        try expect(sets[0].inserted(Restaurant.self).map(\.rawValue), equals: [20])
        try expect(sets[0].updated(Restaurant.self).map(\.id.rawValue), equals: [1])
        try expect(sets[0].updated(Restaurant.self).map(\.attributes), equals: [["seats"]])
        try expect(sets[0].deleted(Restaurant.self).map(\.rawValue), equals: [2])
        try expect(sets[0].inserted(Dish.self).map(\.rawValue), equals: [1])
        try expect(sets[0].updated(Dish.self).isEmpty, "no updated dishes")
        try expect(sets[0].deleted(Dish.self).isEmpty, "no deleted dishes")
    }

    private static func attributes(_ world: ConformanceWorld) async throws {
        let store = try world.openWithRestaurants()

        let sets = try await changeSets(
            store,
            [
                { accessor in
                    let handle = try accessor.mutableRestaurant(1)
                    handle.name = "Changed"
                    handle.note = "new"
                    handle.city = "Rome"
                },
                { try $0.mutableRestaurant(2).slug = nil },
                { accessor in
                    let handle = try accessor.mutableRestaurant(3)
                    handle.seats = 1
                    handle.seats = 80
                    handle.rating = 4
                },
                {
                    try $0.update(
                        Restaurant.where(\.id == ItemID(rawValue: 4)), .set(\.city, to: "Paris"),
                        .set(\.seats, to: 3))
                },
            ])

        try expect(
            sets,
            equals: [
                ["Restaurant 1 updated name note"], ["Restaurant 2 updated slug"],
                ["Restaurant 3 updated rating"],
                ["Restaurant 4 updated seats"],
            ])
    }

    private static func order(_ world: ConformanceWorld) async throws {
        let store = try world.openWithRestaurants()

        let sets = try await changeSets(
            store, (20..<60).map { id in { accessor in _ = try accessor.insert(Restaurant(id)) } })

        try expect(sets, equals: (20..<60).map { ["Restaurant \($0) inserted"] })
    }

    private static func coalescing(_ world: ConformanceWorld) async throws {
        let store = try world.openWithRestaurants()

        let sets = try await changeSets(
            store,
            [
                { accessor in
                    let new = try accessor.insert(Restaurant(20))
                    new.seats = 5
                    _ = try accessor.countItems(for: Restaurant.all)
                    let handle = try accessor.mutableRestaurant(1)
                    handle.seats = 6
                    _ = try accessor.countItems(for: Restaurant.all)
                    handle.note = "twice"
                    try accessor.mutableRestaurant(2).seats = 7
                    try accessor.delete(Fixture.restaurant(2))
                    new.note = "again"
                }
            ])

        try expect(
            sets,
            equals: [["Restaurant 20 inserted", "Restaurant 1 updated note seats", "Restaurant 2 deleted"]])
    }

    private static func comesAndGoes(_ world: ConformanceWorld) async throws {
        let store = try world.openWithRestaurants()

        let sets = try await changeSets(
            store,
            [
                { accessor in
                    try accessor.insert(Restaurant(20))
                    try accessor.insert(Restaurant(21))
                    try accessor.delete(id: ItemID(rawValue: 20), of: Restaurant.self)
                },
                { accessor in
                    try accessor.insert(contentsOf: (30..<40).map { Dish($0) })
                    try accessor.deleteAllItems(of: Dish.self)
                },
            ])

        try expect(sets, equals: [["Restaurant 21 inserted"]])
    }

    private static func replaced(_ world: ConformanceWorld) async throws {
        let store = try world.openWithRestaurants()

        let sets = try await changeSets(
            store,
            [
                { accessor in
                    try accessor.delete(Fixture.restaurant(1))
                    try accessor.insert(Restaurant(1))
                },
                { accessor in
                    try accessor.delete(Fixture.restaurant(2))
                    try accessor.insert(Restaurant(2))
                    try accessor.delete(Fixture.restaurant(2))
                },
            ])

        try expect(
            sets,
            equals: [
                ["Restaurant 1 updated city isOpen name note openedAt rating seats slug"],
                ["Restaurant 2 deleted"],
            ])
    }

    private static func rolledBack(_ world: ConformanceWorld) async throws {
        let store = try world.openWithRestaurants()

        let sets = try await changeSets(
            store,
            [
                { _ in
                    try expectOwnError {
                        throw OwnError()
                    }
                },
                { try $0.mutableRestaurant(1).seats = 1 },
            ])
        let changes = store.changes
        do {
            try write(
                { accessor in
                    try accessor.insert(Restaurant(20))
                    throw OwnError()
                }, to: store)
        } catch is OwnError {}
        try await expectError(.cancelled, async: { try await store.writeAsync { try $0.cancel() } })
        try await expectError(
            .uniqueViolation,
            async: { try await store.writeAsync { try $0.mutableRestaurant(1).slug = "otoro" } })
        try await store.writeAsync { try $0.mutableRestaurant(2).seats = 2 }
        try store.tearDown()
        var heard: [[String]] = []
        for await set in changes { heard.append(set.changes.map(text)) }

        try expect(sets, equals: [["Restaurant 1 updated seats"]])
        try expect(heard, equals: [["Restaurant 2 updated seats"]])
    }

    private static func failedSavepoint(_ world: ConformanceWorld) async throws {
        let store = try world.openWithRestaurants()

        let sets = try await changeSets(
            store,
            [
                { accessor in
                    try accessor.insert(Restaurant(20))
                    try expectOwnError {
                        try accessor.savepoint {
                            try accessor.insert(Restaurant(21))
                            try accessor.delete(id: ItemID(rawValue: 20), of: Restaurant.self)
                            try accessor.update(Restaurant.all, .set(\.seats, to: 0))
                            throw OwnError()
                        }
                    }
                    try accessor.savepoint { _ = try accessor.insert(Restaurant(22)) }
                },
                { accessor in
                    try expectOwnError {
                        try accessor.savepoint {
                            try accessor.deleteAllItems(of: Restaurant.self)
                            throw OwnError()
                        }
                    }
                },
            ])

        try expect(sets, equals: [["Restaurant 20 inserted", "Restaurant 22 inserted"]])
    }

    private static func nothingChanged(_ world: ConformanceWorld) async throws {
        let store = try world.openWithRestaurants()

        let sets = try await changeSets(
            store,
            [
                { _ in }, { _ = try $0.items(for: Restaurant.all) },
                { try $0.mutableRestaurant(1).seats = 40 }, { try $0.upsert(Fixture.restaurant(4)) },
                { try $0.delete(Restaurant(99)) }, { try $0.deleteAllItems(of: Dish.self) },
                { try $0.update(Restaurant.where(\.city == "Rome"), .set(\.city, to: "Rome")) },
                { try $0.insert(contentsOf: [Dish]()) },
            ])

        try expect(sets, equals: [])
    }

    private static func byRequest(_ world: ConformanceWorld) async throws {
        let store = try world.openWithRestaurants()

        let sets = try await changeSets(
            store,
            [
                {
                    try $0.update(
                        Restaurant.where(\.city == "Rome"), .set(\.seats, to: 40), .set(\.note, to: nil))
                },
                { try $0.deleteItems(for: Restaurant.where(\.city == "Berlin").sorted(by: \.rating)) },
                { try $0.insert(contentsOf: [Dish(7), Dish(3)]) },
                { accessor in try accessor.forEachMutableItem(for: Dish.all) { $0.cents = 5 } },
            ])

        try expect(
            sets,
            equals: [
                ["Restaurant 2 updated note seats"],
                ["Restaurant 8 deleted", "Restaurant 10 deleted", "Restaurant 9 deleted"],
                ["Dish 7 inserted", "Dish 3 inserted"], ["Dish 3 updated cents", "Dish 7 updated cents"],
            ])
    }

    private static func deleteAll(_ world: ConformanceWorld) async throws {
        let store = try world.openWithRestaurants()

        let sets = try await changeSets(
            store,
            [
                { accessor in
                    try accessor.insert(Restaurant(20))
                    try accessor.deleteAllItems(of: Restaurant.self)
                    try accessor.insert(Restaurant(3))
                }
            ])

        try expect(sets.count, equals: 1)
        let expected =
            Fixture.restaurants(except: 3).map { "Restaurant \($0) deleted" }
            + ["Restaurant 3 updated city isOpen name note openedAt rating seats slug"]
        try expect(sets[0].sorted(), equals: expected.sorted())
    }

    private static func upsert(_ world: ConformanceWorld) async throws {
        let store = try world.openWithRestaurants()

        let sets = try await changeSets(
            store,
            [
                { try $0.upsert(Restaurant(20)) },
                { accessor in
                    var changed = Fixture.restaurant(1)
                    changed.rating = 1
                    try accessor.upsert(changed)
                },
                { accessor in
                    var changed = Fixture.restaurant(6)
                    changed.name = "Otoro"
                    try accessor.upsert(changed, by: \.slug)
                },
            ])

        try expect(
            sets,
            equals: [
                ["Restaurant 20 inserted"], ["Restaurant 1 updated rating"], ["Restaurant 6 updated name"],
            ])
    }

    private static func midCommit(_ world: ConformanceWorld) async throws {
        let store = try world.openWithRestaurants()

        let sets = try await changeSets(
            store,
            [
                { accessor in
                    try accessor.insert(Restaurant(20))
                    try accessor.commit()
                    try accessor.commit()
                    try accessor.mutableRestaurant(20).seats = 1
                    try accessor.commit()
                    try accessor.delete(id: ItemID(rawValue: 20), of: Restaurant.self)
                }
            ])

        try expect(
            sets,
            equals: [["Restaurant 20 inserted"], ["Restaurant 20 updated seats"], ["Restaurant 20 deleted"]])
    }

    private static func severalObservers(_ world: ConformanceWorld) async throws {
        let store = try world.openWithRestaurants()

        let first = store.changes
        try await store.writeAsync { _ = try $0.insert(Restaurant(20)) }
        let second = store.changes
        try await store.writeAsync { _ = try $0.insert(Restaurant(21)) }
        try store.tearDown()

        var (heardFirst, heardSecond): ([Int64], [Int64]) = ([], [])
        for await set in first { heardFirst += set.inserted(Restaurant.self).map(\.rawValue) }
        for await set in second { heardSecond += set.inserted(Restaurant.self).map(\.rawValue) }
        try expect(heardFirst, equals: [20, 21])
        try expect(heardSecond, equals: [21])
    }

    private static func asyncWrites(_ world: ConformanceWorld) async throws {
        let store = try world.openWithRestaurants()
        let changes = store.changes

        for id in 20..<60 as Range<Int64> {
            store.writeAsync({ _ = try $0.insert(Restaurant(id)) }, completion: nil)
        }
        try await store.flush()
        try store.tearDown()

        var heard: [Int64] = []
        for await set in changes { heard += set.inserted(Restaurant.self).map(\.rawValue) }
        try expect(heard, equals: Array(20..<60))
    }

    private static func ends(_ world: ConformanceWorld) async throws {
        let store = try world.openWithRestaurants()

        for round in 20..<22 as Range<Int64> {
            let changes = store.changes
            try await store.writeAsync { _ = try $0.insert(Restaurant(round)) }
            try store.tearDown()
            var heard: [Int64] = []
            for await set in changes { heard += set.inserted(Restaurant.self).map(\.rawValue) }
            try expect(heard, equals: [round])
            for await set in store.changes { heard += set.inserted(Restaurant.self).map(\.rawValue) }
            try expect(heard, equals: [round], "what is heard of a store that has been torn down")
            try store.setup()
        }
    }

    private static func identifiers(_ world: ConformanceWorld) async throws {
        let store = try world.open(Keyed<String>.self, Keyed<Int>.self, Everything.self)
        let changes = store.changes

        try await store.writeAsync { accessor in
            try accessor.insert(Keyed("e\u{301}"))
            try accessor.insert(Keyed("\u{E9}"))
            try accessor.insert(Keyed<Int>(.min))
            try accessor.insert(Everything.smallest(-1))
        }
        try store.tearDown()

        for await set in changes {
            try expect(set.inserted(Keyed<String>.self).map { Array($0.utf8).count }, equals: [3, 2])
            try expect(set.inserted(Keyed<Int>.self), equals: [.min])
            try expect(set.inserted(Everything.self).map(\.rawValue), equals: [-1])
        }
    }

    private static func readsTheState(_ world: ConformanceWorld) async throws {
        let store = try world.openWithRestaurants()
        let changes = store.changes

        store.writeAsync({ try $0.mutableRestaurant(1).seats = 77 }, completion: nil)
        for await set in changes {
            try expect(set.updated(Restaurant.self).map(\.id.rawValue), equals: [1])
            try expect(try store.restaurant(1)?.seats, equals: 77)
            break
        }
    }
}

extension AnyItemID {
    /// The number of an integer identifier.
    fileprivate var number: String {
        switch self {
        case .integer(let value), .itemID(let value): "\(value)"
        case .uuid, .string: "\(self)"
        }
    }
}
