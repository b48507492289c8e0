import Larder

/// Handles collect changes, and save them before any request could miss them.
enum HandleCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A value set on a handle is stored when the block ends", proves: 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let restaurant = try accessor.mutableRestaurant(2)
                restaurant.name = "Changed"
                restaurant.rating += 1
                restaurant.note = nil
                restaurant.openedAt = Fixture.day(3)
            }

            var expected = Fixture.restaurant(2)
            expected.name = "Changed"
            expected.rating = 5.5
            expected.note = nil
            expected.openedAt = Fixture.day(3)
            try expect(try store.restaurant(2), equals: expected)
            try expect(Restaurant.where(\.rating == 5.5), gives: [2], in: store)
            try expect(Restaurant.where(\.rating == 4.5), gives: [1, 6], in: store)
        }
        ConformanceCase("Every way of asking sees what was set before", proves: 4) { world in
            let store = try world.openFilled()
            let far = Restaurant.where(\.city == "Far")

            let questions: [(DataStoreReadWriteAccessor) throws -> Bool] = [
                { try $0.items(for: far).count == 1 }, { try $0.firstItem(for: far) != nil },
                { try $0.countItems(for: far) == 1 }, { try $0.contains(far) },
                { try $0.ids(for: far).count == 1 },
                { try $0.values(for: far, \.name, \.id).count == 1 }, { try $0.restaurant(1)?.city == "Far" },
                { try $0.mutableItems(for: far).count == 1 }, { try $0.firstMutableItem(for: far) != nil },
                { try $0.update(far, .set(\.seats, to: -1)) == 1 }, { try $0.deleteItems(for: far) == 1 },
                { accessor in
                    var seen = 0
                    try accessor.forEachItem(for: far) { _ in seen += 1 }
                    return seen == 1
                },
                { accessor in
                    var seen = 0
                    try accessor.forEachMutableItem(for: far) { _ in seen += 1 }
                    return seen == 1
                },
            ]
            for (number, question) in questions.enumerated() {
                try expectOwnError {
                    try store.writeSync { accessor in
                        try accessor.mutableRestaurant(1).city = "Far"
                        try expect(try question(accessor), "question \(number) to see the change")
                        throw OwnError()
                    }
                }
            }
            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("A handle prints its item and what is not saved yet", proves: 4) { world in
            let store = try world.openFilled()
            let title = "Restaurant \(ItemID<Restaurant>(rawValue: 2))"

            let handle = try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(2)
                try expect("\(handle)", equals: title)
                handle.seats = 26
                handle.name = "Roma"
                try expect("\(handle)", equals: title + ", changed: name, seats")
                handle.seats = 25
                try expect(String(reflecting: handle), equals: title + ", changed: name")
                try expect(try accessor.countItems(for: Restaurant.all), equals: 12)
                try expect("\(handle)", equals: title)

                let gone = try accessor.mutableRestaurant(11)
                try accessor.delete(id: gone.id)
                try expect("\(gone)", equals: "Restaurant \(gone.id), deleted")
                return handle
            }

            try expect("\(handle)", equals: title)
            try expect(Mirror(reflecting: handle).children.map(\.label), equals: ["item"])
            try expectError(.invalidValue, writingTo: store) { accessor in
                let handle = try accessor.mutableRestaurant(2)
                handle.rating = .nan
                try expect("\(handle)", equals: title + ", changed")
            }
        }
        ConformanceCase("One item has one handle per block", proves: 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let first = try accessor.mutableRestaurant(1)
                first.seats = 99
                let others = [
                    try require(try accessor.firstMutableItem(for: Restaurant.where(\.city == "Rome"))),
                    try accessor.mutableItems(for: Restaurant.all)[0],
                    try require(try accessor.mutableVersion(of: Fixture.restaurant(1))),
                    try accessor.upsert(first.item),
                ]
                for other in others { try expect(other === first, "one handle") }
                try expect(others[1].seats, equals: 99)
                let inserted = try accessor.insert(Restaurant(30))
                try expect(try accessor.mutableRestaurant(30) === inserted, "one handle")
            }
        }
        ConformanceCase(
            "The mutable version of a value shows what is stored now", proves: 4
        ) { world in
            let store = try world.openFilled()
            var stale = try require(try store.restaurant(1))
            try store.writeSync { try $0.mutableRestaurant(1).seats = 41 }

            try store.writeSync { accessor in
                stale.name = "Only here"
                let handle = try require(try accessor.mutableVersion(of: stale))
                try expect(handle.seats, equals: 41)
                try expect(handle.name, equals: "Trattoria Roma")
                handle.seats += 1
            }

            try expect(try store.restaurant(1)?.seats, equals: 42)
            try expect(try store.restaurant(1)?.name, equals: "Trattoria Roma")
        }
        ConformanceCase(
            "There is no mutable version of an item that is gone", proves: 4
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.delete(Fixture.restaurant(1))
                try expect(try accessor.mutableVersion(of: Fixture.restaurant(1)) == nil, "no handle")
                try expect(try accessor.mutableVersion(of: Restaurant(99)) == nil, "no handle")
                try expect(
                    try accessor.mutableItem(id: ItemID(rawValue: 99), of: Dish.self) == nil, "no handle")
                try expect(try accessor.firstMutableItem(for: Dish.where(\.cents < 0)) == nil, "no handle")
                try expect(try accessor.mutableItems(for: Dish.where(\.cents < 0)).isEmpty, "no handles")
            }
        }
        ConformanceCase("A handle's item is a value that stays as it was taken", proves: 4) { world in
            let store = try world.openFilled()

            let (before, after) = try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(1)
                let before = handle.item
                handle.seats = 7
                return (before, handle.item)
            }

            try expect(before, equals: Fixture.restaurant(1))
            try expect(after.seats, equals: 7)
            try expect(try store.restaurant(1), equals: after)
        }
        ConformanceCase(
            "A handle of a deleted item dooms the block when it is set", proves: 5
        ) { world in
            let store = try world.openFilled()

            let deletions: [(DataStoreReadWriteAccessor, Mutable<Restaurant>) throws -> Void] = [
                { _ = try $0.delete($1) }, { _ = try $0.delete($1.item) },
                { _ = try $0.delete(id: $1.id, of: Restaurant.self) },
                { accessor, _ in _ = try accessor.deleteItems(for: Restaurant.where(\.city == "Rome")) },
                { accessor, _ in _ = try accessor.deleteAllItems(of: Restaurant.self) },
            ]
            for deletion in deletions {
                let error = try expectError(.itemNotFound, writingTo: store) { accessor in
                    let handle = try accessor.mutableRestaurant(1)
                    try deletion(accessor, handle)
                    handle.seats = 1
                }
                try expect(error.itemType, equals: "Restaurant")
                try expect(error.identifier, equals: .integer(1))
                try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
            }
        }
        ConformanceCase(
            "A set that clashes dooms the block, even without a further request", proves: 5, 11
        ) { world in
            let store = try world.openFilled()

            let error = try expectError(.uniqueViolation, writingTo: store) { accessor in
                try accessor.mutableRestaurant(1).slug = "otoro"
            }
            try expect(error.attribute, equals: "slug")
            try expect(error.identifier, equals: .integer(6))
            try expectError(.uniqueViolation, writingTo: store) { accessor in
                try accessor.mutableRestaurant(1).slug = "otoro"
                try expectError(.uniqueViolation) { _ = try accessor.countItems(for: Restaurant.all) }
                try expectError(.uniqueViolation) { try accessor.insert(Restaurant(40)) }
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase(
            "A set that cannot be stored dooms the block at its next request", proves: 5
        ) { world in
            let store = try world.openFilled()

            try expectError(.invalidValue, writingTo: store) { accessor in
                try accessor.insert(Restaurant(40))
                try accessor.mutableRestaurant(2).rating = .nan
                let error = try expectError(.invalidValue) { _ = try accessor.items(for: Restaurant.all) }
                try expect(error.attribute, equals: "rating")
                try expect(error.identifier, equals: .integer(2))
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("A handle takes all values of an item with the same id", proves: 4) { world in
            let store = try world.openFilled()
            let new = Restaurant(4, name: "All new", city: "Rome", slug: "all-new")

            try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(4)
                handle.seats = 1
                try handle.replace(by: new)
                try expect(handle.item, equals: new)
                handle.isOpen = false
            }

            var expected = new
            expected.isOpen = false
            try expect(try store.restaurant(4), equals: expected)
            try expect(Restaurant.where(\.city == "Rome"), gives: [1, 2, 4], in: store)
        }
        ConformanceCase(
            "A handle refuses the values of an item with another id", proves: 4
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(4)
                let error = try expectError(.invalidValue) { try handle.replace(by: Fixture.restaurant(5)) }
                try expect(error.identifier, equals: .integer(4))
                handle.seats = 13
            }

            try expect(try store.restaurant(4)?.seats, equals: 13)
            try expect(try store.restaurant(5), equals: Fixture.restaurant(5))
        }
        ConformanceCase("Sets are stored in the order of the first change", proves: 4, 11) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let (first, second) = (try accessor.mutableRestaurant(1), try accessor.mutableRestaurant(2))
                second.slug = "roma"
                first.slug = "third"
                first.seats = 1
                second.seats = 2
                first.slug = "fourth"
            }

            try expect(try store.restaurant(1)?.slug, equals: "fourth")
            try expect(try store.restaurant(2)?.slug, equals: "roma")
        }
        ConformanceCase("A handle shows what an update by request has changed", proves: 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(1)
                handle.note = "mine"
                try accessor.update(
                    Restaurant.where(\.city == "Rome"), .set(\.seats, to: 1), .set(\.rating, to: 2))
                try expect(handle.seats, equals: 1)
                try expect(handle.note, equals: "mine")
                handle.rating += 0.5
            }

            let stored = try require(try store.restaurant(1))
            try expect(stored.seats, equals: 1)
            try expect(stored.rating, equals: 2.5)
            try expect(stored.note, equals: "mine")
            try expect(try store.restaurant(2)?.rating, equals: 2)
        }
        ConformanceCase("Handles of hundreds of items are stored together", proves: 4) { world in
            let store = try world.open(Dish.self)
            try store.writeSync { try $0.insert(contentsOf: (1...500).map { Dish($0, name: "\($0)") }) }

            try store.writeSync { accessor in
                for handle in try accessor.mutableItems(for: Dish.all) {
                    handle.cents = Int(handle.id.rawValue) * 2
                }
                try expect(try accessor.countItems(for: Dish.where(\.cents > 500)), equals: 250)
            }

            try expect(try store.items(Dish.all).map(\.cents), equals: (1...500).map { $0 * 2 })
        }
        ConformanceCase(
            "An item deleted and inserted again has the one handle it had", proves: 4
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(1)
                handle.seats = 99
                try accessor.delete(handle)
                try expect(try accessor.insert(Restaurant(1, name: "Reborn")) === handle, "one handle")
                try expect(handle.item, equals: Restaurant(1, name: "Reborn"))
                handle.seats = 3
                try expect(try accessor.mutableRestaurant(1) === handle, "one handle")
            }

            try expect(try store.restaurant(1), equals: Restaurant(1, name: "Reborn", seats: 3))
        }
        ConformanceCase(
            "An item deleted and inserted again in a list has the one handle it had", proves: 4
        ) { world in
            let store = try world.openFilled()
            let reborn = Restaurant(1, name: "Reborn")
            let writes: [(DataStoreReadWriteAccessor) throws -> Void] = [
                { try $0.insert(contentsOf: [reborn]) },
                { try $0.insert(contentsOf: (20..<400).map { Restaurant($0) } + [reborn]) },
                { _ = try $0.insert(Dish(900), with: [reborn]) },
                { _ = try $0.insert([reborn]) },
                { _ = try $0.upsert(contentsOf: [reborn]) },
            ]
            for (number, write) in writes.enumerated() {
                try store.writeSync { accessor in
                    let handle = try accessor.mutableRestaurant(1)
                    handle.note = "old"
                    try accessor.delete(handle)
                    try write(accessor)
                    try expect(handle.item, equals: reborn, "the item after write \(number)")
                    handle.seats = 3
                    try expect(try accessor.mutableRestaurant(1) === handle, "one handle")
                }

                try expect(try store.restaurant(1), equals: Restaurant(1, name: "Reborn", seats: 3))
            }
        }
    }
}
