import struct Foundation.UUID
import Larder

/// Identifiers of every kind, up to their limits.
enum IdentifierCases {
    /// In the order of the bytes; the longest has 200 of them.
    private static let texts =
        ["\u{0}", "a", "a\u{0}", "a\u{0}\u{0}", "a\u{0}b", "a\u{1}", "aa", "b", "e\u{301}"]
        + [String(repeating: "x", count: 200), String(repeating: "x", count: 199) + "y", "\u{E9}"]
        + [String(repeating: "\u{20AC}", count: 66) + "ab"]

    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Items are kept under an ItemID", proves: 8, 13) {
            try IdentifierCheck(Samples.int64.map { ItemID<Keyed<ItemID<Int>>>(rawValue: $0) }).run(in: $0)
        }
        ConformanceCase("Items are kept under an Int64, the smallest and greatest too", proves: 8, 13) {
            try IdentifierCheck(Samples.int64).run(in: $0)
        }
        ConformanceCase("Items are kept under an Int", proves: 8, 13) {
            try IdentifierCheck(Samples.int64.map { Int($0) }).run(in: $0)
        }
        ConformanceCase("Items are kept under a UUID, in the order of its bytes", proves: 8, 13) {
            try IdentifierCheck(Samples.uuid).run(in: $0)
        }
        ConformanceCase("Items are kept under text, in the order of its bytes", proves: 7, 8, 10) {
            try IdentifierCheck(texts).run(in: $0)
        }
        ConformanceCase("Text identifiers that only look the same are two", proves: 7) { world in
            let store = try world.open(Keyed<String>.self)
            try store.writeSync { accessor in
                try accessor.insert(Keyed("\u{E9}", rank: 1))
                let decomposed = try accessor.insert(Keyed("e\u{301}", rank: 2))
                let composed = try require(try accessor.mutableItem(id: "\u{E9}", of: Keyed<String>.self))
                try expect(composed !== decomposed, "two handles")
                composed.rank = 10
                decomposed.rank = 20
            }

            try expect(try store.item("\u{E9}", of: Keyed<String>.self)?.rank, equals: 10)
            try expect(try store.item("e\u{301}", of: Keyed<String>.self)?.rank, equals: 20)
            try store.writeSync { _ = try $0.delete(id: "e\u{301}", of: Keyed<String>.self) }
            try expect(try store.items(Keyed<String>.all).map { Array($0.id.utf8) }, equals: [[0xC3, 0xA9]])
        }
        ConformanceCase("Text identifiers are found by their beginning", proves: 7, 8) { world in
            let store = try world.open(Keyed<String>.self)
            let long = String(repeating: "x", count: 200)
            // In the order of the bytes; the rank of an item is its position.
            let ids = [
                "\u{0}", "\u{0}a", "a", "a\u{0}", "a\u{0}b", "a/1", "a/2", "a\u{10FFFF}", "a\u{10FFFF}b", "b",
                long, "\u{10FFFF}",
            ]
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: ids.enumerated().map { Keyed($1, rank: $0) })
            }
            func check(_ filter: Filter<Keyed<String>>, _ ranks: [Int]) throws {
                let request = Keyed<String>.where(filter)
                let expected = ranks.map { ids[$0].anyItemID }
                try expect(request, gives: expected, in: store)
                try expect(request.sorted(by: \.id, .descending), gives: expected.reversed(), in: store)
            }

            let beginnings: [(String, [Int])] = [
                ("", Array(0...11)), ("\u{0}", [0, 1]), ("a", Array(2...8)), ("a\u{0}", [3, 4]),
                ("a/", [5, 6]), ("a/1", [5]), ("a/10", []), ("a\u{10FFFF}", [7, 8]), ("c", []), (long, [10]),
                (long + "x", []), (long + long + long, []), ("\u{10FFFF}", [11]),
            ]
            for (beginning, ranks) in beginnings {
                let filter: Filter<Keyed<String>> = .hasPrefix(\.id, beginning)
                try check(filter, ranks)
                try check(!filter, (0...11).filter { !ranks.contains($0) })
                try check(filter && \.rank > 3, ranks.filter { $0 > 3 })
                try check(filter && \.id > "a/1", ranks.filter { $0 > 5 })
                try check(filter && \.id <= "a/1", ranks.filter { $0 <= 5 })
                try check(filter && \.id < "b" && \.id >= "a", ranks.filter { (2...8).contains($0) })
                try check(filter || \.rank == 0, ranks.contains(0) ? ranks : [0] + ranks)
            }
            try check(.like(\.id, "a/*"), [5, 6])
            try check(.equals(\.id, "a/1", .exact) && \.rank > 3, [5])
        }
        ConformanceCase(
            "An identifier of more than 200 bytes is refused by every call", proves: 10
        ) { world in
            let store = try world.open(Keyed<String>.self)
            typealias Item = Keyed<String>

            for id in [String(repeating: "x", count: 201), String(repeating: "\u{20AC}", count: 67)] {
                let calls: [(DataStoreReadWriteAccessor) throws -> Void] = [
                    { try $0.insert(Item(id)) }, { try $0.upsert(Item(id)) },
                    { try $0.insert(contentsOf: [Item("a"), Item(id)]) },
                    { _ = try $0.item(id: id, of: Item.self) },
                    { _ = try $0.contains(id: id, of: Item.self) },
                    { _ = try $0.mutableItem(id: id, of: Item.self) },
                    { try $0.delete(id: id, of: Item.self) }, { try $0.delete(Item(id)) },
                ]
                for call in calls {
                    try store.writeSync { accessor in
                        _ = try expectError(.identifierTooLong) { try call(accessor) }
                    }
                }
                try expect(Item.where(\.id == id), gives: [AnyItemID](), in: store)
            }
            try expect(try store.count(Item.all), equals: 0)
        }
        ConformanceCase("An empty identifier is refused", proves: 10) { world in
            let store = try world.open(Keyed<String>.self)

            try expectError(.identifierTooLong, writingTo: store) { try $0.insert(Keyed("")) }
            try expectError(.identifierTooLong) { _ = try store.item("", of: Keyed<String>.self) }
            try expect(Keyed<String>.where(\.id == ""), gives: [AnyItemID](), in: store)
            try expect(Keyed<String>.where(\.id >= ""), gives: [AnyItemID](), in: store)
        }
        ConformanceCase(
            "A new identifier is greater than those before and found again", proves: 13
        ) { world in
            let store = try world.open(Dish.self)
            let ids = (0..<300).map { _ in ItemID<Dish>() }
            try store.writeSync { try $0.insert(contentsOf: ids.shuffled().map { Dish($0.rawValue) }) }

            try expect(
                try store.items(Dish.all).map(\.id) == ids, "the identifiers in the order they were made")
            for id in ids.prefix(20) { try expect(try store.item(id, of: Dish.self)?.id, equals: id) }
        }
        ConformanceCase(
            "An upsert by a unique attribute keeps the bytes of the stored id", proves: 7
        ) { world in
            let store = try world.open(Keyed<String>.self)
            try store.writeSync { accessor in
                try accessor.insert(Keyed("\u{E9}", label: "one", rank: 1))
                try accessor.upsert(Keyed("e\u{301}", label: "one", rank: 2), by: \.label)
            }

            let items = try store.items(Keyed<String>.all)
            try expect(items.map { Array($0.id.utf8) }, equals: [[0xC3, 0xA9]])
            try expect(items.map(\.rank), equals: [2])
        }
        ConformanceCase(
            "A handle is not replaced by an item whose id only looks the same", proves: 7
        ) { world in
            let store = try world.open(Keyed<String>.self)
            try store.writeSync { accessor in
                let handle = try accessor.insert(Keyed("\u{E9}", rank: 1))
                try expectError(.invalidValue) { try handle.replace(by: Keyed("e\u{301}", rank: 2)) }
            }

            try expect(try store.item("\u{E9}", of: Keyed<String>.self)?.rank, equals: 1)
        }
    }
}
