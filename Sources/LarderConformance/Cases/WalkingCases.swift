import Larder

/// Walks through items that change, and walks that change them.
enum WalkingCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Changing a type while it is walked through is refused", proves: 4) { world in
            let store = try world.openFilled()

            let calls: [(DataStoreReadWriteAccessor) throws -> Void] = [
                { try $0.insert(Restaurant(20)) }, { try $0.insert(contentsOf: [Restaurant(20)]) },
                { try $0.delete(Fixture.restaurant(12)) }, { try $0.deleteAllItems(of: Restaurant.self) },
                { try $0.deleteItems(for: Restaurant.where(\.city == "Rome")) },
                { try $0.update(Restaurant.all, .set(\.seats, to: -1)) }, { try $0.upsert(Restaurant(20)) },
            ]
            for call in calls {
                let error = try expectError(.changedDuringIteration, writingTo: store) { accessor in
                    try accessor.forEachItem(for: Restaurant.all) { _ in try call(accessor) }
                }
                try expect(error.itemType, equals: "Restaurant")
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("A walk whose body has met the refusal continues", proves: 4) { world in
            let store = try world.openFilled()
            var walked: [Int64] = []

            try store.writeSync { accessor in
                try accessor.forEachItem(for: Restaurant.all.sorted(by: \.rating)) { restaurant in
                    walked.append(restaurant.id.rawValue)
                    try expectError(.changedDuringIteration) { try accessor.insert(Restaurant(20)) }
                    try accessor.forEachItem(for: Restaurant.where(\.city == "Rome")) { _ in }
                    try expectError(.changedDuringIteration) { try accessor.delete(restaurant) }
                }
                try accessor.insert(Restaurant(21))
            }

            try expect(walked, equals: [8, 7, 10, 3, 5, 11, 12, 1, 2, 6, 4, 9])
            try expect(Restaurant.all, gives: Array(1...12) + [21], in: store)
        }
        ConformanceCase("Other types may be changed during a walk", proves: 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.forEachItem(for: Restaurant.all) { restaurant in
                    let id = restaurant.id.rawValue
                    try accessor.insert(Dish(100 + id, at: id, name: "Special"))
                    try accessor.update(Dish.where(\.restaurant == restaurant.id), .set(\.cents, to: Int(id)))
                }
                try accessor.deleteItems(for: Dish.where(\.restaurant == nil))
            }

            try expect(try store.count(Dish.all), equals: 20)
            try expect(Dish.where(\.cents == 4), gives: [5, 6, 104], in: store)
        }
        ConformanceCase(
            "A walk in the order of related values visits each item once, even if the values change",
            proves: 4, 8, 17
        ) { world in
            let store = try world.open(storing: [Town.self, House.self])
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Town(1, "c"), Town(2, "a"), Town(3, "b")])
                try accessor.insert(
                    contentsOf: (10..<16 as Range<Int64>).map { House($0, number: 0, in: $0 / 2 - 4) })
            }
            let houses = House.all.sorted(by: \.town.name)
            let windows: [(DataStoreRequest<House>, [Int64])] = [
                (houses.limit(20), [12, 13, 14, 15, 10, 11]), (houses.offset(1).limit(4), [13, 14, 15, 10]),
            ]
            var number = 100

            for (request, expected) in windows {
                var walked: [Int64] = []
                try store.writeSync { accessor in
                    try accessor.forEachItem(for: request) { house in
                        walked.append(house.id)
                        number += 1
                        let town = Town.where(\.id == house.town.id)
                        try accessor.update(town, .set(\.name, to: "z\(number)"))
                    }
                }
                try expect(walked, equals: expected)
            }
        }
        ConformanceCase(
            "A walk about related values gives what matched at its start, in the order then",
            proves: 4, 13, 17
        ) { world in
            let store = try openHouses(world)
            let houses = House.all.sorted(by: \.neighbor).sorted(by: \.town.name)
            let matching = House.where(\.number == 0 || \.town.name == "b")
            // Each with the town that gets another name at the first house.
            let walks: [(DataStoreRequest<House>, Int64, [Int64])] = [
                (houses, 1, Array(1...8)), (houses.prefetching(\.town), 1, Array(1...8)),
                (matching, 2, [1, 2, 4, 6, 8]),
            ]

            for (request, town, expected) in walks {
                var walked: [Int64] = []
                try expectOwnError {
                    try store.writeSync { accessor in
                        try accessor.forEachItem(for: request) { house in
                            if walked.isEmpty {
                                try accessor.update(Town.where(\.id == town), .set(\.name, to: "z"))
                            }
                            walked.append(house.id)
                        }
                        throw OwnError()
                    }
                }
                try expect(walked, equals: expected, "\(request)")
            }
        }
        ConformanceCase(
            "A walk through several types gives what matched at its start", proves: 4, 13, 17
        ) { world in
            let store = try openHouses(world)
            let houses: UnionFilter<HouseOrMemo> = .only(House.self, \.number == 0 || \.town.name == "b")
            var walked: [Int64] = []

            try store.writeSync { accessor in
                try accessor.forEachItem(for: HouseOrMemo.where(houses || .only(Memo.self))) { item in
                    if walked.isEmpty {
                        try accessor.update(Town.where(\.id == 2), .set(\.name, to: "z"))
                    }
                    switch item {
                    case .house(let house): walked.append(house.id)
                    case .memo(let memo): walked.append(memo.id)
                    }
                }
            }

            try expect(walked, equals: [1, 2, 4, 6, 8, 10])
        }
        ConformanceCase(
            "The type can be changed again after the walk, even after one that threw", proves: 4
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.forEachItem(for: Restaurant.all) { _ in }
                try accessor.insert(Restaurant(20))
                try expectOwnError {
                    try accessor.forEachItem(for: Restaurant.all) { _ in throw OwnError() }
                }
                try accessor.insert(Restaurant(21))
                try accessor.forEachItem(for: Restaurant.where(\.city == "Nowhere")) { _ in }
                try accessor.insert(Restaurant(22))
            }

            try expect(Restaurant.all, gives: Array(1...12) + [20, 21, 22], in: store)
        }
        ConformanceCase(
            "A set that would change what is walked through is refused", proves: 4, 5
        ) { world in
            let store = try world.openFilled()

            try expectError(.changedDuringIteration, writingTo: store) { accessor in
                let handle = try accessor.mutableRestaurant(12)
                try accessor.forEachItem(for: Restaurant.all) { _ in
                    handle.seats += 1
                    _ = try accessor.countItems(for: Dish.all)
                }
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase(
            "A commit inside a walk or a bulk insert is refused", proves: 3, 4
        ) { world in
            let store = try world.openFilled()
            let count = Fixture.restaurants.count

            try store.writeSync { accessor in
                var visited = 0
                try accessor.forEachItem(for: Restaurant.all) { _ in
                    try expectError(.unsupported) { try accessor.commit() }
                    visited += 1
                }
                try expect(visited, equals: count)
                try accessor.insert(
                    contentsOf: try (20..<22 as Range<Int64>).map { id in
                        try expect(try accessor.countItems(for: Restaurant.all), equals: count)
                        return Restaurant(id)
                    })
                try expectError(.unsupported) {
                    try accessor.insert(
                        contentsOf: (30..<32 as Range<Int64>).lazy.map { id in
                            try? accessor.commit()
                            return Restaurant(id)
                        })
                    try accessor.savepoint { try accessor.commit() }
                }
                try accessor.commit()
            }

            try expect(try store.count(Restaurant.all), equals: count + 4)
        }
        ConformanceCase("forEachMutableItem stores what its body sets", proves: 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.forEachMutableItem(for: Restaurant.where(\.city == "Berlin")) { restaurant in
                    restaurant.seats *= 2
                    restaurant.city = "Bonn"
                    let count = try accessor.countItems(for: Restaurant.where(\.city == "Bonn"))
                    restaurant.note = "number \(count)"
                }
            }

            try expect(
                try store.items(Restaurant.where(\.city == "Bonn")).map { "\($0.seats) \($0.note ?? "")" },
                equals: ["120 number 1", "120 number 2", "2000 number 3"])
            try expect(Restaurant.where(\.city == "Berlin"), gives: [Int64](), in: store)
        }
        ConformanceCase(
            "forEachMutableItem visits the items that matched at its start", proves: 4, 8
        ) { world in
            let store = try world.openFilled()
            var walked: [Int64] = []

            try store.writeSync { accessor in
                let best = Restaurant.where(\.rating >= 4).sorted(by: \.rating, .descending).offset(1).limit(
                    5)
                try accessor.forEachMutableItem(for: best) { restaurant in
                    walked.append(restaurant.id.rawValue)
                    restaurant.rating = -1
                }
            }

            try expect(walked, equals: [4, 6, 2, 1, 12])
            try expect(Restaurant.where(\.rating == -1), gives: [1, 2, 4, 6, 8, 12], in: store)
        }
        ConformanceCase(
            "forEachMutableItem leaves out what its body deletes", proves: 4
        ) { world in
            let store = try world.openFilled()
            var walked: [Int64] = []

            try store.writeSync { accessor in
                try accessor.forEachMutableItem(for: Restaurant.all) { restaurant in
                    walked.append(restaurant.id.rawValue)
                    try accessor.delete(restaurant)
                    try accessor.delete(id: ItemID(rawValue: restaurant.id.rawValue + 1), of: Restaurant.self)
                    try accessor.delete(id: ItemID(rawValue: 11), of: Restaurant.self)
                }
            }

            try expect(walked, equals: [1, 3, 5, 7, 9, 12])
            try expect(try store.count(Restaurant.all), equals: 0)
        }
        ConformanceCase(
            "forEachMutableItem does not visit what its body inserts", proves: 4
        ) { world in
            let store = try world.openFilled()
            var walked: [Int64] = []

            try store.writeSync { accessor in
                try accessor.forEachMutableItem(for: Restaurant.all) { restaurant in
                    walked.append(restaurant.id.rawValue)
                    try accessor.insert(Restaurant(restaurant.id.rawValue + 100))
                }
            }

            try expect(walked, equals: Array(1...12))
            try expect(try store.count(Restaurant.all), equals: 24)
        }
        ConformanceCase("forEachMutableItem goes through hundreds", proves: 4) { world in
            let store = try world.open(Dish.self)
            try store.writeSync {
                try $0.insert(contentsOf: (0..<600).map { Dish($0, name: "\($0)", cents: Int($0)) })
            }

            try store.writeSync { accessor in
                try accessor.forEachMutableItem(for: Dish.all.sorted(by: \.name)) { dish in
                    dish.cents += 1
                    if dish.cents % 2 == 0 { dish.course = .starter }
                }
            }

            try expect(try store.items(Dish.all).map(\.cents), equals: Array(1...600))
            try expect(try store.count(Dish.where(\.course == .starter)), equals: 300)
        }
        ConformanceCase(
            "forEachMutableItem judges values that no two items share as a whole", proves: 4, 11
        ) { world in
            let store = try world.open(Restaurant.self)
            // Values are passed on also between items that are hundreds apart.
            func shift(_ count: Int64, counting: Bool = false) throws {
                try store.writeSync { accessor in
                    let some = Restaurant.where(\.id <= ItemID(rawValue: count))
                    try accessor.forEachMutableItem(for: some) { restaurant in
                        restaurant.slug = "\(restaurant.id.rawValue + 1)"
                        if counting { _ = try accessor.countItems(for: Restaurant.all) }
                    }
                }
            }
            try store.writeSync {
                try $0.insert(contentsOf: (1...600).map { Restaurant($0, slug: "\($0)") })
            }

            try shift(600)
            let shifted = (2...601).map { "\($0)" }
            try expect(try store.items(Restaurant.all).map(\.slug), equals: shifted)
            try store.writeSync { accessor in
                try accessor.forEachMutableItem(for: Restaurant.all) { $0.slug = "\($0.id.rawValue)" }
            }
            // The last one takes the value of an item that keeps it.
            let error = try expectError(.uniqueViolation) { try shift(599) }
            try expect(error.attribute, equals: "slug")
            try expectError(.uniqueViolation) { try shift(2, counting: true) }
            try expect(try store.items(Restaurant.all).map(\.slug), equals: (1...600).map { "\($0)" })
        }
        ConformanceCase(
            "A handle of forEachMutableItem is refused after the walk", proves: 5
        ) { world in
            let store = try world.openFilled()

            try expectError(.accessorExpired, writingTo: store) { accessor in
                var leaked: Mutable<Restaurant>?
                try accessor.forEachMutableItem(for: Restaurant.where(\.city == "Osaka")) { leaked = $0 }
                leaked?.seats = 0
            }
            try store.writeSync { accessor in
                var leaked: Mutable<Restaurant>?
                try accessor.forEachMutableItem(for: Restaurant.where(\.city == "Osaka")) { leaked = $0 }
                let expired = try require(leaked)
                try expectError(.accessorExpired) { try expired.setValue(5, forKey: "seats") }
                let fresh = try accessor.mutableRestaurant(6)
                fresh.seats = 9
            }

            try expect(try store.restaurant(6)?.seats, equals: 9)
        }
        ConformanceCase(
            "forEachMutableItem keeps the handles an item had before", proves: 4
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let known = try accessor.mutableRestaurant(1)
                known.seats = 1
                try accessor.forEachMutableItem(for: Restaurant.where(\.city == "Rome")) { restaurant in
                    try expect((restaurant === known) == (restaurant.id.rawValue == 1), "one handle per item")
                    restaurant.seats += 10
                }
                known.seats += 100
            }

            try expect(try store.restaurant(1)?.seats, equals: 111)
            try expect(try store.restaurant(2)?.seats, equals: 35)
        }
        ConformanceCase(
            "Values set before forEachMutableItem threw are stored", proves: 4
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try expectOwnError {
                    try accessor.forEachMutableItem(for: Restaurant.all) { restaurant in
                        restaurant.seats = -1
                        if restaurant.id.rawValue == 3 { throw OwnError() }
                    }
                }
            }

            try expect(Restaurant.where(\.seats == -1), gives: [1, 2, 3], in: store)
        }
    }

    /// A store with a memo and eight houses, by turns in two towns; the first of each two is the neighbor of both.
    private static func openHouses(_ world: ConformanceWorld) throws -> any DataStore {
        let store = try world.open(Town.self, House.self, Memo.self)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Town(1, "a"), Town(2, "b")])
            try accessor.insert(
                contentsOf: (1...8 as ClosedRange<Int64>).map { id in
                    House(id, number: id <= 2 ? 0 : Int(id), in: 2 - id % 2, beside: id - (id + 1) % 2)
                })
            try accessor.insert(Memo(10))
        }
        return store
    }
}

/// An item of a type that refers to another one, or of a type that does not.
private enum HouseOrMemo: ItemUnion {
    case house(House)
    case memo(Memo)

    static let members: [UnionMember<HouseOrMemo>] = [
        .type(House.self, HouseOrMemo.house), .type(Memo.self, HouseOrMemo.memo),
    ]

    struct Attributes: Sendable {}

    static let attributes = Attributes()

    var item: any DataStoreItem {
        switch self {
        case .house(let house): house
        case .memo(let memo): memo
        }
    }
}
