import Larder
import LarderText

/// Filters pass exactly the items that Swift's own logic would.
enum FilteringCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Numbers are compared by their value", proves: 6, 13, answersOf: .restaurants) {
            [
                (\.rating == 4.5, [1, 2, 6]), (\.rating != 4.5, [3, 4, 5, 7, 8, 9, 10, 11, 12]),
                (\.rating < 3, [7, 8, 10]), (\.rating <= 3, [3, 7, 8, 10]),
                (\.rating > 4.5, [4, 9]), (\.rating >= 4.5, [1, 2, 4, 6, 9]),
                (\.rating == 4.500000000000001, []), (\.rating == .infinity, [9]),
                (\.rating < .infinity, [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12]),
                (\.rating > -.infinity, Fixture.restaurants()), (\.rating <= -.infinity, []),
                (\.rating >= 0, [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12]), (\.rating == -0.0, [7]),
                (\.rating < 0, [8]),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase(
            "Whole numbers, dates and truth values are compared by their value", proves: 13,
            answersOf: .restaurants
        ) {
            [
                (\.seats == 12, [4, 5]), (\.seats > 60, [3, 10]), (\.seats <= 8, [6, 7]),
                (\.seats != 60, Fixture.restaurants(except: 8, 9)), (\.seats < .min, []),
                (\.seats <= .max, Fixture.restaurants()),
                (\.openedAt == Fixture.day(0), [1, 8, 9]), (\.openedAt < Fixture.day(0), [3]),
                (\.openedAt >= Fixture.day(1.5), [4, 6, 11]),
                (\.isOpen == false, [3, 5, 7]), (\.isOpen != false, Fixture.restaurants(except: 3, 5, 7)),
                (\.isOpen < true, [3, 5, 7]), (\.city == "Basel", [3, 7]),
                (\.city > "Osaka", [1, 2, 4, 5]), (\.city <= "Basel", [3, 7, 11, 12]),
            ] as [(Filter<Restaurant>, [Int64])]
            [
                (\.course == .dessert, [2, 6]), (\.course != .main, [2, 5, 6, 8, 9, 10]),
                (\.restaurant == ItemID(rawValue: 4), [5, 6]),
                (\.restaurant > ItemID(rawValue: 3), [5, 6, 7, 8]),
            ] as [(Filter<Dish>, [Int64])]
        }
        ConformanceCase("AND, OR and NOT combine as in Swift", proves: 6, answersOf: .restaurants) {
            [
                (\.rating > 4 && \.seats < 30, [2, 4, 6]),
                (\.city == "Rome" || \.city == "Paris", [1, 2, 4, 5]),
                (\.city == "Rome" || \.city == "Paris" && \.isOpen == false, [1, 2, 5]),
                ((\.city == "Rome" || \.city == "Paris") && \.seats > 20, [1, 2]),
                (!(\.city == "Rome"), Fixture.restaurants(except: 1, 2)),
                (!(\.rating > 4) && !(\.isOpen == true), [3, 5, 7]),
                (!(\.rating > 4 && \.isOpen == true), [3, 5, 7, 8, 10, 11, 12]),
                (!(\.rating > 0 || \.isOpen == true), [7]),
                (!(!(\.seats == 12)), [4, 5]),
                (\.rating > 4 && \.rating < 5 && \.seats > 8 && \.isOpen == true, [1, 2]),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase("A truth value is a filter by itself", proves: 6, answersOf: .restaurants) {
            let open = Fixture.restaurants(except: 3, 5, 7)

            Answer(Restaurant.where(\.isOpen), open)
            Answer(Restaurant.where(!\.isOpen), [3, 5, 7])
            Answer(Restaurant.where(\.rating > 4.5).filter(\.isOpen), [4, 9])
            [
                (\.isOpen && \.rating > 4.5, [4, 9]), (\.rating > 4.5 && \.isOpen, [4, 9]),
                (\.isOpen && \.isOpen, open), (\.isOpen && !\.isOpen, []),
                (!\.isOpen || \.rating > 4.5, [3, 4, 5, 7, 9]),
                (\.rating > 4.5 || !\.isOpen, [3, 4, 5, 7, 9]),
                (\.isOpen || \.isOpen, open),
                (\.isOpen || \.rating == 0, Fixture.restaurants(except: 3, 5)),
                (\.rating == 0 || \.isOpen, Fixture.restaurants(except: 3, 5)),
                (!(\.isOpen || \.city == "Basel"), [5]),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase("NOT of every filter passes exactly the others", proves: 6, asking: .restaurants) {
            accessor in
            let all = Fixture.restaurants()

            for filter in everyKind {
                let passing = try accessor.items(for: Restaurant.where(filter)).map(\.id.rawValue)
                let others = all.filter { !passing.contains($0) }
                try expect(Restaurant.where(!filter), gives: others, in: accessor)
                try expect(Restaurant.where(!(!filter)), gives: passing, in: accessor)
                try expect(Restaurant.where(filter || !filter), gives: all, in: accessor)
                try expect(Restaurant.where(filter && !filter), gives: [Int64](), in: accessor)
            }
        }
        ConformanceCase("De Morgan's laws hold, even around nil", proves: 6, asking: .restaurants) {
            accessor in
            let filters = everyKind

            for (left, right) in zip(filters, filters.reversed()) {
                let both = try accessor.items(for: Restaurant.where(!left && !right)).map(\.id.rawValue)
                try expect(Restaurant.where(!(left || right)), gives: both, in: accessor)
                let either = try accessor.items(for: Restaurant.where(!left || !right)).map(\.id.rawValue)
                try expect(Restaurant.where(!(left && right)), gives: either, in: accessor)
            }
        }
        ConformanceCase("A deeply nested filter means what it says", proves: 6, asking: .restaurants) {
            accessor in
            var filter: Filter<Restaurant> = \.id == ItemID(rawValue: 1)
            var expected: Set<Int64> = [1]

            for depth in 0..<60 {
                let id = Int64(depth % 12) + 1
                filter =
                    depth % 2 == 0 ? !(filter && \.id != ItemID(rawValue: id)) : !(filter || \.seats == 12)
                let others = Set(Fixture.restaurants())
                expected =
                    depth % 2 == 0
                    ? others.subtracting(expected.subtracting([id]))
                    : others.subtracting(expected.union([4, 5]))
            }

            try expect(Restaurant.where(filter), gives: expected.sorted(), in: accessor)
        }
        ConformanceCase("A filter nested too deeply is refused", proves: 10, asking: .restaurants) {
            accessor in
            var filter: Filter<Restaurant> = \.seats == 12
            for _ in 0..<200 { filter = !filter }

            try expect(Restaurant.where(filter), gives: [4, 5], in: accessor)
            try expectError(.invalidRequest) { _ = try accessor.items(for: Restaurant.where(!filter)) }
        }
        ConformanceCase(
            "Filters added one after the other must all pass", proves: 13, answersOf: .restaurants
        ) {
            let berlin = Restaurant.where(\.city == "Berlin")

            Answer(berlin.filter(\.rating > 0), [9, 10])
            Answer(berlin.filter(\.rating > 0).filter(\.seats < 100), [9])
            Answer(berlin.filter(\.city == "Rome"), [])
            Answer(
                Restaurant.where(\.city == "Rome" || \.city == "Berlin").filter(
                    \.seats == 60 || \.seats == 40), [1, 8, 9])
        }
        ConformanceCase(
            "A constant filter passes all or nothing, wherever it stands", proves: 6, answersOf: .restaurants
        ) {
            let all = Fixture.restaurants()

            [
                (.always(true), all), (.always(false), []), (!.always(false), all), (!.always(true), []),
                (.always(true) && \.seats == 12, [4, 5]), (.always(false) && \.seats == 12, []),
                (.always(true) || \.seats == 12, all), (\.seats == 12 || .always(false), [4, 5]),
                (!(.always(false) || \.seats == 12), Fixture.restaurants(except: 4, 5)),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase(
            "The identifier can be filtered like any attribute", proves: 13, answersOf: .restaurants
        ) {
            let id = ItemID<Restaurant>.init(rawValue:)

            [
                (\.id == id(5), [5]), (\.id != id(5), Fixture.restaurants(except: 5)),
                (\.id < id(3), [1, 2]), (\.id <= id(3), [1, 2, 3]), (\.id > id(10), [11, 12]),
                (\.id >= id(10), [10, 11, 12]), (.isIn(\.id, [id(12), id(1), id(99)]), [1, 12]),
                (.between(\.id, id(4)...id(6)), [4, 5, 6]), (\.id == id(99), []),
                (\.id > id(4) && \.city == "Berlin" && \.id < id(10), [8, 9]),
                (\.id == id(3) || \.id == id(1), [1, 3]),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase("between includes both ends and never nil", proves: 6, answersOf: .restaurants) {
            [
                (.between(\.rating, 3...4.5), [1, 2, 3, 5, 6, 11, 12]), (.between(\.rating, 3...3), [3]),
                (.between(\.seats, 9...11), []),
                (.between(\.city, "Basel"..."Berlin"), [3, 7, 8, 9, 10]),
                (.between(\.openedAt, Fixture.day(0)...Fixture.day(365)), [1, 4, 8, 9, 11]),
                (.between(\.slug, "n"..."roma"), [1, 4, 5, 6]),
                (.between(\.rating, (-.infinity)...(.infinity)), Fixture.restaurants()),
                (!.between(\.slug, ""..."\u{10FFFF}"), [3, 7, 12]),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase("isIn passes the values of its list", proves: 6, 13, answersOf: .restaurants) {
            [
                (.isIn(\.city, ["Rome", "Osaka", "Nowhere"]), [1, 2, 6]),
                (.isIn(\.city, ["Basel"]), [3, 7]),
                (.isIn(\.city, ["Rome", "Rome", "Rome"]), [1, 2]),
                (.isIn(\.seats, [60, 12, 60]), [4, 5, 8, 9]),
                (.isIn(\.rating, [-0.0, .infinity]), [7, 9]), (.isIn(\.isOpen, [false]), [3, 5, 7]),
                (.isIn(\.slug, ["roma", "strasse"]), [1, 8]),
                (!.isIn(\.city, ["Rome", "Basel", "Paris"]), [6, 8, 9, 10, 11, 12]),
                (.isIn(\.city, ["Berlin", "Rome"]) && .isIn(\.seats, [60, 25]), [2, 8, 9]),
                (.isIn(\.name, [Fixture.composed]), [4]),
            ] as [(Filter<Restaurant>, [Int64])]
            Answer(
                Restaurant.where(.isIn(\.city, ["Rome", "Basel", "Osaka"])).sorted(by: \.rating, .descending)
                    .limit(3), [6, 2, 1])
        }
        ConformanceCase(
            "isIn of an empty list passes nothing, its NOT everything", proves: 6, answersOf: .restaurants
        ) {
            [
                (.isIn(\.city, []), []), (!.isIn(\.city, []), Fixture.restaurants()),
                (.isIn(\.slug, []), []),
                (!.isIn(\.slug, []), Fixture.restaurants()), (.isIn(\.id, []), []),
                (.isIn(\.city, []) || \.seats == 12, [4, 5]),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase("nil in the list of isIn finds nil", proves: 6, answersOf: .restaurants) {
            [
                (.isIn(\.slug, [nil]), [3, 7, 12]), (.isIn(\.slug, [nil, "roma"]), [1, 3, 7, 12]),
                (!.isIn(\.slug, [nil]), Fixture.restaurants(except: 3, 7, 12)),
                (!.isIn(\.slug, [nil, "roma"]), [2, 4, 5, 6, 8, 9, 10, 11]),
                (!.isIn(\.slug, ["roma"]), Fixture.restaurants(except: 1)),
                (.isIn(\.openedAt, [nil, Fixture.day(0)]), [1, 2, 5, 7, 8, 9, 10, 12]),
                (.isIn(\.note, [nil, ""]), [1, 3, 5, 7, 11, 12]),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase("isIn takes thousands of values", proves: 10, 13, asking: .restaurants) { accessor in
            let many = (0..<1_000).map { $0 * 3 }

            try expect(Restaurant.where(.isIn(\.seats, many)), gives: [4, 5, 7, 8, 9, 11, 12], in: accessor)
            try expect(Restaurant.where(!.isIn(\.seats, many)), gives: [1, 2, 3, 6, 10], in: accessor)
            // More than the variables SQLite takes in one statement.
            try expect(try accessor.countItems(for: Restaurant.where(.isIn(\.seats, 50..<35_000))), equals: 4)
            let cities = (0..<2_000).map { "city \($0)" } + ["Osaka"]
            try expect(Restaurant.where(.isIn(\.city, cities)), gives: [6], in: accessor)
        }
        ConformanceCase(
            "A thousand terms joined by OR, or by AND, are one filter", proves: 10, 13, asking: .restaurants
        ) { accessor in
            var anyOf: Filter<Restaurant> = \.seats == -1
            var allOf: Filter<Restaurant> = \.seats != -1
            for number in 0..<1_000 where number != 80 {
                anyOf = anyOf || \.seats == number
                allOf = allOf && \.seats != number
            }

            try expect(Restaurant.where(anyOf), gives: Fixture.restaurants(except: 3, 10), in: accessor)
            try expect(Restaurant.where(allOf), gives: [3, 10], in: accessor)
            try expect(Restaurant.where(!anyOf), gives: [3, 10], in: accessor)
            try expect(Restaurant.where(!allOf), gives: Fixture.restaurants(except: 3, 10), in: accessor)
        }
        ConformanceCase("A filter no item can pass gives nothing", proves: 6, answersOf: .restaurants) {
            [
                (\.city == "Rome" && \.city == "Basel", []), (\.rating > 4 && \.rating < 4, []),
                (\.rating > 4 && \.rating <= 4, []), (\.rating >= 4 && \.rating <= 4, [5, 11, 12]),
                (\.slug == nil && \.slug != nil, []), (\.slug == nil && \.slug == "roma", []),
                (.isIn(\.city, ["Rome"]) && .isIn(\.city, ["Basel"]), []),
                (\.rating < 3 && \.rating > 4 && \.city == "Rome", []),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase("If one side has two bounds, the narrower counts", proves: 6, answersOf: .restaurants)
        {
            [
                (\.rating > 3 && \.rating > 4, [1, 2, 4, 6, 9]),
                (\.rating > 4 && \.rating >= 4, [1, 2, 4, 6, 9]),
                (\.rating >= 4.5 && \.rating > 4.5, [4, 9]),
                (\.rating < 3 && \.rating <= 2.5, [7, 8, 10]),
                (\.rating < 2.5 && \.rating <= 2.5, [7, 8]),
                (\.rating == 4.5 && \.rating > 4, [1, 2, 6]),
                (\.city >= "Basel" && \.city < "Berlin" && \.city >= "B", [3, 7]),
                (\.city >= "Basel" && \.city < "Basel\u{0}", [3, 7]),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase(
            "An equality and a range on a compound index agree with the rows", proves: 13,
            answersOf: .restaurants
        ) {
            [
                (\.course == .main && \.cents == 900, [1, 7]),
                (\.course == .main && \.cents > 900, [3, 4]),
                (\.course == .starter && \.cents <= 400, [8, 9, 10]), (\.cents == 900, [1, 6, 7]),
                (\.course == .dessert && \.cents >= 600 && \.cents < 900, [2]),
                (\.restaurant == ItemID(rawValue: 1) && \.name == "Pizza", [1]),
                (\.restaurant == nil && \.name == "Bread", [9, 10]), (\.name == "Pizza", [1, 3]),
                (.isIn(\.course, [.main, .dessert]) && \.cents == 900, [1, 6, 7]),
            ] as [(Filter<Dish>, [Int64])]
            Answer(Dish.where(\.course == .main).sorted(by: \.cents, .descending), [4, 3, 7, 1])
            Answer(Dish.all.sorted(by: \.course).sorted(by: \.cents), [2, 6, 1, 7, 3, 4, 9, 10, 8, 5])
        }
        ConformanceCase("A filter sees every change of its own block", proves: 4) { world in
            let store = try world.openFilled()

            try store.writeSync { accessor in
                try accessor.insert(Restaurant(20, city: "Rome", rating: 4.5))
                try accessor.mutableRestaurant(1).city = "Basel"
                try accessor.delete(id: ItemID(rawValue: 7), of: Restaurant.self)
                let rome = try accessor.ids(for: Restaurant.where(\.city == "Rome")).map(\.rawValue)
                try expect(rome, equals: [2, 20])
                let basel = Restaurant.where(\.city == "Basel").sorted(by: \.rating, .descending)
                try expect(try accessor.items(for: basel).map(\.id.rawValue), equals: [1, 3])
                try expect(try accessor.countItems(for: Restaurant.where(\.rating == 4.5)), equals: 4)
            }

            try expect(Restaurant.where(\.city == "Rome"), gives: [2, 20], in: store)
        }
        ConformanceCase(
            "A filter may name hundreds of attributes, flat or deeply nested", proves: 10, 13
        ) { world in
            let store = try world.open(Wide.self)
            let last = Wide.numberCount
            try store.writeSync { accessor in
                // Every number equals its attribute, except the last one of the second and a middle one of
                // the third.
                try accessor.insert(contentsOf: [
                    Wide(1) { Int64($0) }, Wide(2) { $0 == last ? -1 : Int64($0) },
                    Wide(3) { $0 == last / 2 ? -1 : Int64($0) },
                ])
            }
            let equalities = (1...last).map { "n\($0) == \($0)" }
            // ANDs and ORs in each other, so that they cannot be folded: n1 == 1 AND (n0 == 2 OR (n3 == 3 AND …
            let levels = 20
            var nested = equalities[levels...].joined(separator: " AND ")
            for level in (0..<levels).reversed() {
                nested =
                    level.isMultiple(of: 2)
                    ? "\(equalities[level]) AND (\(nested))" : "n1 == 0 OR (\(nested))"
            }

            for text in [equalities.joined(separator: " AND "), nested] {
                let request = try DataStoreRequest<Wide>(filter: text)
                try expect(try store.items(request).map(\.id), equals: [1])
                try expect(try store.count(request), equals: 1)
                let others = try DataStoreRequest<Wide>(filter: "NOT (\(text))")
                try expect(try store.items(others).map(\.id), equals: [2, 3])
            }
        }
    }

    /// Filters of every kind, over required and optional attributes.
    private static var everyKind: [Filter<Restaurant>] {
        [
            \.rating == 4.5, \.rating != 4.5, \.rating < 4, \.rating <= 4, \.rating > 4, \.rating >= 4,
            \.slug == "roma", \.slug != "roma", \.slug < "roma", \.slug <= "roma", \.slug > "roma",
            \.slug >= "roma", \.slug == nil, \.slug != nil, \.slug < nil, \.slug >= nil,
            \.openedAt == Fixture.day(0), \.openedAt != Fixture.day(0), \.openedAt < Fixture.day(0),
            \.openedAt >= Fixture.day(0), .isIn(\.city, ["Rome", "Basel"]), .isIn(\.slug, ["roma", nil]),
            .isIn(\.slug, ["roma", "noel"]), .isIn(\.slug, []), .between(\.seats, 12...40),
            .between(\.openedAt, Fixture.day(0)...Fixture.day(10)), .contains(\.name, "a"),
            .hasPrefix(\.note, "S"), .hasSuffix(\.note, "e"), .contains(\.note, "STRASSE", .caseInsensitive),
            .equals(\.note, "strasse", .caseInsensitive), .always(true), .always(false),
            \.city == "Rome" && \.note == nil, \.city == "Rome" || \.note < "T",
        ]
    }
}
