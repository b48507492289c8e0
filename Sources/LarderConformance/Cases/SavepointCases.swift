import Larder

/// Part of a block can fail without the rest.
enum SavepointCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A savepoint that succeeds keeps its changes", proves: 3) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.savepoint {
                    try accessor.insert(Restaurant(20))
                    try accessor.mutableRestaurant(1).seats = 1
                }
                try expect(try accessor.countItems(for: Restaurant.all), equals: 13)
            }

            try expect(try store.count(Restaurant.all), equals: 13)
            try expect(try store.restaurant(1)?.seats, equals: 1)
        }
        ConformanceCase(
            "A savepoint that throws undoes its own changes and no others", proves: 3
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.insert(Restaurant(20))
                try failing(accessor) {
                    try accessor.insert(Restaurant(21))
                    try accessor.delete(id: ItemID(rawValue: 20), of: Restaurant.self)
                    try accessor.update(Restaurant.where(\.city == "Rome"), .set(\.seats, to: 0))
                    try expect(try accessor.countItems(for: Restaurant.where(\.seats == 0)), equals: 4)
                }
                try expect(try accessor.countItems(for: Restaurant.where(\.seats == 0)), equals: 2)
                try accessor.insert(Restaurant(22))
            }

            try expect(
                try store.items(Restaurant.all),
                equals: Fixture.restaurants + [Restaurant(20), Restaurant(22)])
        }
        ConformanceCase("A savepoint undoes every kind of change", proves: 3) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try failing(accessor) {
                    try accessor.deleteAllItems(of: Restaurant.self)
                    try accessor.insert(
                        contentsOf: (1...400).map { Restaurant($0, city: "Rome", slug: "\($0)") })
                    try accessor.deleteItems(for: Dish.where(\.cents > 800))
                    try accessor.upsert(Dish(1, name: "Upserted"))
                    try accessor.mutableDish(2).name = "Set"
                }
                try expect(try accessor.items(for: Restaurant.all), equals: Fixture.restaurants)
                try expect(try accessor.items(for: Dish.all), equals: Fixture.dishes)
                let rome = try accessor.ids(for: Restaurant.where(\.city == "Rome")).map(\.rawValue)
                try expect(rome, equals: [1, 2])
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
            try expect(try store.items(Dish.all), equals: Fixture.dishes)
        }
        ConformanceCase("Savepoints nest: an inner one fails alone", proves: 3) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.savepoint {
                    try accessor.insert(Restaurant(20))
                    try failing(accessor) { try accessor.insert(Restaurant(21)) }
                    try failing(accessor) {
                        try accessor.delete(id: ItemID(rawValue: 20), of: Restaurant.self)
                    }
                    try accessor.insert(Restaurant(22))
                }
            }

            try expect(
                try store.items(Restaurant.all),
                equals: Fixture.restaurants + [Restaurant(20), Restaurant(22)])
        }
        ConformanceCase("Savepoints nest: an outer one takes the inner with it", proves: 3) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.insert(Restaurant(19))
                try failing(accessor) {
                    try accessor.insert(Restaurant(20))
                    try accessor.savepoint { _ = try accessor.insert(Restaurant(21)) }
                    try failing(accessor) { try accessor.insert(Restaurant(22)) }
                    try expect(try accessor.countItems(for: Restaurant.all), equals: 15)
                }
                try expect(try accessor.countItems(for: Restaurant.all), equals: 13)
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants + [Restaurant(19)])
        }
        ConformanceCase("Savepoints nest fifty deep", proves: 3) { world in
            let store = try world.open(Keyed<Int64>.self)
            func descend(_ depth: Int64, _ accessor: DataStoreReadWriteAccessor) throws {
                guard depth < 50 else { return }
                try accessor.insert(Keyed<Int64>(depth))
                // No change of the levels from 30 on remains.
                try? accessor.savepoint {
                    try descend(depth + 1, accessor)
                    if depth == 29 { throw OwnError() }
                }
            }

            try store.writeSync { try descend(0, $0) }

            try expect(Keyed<Int64>.all, gives: Array(0..<30), in: store)
        }
        ConformanceCase(
            "A handle shows what is stored again after its savepoint failed", proves: 3, 4
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let (first, second) = (try accessor.mutableRestaurant(1), try accessor.mutableRestaurant(2))
                first.seats = 50
                try failing(accessor) {
                    first.seats = 60
                    first.slug = "gone"
                    _ = try accessor.countItems(for: Restaurant.all)
                    second.seats = 70
                    try accessor.update(Restaurant.where(\.city == "Rome"), .set(\.rating, to: 1))
                    second.note = "not saved yet"
                }
                try expect(first.seats, equals: 50)
                try expect(first.slug, equals: "roma")
                try expect(second.item, equals: Fixture.restaurant(2))
                second.rating = 3
                first.note = "later"
            }

            var (first, second) = (Fixture.restaurant(1), Fixture.restaurant(2))
            (first.seats, first.note, second.rating) = (50, "later", 3)
            try expect(try store.items(Restaurant.where(\.city == "Rome")), equals: [first, second])
        }
        ConformanceCase(
            "A handle made in a savepoint that failed is of no item", proves: 3, 5
        ) { world in
            let store = try world.openFilled()

            let error = try expectError(.itemNotFound, writingTo: store) { accessor in
                var lost: Mutable<Restaurant>?
                try failing(accessor) { lost = try accessor.insert(Restaurant(20)) }
                try expect(try accessor.restaurant(20), equals: nil)
                lost?.seats = 1
            }
            try expect(error.identifier, equals: .integer(20))

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase(
            "An item deleted in a savepoint that failed has its handle again", proves: 3, 4
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(1)
                try failing(accessor) {
                    handle.seats = 1
                    try accessor.delete(handle)
                }
                try failing(accessor) { try accessor.deleteAllItems(of: Restaurant.self) }
                try expect(handle.item, equals: Fixture.restaurant(1))
                handle.seats = 2
                try expect(try accessor.mutableRestaurant(1) === handle, "one handle")
            }

            try expect(try store.restaurant(1)?.seats, equals: 2)
        }
        ConformanceCase(
            "An item replaced in a savepoint that failed has its handle again", proves: 3, 4
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(1)
                try failing(accessor) {
                    try accessor.delete(handle)
                    try accessor.insert(Restaurant(1, name: "Reborn"))
                }
                handle.seats = 2
            }

            var expected = Fixture.restaurant(1)
            expected.seats = 2
            try expect(try store.restaurant(1), equals: expected)
        }
        ConformanceCase("Values set before a savepoint stay when it fails", proves: 3, 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(1)
                handle.seats = 1
                try failing(accessor) {}
                try expect(handle.seats, equals: 1)
                try failing(accessor) { handle.seats = 2 }
                try expect(handle.seats, equals: 1)
            }

            try expect(try store.restaurant(1)?.seats, equals: 1)
        }
        ConformanceCase("A savepoint returns what its body returns", proves: 3) { world in
            let store = try world.openFilled()

            let name = try store.writeSync { accessor in
                try accessor.savepoint { try accessor.restaurant(1)?.name }
            }

            try expect(name, equals: "Trattoria Roma")
        }
        ConformanceCase(
            "A savepoint that fails in a block that throws leaves nothing", proves: 3
        ) { world in
            let store = try world.openFilled()

            try expectOwnError(2) {
                try store.writeSync { accessor in
                    try accessor.savepoint { _ = try accessor.insert(Restaurant(20)) }
                    try failing(accessor) { try accessor.insert(Restaurant(21)) }
                    throw OwnError(number: 2)
                }
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("A hundred savepoints, every second of which fails", proves: 3) { world in
            let store = try world.open(Keyed<Int64>.self)

            try store.writeSync { accessor in
                for id in 0..<100 as Range<Int64> {
                    do {
                        try accessor.savepoint {
                            try accessor.insert(Keyed(id, label: "\(id)"))
                            if id % 2 == 1 { throw OwnError() }
                        }
                    } catch is OwnError {}
                }
            }

            try expect(
                try store.items(Keyed<Int64>.all).map(\.id), equals: Array(stride(from: 0, to: 100, by: 2)))
            try expect(Keyed<Int64>.where(\.label == "7"), gives: [Int64](), in: store)
        }
        ConformanceCase(
            "A savepoint that fails before anything else leaves a block that still works", proves: 3
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try failing(accessor) {
                    try accessor.insert(Restaurant(20))
                    try accessor.insert(contentsOf: [Restaurant(21), Restaurant(22)])
                    try accessor.mutableRestaurant(1).seats = 1
                }
                try expect(try accessor.countItems(for: Restaurant.all), equals: 12)
                try accessor.insert(Restaurant(23))
                try failing(accessor) {
                    try accessor.deleteItems(for: Restaurant.all)
                }
                try expect(try accessor.countItems(for: Restaurant.all), equals: 13)
                try accessor.mutableRestaurant(2).seats = 2
            }

            try expect(try store.count(Restaurant.all), equals: 13)
            try expect(try store.restaurant(1)?.seats, equals: Fixture.restaurant(1).seats)
            try expect(try store.restaurant(2)?.seats, equals: 2)
            try expect(try store.restaurant(20), equals: nil)
            try expect(try store.restaurant(23), equals: Restaurant(23))
        }
        ConformanceCase(
            "Savepoints that fail inside one that is a block's first", proves: 3
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try failing(accessor) {
                    try failing(accessor) { try accessor.insert(Restaurant(20)) }
                    try accessor.savepoint { _ = try accessor.insert(Restaurant(21)) }
                    try failing(accessor) { try accessor.insert(Restaurant(22)) }
                    try expect(try accessor.countItems(for: Restaurant.all), equals: 13)
                }
                try accessor.savepoint {
                    try failing(accessor) { try accessor.insert(Restaurant(23)) }
                    try accessor.insert(Restaurant(24))
                    try failing(accessor) { try accessor.insert(Restaurant(25)) }
                }
            }

            try expect(try store.count(Restaurant.all), equals: 13)
            try expect(try store.restaurant(24), equals: Restaurant(24))
        }
        ConformanceCase(
            "Items whose insertion fails before anything else leave a block that still works", proves: 3
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let items = (20..<700).map { Restaurant($0) } + [Restaurant(1)]
                try expectError(.duplicateIdentifier) { try accessor.insert(contentsOf: items) }
                try expect(try accessor.countItems(for: Restaurant.all), equals: 12)
                try accessor.insert(contentsOf: [Restaurant(20), Restaurant(21)])
            }

            try expect(try store.count(Restaurant.all), equals: 14)
            try expect(try store.restaurant(21), equals: Restaurant(21))
        }
    }

    /// Runs a savepoint that fails after its body.
    private static func failing(
        _ accessor: DataStoreReadWriteAccessor, _ body: () throws -> Void
    ) throws {
        try expectOwnError(8) {
            try accessor.savepoint {
                try body()
                throw OwnError(number: 8)
            }
        }
    }
}
