import Larder

/// A read sees one state, whatever other blocks do meanwhile.
enum IsolationCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A read sees the state of its first request until it ends", proves: 1) { world in
            let store = try world.openFilled()

            try store.read { accessor in
                try expect(try accessor.countItems(for: Restaurant.all), equals: 12)
                try Background {
                    try store.writeSync { accessor in
                        try accessor.insert(Restaurant(20, city: "Rome"))
                        try accessor.mutableRestaurant(1).city = "Moved"
                        try accessor.delete(id: ItemID(rawValue: 2), of: Restaurant.self)
                        try accessor.deleteAllItems(of: Dish.self)
                    }
                }.value()
                try expect(try accessor.items(for: Restaurant.all), equals: Fixture.restaurants)
                try expect(try accessor.items(for: Dish.all), equals: Fixture.dishes)
                let rome = Restaurant.where(\.city == "Rome")
                try expect(try accessor.ids(for: rome).map(\.rawValue), equals: [1, 2])
                try expect(try accessor.restaurant(2), equals: Fixture.restaurant(2))
                try expect(try accessor.contains(Restaurant.where(\.city == "Moved")), equals: false)
            }

            try expect(Restaurant.where(\.city == "Rome"), gives: [20], in: store)
            try expect(try store.count(Dish.all), equals: 0)
        }
        ConformanceCase(
            "The snapshot is taken at the first request, not at the start", proves: 1
        ) { world in
            let store = try world.openFilled()

            try store.read { accessor in
                try Background { try store.writeSync { _ = try $0.insert(Restaurant(20)) } }.value()
                try expect(try accessor.countItems(for: Restaurant.all), equals: 13)
                try Background { try store.writeSync { _ = try $0.insert(Restaurant(21)) } }.value()
                try expect(try accessor.countItems(for: Restaurant.all), equals: 13)
            }
        }
        ConformanceCase(
            "The snapshot is taken by a request that is only explained", proves: 1
        ) { world in
            let store = try world.openFilled()

            func grow(_ id: Int64) throws {
                try Background { try store.writeSync { _ = try $0.insert(Restaurant(id)) } }.value()
            }
            try store.read { accessor in
                _ = try accessor.explain(Restaurant.all)
                try grow(20)
                try expect(try accessor.countItems(for: Restaurant.all), equals: 12)
            }
            try store.read { accessor in
                _ = try accessor.explain(Restaurant.all.grouped(by: \.city), .count)
                try grow(21)
                try expect(try accessor.items(for: Restaurant.all).count, equals: 13)
            }
            try store.read { accessor in
                _ = try accessor.item(id: ItemID(rawValue: 1), of: Restaurant.self)
                _ = try accessor.explain(Restaurant.all)
                try grow(22)
                try expect(try accessor.countItems(for: Restaurant.all), equals: 14)
            }
        }
        ConformanceCase("A walk sees the state of its start while others commit", proves: 1) { world in
            let store = try world.openFilled()
            var names: [String] = []

            try store.read { accessor in
                try accessor.forEachItem(for: Restaurant.all.sorted(by: \.city)) { restaurant in
                    names.append(restaurant.name)
                    let id = restaurant.id
                    try Background {
                        try store.writeSync { accessor in
                            try accessor.delete(id: id, of: Restaurant.self)
                            try accessor.update(
                                Restaurant.all, .set(\.city, to: "\(id)"), .set(\.name, to: "changed"))
                        }
                    }.value()
                }
            }

            try expect(names.count, equals: 12)
            try expect(names.contains("changed"), equals: false)
            try expect(try store.count(Restaurant.all), equals: 0)
        }
        ConformanceCase("A read inside a read shares its snapshot", proves: 5) { world in
            let store = try world.openFilled()

            try store.read { outer in
                try expect(try outer.countItems(for: Restaurant.all), equals: 12)
                try Background { try store.writeSync { _ = try $0.deleteAllItems(of: Restaurant.self) } }
                    .value()
                let inner = try store.read { inner in
                    try store.read { try $0.countItems(for: Restaurant.all) }
                        + inner.countItems(for: Restaurant.all)
                }
                try expect(inner, equals: 24)
                try expect(try outer.countItems(for: Restaurant.all), equals: 12)
                let elsewhere = try Background { try store.count(Restaurant.all) }.value()
                try expect(elsewhere, equals: 0)
            }
        }
        ConformanceCase("A read inside a write sees the last commit", proves: 1) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.deleteAllItems(of: Restaurant.self)
                try accessor.insert(Restaurant(20))
                try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
                try store.read { reader in
                    try accessor.insert(Restaurant(21))
                    try expect(try reader.countItems(for: Restaurant.all), equals: 12)
                }
                try expect(try accessor.countItems(for: Restaurant.all), equals: 2)
            }

            try expect(Restaurant.all, gives: [20, 21], in: store)
        }
        ConformanceCase(
            "A reader does not wait for a writer, and sees nothing of it", proves: 1
        ) { world in
            let store = try world.openFilled()
            let (written, seen) = (Signal(), Signal())

            let writer = Background {
                try store.writeSync { accessor in
                    try accessor.deleteItems(for: Restaurant.where(\.city == "Rome"))
                    try accessor.insert(Restaurant(20))
                    written.fire()
                    try seen.wait()
                }
            }
            try written.wait()
            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
            try expect(Restaurant.where(\.city == "Rome"), gives: [1, 2], in: store)
            seen.fire()
            try writer.value()

            try expect(Restaurant.all, gives: Array(3...12) + [20], in: store)
        }
        ConformanceCase("A writer does not wait for a reader", proves: 1) { world in
            let store = try world.openFilled()
            let (reading, written) = (Signal(), Signal())

            let reader = Background {
                try store.read { accessor in
                    let before = try accessor.countItems(for: Restaurant.all)
                    reading.fire()
                    try written.wait()
                    return [before, try accessor.countItems(for: Restaurant.all)]
                }
            }
            try reading.wait()
            for id in 20..<30 as Range<Int64> { try store.writeSync { _ = try $0.insert(Restaurant(id)) } }
            written.fire()

            try expect(try reader.value(), equals: [12, 12])
            try expect(try store.count(Restaurant.all), equals: 22)
        }
        ConformanceCase("A read that begins after a write has returned sees it", proves: 2) { world in
            let store = try world.openFilled()

            for id in 20..<60 as Range<Int64> {
                try store.writeSync { _ = try $0.insert(Restaurant(id)) }
                try expect(try Background { try store.restaurant(id) }.value(), equals: Restaurant(id))
            }
        }
        ConformanceCase("Many snapshots live side by side", proves: 1) { world in
            let store = try world.open(Keyed<Int64>.self)
            let end = Signal()
            var readers: [Background<[Int]>] = []

            for number in 0..<5 {
                let begun = Signal()
                readers.append(
                    Background {
                        try store.read { accessor in
                            let before = try accessor.countItems(for: Keyed<Int64>.all)
                            begun.fire()
                            try end.wait()
                            return [before, try accessor.items(for: Keyed<Int64>.all).count]
                        }
                    })
                try begun.wait()
                try store.writeSync { _ = try $0.insert(Keyed(Int64(number))) }
            }
            end.fire()

            for (number, reader) in readers.enumerated() {
                try expect(try reader.value(), equals: [number, number])
            }
        }
        ConformanceCase("Readers never see half of a write", proves: 1, 3) { world in
            let store = try world.open(Keyed<Int64>.self)
            try store.writeSync { try $0.insert(contentsOf: (0..<20).map { Keyed<Int64>($0, rank: 100) }) }

            let writer = Background {
                for round in 0..<150 as Range<Int64> {
                    try store.writeSync { accessor in
                        let from = try require(
                            try accessor.mutableItem(id: round % 20, of: Keyed<Int64>.self))
                        let to = try require(
                            try accessor.mutableItem(id: (round * 7 + 1) % 20, of: Keyed<Int64>.self))
                        from.rank -= 10
                        to.rank += 10
                    }
                }
            }
            let readers = (0..<2).map { _ in
                Background {
                    try (0..<100).map { _ in
                        try store.read { accessor in
                            let items = try accessor.items(for: Keyed<Int64>.all.sorted(by: \.rank))
                            // A look-up is of the same moment.
                            let one = try accessor.item(id: 7, of: Keyed<Int64>.self)
                            try expect(one?.rank, equals: items.first { $0.id == 7 }?.rank)
                            return items.reduce(0) { $0 + $1.rank }
                        }
                    }
                }
            }
            try writer.value()

            for reader in readers { try expect(Set(try reader.value()), equals: [2_000]) }
        }
        ConformanceCase(
            "A snapshot outlives the deletion of everything it shows", proves: 1
        ) { world in
            let store = try world.open(Dish.self)
            let dishes = (0..<500).map { Dish($0, name: "dish \($0)", cents: Int($0)) }
            try store.writeSync { try $0.insert(contentsOf: dishes) }

            try store.read { accessor in
                try expect(try accessor.dish(0), equals: dishes[0])
                try Background {
                    for round in 0..<5 as Range<Int64> {
                        try store.writeSync { accessor in
                            try accessor.deleteAllItems(of: Dish.self)
                            try accessor.insert(
                                contentsOf: (0..<500).map { Dish($0, name: "round \(round) \($0)") })
                        }
                    }
                    try store.writeSync { _ = try $0.deleteAllItems(of: Dish.self) }
                }.value()
                try expect(try accessor.items(for: Dish.all) == dishes, "the dishes of the snapshot")
                try expect(
                    try accessor.countItems(for: Dish.where(\.course == .main && \.cents >= 250)), equals: 250
                )
            }

            try expect(try store.count(Dish.all), equals: 0)
        }
    }
}
