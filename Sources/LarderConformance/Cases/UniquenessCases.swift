import Larder

/// No two items share a unique value, judged on the state after a flush.
enum UniquenessCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A second item with a unique value is refused, and the error names the holder", proves: 11
        ) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let error = try expectError(.uniqueViolation) {
                    try accessor.insert(Restaurant(20, slug: "noel"))
                }
                try expect(error.itemType, equals: "Restaurant")
                try expect(error.attribute, equals: "slug")
                try expect(error.identifier, equals: .integer(4))
                try accessor.insert(Restaurant(20, slug: "noel-3"))
            }

            try expect(Restaurant.where(.hasPrefix(\.slug, "noel")), gives: [4, 5, 20], in: store)
        }
        ConformanceCase("nil never clashes", proves: 11) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (20..<25).map { Restaurant($0) })
                try accessor.update(Restaurant.where(\.city == "Rome"), .set(\.slug, to: nil))
                try accessor.mutableRestaurant(4).slug = nil
            }

            try expect(
                Restaurant.where(\.slug == nil), gives: [1, 2, 3, 4, 7, 12, 20, 21, 22, 23, 24], in: store)
        }
        ConformanceCase("Two items may swap their unique values in one flush", proves: 11) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let (first, second) = (try accessor.mutableRestaurant(1), try accessor.mutableRestaurant(6))
                (first.slug, second.slug) = (second.slug, first.slug)
            }

            try expect(Restaurant.where(\.slug == "otoro"), gives: [1], in: store)
            try expect(Restaurant.where(\.slug == "roma"), gives: [6], in: store)
        }
        ConformanceCase("Unique values may move round a circle in one flush", proves: 11) { world in
            let store = try world.openFilled()
            let ids: [Int64] = [1, 2, 4, 5, 6, 8]

            try store.writeSync { accessor in
                let handles = try ids.map { try accessor.mutableRestaurant($0) }
                let slugs = handles.map(\.slug)
                for (position, handle) in handles.enumerated() {
                    handle.slug = slugs[(position + 1) % slugs.count]
                }
            }

            for (position, id) in ids.enumerated() {
                let slug = Fixture.restaurant(Int(ids[(position + 1) % ids.count])).slug
                try expect(Restaurant.where(\.slug == slug), gives: [id], in: store)
            }
        }
        ConformanceCase(
            "Hundreds of items may pass their unique values on in one flush", proves: 11
        ) { world in
            let store = try world.open(Restaurant.self)
            let count: Int64 = 600
            try store.writeSync { accessor in
                try accessor.insert(
                    contentsOf: (1...count).map { Restaurant($0, name: "\($0)", slug: "s\($0)") })
            }

            try store.writeSync { accessor in
                for handle in try accessor.mutableItems(for: Restaurant.all) {
                    handle.slug = "s\(handle.id.rawValue % count + 1)"
                }
            }

            for id in [1, 2, 255, 256, 257, 511, 512, 513, 600] as [Int64] {
                try expect(Restaurant.where(\.slug == "s\(id % count + 1)"), gives: [id], in: store)
            }
        }
        ConformanceCase(
            "An update passes unique values on among any number of items", proves: 11
        ) { world in
            let store = try world.open(Restaurant.self)
            for count in [200, 257, 700] as [Int64] {
                try store.writeSync { accessor in
                    try accessor.deleteAllItems(of: Restaurant.self)
                    try accessor.insert(
                        contentsOf: (0..<count).map {
                            Restaurant($0, slug: "\($0)", note: "\(($0 + 1) % count)")
                        })
                    let changed = try accessor.update(Restaurant.all, .set(\.slug, to: \.note))
                    try expect(changed, equals: Int(count))
                }
                for id in [0, 1, count / 2, count - 1] {
                    try expect(try store.restaurant(id)?.slug, equals: "\((id + 1) % count)")
                }
                try expectError(.uniqueViolation, writingTo: store) {
                    _ = try $0.update(Restaurant.all, .set(\.slug, to: "x"))
                }
            }
        }
        ConformanceCase("A swap with a request in between is a clash", proves: 4, 11) { world in
            let store = try world.openFilled()

            try expectError(.uniqueViolation, writingTo: store) { accessor in
                let (first, second) = (try accessor.mutableRestaurant(1), try accessor.mutableRestaurant(6))
                first.slug = "otoro"
                _ = try accessor.countItems(for: Dish.all)
                second.slug = "roma"
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("A unique value is free once its item is deleted or changed", proves: 11) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.delete(Fixture.restaurant(1))
                try accessor.insert(Restaurant(20, slug: "roma"))
                try accessor.mutableRestaurant(6).slug = "moved"
                try accessor.insert(Restaurant(21, slug: "otoro"))
                try accessor.update(Restaurant.where(\.slug == "vegan"), .set(\.slug, to: nil))
                try accessor.insert(Restaurant(22, slug: "vegan"))
                try accessor.deleteItems(for: Restaurant.where(\.city == "Paris"))
                try accessor.insert(contentsOf: [
                    Restaurant(23, slug: "noel"), Restaurant(24, slug: "noel-2"),
                ])
            }

            try expect(
                Restaurant.where(.isIn(\.slug, ["roma", "otoro", "vegan", "noel", "noel-2"])),
                gives: [20, 21, 22, 23, 24], in: store)
        }
        ConformanceCase("A unique value is free again after a rollback", proves: 3, 11) { world in
            let store = try world.openFilled()

            try expectOwnError {
                try store.writeSync { accessor in
                    try accessor.insert(Restaurant(20, slug: "new"))
                    throw OwnError()
                }
            }
            try store.writeSync { accessor in
                try expectOwnError {
                    try accessor.savepoint {
                        try accessor.insert(Restaurant(21, slug: "new"))
                        throw OwnError()
                    }
                }
                try accessor.insert(Restaurant(22, slug: "new"))
            }

            try expect(Restaurant.where(\.slug == "new"), gives: [22], in: store)
        }
        ConformanceCase("Text is unique by its bytes", proves: 7, 11) { world in
            let store = try world.open(Keyed<Int64>.self)

            try store.writeSync { accessor in
                for (id, label) in ["\u{E9}", "e\u{301}", "E", "e", "", " ", "\u{0}", "e\u{0}"].enumerated() {
                    try accessor.insert(Keyed(Int64(id), label: label))
                }
                let error = try expectError(.uniqueViolation) {
                    try accessor.insert(Keyed<Int64>(20, label: "e\u{301}"))
                }
                try expect(error.identifier, equals: .integer(1))
                try expectError(.uniqueViolation) { try accessor.insert(Keyed<Int64>(20, label: "")) }
            }

            try expect(try store.count(Keyed<Int64>.all), equals: 8)
        }
        ConformanceCase("Compound uniqueness compares all its attributes", proves: 11) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let error = try expectError(.uniqueViolation) {
                    try accessor.insert(Dish(20, at: 2, name: "Pizza"))
                }
                try expect(error.attribute, equals: "restaurant, name")
                try expect(error.identifier, equals: .integer(3))
                try accessor.insert(Dish(20, at: 3, name: "Pizza"))
                try accessor.insert(Dish(21, at: 2, name: "Pasta"))
                let moved = try accessor.mutableDish(1)
                moved.name = "Calzone"
                try accessor.insert(Dish(22, at: 1, name: "Pizza"))
            }
            let error = try expectError(.uniqueViolation, writingTo: store) { accessor in
                try accessor.mutableDish(22).restaurant = ItemID(rawValue: 3)
            }

            try expect(error.identifier, equals: .integer(20))
            try expect(Dish.where(\.name == "Pizza"), gives: [3, 20, 22], in: store)
        }
        ConformanceCase("A nil among compound values never clashes", proves: 11) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (20..<24).map { Dish($0, name: "Bread") })
                try accessor.update(Dish.where(\.name == "Pizza"), .set(\.restaurant, to: nil))
            }

            try expect(Dish.where(\.restaurant == nil), gives: [1, 3, 9, 10, 20, 21, 22, 23], in: store)
        }
        ConformanceCase("An item may keep its own unique value", proves: 11) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                let handle = try accessor.mutableRestaurant(1)
                handle.slug = "other"
                handle.slug = "roma"
                handle.seats = 1
                try accessor.update(Restaurant.where(\.id == ItemID(rawValue: 2)), .set(\.slug, to: "roma-2"))
                var same = Fixture.restaurant(4)
                same.seats = 1
                try accessor.upsert(same)
                let dish = try accessor.mutableDish(1)
                dish.name = "Pizza"
                dish.cents = 1
            }

            try expect(Restaurant.where(\.seats == 1), gives: [1, 4], in: store)
            try expect(try store.dish(1)?.cents, equals: 1)
        }
        ConformanceCase("A clash between two handles of one flush is found", proves: 11) { world in
            let store = try world.openFilled()

            let error = try expectError(.uniqueViolation, writingTo: store) { accessor in
                try accessor.mutableRestaurant(3).slug = "same"
                try accessor.mutableRestaurant(7).slug = "same"
            }
            try expect(error.attribute, equals: "slug")
            try expectError(.uniqueViolation, writingTo: store) { accessor in
                try accessor.insert(contentsOf: [Restaurant(20, slug: "same"), Restaurant(21, slug: "same")])
            }

            try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
        }
        ConformanceCase("Every type of value can be unique", proves: 9, 11) { world in
            let store = try world.open(Versioned<Unique>.self)
            typealias Item = Versioned<Unique>
            let null = Constant.null
            try store.writeSync { accessor in
                try accessor.insert(Item(1, .real(0), .integer(0), .unsigned(.max), .text("a"), .integer(1)))
                try accessor.insert(
                    Item(2, .real(.infinity), .integer(1), .unsigned(0), .text("b"), .integer(1)))
                try accessor.insert(Item(3, null, null, null, null, .integer(1)))
                try accessor.insert(Item(4, null, null, null, null, .integer(1)))
            }

            let clashing: [(Item, Int64)] = [
                (Item(9, .real(0), null, null, null, null), 1),
                (Item(9, .real(.infinity), null, null, null, null), 2),
                (Item(9, null, .integer(1), null, null, null), 2),
                (Item(9, null, null, .unsigned(.max), null, null), 1),
                (Item(9, null, null, null, .text("b"), null), 2),
            ]
            for (item, holder) in clashing {
                let error = try expectError(.uniqueViolation, writingTo: store) { try $0.insert(item) }
                try expect(error.identifier, equals: .integer(holder))
            }
        }
        ConformanceCase("Uniqueness holds after reopening", proves: 11) { world in
            _ = try world.openFilled()
            let store = try world.reopen(Restaurant.self, Dish.self)

            try expectError(.uniqueViolation, writingTo: store) {
                try $0.insert(Restaurant(20, slug: "roma"))
            }
            try expectError(.uniqueViolation, writingTo: store) {
                try $0.insert(Dish(20, at: 1, name: "Pizza"))
            }
            try store.writeSync { accessor in
                let (first, second) = (try accessor.mutableRestaurant(1), try accessor.mutableRestaurant(6))
                (first.slug, second.slug) = (second.slug, first.slug)
            }

            try expect(Restaurant.where(\.slug == "otoro"), gives: [1], in: store)
        }
    }

    private enum Unique: ItemVersion {
        static let schema = EntitySchema(
            "Unique",
            attributes: [
                .attribute("id", Int64.self), .attribute("real", Double?.self),
                .attribute("flag", Bool?.self),
                .attribute("large", UInt64?.self), .attribute("text", String?.self),
                .attribute("key", UInt8?.self),
            ],
            indexes: [
                .unique("real"), .unique("flag"), .unique("large"), .unique("text"), .unique("key", "text"),
            ])
    }
}
