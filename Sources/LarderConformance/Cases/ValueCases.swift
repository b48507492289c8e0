import Foundation
import Larder

/// Every value comes back bit for bit, or is refused.
enum ValueCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("An item with every type of attribute comes back whole", proves: 9) { world in
            let items = [Everything.smallest(1), .greatest(2), .emptyButThere(3)]
            let store = try world.open(Everything.self)
            try store.writeSync { try $0.insert(contentsOf: items) }

            try expect(try store.items(Everything.all), equals: items)
            try expect(text: try store.item(items[1].id, of: Everything.self)?.text, equals: items[1].text)
            let again = try world.reopen(Everything.self)
            try expect(try again.items(Everything.all), equals: items)
            try expect(Everything.where(\.maybeUint64 == .max), gives: [2], in: again)
            try expect(Everything.where(\.maybeInt8 == nil), gives: [1], in: again)
        }
        ConformanceCase("Every attribute can be set to nil and back", proves: 9) { world in
            let store = try world.open(Everything.self)
            try store.writeSync { accessor in
                try accessor.insert(Everything.greatest(1))
                try accessor.insert(Everything.smallest(2))
            }

            try store.writeSync { accessor in
                let first = try require(
                    try accessor.mutableItem(id: ItemID(rawValue: 1), of: Everything.self))
                try first.replace(by: .smallest(1))
                let second = try require(
                    try accessor.mutableItem(id: ItemID(rawValue: 2), of: Everything.self))
                try second.replace(by: .greatest(2))
            }

            try expect(try store.items(Everything.all), equals: [.smallest(1), .greatest(2)])
        }
        ConformanceCase("-0.0 is stored as 0.0", proves: 9) { world in
            let store = try world.open(Holder<Double>.self, Holder<Float>.self)
            try store.writeSync { accessor in
                try accessor.insert(Holder<Double>(1, -0.0, optional: -0.0))
                try accessor.insert(Holder<Float>(1, -0.0, optional: -0.0))
                let second = try accessor.insert(Holder<Double>(2, 1, optional: 1))
                second.plain = -0.0
                second.indexed = -0.0
                try accessor.insert(Holder<Double>(3, 1, optional: 1))
                try accessor.update(
                    Holder<Double>.where(\.id == 3), .set(\.plain, to: -0.0), .set(\.indexed, to: -0.0))
            }

            for id: Int64 in 1...3 {
                let item = try require(try store.item(id, of: Holder<Double>.self))
                try expect(item.plain.bitPattern, equals: 0)
                try expect(item.indexed.bitPattern, equals: 0)
            }
            let float = try require(try store.item(1, of: Holder<Float>.self))
            try expect(float.plain.bitPattern, equals: 0)
            try expect(float.optional?.bitPattern, equals: 0)
            try expect(Holder<Double>.where(\.indexed == -0.0), gives: [1, 2, 3], in: store)
            try expect(Holder<Double>.where(\.indexed < 0), gives: [Int64](), in: store)
            try expect(Holder<Double>.where(.isIn(\.plain, [-0.0])), gives: [1, 2, 3], in: store)
        }
        ConformanceCase("NaN is refused wherever it could get in", proves: 3, 9) { world in
            let store = try world.openFilled()
            let bad = Restaurant(20, rating: .nan)

            let calls: [(DataStoreReadWriteAccessor) throws -> Void] = [
                { try $0.insert(bad) }, { try $0.upsert(bad) },
                { try $0.insert(contentsOf: [Restaurant(21), bad]) },
                { try $0.update(Restaurant.all, .set(\.seats, to: 1), .set(\.rating, to: .nan)) },
                { try $0.mutableRestaurant(1).setValue(Double.nan, forKey: "rating") },
            ]
            for call in calls {
                try store.writeSync { accessor in
                    let error = try expectError(.invalidValue) { try call(accessor) }
                    try expect(error.itemType, equals: "Restaurant")
                    try expect(error.attribute, equals: "rating")
                }
                try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
            }
            let error = try expectError(.invalidValue, writingTo: store) {
                try $0.mutableRestaurant(4).rating = .nan
            }
            try expect(error.attribute, equals: "rating")
            try expect(error.identifier, equals: .integer(4))
        }
        ConformanceCase("NaN of every type is refused", proves: 9) { world in
            let store = try world.open(
                Holder<Double>.self, Holder<Float>.self, Holder<Date>.self, Holder<Decimal>.self)
            let date = Date(timeIntervalSinceReferenceDate: .nan)

            let calls: [(DataStoreReadWriteAccessor) throws -> Void] = [
                { try $0.insert(Holder<Double>(1, .signalingNaN, optional: nil)) },
                { try $0.insert(Holder<Double>(1, 1, optional: -.nan)) },
                { try $0.insert(Holder<Float>(1, .nan, optional: nil)) },
                { try $0.insert(Holder<Float>(1, 1, optional: .nan)) },
                { try $0.insert(Holder<Date>(1, date, optional: nil)) },
                { try $0.insert(Holder<Decimal>(1, .nan, optional: nil)) },
            ]
            for call in calls {
                try expectError(.invalidValue, writingTo: store) { try call($0) }
            }
            try expect(try store.count(Holder<Double>.all), equals: 0)
            try expect(try store.count(Holder<Date>.all), equals: 0)
        }
        ConformanceCase("Empty text and empty bytes are not nil", proves: 9) { world in
            let store = try world.open(Holder<String>.self, Holder<Data>.self)
            try store.writeSync { accessor in
                try accessor.insert(Holder<String>(1, "", optional: ""))
                try accessor.insert(Holder<String>(2, "", optional: nil))
                try accessor.insert(Holder<Data>(1, Data(), optional: Data()))
                try accessor.insert(Holder<Data>(2, Data(), optional: nil))
            }

            try expect(try store.item(1, of: Holder<String>.self)?.optional, equals: .some(""))
            try expect(try store.item(2, of: Holder<String>.self)?.optional, equals: String?.none)
            try expect(try store.item(1, of: Holder<Data>.self)?.optional, equals: .some(Data()))
            try expect(try store.item(2, of: Holder<Data>.self)?.optional, equals: Data?.none)
            for filter: Filter<Holder<String>> in [
                \.optional == "", \.optionalIndexed == "", \.optional != nil,
            ] {
                try expect(Holder<String>.where(filter), gives: [1], in: store)
            }
            try expect(Holder<Data>.where(\.optional == Data()), gives: [1], in: store)
            try expect(Holder<Data>.where(\.optional == nil), gives: [2], in: store)
        }
        ConformanceCase(
            "Both ways to compose an accent come back unchanged", proves: 7, 9
        ) { world in
            let store = try world.openFilled()

            try expect(text: try store.restaurant(4)?.name, equals: Fixture.composed)
            try expect(text: try store.restaurant(5)?.name, equals: Fixture.decomposed)
            try store.writeSync { try $0.mutableRestaurant(4).name = Fixture.decomposed }
            try expect(text: try store.restaurant(4)?.name, equals: Fixture.decomposed)
            try expect(Restaurant.where(\.name == Fixture.decomposed), gives: [4, 5], in: store)
            try store.writeSync { accessor in
                let count = try accessor.update(
                    Restaurant.where(\.seats == 12), .set(\.name, to: Fixture.composed))
                try expect(count, equals: 2)
            }
            try expect(text: try store.restaurant(5)?.name, equals: Fixture.composed)
        }
        ConformanceCase("A URL relative to a base is refused", proves: 9) { world in
            let store = try world.open(Holder<URL>.self)
            let relative = try require(
                URL(string: "menu.html", relativeTo: URL(string: "https://example.com/a/")))

            let error = try expectError(.invalidValue, writingTo: store) {
                try $0.insert(Holder<URL>(1, relative, optional: nil))
            }
            try expect(error.attribute, equals: "plain")
            try store.writeSync { try $0.insert(Holder<URL>(1, relative.absoluteURL, optional: nil)) }

            try expect(
                try store.item(1, of: Holder<URL>.self)?.plain.absoluteString,
                equals: "https://example.com/a/menu.html")
        }
        ConformanceCase("A decimal number is its value, not its spelling", proves: 9) { world in
            let store = try world.open(Holder<Decimal>.self)
            let spellings = ["1.10", "1.1", "001.1000", "11e-1"]
            try store.writeSync { accessor in
                for (id, text) in spellings.enumerated() {
                    try accessor.insert(Holder(Int64(id), try require(Decimal(string: text)), optional: nil))
                }
            }

            let value = try require(Decimal(string: "1.1"))
            try expect(Holder<Decimal>.where(\.plain == value), gives: [0, 1, 2, 3], in: store)
            try expect(Holder<Decimal>.where(.isIn(\.plain, [value])), gives: [0, 1, 2, 3], in: store)
            try expect(Holder<Decimal>.where(\.plain < value || \.plain > value), gives: [Int64](), in: store)
            try expect(Holder<Decimal>.all.sorted(by: \.plain, .descending), gives: [3, 2, 1, 0], in: store)
        }
        ConformanceCase("Hundreds of kilobytes of text and bytes come back", proves: 9, 10) { world in
            let text = String(repeating: "Gr\u{FC}\u{DF}e \u{1F363} ", count: 15_000)
            let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            let store = try world.open(Holder<String>.self, Holder<Data>.self)
            try store.writeSync { accessor in
                try accessor.insert(Holder<String>(1, text, optional: nil))
                try accessor.insert(Holder<Data>(1, data, optional: data))
                try accessor.insert(Holder<Data>(2, Data([1]), optional: nil))
            }

            try expect(try store.item(1, of: Holder<String>.self)?.plain == text, "the same text")
            try expect(try store.item(1, of: Holder<Data>.self)?.optional == data, "the same bytes")
            try expect(Holder<String>.where(\.indexed == text), gives: [1], in: store)
            try expect(Holder<String>.where(\.indexed == text + "x"), gives: [Int64](), in: store)
            let again = try world.reopen(Holder<String>.self, Holder<Data>.self)
            try expect(try again.item(1, of: Holder<Data>.self)?.plain == data, "the same bytes")
            try expect(try again.item(2, of: Holder<Data>.self)?.plain, equals: Data([1]))
        }
        ConformanceCase("Text of every length around the powers of 256 comes back", proves: 9) { world in
            let lengths = [
                0, 1, 31, 32, 63, 64, 127, 128, 253, 254, 255, 256, 257, 65_533, 65_534, 65_535, 65_536,
            ]
            let store = try world.open(Keyed<Int64>.self)
            let items = lengths.enumerated().map { id, length in
                Keyed<Int64>(Int64(id), label: String(repeating: "x", count: length), rank: length)
            }
            try store.writeSync { try $0.insert(contentsOf: items) }

            try expect(try store.items(Keyed<Int64>.all) == items, "the items inserted")
            try store.writeSync { accessor in
                for handle in try accessor.mutableItems(for: Keyed<Int64>.all) {
                    handle.label = handle.label.map { $0 + "y" }
                }
            }
            let changed = items.map { Keyed<Int64>($0.id, label: ($0.label ?? "") + "y", rank: $0.rank) }
            try expect(try store.items(Keyed<Int64>.all) == changed, "the items changed")
        }
        ConformanceCase("An item of two hundred attributes comes back and changes", proves: 9, 10) { world in
            func values(_ seed: Int) -> [Constant] {
                (1...200).map { number in
                    if (number + seed) % 7 == 0 { return .null }
                    return number % 2 == 0 ? .text("text \(number * seed)") : .integer(Int64(number * seed))
                }
            }
            let store = try world.open(Versioned<Wide>.self)
            try store.writeSync { accessor in
                for seed in 1...20 { try accessor.insert(Versioned<Wide>(Int64(seed), values: values(seed))) }
            }

            for seed in 1...20 {
                try expect(
                    try store.item(Int64(seed), of: Versioned<Wide>.self)?.values, equals: values(seed))
            }
            try store.writeSync { accessor in
                let item = try require(try accessor.mutableItem(id: 3, of: Versioned<Wide>.self))
                for number in [1, 63, 64, 65, 128, 129, 199, 200] { item.values[number - 1] = .null }
            }
            var expected = values(3)
            for number in [1, 63, 64, 65, 128, 129, 199, 200] { expected[number - 1] = .null }
            try expect(try store.item(3, of: Versioned<Wide>.self)?.values, equals: expected)
            try expect(try store.item(4, of: Versioned<Wide>.self)?.values, equals: values(4))
        }
        ConformanceCase("An item with nothing but an id is an item", proves: 13) { world in
            let store = try world.open(Versioned<Bare>.self)

            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [3, 1, 2].map { Versioned<Bare>($0) })
                try accessor.upsert(Versioned<Bare>(2))
                try accessor.delete(id: 1, of: Versioned<Bare>.self)
            }

            try expect(Versioned<Bare>.all, gives: [2, 3], in: store)
        }
    }

    private enum Wide: ItemVersion {
        static let schema = EntitySchema(
            "Wide",
            attributes: [.attribute("id", Int64.self)]
                + (1...200).map { number in
                    number % 2 == 0
                        ? .attribute("a\(number)", String?.self) : .attribute("a\(number)", Int?.self)
                },
            indexes: [.index("a199")])
    }

    private enum Bare: ItemVersion {
        static let schema = EntitySchema("Bare", attributes: [.attribute("id", Int64.self)])
    }
}
