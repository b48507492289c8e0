import Larder

/// A change set names each item that a commit changed, once, and how.
enum ChangeSetCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A change set distinguishes inserted, updated and deleted items", proves: 5
        ) { world in
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
        ConformanceCase(
            "An update names the attributes that changed, and no others", proves: 5
        ) { world in
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
        ConformanceCase(
            "An item changed several times in a block appears once", proves: 5
        ) { world in
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
                equals: [
                    ["Restaurant 20 inserted", "Restaurant 1 updated note seats", "Restaurant 2 deleted"]
                ])
        }
        ConformanceCase(
            "An item that is inserted and deleted in one block is not mentioned", proves: 5
        ) { world in
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
        ConformanceCase("An item deleted and inserted again counts as updated", proves: 5) { world in
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
        ConformanceCase("Changes by request name each item", proves: 5) { world in
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
        ConformanceCase("Deleting all items of a type names each of them", proves: 5) { world in
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
        ConformanceCase("An upsert is an insertion or an update", proves: 5) { world in
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
                    ["Restaurant 20 inserted"], ["Restaurant 1 updated rating"],
                    ["Restaurant 6 updated name"],
                ])
        }
        ConformanceCase("Changes name identifiers of every kind", proves: 5) { world in
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
    }
}
