import Larder

/// Deleted items are gone, from every index too.
enum DeletingCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("An item is deleted by value, handle or id", proves: 3) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try expect(try accessor.delete(Fixture.restaurant(1)), equals: true)
                try expect(try accessor.delete(try accessor.mutableRestaurant(2)), equals: true)
                try expect(try accessor.delete(id: ItemID(rawValue: 3), of: Restaurant.self), equals: true)
                var other = Fixture.restaurant(4)
                other.name = "not as stored"
                try expect(try accessor.delete(other), equals: true)
            }

            try expect(Restaurant.all, gives: Array(5...12), in: store)
            try expect(Restaurant.where(\.city == "Rome"), gives: [Int64](), in: store)
            try expect(Restaurant.all.sorted(by: \.rating, .descending).limit(2), gives: [9, 6], in: store)
        }
        ConformanceCase("Deleting a missing item returns false and changes nothing", proves: 3) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try expect(try accessor.delete(id: ItemID(rawValue: 50), of: Restaurant.self), equals: false)
                try expect(try accessor.delete(Restaurant(51)), equals: false)
                let handle = try accessor.mutableRestaurant(1)
                try expect(try accessor.delete(handle), equals: true)
                try expect(try accessor.delete(handle), equals: false)
                try expect(try accessor.deleteItems(for: Restaurant.where(\.city == "Nowhere")), equals: 0)
            }

            try expect(try store.items(Restaurant.all), equals: Array(Fixture.restaurants.dropFirst()))
        }
        ConformanceCase("The items of a request are deleted and counted", proves: 3) { world in
            let store = try world.openFilled()

            let count = try store.writeSync { try $0.deleteItems(for: Restaurant.where(\.rating >= 4.5)) }

            try expect(count, equals: 5)
            try expect(Restaurant.all, gives: [3, 5, 7, 8, 10, 11, 12], in: store)
            try expect(try store.count(Dish.all), equals: 10)
        }
        ConformanceCase("A deletion keeps to the order and window of its request", proves: 8) { world in
            let store = try world.openFilled()

            let worst = Restaurant.all.sorted(by: \.rating).offset(1).limit(2)
            try expect(try store.writeSync { try $0.deleteItems(for: worst) }, equals: 2)

            try expect(Restaurant.all, gives: [1, 2, 3, 4, 5, 6, 8, 9, 11, 12], in: store)
        }
        ConformanceCase("Deleting all items of a type leaves the other types", proves: 3) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try expect(try accessor.deleteAllItems(of: Restaurant.self), equals: 12)
                try expect(try accessor.deleteAllItems(of: Restaurant.self), equals: 0)
                try expect(try accessor.countItems(for: Restaurant.all), equals: 0)
            }

            try expect(Restaurant.all, gives: [Int64](), in: store)
            try expect(Restaurant.all.sorted(by: \.city), gives: [Int64](), in: store)
            try expect(Restaurant.where(\.slug == "roma"), gives: [Int64](), in: store)
            try expect(try store.items(Dish.all), equals: Fixture.dishes)
        }
        ConformanceCase(
            "Requests of the same block no longer see what was deleted", proves: 4
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.deleteItems(for: Restaurant.where(\.city == "Berlin"))
                try expect(try accessor.restaurant(9), equals: nil)
                try expect(try accessor.contains(id: ItemID(rawValue: 9), of: Restaurant.self), equals: false)
                try expect(try accessor.countItems(for: Restaurant.where(\.city == "Berlin")), equals: 0)
                try expect(try accessor.contains(Restaurant.where(\.slug == "strasse")), equals: false)
                let best = Restaurant.all.sorted(by: \.rating, .descending)
                try expect(try accessor.firstItem(for: best)?.id.rawValue, equals: 4)
                try expect(try accessor.countItems(for: Restaurant.all), equals: 9)
            }
        }
        ConformanceCase("Sets on a handle are dropped when its item is deleted", proves: 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(1)
                handle.seats = 7
                try accessor.delete(handle)
                let rest = try accessor.mutableItems(for: Restaurant.where(\.city == "Rome"))
                rest[0].note = "last"
                try accessor.deleteItems(for: Restaurant.where(\.note == "last"))
            }

            try expect(Restaurant.all, gives: Array(3...12), in: store)
        }
        ConformanceCase("Hundreds of items are deleted", proves: 3) { world in
            let store = try world.open(Dish.self)
            try store.writeSync {
                try $0.insert(contentsOf: (1...900).map { Dish($0, name: "\($0)", cents: Int($0 % 3)) })
            }

            try store.writeSync { accessor in
                try expect(try accessor.deleteItems(for: Dish.where(\.cents != 0)), equals: 600)
                try expect(try accessor.countItems(for: Dish.all), equals: 300)
            }

            try expect(try store.count(Dish.all), equals: 300)
            try expect(try store.ids(Dish.all.limit(3)), equals: [.integer(3), .integer(6), .integer(9)])
            try expect(try store.writeSync { try $0.deleteAllItems(of: Dish.self) }, equals: 300)
            try expect(try store.count(Dish.all), equals: 0)
        }
        ConformanceCase(
            "A type can be emptied and filled again in one block", proves: 3, 4
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.deleteAllItems(of: Restaurant.self)
                try accessor.insert(contentsOf: Fixture.restaurants.prefix(3))
                try accessor.insert(Restaurant(4, city: "Rome", slug: "otoro"))
            }

            try expect(Restaurant.all, gives: [1, 2, 3, 4], in: store)
            try expect(Restaurant.where(\.city == "Rome"), gives: [1, 2, 4], in: store)
            try expect(Restaurant.where(\.slug == "otoro"), gives: [4], in: store)
        }
        ConformanceCase("Every second item is deleted and inserted again", proves: 8, 13) { world in
            let store = try world.open(Dish.self)
            let dishes = (1...300).map { Dish($0, at: $0 % 5, name: "\($0)", cents: Int($0 % 10)) }
            try store.writeSync { try $0.insert(contentsOf: dishes) }

            for _ in 1...2 {
                try store.writeSync { accessor in
                    for dish in dishes where dish.id.rawValue % 2 == 0 { try accessor.delete(dish) }
                }
                try expect(try store.count(Dish.where(\.cents == 4)), equals: 0)
                try store.writeSync {
                    try $0.insert(contentsOf: dishes.filter { $0.id.rawValue % 2 == 0 }.reversed())
                }
                try expect(try store.items(Dish.all) == dishes, "all dishes again")
                try expect(try store.count(Dish.where(\.cents == 4)), equals: 30)
            }
        }
    }
}
