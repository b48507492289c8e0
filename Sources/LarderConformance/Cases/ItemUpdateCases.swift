import Larder

/// A value that was changed outside of the store is stored by `update(_:)`, under the rules of every write.
enum ItemUpdateCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A changed value is stored under its identifier", proves: 3) { world in
            let store = try world.openFilled()
            var changed = Fixture.restaurant(2)
            changed.name = "Changed"
            changed.rating = 5.5
            changed.note = nil

            let stored = try store.writeSync { try $0.update(changed).item }

            try expect(stored, equals: changed)
            var expected = Fixture.restaurants
            expected[1] = changed
            try expect(try store.items(Restaurant.all), equals: expected)
            try expect(Restaurant.where(\.rating == 5.5), gives: [2], in: store)
        }
        ConformanceCase("A value that is not in the store cannot be updated", proves: 3) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let error = try expectError(.itemNotFound) { try accessor.update(Restaurant(50)) }
                try expect(error.identifier, equals: .itemID(50))
                try expect(error.itemType, equals: "Restaurant")
                try expect(error.advice, equals: "Insert it, or use upsert(_:), which does either.")
                try accessor.delete(Fixture.restaurant(1))
                try expectError(.itemNotFound) { try accessor.update(Fixture.restaurant(1)) }
            }

            try expect(try store.items(Restaurant.all), equals: Array(Fixture.restaurants.dropFirst()))
        }
        ConformanceCase(
            "A value that clashes is not stored, and the block lives on", proves: 3, 11
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                var first = Fixture.restaurant(1)
                first.slug = Fixture.restaurant(4).slug
                first.city = "Nowhere"
                let error = try expectError(.uniqueViolation) { try accessor.update(first) }
                try expect(error.attribute, equals: "slug")
                try expect(error.identifier, equals: .itemID(4))
                first.slug = "free"
                try accessor.update(first)
            }

            var expected = Fixture.restaurants
            expected[0].slug = "free"
            expected[0].city = "Nowhere"
            try expect(try store.items(Restaurant.all), equals: expected)
        }
        ConformanceCase("A value that cannot be stored changes nothing", proves: 3, 9) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                var first = Fixture.restaurant(1)
                first.rating = .nan
                try expect(
                    try expectError(.invalidValue) { try accessor.update(first) }.attribute, equals: "rating")
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("The handle of an updated item shows the value", proves: 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let known = try accessor.mutableRestaurant(3)
                var changed = Fixture.restaurant(3)
                changed.seats = 77
                let updated = try accessor.update(changed)
                try expect(updated === known, "the one handle of the item")
                try expect(known.seats, equals: 77)
                known.seats += 1
            }

            try expect(try store.restaurant(3)?.seats, equals: 78)
        }
        ConformanceCase("An update by value replaces what a handle has set", proves: 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.mutableRestaurant(3).city = "Set before"
                try accessor.update(Fixture.restaurant(3))
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("An update by value is heard with what it changed", proves: 5) { world in
            let store = try world.openWithRestaurants()
            let changes = store.changes
            var changed = Fixture.restaurant(2)
            changed.city = "Elsewhere"
            let (elsewhere, same) = (changed, Fixture.restaurant(3))

            try await store.writeAsync { accessor in
                try accessor.update(same)
            }
            try await store.writeAsync { accessor in
                try accessor.update(elsewhere)
                try accessor.update(same)
            }
            try store.tearDown()
            var sets: [ChangeSet] = []
            for await set in changes { sets.append(set) }

            try expect(sets.count, equals: 1)
            try expect(sets.first?.changes.map(\.identifier), equals: [.itemID(2)])
            try expect(sets.first?.changes.map(\.kind), equals: [.updated(attributes: ["city"])])
        }
        ConformanceCase(
            "An item is found, updated and deleted by its typed identifier", proves: 3
        ) { world in
            let store = try world.openFilled()
            let id = Fixture.restaurant(5).id

            try store.writeSync { accessor in
                try expect(try accessor.contains(id: id), equals: true)
                try expect(try accessor.item(id: id)?.id, equals: id)
                try expect(try accessor.mutableItem(id: id)?.id, equals: id)
                try expect(try accessor.delete(id: id), equals: true)
                try expect(try accessor.delete(id: id), equals: false)
                try expect(try accessor.contains(id: id), equals: false)
            }

            try expect(try store.restaurant(5), equals: nil)
            try expect(try store.count(Restaurant.all), equals: 11)
        }
        ConformanceCase("Items of every identifier are updated by value", proves: 3) { world in
            let store = try world.open(Keyed<String>.self, Keyed<Int>.self)

            try store.writeSync { accessor in
                try accessor.insert(Keyed("e\u{301}", label: "one"))
                try accessor.insert(Keyed(-1, label: "one"))
                try accessor.update(Keyed("e\u{301}", label: "two"))
                try accessor.update(Keyed(-1, label: "two"))
                // Equal in Swift, and another text by its bytes.
                try expectError(.itemNotFound) { try accessor.update(Keyed("\u{E9}", label: "three")) }
            }

            try expect(try store.items(Keyed<String>.all), equals: [Keyed("e\u{301}", label: "two")])
            try expect(try store.items(Keyed<Int>.all), equals: [Keyed(-1, label: "two")])
        }
    }
}
