import Larder

/// Items are read whole, in order, and as values.
enum ReadingCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("An empty store answers every question with nothing", proves: 13) { world in
            let store = try world.open(Restaurant.self, Dish.self)

            try expect(Restaurant.all, gives: [Int64](), in: store)
            try expect(Restaurant.where(\.city == "Rome").sorted(by: \.rating), gives: [Int64](), in: store)
            try expect(try store.restaurant(1), equals: nil)
            try expect(
                try store.read { try $0.contains(id: ItemID(rawValue: 1), of: Restaurant.self) },
                equals: false)
            try expect(try store.read { try $0.values(for: Dish.all, \.name).count }, equals: 0)
        }
        ConformanceCase(
            "All items come back equal and in the order of their ids", proves: 8, 9
        ) { world in
            let store = try world.open(Restaurant.self)
            try store.writeSync { try $0.insert(contentsOf: Fixture.restaurants.reversed()) }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
            try expect(Restaurant.all, gives: Array(1...12), in: store)
        }
        ConformanceCase("An item is found by its id, and only by its id", proves: 13) { world in
            let store = try world.openFilled()

            for restaurant in Fixture.restaurants {
                try expect(try store.restaurant(restaurant.id.rawValue), equals: restaurant)
            }
            for id: Int64 in [0, 13, -1, .min, .max] {
                try expect(try store.restaurant(id), equals: nil)
                let id = ItemID<Restaurant>(rawValue: id)
                try expect(try store.read { try $0.contains(id: id, of: Restaurant.self) }, equals: false)
            }
            try expect(
                try store.read { try $0.contains(id: ItemID(rawValue: 12), of: Restaurant.self) },
                equals: true)
        }
        ConformanceCase("Items of two types with the same ids are kept apart", proves: 13) { world in
            let store = try world.open(Keyed<Int64>.self, Restaurant.self, Keyed<Int>.self)
            try store.writeSync { accessor in
                try accessor.insert(Keyed<Int64>(1, label: "one"))
                try accessor.insert(Keyed<Int>(1, label: "uno"))
                try accessor.insert(Keyed<Int>(2, label: "due"))
                try accessor.insert(Fixture.restaurant(1))
            }

            try expect(try store.items(Keyed<Int64>.all), equals: [Keyed(1, label: "one")])
            try expect(
                try store.items(Keyed<Int>.all), equals: [Keyed(1, label: "uno"), Keyed(2, label: "due")])
            try store.writeSync { _ = try $0.delete(id: 1, of: Keyed<Int>.self) }
            try expect(try store.items(Keyed<Int64>.all), equals: [Keyed(1, label: "one")])
            try expect(try store.items(Keyed<Int>.all), equals: [Keyed(2, label: "due")])
            try expect(try store.items(Restaurant.all), equals: [Fixture.restaurant(1)])
        }
        ConformanceCase("Hundreds of items come back whole and in order", proves: 8, 9) { world in
            let store = try world.open(Restaurant.self)
            let items = (1...600).map { Restaurant($0, name: "item \($0)", city: "Rome", seats: Int($0 % 7)) }
            try store.writeSync { try $0.insert(contentsOf: items) }

            try expect(try store.items(Restaurant.all) == items, "the items inserted")
            try expect(try store.count(Restaurant.where(\.seats == 3)), equals: 86)
            try expect(
                try store.items(Restaurant.all.sorted(by: \.seats, .descending).limit(2)).map(\.id.rawValue),
                equals: [594, 587])
        }
        ConformanceCase(
            "A type the store was not made for is refused by every call", proves: 13
        ) { world in
            let store = try world.open(Restaurant.self)
            let dishes = Dish.all

            let calls: [(DataStoreReadWriteAccessor) throws -> Void] = [
                { _ = try $0.items(for: dishes) }, { _ = try $0.firstItem(for: dishes) },
                { _ = try $0.countItems(for: dishes) }, { _ = try $0.contains(dishes) },
                { _ = try $0.ids(for: dishes) }, { _ = try $0.values(for: dishes, \.name) },
                { _ = try $0.item(id: ItemID<Dish>(rawValue: 1)) }, { _ = try $0.explain(dishes) },
                { try $0.forEachItem(for: dishes) { _ in } }, { try $0.insert(Fixture.dish(1)) },
                { try $0.insert(contentsOf: Fixture.dishes) }, { try $0.upsert(Fixture.dish(1)) },
                { _ = try $0.mutableItems(for: dishes) }, { try $0.update(dishes, .set(\.cents, to: 1)) },
                { try $0.delete(Fixture.dish(1)) }, { try $0.deleteAllItems(of: Dish.self) },
            ]
            for call in calls {
                let error = try expectError(.unknownItemType, writingTo: store) { try call($0) }
                try expect(error.itemType, equals: "Dish")
            }
        }
        ConformanceCase("The first item is the first of the order asked for", proves: 8, asking: .restaurants)
        { accessor in
            try expect(try accessor.firstItem(for: Restaurant.all)?.id.rawValue, equals: 1)
            let best = Restaurant.all.sorted(by: \.rating, .descending)
            try expect(try accessor.firstItem(for: best)?.id.rawValue, equals: 9)
            try expect(try accessor.firstItem(for: best.offset(1))?.id.rawValue, equals: 4)
            try expect(try accessor.firstItem(for: best.limit(0)), equals: nil)
            try expect(try accessor.firstItem(for: best.filter(\.city == "Nowhere")), equals: nil)
        }
        ConformanceCase(
            "A walk ends if its body throws, with the body's error", proves: 3
        ) { world in
            let store = try world.openFilled()
            var seen: [Int64] = []

            try expectOwnError(7) {
                try store.read { accessor in
                    try accessor.forEachItem(for: Restaurant.all) { restaurant in
                        seen.append(restaurant.id.rawValue)
                        if seen.count == 3 { throw OwnError(number: 7) }
                    }
                }
            }

            try expect(seen, equals: [1, 2, 3])
            try expect(try store.count(Restaurant.all), equals: 12)
        }
        ConformanceCase("Walks inside walks do not disturb each other", proves: 1, asking: .restaurants) {
            accessor in
            var pairs: [String] = []

            try accessor.forEachItem(for: Restaurant.where(\.city == "Rome")) { restaurant in
                let dishes = Dish.where(\.restaurant == restaurant.id).sorted(by: \.name, .descending)
                try accessor.forEachItem(for: dishes) { dish in
                    let others = try accessor.countItems(for: Restaurant.where(\.id != restaurant.id))
                    pairs.append("\(restaurant.name): \(dish.name), \(others) others")
                }
            }

            try expect(
                pairs,
                equals: [
                    "Trattoria Roma: Tiramisu, 11 others", "Trattoria Roma: Pizza, 11 others",
                    "trattoria roma: Pizza, 11 others",
                ])
        }
        ConformanceCase("Items keep their values when the store changes", proves: 1) { world in
            let store = try world.openFilled()
            let before = try store.items(Restaurant.all)

            try store.writeSync { accessor in
                try accessor.update(Restaurant.all, .set(\.name, to: "changed"), .set(\.note, to: nil))
                try accessor.deleteItems(for: Restaurant.where(\.city == "Rome"))
            }

            try expect(before, equals: Fixture.restaurants)
        }
        ConformanceCase("A read returns what its block returns", proves: 13) { world in
            let store = try world.openFilled()

            let (count, name) = try store.read { accessor in
                (try accessor.countItems(for: Dish.all), try accessor.dish(4)?.name)
            }

            try expect(count, equals: 10)
            try expect(name, equals: "R\u{F6}sti")
        }
        ConformanceCase("A read passes its block's own error through", proves: 3) { world in
            let store = try world.openFilled()

            try expectOwnError(4) {
                try store.read { accessor in
                    _ = try accessor.items(for: Restaurant.all)
                    throw OwnError(number: 4)
                }
            }

            try expect(try store.count(Restaurant.all), equals: 12)
        }
        ConformanceCase("One request serves many blocks and stores", proves: 13) { world in
            let request = Restaurant.where(\.city == "Berlin").sorted(by: \.name)
            let narrowed = request.filter(\.rating > 0).limit(1)
            let store = try world.openFilled()

            try expect(request, gives: [10, 9, 8], in: store)
            try expect(narrowed, gives: [10], in: store)
            let again = try world.reopen(Restaurant.self, Dish.self)
            try expect(request, gives: [10, 9, 8], in: again)
            try expect(request == Restaurant.where(\.city == "Berlin").sorted(by: \.name), "equal requests")
            try expect(request != narrowed, "different requests")
        }
        ConformanceCase("readAsync gives the answers of read", proves: 2, 13) { world in
            let store = try world.openWithRestaurants()

            let names = try await store.readAsync {
                try $0.items(for: Restaurant.where(\.city == "Rome")).map(\.name)
            }
            try expect(names, equals: ["Trattoria Roma", "trattoria roma"])
            do {
                _ = try await store.readAsync { _ in throw OwnError(number: 5) }
                try expect(false, "an error")
            } catch let error as OwnError {
                try expect(error.number, equals: 5)
            }
        }
        ConformanceCase("read works in async code without awaiting", proves: 2) { world in
            let store = try world.openWithRestaurants()

            await Task.yield()
            let count = try store.read { try $0.countItems(for: Restaurant.all) }

            try expect(count, equals: 12)
        }
    }
}
