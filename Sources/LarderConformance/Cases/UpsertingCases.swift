import Larder

/// An upsert inserts new items and changes existing ones.
enum UpsertingCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("An upsert inserts an item whose id is new", proves: 11) { world in
            let store = try world.openFilled()

            try store.writeSync { try $0.upsert(Restaurant(20, name: "New", slug: "new")) }

            try expect(
                try store.items(Restaurant.all),
                equals: Fixture.restaurants + [Restaurant(20, name: "New", slug: "new")])
        }
        ConformanceCase("An upsert gives the stored item of its id the new values", proves: 11) { world in
            let store = try world.openFilled()
            let changed = Restaurant(2, name: "Changed", city: "Basel", rating: 1, slug: "changed")

            try store.writeSync { try $0.upsert(changed) }

            try expect(try store.restaurant(2), equals: changed)
            try expect(try store.count(Restaurant.all), equals: 12)
            try expect(Restaurant.where(\.city == "Rome"), gives: [1], in: store)
            try expect(Restaurant.where(\.city == "Basel"), gives: [2, 3, 7], in: store)
            try expect(Restaurant.where(\.slug == "roma-2"), gives: [Int64](), in: store)
        }
        ConformanceCase("An upsert returns the one handle of its item", proves: 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let known = try accessor.mutableRestaurant(3)
                let upserted = try accessor.upsert(Restaurant(3, name: "Changed"))
                try expect(known === upserted, "one handle")
                try expect(known.name, equals: "Changed")
                upserted.seats = 5
                try expect(try accessor.restaurant(3), equals: Restaurant(3, name: "Changed", seats: 5))
            }

            try expect(try store.restaurant(3), equals: Restaurant(3, name: "Changed", seats: 5))
        }
        ConformanceCase(
            "An upsert by a unique attribute finds its item and keeps the id", proves: 11
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let handle = try accessor.upsert(Restaurant(77, name: "Otoro", slug: "otoro"), by: \.slug)
                try expect(handle.id.rawValue, equals: 6)
                let new = try accessor.upsert(Restaurant(78, name: "New", slug: "new"), by: \.slug)
                try expect(new.id.rawValue, equals: 78)
                try accessor.upsert(Restaurant(78, name: "Newer", slug: "new"), by: \.id)
            }

            try expect(try store.restaurant(6), equals: Restaurant(6, name: "Otoro", slug: "otoro"))
            try expect(try store.restaurant(77), equals: nil)
            try expect(try store.restaurant(78)?.name, equals: "Newer")
            try expect(try store.count(Restaurant.all), equals: 13)
        }
        ConformanceCase("An upsert by an attribute that is nil inserts", proves: 11) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.upsert(Restaurant(20, name: "a"), by: \.slug)
                try accessor.upsert(Restaurant(21, name: "b"), by: \.slug)
                try expectError(.duplicateIdentifier) { try accessor.upsert(Restaurant(20), by: \.slug) }
            }

            try expect(Restaurant.where(\.slug == nil), gives: [3, 7, 12, 20, 21], in: store)
        }
        ConformanceCase(
            "An upsert by an attribute that is not unique is refused", proves: 11
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let error = try expectError(.invalidRequest) {
                    try accessor.upsert(Restaurant(20), by: \.city)
                }
                try expect(error.attribute, equals: "city")
                try expectError(.invalidRequest) { try accessor.upsert(Dish(20), by: \.name) }
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("An upsert that clashes with a third item is refused", proves: 3, 11) { world in
            let store = try world.openFilled()

            let error = try expectError(.uniqueViolation, writingTo: store) {
                try $0.upsert(Restaurant(2, name: "Changed", slug: "otoro"))
            }
            try expect(error.identifier, equals: .integer(6))
            try expectError(.uniqueViolation, writingTo: store) {
                try $0.upsert(Restaurant(20, name: "New", slug: "otoro"))
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("An upsert sees what was set on handles before", proves: 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.mutableRestaurant(3).slug = "lion"
                let handle = try accessor.upsert(Restaurant(50, name: "Lion", slug: "lion"), by: \.slug)
                try expect(handle.id.rawValue, equals: 3)
            }

            try expect(try store.restaurant(3), equals: Restaurant(3, name: "Lion", slug: "lion"))
        }
        ConformanceCase("Upserting the same items twice is upserting them once", proves: 11) { world in
            let store = try world.openFilled()

            for _ in 1...2 {
                try store.writeSync { accessor in
                    for restaurant in Fixture.restaurants { try accessor.upsert(restaurant) }
                    for dish in Fixture.dishes { try accessor.upsert(dish) }
                }
                try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
                try expect(try store.items(Dish.all), equals: Fixture.dishes)
            }
        }
    }
}
