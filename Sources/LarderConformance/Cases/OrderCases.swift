import Larder

/// nil and order: one total order, the same everywhere.
enum OrderCases {
    private static let bySlug: [Int64] = [3, 7, 12, 9, 4, 5, 6, 1, 2, 11, 8, 10]
    private static let byNote: [Int64] = [1, 5, 7, 11, 12, 3, 2, 10, 8, 6, 9, 4]
    private static let byOpening: [Int64] = [2, 5, 7, 10, 12, 3, 1, 8, 9, 4, 11, 6]
    private static let byRating: [Int64] = [8, 7, 10, 3, 5, 11, 12, 1, 2, 6, 4, 9]

    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Without an order, items come by id", proves: 8, answersOf: .restaurants) {
            Answer(Restaurant.all, Array(1...12))
            Answer(Restaurant.where(\.rating >= 4), [1, 2, 4, 5, 6, 9, 11, 12])
            Answer(Restaurant.where(\.city > "Basel"), [1, 2, 4, 5, 6, 8, 9, 10])
        }
        ConformanceCase("nil comes first ascending and last descending", proves: 8, answersOf: .restaurants) {
            Answer(Restaurant.all.sorted(by: \.slug), bySlug)
            Answer(Restaurant.all.sorted(by: \.note), byNote)
            Answer(Restaurant.all.sorted(by: \.openedAt), byOpening)
            Answer(Restaurant.all.sorted(by: \.slug, .descending), bySlug.reversed())
            Answer(Restaurant.all.sorted(by: \.note, .descending), byNote.reversed())
            Answer(Restaurant.all.sorted(by: \.openedAt, .descending), byOpening.reversed())
        }
        ConformanceCase(
            "Ties are broken by id in the direction of the last key", proves: 8, answersOf: .restaurants
        ) {
            Answer(Restaurant.all.sorted(by: \.rating), byRating)
            Answer(Restaurant.all.sorted(by: \.rating, .descending), byRating.reversed())
            Answer(Restaurant.all.sorted(by: \.isOpen), [3, 5, 7, 1, 2, 4, 6, 8, 9, 10, 11, 12])
            Answer(Restaurant.all.sorted(by: \.isOpen, .descending), [12, 11, 10, 9, 8, 6, 4, 2, 1, 7, 5, 3])
        }
        ConformanceCase("Several keys decide one after the other", proves: 8, answersOf: .restaurants) {
            Answer(
                Restaurant.all.sorted(by: \.city).sorted(by: \.rating, .descending),
                [12, 11, 3, 7, 9, 10, 8, 6, 4, 5, 2, 1])
            Answer(
                Restaurant.all.sorted(by: \.city, .descending).sorted(by: \.rating),
                [1, 2, 5, 4, 6, 8, 10, 9, 7, 3, 11, 12])
            Answer(
                Restaurant.all.sorted(by: \.isOpen, .descending).sorted(by: \.city).sorted(by: \.seats),
                [11, 12, 8, 9, 10, 6, 4, 2, 1, 7, 3, 5])
            Answer(
                Dish.all.sorted(by: \.course).sorted(by: \.cents, .descending),
                [6, 2, 4, 3, 7, 1, 5, 8, 10, 9])
            Answer(Dish.all.sorted(by: \.restaurant).sorted(by: \.name), [9, 10, 1, 2, 3, 4, 6, 5, 8, 7])
        }
        ConformanceCase("The id as a key ends the order", proves: 8, answersOf: .restaurants) {
            Answer(Restaurant.all.sorted(by: \.id, .descending), Array((1...12).reversed()))
            Answer(
                Restaurant.all.sorted(by: \.city).sorted(by: \.id, .descending),
                [12, 11, 7, 3, 10, 9, 8, 6, 5, 4, 2, 1])
            Answer(Restaurant.all.sorted(by: \.id).sorted(by: \.name, .descending), Array(1...12))
            Answer(Restaurant.where(\.id > ItemID(rawValue: 9)).sorted(by: \.id, .descending), [12, 11, 10])
        }
        ConformanceCase(
            "A key named twice counts once, at its first place", proves: 8, answersOf: .restaurants
        ) {
            let twice = Restaurant.all.sorted(by: \.rating).sorted(by: \.rating, .descending)

            Answer(twice, byRating)
            Answer(
                Restaurant.all.sorted(by: \.city).sorted(by: \.rating).sorted(by: \.city, .descending),
                [11, 12, 7, 3, 8, 10, 9, 6, 5, 4, 1, 2])
        }
        ConformanceCase(
            "The order does not depend on the order of insertion", proves: 8
        ) { world in
            let store = try world.open(Restaurant.self)
            for id in [6, 12, 1, 9, 3, 11, 2, 10, 5, 7, 8, 4] {
                try store.writeSync { try $0.insert(Fixture.restaurant(id)) }
            }

            try expect(Restaurant.all, gives: Array(1...12), in: store)
            try expect(Restaurant.all.sorted(by: \.rating), gives: byRating, in: store)
            try expect(Restaurant.all.sorted(by: \.slug), gives: bySlug, in: store)
            try expect(Restaurant.all.sorted(by: \.note), gives: byNote, in: store)
        }
        ConformanceCase(
            "An order with a filter on another attribute is complete", proves: 8, answersOf: .restaurants
        ) {
            Answer(
                Restaurant.where(\.isOpen == true).sorted(by: \.rating, .descending),
                [9, 4, 6, 2, 1, 12, 11, 10, 8])
            Answer(
                Restaurant.where(.isIn(\.city, ["Rome", "Athens", "Berlin"])).sorted(by: \.openedAt),
                [2, 10, 12, 1, 8, 9, 11])
            Answer(
                Restaurant.where(\.rating > 0).sorted(by: \.city).sorted(by: \.slug),
                [12, 11, 3, 9, 10, 6, 4, 5, 1, 2])
        }
        ConformanceCase("nil differs from every value", proves: 6, answersOf: .restaurants) {
            [
                (\.slug == nil, [3, 7, 12]), (\.slug != nil, Fixture.restaurants(except: 3, 7, 12)),
                (\.slug != "roma", Fixture.restaurants(except: 1)),
                (\.openedAt == nil, [2, 5, 7, 10, 12]),
                (\.openedAt != Fixture.day(0), Fixture.restaurants(except: 1, 8, 9)),
                (\.note != "", Fixture.restaurants(except: 3)), (\.note == nil, [1, 5, 7, 11, 12]),
                (\.note == nil && \.slug == nil, [7, 12]),
                (\.note == nil || \.slug == nil, [1, 3, 5, 7, 11, 12]),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase("NOT of an equality includes nil", proves: 6, answersOf: .restaurants) {
            [
                (!(\.slug == "roma"), Fixture.restaurants(except: 1)),
                (!(\.slug != "roma"), [1]),
                (!(\.note == "" || \.note == "Cash only"), Fixture.restaurants(except: 2, 3)),
                (!(\.slug == nil), Fixture.restaurants(except: 3, 7, 12)),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase("nil is not less and not greater than anything", proves: 6, answersOf: .restaurants) {
            [
                (\.slug < "zzz", Fixture.restaurants(except: 3, 7, 12)),
                (\.slug >= "", Fixture.restaurants(except: 3, 7, 12)),
                (\.slug <= "", []), (!(\.slug < "zzz"), [3, 7, 12]),
                (!(\.slug >= "zzz"), Fixture.restaurants()),
                (\.slug < nil, []), (\.slug <= nil, []), (\.slug > nil, []), (\.slug >= nil, []),
                (!(\.slug < nil), Fixture.restaurants()), (\.openedAt < Fixture.day(1), [1, 3, 8, 9]),
                (!(\.openedAt < Fixture.day(1)), [2, 4, 5, 6, 7, 10, 11, 12]),
                (!(\.openedAt >= Fixture.day(1)), [1, 2, 3, 5, 7, 8, 9, 10, 12]),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase(
            "Empty text comes after nil and before all other text", proves: 8, 9
        ) { world in
            let store = try world.open(Keyed<Int64>.self)
            try store.writeSync { accessor in
                for (id, label) in [(1, "a"), (2, ""), (3, nil), (4, "\u{0}"), (5, nil)] {
                    try accessor.insert(Keyed(Int64(id), label: label))
                }
            }

            try expect(Keyed<Int64>.all.sorted(by: \.label), gives: [3, 5, 2, 4, 1], in: store)
            try expect(Keyed<Int64>.all.sorted(by: \.label, .descending), gives: [1, 4, 2, 5, 3], in: store)
            try expect(Keyed<Int64>.where(\.label == ""), gives: [2], in: store)
            try expect(Keyed<Int64>.where(\.label == nil), gives: [3, 5], in: store)
        }
        ConformanceCase("An enum is ordered by its raw value", proves: 8, answersOf: .restaurants) {
            Answer(Dish.all.sorted(by: \.course), [2, 6, 1, 3, 4, 7, 5, 8, 9, 10])
            Answer(Dish.where(\.course > .dessert), [1, 3, 4, 5, 7, 8, 9, 10])
            Answer(Dish.where(.isIn(\.course, [.main, .dessert])), [1, 2, 3, 4, 6, 7])
        }
    }
}
