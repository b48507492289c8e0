import Foundation
import Larder

/// Updates by request change the attributes they name and no others.
enum UpdatingCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("An update changes the items of its request and counts them", proves: 3) { world in
            let store = try world.openFilled()

            let count = try store.writeSync { accessor in
                try accessor.update(Restaurant.where(\.city == "Berlin"), .set(\.rating, to: 3.5))
            }

            try expect(count, equals: 3)
            try expect(Restaurant.where(\.rating == 3.5), gives: [8, 9, 10], in: store)
            var expected = Fixture.restaurants
            for position in 7...9 { expected[position].rating = 3.5 }
            try expect(try store.items(Restaurant.all), equals: expected)
        }
        ConformanceCase("Items that have the value already are not counted", proves: 3) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try expect(try accessor.update(Restaurant.all, .set(\.city, to: "Berlin")), equals: 9)
                try expect(try accessor.update(Restaurant.all, .set(\.city, to: "Berlin")), equals: 0)
                try expect(try accessor.update(Restaurant.all, .set(\.isOpen, to: true)), equals: 3)
                try expect(try accessor.update(Restaurant.all, .set(\.note, to: nil)), equals: 7)
                try expect(
                    try accessor.update(Restaurant.where(\.rating == 0), .set(\.rating, to: -0.0)), equals: 0)
            }
        }
        ConformanceCase(
            "An update sets several attributes, even to nil", proves: 3, 9
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let count = try accessor.update(
                    Restaurant.where(\.city == "Rome"), .set(\.slug, to: nil),
                    .set(\.openedAt, to: Fixture.day(7)),
                    .set(\.note, to: ""), .set(\.seats, to: .max))
                try expect(count, equals: 2)
            }

            for id: Int64 in 1...2 {
                let stored = try require(try store.restaurant(id))
                try expect(stored.slug, equals: nil)
                try expect(stored.openedAt, equals: Fixture.day(7))
                try expect(stored.note, equals: "")
                try expect(stored.seats, equals: .max)
                try expect(stored.name, equals: Fixture.restaurant(Int(id)).name)
            }
            try expect(Restaurant.where(\.slug == nil), gives: [1, 2, 3, 7, 12], in: store)
        }
        ConformanceCase("An update keeps to the order and window of its request", proves: 8) { world in
            let store = try world.openFilled()

            let count = try store.writeSync { accessor in
                try accessor.update(
                    Restaurant.all.sorted(by: \.rating, .descending).offset(1).limit(3),
                    .set(\.note, to: "good"))
            }

            try expect(count, equals: 3)
            try expect(Restaurant.where(\.note == "good"), gives: [2, 4, 6], in: store)
        }
        ConformanceCase(
            "An update of what it filters and sorts by changes each item once", proves: 4
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let poor = Restaurant.where(\.rating < 4).sorted(by: \.rating)
                try expect(try accessor.update(poor, .set(\.rating, to: 3.9)), equals: 4)
                try expect(try accessor.update(poor, .set(\.rating, to: 4)), equals: 4)
                try expect(try accessor.update(poor, .set(\.rating, to: 5)), equals: 0)
            }

            try expect(Restaurant.where(\.rating == 4), gives: [3, 5, 7, 8, 10, 11, 12], in: store)
        }
        ConformanceCase(
            "An update that clashes changes nothing and the block lives on", proves: 3, 11
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let error = try expectError(.uniqueViolation) {
                    try accessor.update(Restaurant.where(\.city == "Rome"), .set(\.slug, to: "one"))
                }
                try expect(error.attribute, equals: "slug")
                try expectError(.uniqueViolation) {
                    try accessor.update(
                        Restaurant.where(\.seats == 8), .set(\.slug, to: "roma"), .set(\.seats, to: 1))
                }
                try expect(try accessor.items(for: Restaurant.all), equals: Fixture.restaurants)
                try expect(
                    try accessor.update(Restaurant.where(\.seats == 8), .set(\.slug, to: "one")), equals: 1)
            }

            try expect(Restaurant.where(\.slug == "one"), gives: [6], in: store)
        }
        ConformanceCase(
            "An update to a value that cannot be stored changes nothing", proves: 3, 9
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let error = try expectError(.invalidValue) {
                    try accessor.update(Restaurant.all, .set(\.seats, to: 1), .set(\.rating, to: .nan))
                }
                try expect(error.attribute, equals: "rating")
                try expectError(.invalidValue) {
                    let date = Date(timeIntervalSinceReferenceDate: .nan)
                    try accessor.update(Restaurant.all, .set(\.openedAt, to: date))
                }
                try expectError(.invalidRequest) {
                    try accessor.update(Restaurant.where(\.rating == .nan), .set(\.seats, to: 1))
                }
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("The identifier is not updated", proves: 3) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try expectError(.invalidValue) {
                    try accessor.update(Restaurant.where(\.seats == 8), .set(\.id, to: ItemID(rawValue: 50)))
                }
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("An update changes the attributes it names and no others", proves: 3) { world in
            let store = try world.open(Everything.self)
            try store.writeSync { try $0.insert(Everything.greatest(1)) }

            try store.writeSync { accessor in
                try accessor.update(Everything.all, .set(\.maybeText, to: nil), .set(\.int8, to: 0))
            }

            var expected = Everything.greatest(1)
            expected.maybeText = nil
            expected.int8 = 0
            try expect(try store.items(Everything.all), equals: [expected])
        }
        ConformanceCase("Hundreds of items are updated", proves: 3) { world in
            let store = try world.open(Dish.self)
            try store.writeSync {
                try $0.insert(contentsOf: (1...700).map { Dish($0, name: "\($0)", cents: Int($0)) })
            }

            try store.writeSync { accessor in
                try expect(
                    try accessor.update(Dish.where(\.cents > 100), .set(\.course, to: .dessert)), equals: 600)
                try expect(
                    try accessor.update(Dish.where(\.course == .dessert), .set(\.cents, to: 0)), equals: 600)
            }

            try expect(try store.count(Dish.where(\.course == .main && \.cents > 0)), equals: 100)
            try expect(try store.count(Dish.where(\.course == .dessert && \.cents == 0)), equals: 600)
        }
        ConformanceCase(
            "A clash late in a long update does not change handles", proves: 3, 4
        ) { world in
            let store = try world.open(Dish.self)
            let dishes = (1...400).map { Dish($0, at: $0, name: "\($0)") }
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: dishes)
                try accessor.insert(Dish(1_000, at: 0, name: "350"))
            }

            try store.writeSync { accessor in
                let handle = try accessor.mutableDish(1)
                let movable = Dish.where(\.id < ItemID(rawValue: 1_000))
                try expectError(.uniqueViolation) {
                    try accessor.update(movable, .set(\.restaurant, to: ItemID(rawValue: 0)))
                }
                try expect(handle.restaurant?.rawValue, equals: 1)
                handle.cents = 5
            }

            var expected = dishes + [Dish(1_000, at: 0, name: "350")]
            expected[0].cents = 5
            try expect(try store.items(Dish.all) == expected, "no dish to have moved")
        }
        ConformanceCase("An update without items changes nothing", proves: 3) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try expect(
                    try accessor.update(Restaurant.where(\.city == "Nowhere"), .set(\.seats, to: 1)),
                    equals: 0)
                try expect(try accessor.update(Restaurant.all.limit(0), .set(\.seats, to: 1)), equals: 0)
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("Every index follows an update of its attribute", proves: 13) { world in
            let store = try world.openFilled()

            for round in 1...3 {
                try store.writeSync { accessor in
                    for handle in try accessor.mutableItems(for: Restaurant.all) {
                        handle.city = "City \((Int(handle.id.rawValue) + round) % 3)"
                        handle.rating = Double((Int(handle.id.rawValue) * round) % 5)
                        handle.openedAt = handle.rating == 0 ? nil : Fixture.day(handle.rating)
                        handle.slug = "slug \((Int(handle.id.rawValue) + round) % 12)"
                    }
                }
                for remainder in 0...2 {
                    let expected = (1...12).filter { ($0 + Int64(round)) % 3 == Int64(remainder) }
                    try expect(Restaurant.where(\.city == "City \(remainder)"), gives: expected, in: store)
                }
                try expect(Restaurant.where(\.openedAt == nil), gives: [5, 10], in: store)
                try expect(Restaurant.where(\.city == "Rome"), gives: [Int64](), in: store)
                try expect(try store.count(Restaurant.where(.hasPrefix(\.slug, "slug "))), equals: 12)
            }
        }
    }
}
