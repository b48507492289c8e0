import Larder

/// Observers get every commit, once, in order, and nothing else.
enum ObservationCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Each commit is one change set, in the order of the commits", proves: 2, 5
        ) { world in
            let store = try world.openWithRestaurants()

            let sets = try await changeSets(
                store, (20..<60).map { id in { accessor in _ = try accessor.insert(Restaurant(id)) } })

            try expect(sets, equals: (20..<60).map { ["Restaurant \($0) inserted"] })
        }
        ConformanceCase(
            "Observers receive nothing of a block that was rolled back", proves: 3, 5
        ) { world in
            let store = try world.openWithRestaurants()

            let sets = try await changeSets(
                store,
                [
                    { _ in
                        try expectOwnError {
                            throw OwnError()
                        }
                    },
                    { try $0.mutableRestaurant(1).seats = 1 },
                ])
            let changes = store.changes
            do {
                try write(to: store) { accessor in
                    try accessor.insert(Restaurant(20))
                    throw OwnError()
                }
            } catch is OwnError {}
            try await expectError(.cancelled, async: { try await store.writeAsync { try $0.cancel() } })
            try await expectError(
                .uniqueViolation,
                async: { try await store.writeAsync { try $0.mutableRestaurant(1).slug = "otoro" } })
            try await store.writeAsync { try $0.mutableRestaurant(2).seats = 2 }
            try store.tearDown()
            var heard: [[String]] = []
            for await set in changes { heard.append(set.changes.map(\.text)) }

            try expect(sets, equals: [["Restaurant 1 updated seats"]])
            try expect(heard, equals: [["Restaurant 2 updated seats"]])
        }
        ConformanceCase(
            "Observers receive nothing of a savepoint that failed", proves: 3, 5
        ) { world in
            let store = try world.openWithRestaurants()

            let sets = try await changeSets(
                store,
                [
                    { accessor in
                        try accessor.insert(Restaurant(20))
                        try expectOwnError {
                            try accessor.savepoint {
                                try accessor.insert(Restaurant(21))
                                try accessor.delete(id: ItemID(rawValue: 20), of: Restaurant.self)
                                try accessor.update(Restaurant.all, .set(\.seats, to: 0))
                                throw OwnError()
                            }
                        }
                        try accessor.savepoint { _ = try accessor.insert(Restaurant(22)) }
                    },
                    { accessor in
                        try expectOwnError {
                            try accessor.savepoint {
                                try accessor.deleteAllItems(of: Restaurant.self)
                                throw OwnError()
                            }
                        }
                    },
                ])

            try expect(sets, equals: [["Restaurant 20 inserted", "Restaurant 22 inserted"]])
        }
        ConformanceCase(
            "Observers receive nothing of blocks that change nothing", proves: 5
        ) { world in
            let store = try world.openWithRestaurants()

            let sets = try await changeSets(
                store,
                [
                    { _ in }, { _ = try $0.items(for: Restaurant.all) },
                    { try $0.mutableRestaurant(1).seats = 40 }, { try $0.upsert(Fixture.restaurant(4)) },
                    { try $0.delete(Restaurant(99)) }, { try $0.deleteAllItems(of: Dish.self) },
                    { try $0.update(Restaurant.where(\.city == "Rome"), .set(\.city, to: "Rome")) },
                    { try $0.insert(contentsOf: [Dish]()) },
                ])

            try expect(sets, equals: [])
        }
        ConformanceCase(
            "A commit in the middle of a block is a change set of its own", proves: 3, 5
        ) { world in
            let store = try world.openWithRestaurants()

            let sets = try await changeSets(
                store,
                [
                    { accessor in
                        try accessor.insert(Restaurant(20))
                        try accessor.commit()
                        try accessor.commit()
                        try accessor.mutableRestaurant(20).seats = 1
                        try accessor.commit()
                        try accessor.delete(id: ItemID(rawValue: 20), of: Restaurant.self)
                    }
                ])

            try expect(
                sets,
                equals: [
                    ["Restaurant 20 inserted"], ["Restaurant 20 updated seats"], ["Restaurant 20 deleted"],
                ])
        }
        ConformanceCase(
            "Every observer hears everything from its start on", proves: 5
        ) { world in
            let store = try world.openWithRestaurants()

            let first = store.changes
            try await store.writeAsync { _ = try $0.insert(Restaurant(20)) }
            let second = store.changes
            try await store.writeAsync { _ = try $0.insert(Restaurant(21)) }
            try store.tearDown()

            var (heardFirst, heardSecond): ([Int64], [Int64]) = ([], [])
            for await set in first { heardFirst += set.inserted(Restaurant.self).map(\.rawValue) }
            for await set in second { heardSecond += set.inserted(Restaurant.self).map(\.rawValue) }
            try expect(heardFirst, equals: [20, 21])
            try expect(heardSecond, equals: [21])
        }
        ConformanceCase("Asynchronous writes are heard in their order", proves: 2, 5) { world in
            let store = try world.openWithRestaurants()
            let changes = store.changes

            for id in 20..<60 as Range<Int64> {
                store.writeAsync({ _ = try $0.insert(Restaurant(id)) }, completion: nil)
            }
            try await store.flush()
            try store.tearDown()

            var heard: [Int64] = []
            for await set in changes { heard += set.inserted(Restaurant.self).map(\.rawValue) }
            try expect(heard, equals: Array(20..<60))
        }
        ConformanceCase(
            "Observation ends when the store is torn down, and begins again", proves: 5
        ) { world in
            let store = try world.openWithRestaurants()

            for round in 20..<22 as Range<Int64> {
                let changes = store.changes
                try await store.writeAsync { _ = try $0.insert(Restaurant(round)) }
                try store.tearDown()
                var heard: [Int64] = []
                for await set in changes { heard += set.inserted(Restaurant.self).map(\.rawValue) }
                try expect(heard, equals: [round])
                for await set in store.changes { heard += set.inserted(Restaurant.self).map(\.rawValue) }
                try expect(heard, equals: [round], "the values of a store that has been torn down")
                try store.setup()
            }
        }
        ConformanceCase(
            "An observer reads the state that its change set describes", proves: 2, 5
        ) { world in
            let store = try world.openWithRestaurants()
            let changes = store.changes

            store.writeAsync({ try $0.mutableRestaurant(1).seats = 77 }, completion: nil)
            for await set in changes {
                try expect(set.updated(Restaurant.self).map(\.id.rawValue), equals: [1])
                try expect(try store.restaurant(1)?.seats, equals: 77)
                break
            }
        }
    }
}
