import Larder

/// Opening, closing and destroying, in every order.
enum LifeCycleCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Use before setup is refused", proves: 5) { world in
            let store = try world.makeStore(Restaurant.self)

            try expectRefused(.notSetUp, by: store)
            try store.setup()
            try store.writeSync { try $0.insert(contentsOf: Fixture.restaurants) }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("Awaiting a store that is not set up throws", proves: 2, 5) { world in
            let store = try world.makeStore(Restaurant.self)

            try await expectError(.notSetUp, async: { try await store.readAsync { _ in } })
            try await expectError(.notSetUp, async: { try await store.writeAsync { _ in } })
            try await expectError(.notSetUp, async: { try await store.flush() })
            try store.setup()
            try await store.writeAsync { _ = try $0.insert(Restaurant(1)) }

            let count = try await store.readAsync { try $0.countItems(for: Restaurant.all) }
            try expect(count, equals: 1)
        }
        ConformanceCase("A second setup does nothing", proves: 12) { world in
            let store = try world.openFilled()

            try store.setup()
            try store.setup()

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
            try store.writeSync { _ = try $0.insert(Restaurant(20)) }
            try expect(try store.count(Restaurant.all), equals: 13)
        }
        ConformanceCase("A second tearDown does nothing", proves: 5) { world in
            let store = try world.openFilled()

            try store.tearDown()
            try store.tearDown()
            try store.setup()

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("tearDown before setup does nothing", proves: 5) { world in
            let store = try world.makeStore(Restaurant.self)

            try store.tearDown()
            try store.setup()
            try store.writeSync { _ = try $0.insert(Restaurant(1)) }

            try expect(try store.count(Restaurant.all), equals: 1)
        }
        ConformanceCase("Use after tearDown is refused", proves: 5) { world in
            let store = try world.openFilled()
            try store.tearDown()

            try expectRefused(.closed, by: store)
            try store.setup()
            try store.destroy()
            try expectRefused(.closed, by: store)
        }
        ConformanceCase("A store set up again holds what it held", proves: 12) { world in
            let store = try world.openFilled()

            for round in 1...3 {
                try store.tearDown()
                try store.setup()
                try expect(try store.count(Restaurant.all), equals: 11 + round)
                try expect(Restaurant.where(\.slug == "roma"), gives: [1], in: store)
                try store.writeSync { _ = try $0.insert(Restaurant(Int64(100 + round))) }
            }
        }
        ConformanceCase(
            "Another store over the place finds what was left there", proves: 12
        ) { world in
            _ = try world.openFilled()

            let store = try world.reopen(Restaurant.self, Dish.self)
            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
            try store.writeSync { accessor in
                try accessor.mutableRestaurant(1).seats = 1
                try accessor.delete(Fixture.dish(1))
            }
            let other = try world.reopen(Dish.self, Restaurant.self)

            try expect(try other.restaurant(1)?.seats, equals: 1)
            try expect(try other.items(Dish.all), equals: Array(Fixture.dishes.dropFirst()))
            try expect(Restaurant.where(\.city == "Berlin"), gives: [8, 9, 10], in: other)
        }
        ConformanceCase(
            "destroy deletes everything, and the store can begin again", proves: 12
        ) { world in
            let store = try world.openFilled()

            for _ in 1...2 {
                try store.destroy()
                try store.setup()
                try expect(try store.count(Restaurant.all), equals: 0)
                try expect(try store.count(Dish.all), equals: 0)
                try store.writeSync { _ = try $0.insert(Restaurant(1, slug: "roma")) }
                try expect(try store.items(Restaurant.all), equals: [Restaurant(1, slug: "roma")])
            }
        }
        ConformanceCase(
            "destroy works on a store that is not open, and twice", proves: 12
        ) { world in
            let store = try world.makeStore(Restaurant.self)
            try store.destroy()
            try store.setup()
            try store.writeSync { _ = try $0.insert(Restaurant(1)) }
            try store.tearDown()

            try store.destroy()
            try store.destroy()
            try store.setup()

            try expect(try store.count(Restaurant.all), equals: 0)
        }
        ConformanceCase("A store destroyed is empty for every later store", proves: 12) { world in
            let store = try world.openFilled()
            try store.destroy()

            let other = try world.open(Restaurant.self, Keyed<Int64>.self)

            try expect(try other.count(Restaurant.all), equals: 0)
            try other.writeSync { accessor in
                try accessor.insert(contentsOf: Fixture.restaurants)
                try accessor.insert(Keyed<Int64>(1))
            }
            try expect(try other.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("tearDown waits for the writes given before it", proves: 2) { world in
            let store = try world.open(Keyed<Int64>.self)

            for id in 0..<50 as Range<Int64> { store.writeAsync { _ = try $0.insert(Keyed(id)) } }
            try store.tearDown()
            try store.setup()

            try expect(try store.count(Keyed<Int64>.all), equals: 50)
        }
        ConformanceCase("tearDown waits for blocks that are running", proves: 5) { world in
            let store = try world.openFilled()
            let (reading, go) = (Signal(), Signal())

            let reader = Background {
                try store.read { accessor in
                    let before = try accessor.countItems(for: Restaurant.all)
                    reading.fire()
                    try go.wait()
                    return [before, try accessor.items(for: Restaurant.all).count]
                }
            }
            try reading.wait()
            let closing = Background {
                go.fire()
                try store.tearDown()
            }

            try expect(try reader.value(), equals: [12, 12])
            try closing.value()
            try expectError(.closed) { try store.read { _ in } }
        }
        ConformanceCase("Writes given after tearDown are refused", proves: 2, 5) { world in
            let store = try world.open(Keyed<Int64>.self)
            let reported = Outcome<any Error>()
            store.errorHandler = { reported.set($0) }
            try store.tearDown()

            store.writeAsync { _ = try $0.insert(Keyed<Int64>(1)) }

            try expect((try reported.require() as? DataStoreError)?.code, equals: .closed)
            try store.setup()
            try expect(try store.count(Keyed<Int64>.all), equals: 0)
        }
        ConformanceCase("A place is open in one store at a time", proves: 12) { world in
            let store = try world.openFilled()
            let other = try world.makeStore(Restaurant.self, Dish.self)

            try expectError(.alreadyOpen) { try other.setup() }
            try expectError(.notSetUp) { try other.read { _ in } }
            try store.writeSync { _ = try $0.insert(Restaurant(20)) }
            try expect(try store.count(Restaurant.all), equals: 13)
            try store.tearDown()
            try other.setup()

            try expect(try other.count(Restaurant.all), equals: 13)
            try expectError(.alreadyOpen) { try store.setup() }
            try other.tearDown()
        }
        ConformanceCase("A store without types opens", proves: 13) { world in
            let store = try world.open()

            try store.writeSync { _ in }
            try expectError(.unknownItemType) { try store.read { _ = try $0.items(for: Restaurant.all) } }
            try expectError(.unknownItemType, writingTo: store) { try $0.insert(Restaurant(1)) }
        }
        ConformanceCase(
            "An inconsistent declaration is refused by setup", proves: 12
        ) { world in
            let stores = [
                try world.makeStore(Restaurant.self, Versioned<SameName>.self),
                try world.makeStore(Versioned<TwiceTheSame>.self),
                try world.makeStore(Versioned<UnknownIndex>.self),
                try world.makeStore(Versioned<JSONIndex>.self), try world.makeStore(Versioned<Nameless>.self),
                try world.makeStore(Versioned<LateIdentifier>.self),
            ]

            for store in stores {
                try expectError(.invalidSchema) { try store.setup() }
                try expectError(.notSetUp) { try store.read { _ in } }
            }
            let good = try world.open(Restaurant.self, Restaurant.self)
            try good.writeSync { _ = try $0.insert(Restaurant(1)) }
            try expect(try good.count(Restaurant.all), equals: 1)
        }
        ConformanceCase("Blocks of all kinds survive many reopenings", proves: 12, 13) { world in
            for round in 0..<10 as Range<Int64> {
                let store = try world.reopen(Keyed<Int64>.self)
                try expect(try store.count(Keyed<Int64>.all), equals: Int(round) * 2)
                try store.writeSync { accessor in
                    try accessor.insert(
                        contentsOf: (0..<3).map { Keyed(round * 10 + $0, label: "\(round) \($0)") })
                    try accessor.delete(id: round * 10, of: Keyed<Int64>.self)
                }
            }
        }
        ConformanceCase("Every method of a store works", proves: 13) { world in
            let store = try world.makeStore(Restaurant.self)

            store.errorHandler = { _ in }
            try expect(store.errorHandler != nil, "the handler that was set")
            try store.setup()
            _ = (store.changes, store.events)
            try await store.writeAsync { _ = try $0.insert(Restaurant(1)) }
            store.writeAsync({ _ = try $0.insert(Restaurant(2)) }, completion: nil)
            try await store.flush()
            let count = try await store.readAsync { try $0.countItems(for: Restaurant.all) }
            try expect(count, equals: 2)
            try expect(try store.read { try $0.countItems(for: Restaurant.all) }, equals: 2)
            try store.tearDown()
            try store.setup()
            try expect(try store.read { try $0.countItems(for: Restaurant.all) }, equals: 2)
            try store.destroy()
            try store.setup()
            try expect(try store.read { try $0.countItems(for: Restaurant.all) }, equals: 0)
        }
        ConformanceCase("A store reports that it is opened and closed", proves: 5, 21) { world in
            let store = try world.makeStore(Restaurant.self)
            var events = store.events.makeAsyncIterator()

            try store.setup()
            try store.setup()
            try store.tearDown()
            try store.tearDown()
            var late = store.events.makeAsyncIterator()
            try store.setup()
            try store.destroy()

            for expected in [StoreEvent.opened, .closed, .opened, .closed] {
                let event = await events.next()
                try expect(event, equals: expected)
            }
            for expected in [StoreEvent.opened, .closed] {
                let event = await late.next()
                try expect(event, equals: expected)
            }
        }
    }

    private static func expectRefused(_ code: DataStoreError.Code, by store: any DataStore) throws {
        try expectError(code) { try store.read { _ in } }
        try expectError(code, writingTo: store) { _ in throw OwnError() }
        try expectError(code) { try store.flush() }
        let outcome = Outcome<any Error>()
        store.writeAsync(
            { _ in throw OwnError() },
            completion: { (result: Result<Void, any Error>) in
                outcome.set(result.error)
            })
        try expect((try outcome.require() as? DataStoreError)?.code, equals: code)
    }

    private enum SameName: ItemVersion {
        static let schema = EntitySchema("Restaurant", attributes: [.attribute("id", Int64.self)])
    }

    private enum TwiceTheSame: ItemVersion {
        static let schema = EntitySchema(
            "Twice",
            attributes: [.attribute("id", Int64.self), .attribute("a", Int.self), .attribute("a", Int.self)])
    }

    private enum UnknownIndex: ItemVersion {
        static let schema = EntitySchema(
            "Unknown", attributes: [.attribute("id", Int64.self)], indexes: [.index("missing")])
    }

    private enum JSONIndex: ItemVersion {
        static let schema = EntitySchema(
            "JSON", attributes: [.attribute("id", Int64.self), .attribute("tags", Tags.self)],
            indexes: [.unique("tags")])
    }

    private enum Nameless: ItemVersion {
        static let schema = EntitySchema("", attributes: [.attribute("id", Int64.self)])
    }

    private enum LateIdentifier: ItemVersion {
        static let schema = EntitySchema(
            "Late", attributes: [.attribute("number", Int64.self), .attribute("id", Int64.self)])
    }
}
