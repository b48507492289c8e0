import Larder

/// Items are inserted as a whole or not at all.
enum InsertingCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("An inserted item is stored when its block ends", proves: 3) { world in
            let store = try world.open(Restaurant.self)

            try store.writeSync { accessor in
                try accessor.insert(Fixture.restaurant(3))
                try expect(try accessor.items(for: Restaurant.all), equals: [Fixture.restaurant(3)])
            }

            try expect(try store.items(Restaurant.all), equals: [Fixture.restaurant(3)])
        }
        ConformanceCase(
            "insert returns the item's handle, to change it further", proves: 4
        ) { world in
            let store = try world.open(Restaurant.self)

            try store.writeSync { accessor in
                let handle = try accessor.insert(Restaurant(5, name: "New"))
                try expect(handle.item, equals: Restaurant(5, name: "New"))
                handle.seats = 10
                handle.slug = "new"
                try expect(try accessor.restaurant(5)?.seats, equals: 10)
                handle.seats += 1
            }

            try expect(try store.restaurant(5), equals: Restaurant(5, name: "New", slug: "new", seats: 11))
        }
        ConformanceCase(
            "A second item with an id is refused and the block lives on", proves: 3
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let error = try expectError(.duplicateIdentifier) {
                    try accessor.insert(Restaurant(4, name: "Other", slug: "other"))
                }
                try expect(error.itemType, equals: "Restaurant")
                try expect(error.identifier, equals: .integer(4))
                try accessor.insert(Restaurant(20, slug: "other"))
            }

            try expect(try store.restaurant(4), equals: Fixture.restaurant(4))
            try expect(
                try store.items(Restaurant.all), equals: Fixture.restaurants + [Restaurant(20, slug: "other")]
            )
        }
        ConformanceCase("A thousand items are inserted at once", proves: 3) { world in
            let store = try world.open(Dish.self)
            let dishes = (0..<1_000).map { Dish($0, name: "dish \($0)", cents: Int($0 % 100)) }

            try store.writeSync { accessor in
                try accessor.insert(contentsOf: dishes[..<300])
                try accessor.insert(contentsOf: dishes[300...].lazy.map { $0 })
                try expect(try accessor.countItems(for: Dish.all), equals: 1_000)
            }

            try expect(try store.items(Dish.all) == dishes, "the dishes inserted")
            try expect(try store.count(Dish.where(\.course == .main && \.cents == 42)), equals: 10)
        }
        ConformanceCase("An empty list of items changes nothing", proves: 3) { world in
            let store = try world.openFilled()

            try store.writeSync { try $0.insert(contentsOf: [Restaurant]()) }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase(
            "A duplicate in the last place of a list keeps all of it out", proves: 3
        ) { world in
            let dishes = (100..<800).map { Dish($0, name: "new \($0)") } + [Dish(4, name: "double")]
            try expectRefused(.duplicateIdentifier, dishes, naming: 4, in: world)
        }
        ConformanceCase(
            "Two items of one list with the same id keep all of it out", proves: 3
        ) { world in
            let dishes = (100..<110).map { Dish($0, name: "new \($0)") } + [Dish(105, name: "double")]
            try expectRefused(.duplicateIdentifier, dishes, naming: 105, in: world)
        }
        ConformanceCase(
            "A clash in the last place of a list keeps all of it out", proves: 3, 11
        ) { world in
            let dishes =
                (100..<800).map { Dish($0, at: 1, name: "new \($0)") } + [Dish(900, at: 1, name: "Pizza")]
            try expectRefused(.uniqueViolation, dishes, naming: 1, in: world)
        }
        ConformanceCase(
            "A value that cannot be stored keeps all of a list out", proves: 3, 9
        ) { world in
            let store = try world.openFilled()
            let good = (20..<600).map { Restaurant($0) }

            try store.writeSync { accessor in
                try expectError(.invalidValue) {
                    try accessor.insert(contentsOf: good + [Restaurant(600, rating: .nan)])
                }
                try accessor.insert(Restaurant(601))
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants + [Restaurant(601)])
        }
        ConformanceCase("A list may be computed from what the block reads", proves: 3, 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let names = (1...12).lazy.map { (id: Int64) in
                    let found = try? accessor.restaurant(id)
                    return Restaurant(id + 100, name: found.map { "Next to " + $0.name } ?? "none")
                }
                try accessor.insert(contentsOf: names)
            }

            let expected = Fixture.restaurants.map {
                Restaurant($0.id.rawValue + 100, name: "Next to " + $0.name)
            }
            try expect(try store.items(Restaurant.where(\.id > ItemID(rawValue: 100))), equals: expected)
        }
        ConformanceCase(
            "A list is judged with what was set on handles while it was computed", proves: 4, 11
        ) { world in
            let store = try world.open(Restaurant.self)
            try store.writeSync { try $0.insert(Restaurant(1, slug: "roma")) }

            try store.writeSync { accessor in
                let first = try accessor.mutableRestaurant(1)
                let restaurants = ([20] as [Int64]).lazy.map { id -> Restaurant in
                    first.slug = "free"
                    return Restaurant(id, slug: "roma")
                }
                try accessor.insert(contentsOf: restaurants)
            }

            try expect(Restaurant.where(\.slug == "roma"), gives: [20], in: store)
            try expect(Restaurant.where(\.slug == "free"), gives: [1], in: store)

            // A list whose making fails the block is not made to its end.
            var made = 0
            try expectError(.itemNotFound, writingTo: store) { accessor in
                let handle = try accessor.mutableRestaurant(1)
                _ = try accessor.delete(handle)
                let restaurants = (100..<2100).lazy.map { (id: Int64) -> Restaurant in
                    made += 1
                    handle.slug = "gone"
                    return Restaurant(id)
                }
                try? accessor.insert(contentsOf: restaurants)
            }
            try expect(made < 2000, equals: true)
        }
        ConformanceCase(
            "A list may insert other items while it is computed", proves: 3, 4
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let restaurants = (20..<30).lazy.map { (id: Int64) in
                    _ = try? accessor.insert(Dish(id, at: id, name: "Speciality \(id)"))
                    return Restaurant(id, name: "Number \(id)")
                }
                try accessor.insert(contentsOf: restaurants)
            }

            let ids = Array<Int64>(20..<30)
            try expect(
                try store.items(Restaurant.all),
                equals: Fixture.restaurants + ids.map { Restaurant($0, name: "Number \($0)") })
            try expect(
                try store.items(Dish.all),
                equals: Fixture.dishes + ids.map { Dish($0, at: $0, name: "Speciality \($0)") })
        }
        ConformanceCase(
            "The id of a deleted item can be used again in the same block", proves: 4
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.delete(Fixture.restaurant(1))
                try accessor.insert(Restaurant(1, name: "Reborn", slug: "roma"))
                try expect(try accessor.restaurant(1)?.name, equals: "Reborn")
            }

            try expect(try store.restaurant(1), equals: Restaurant(1, name: "Reborn", slug: "roma"))
            try expect(Restaurant.where(\.slug == "roma"), gives: [1], in: store)
            try expect(try store.count(Restaurant.all), equals: 12)
        }
        ConformanceCase("Inserting saves what was set on handles before", proves: 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.mutableRestaurant(1).slug = nil
                try accessor.insert(Restaurant(20, slug: "roma"))
                try accessor.mutableRestaurant(2).slug = "free"
                try accessor.insert(contentsOf: [Restaurant(21, slug: "roma-2")])
            }

            try expect(Restaurant.where(.hasPrefix(\.slug, "roma")), gives: [20, 21], in: store)
            try expect(Restaurant.where(\.slug == "free"), gives: [2], in: store)
        }
    }

    /// Inserts a list that must be refused, and continues in the same block.
    private static func expectRefused(
        _ code: DataStoreError.Code, _ dishes: [Dish], naming identifier: Int64, in world: ConformanceWorld
    ) throws {
        let store = try world.openFilled()

        try store.writeSync { accessor in
            try accessor.insert(Dish(90, name: "before"))
            let error = try expectError(code) { try accessor.insert(contentsOf: dishes) }
            try expect(error.identifier, equals: .integer(identifier))
            try expect(try accessor.countItems(for: Dish.all), equals: 11)
            try accessor.insert(Dish(91, name: "after"))
        }

        try expect(
            try store.items(Dish.all),
            equals: Fixture.dishes + [Dish(90, name: "before"), Dish(91, name: "after")])
    }
}
