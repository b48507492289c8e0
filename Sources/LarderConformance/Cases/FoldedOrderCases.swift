import Larder

/// Orders of text without regard to case, diacritics, or both.
enum FoldedOrderCases {
    private static let both: TextMatching = [.caseInsensitive, .diacriticInsensitive]
    private static let byNote: [Int64] = [1, 5, 7, 11, 12, 3, 6, 2, 10, 8, 9, 4]

    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Text is ordered without regard to case", proves: 7, 8, answersOf: .restaurants) {
            let names = Restaurant.all.sorted(by: \.name, .caseInsensitive)
            let byName: [Int64] = [7, 10, 5, 4, 8, 9, 1, 2, 3, 6, 11, 12]

            Answer(names, byName)
            Answer(names.offset(4).limit(3), [8, 9, 1])
            Answer(names.limit(0), [])
            Answer(Restaurant.all.sorted(by: \.name, .caseInsensitive, .descending), byName.reversed())
            Answer(Restaurant.all.sorted(by: \.name, .exact), [7, 10, 5, 4, 9, 8, 1, 3, 2, 6, 11, 12])
            Answer(Restaurant.where(\.rating > 4).sorted(by: \.name, .caseInsensitive), [4, 9, 1, 2, 6])
            Answer(
                Restaurant.where(.contains(\.name, "R", .caseInsensitive)).sorted(
                    by: \.name, .caseInsensitive),
                [10, 8, 9, 1, 2, 6])
        }
        ConformanceCase("Text is ordered without regard to diacritics", proves: 7, 8, answersOf: .restaurants)
        {
            Answer(
                Restaurant.all.sorted(by: \.name, .diacriticInsensitive),
                [7, 10, 4, 5, 6, 9, 8, 1, 3, 2, 11, 12])
            Answer(Restaurant.all.sorted(by: \.name, both), [7, 10, 4, 5, 6, 8, 9, 1, 2, 3, 11, 12])
            Answer(
                Restaurant.all.sorted(by: \.name, both, .descending),
                [12, 11, 3, 2, 1, 9, 8, 6, 5, 4, 10, 7])
        }
        ConformanceCase(
            "nil comes first and empty text next in an order without regard to case", proves: 8,
            answersOf: .restaurants
        ) {
            Answer(Restaurant.all.sorted(by: \.note, .caseInsensitive), byNote)
            Answer(Restaurant.all.sorted(by: \.note, .caseInsensitive, .descending), byNote.reversed())
        }
        ConformanceCase(
            "Texts that are equal without regard to case are ordered by the next key", proves: 7, 8,
            answersOf: .restaurants
        ) {
            Answer(
                Restaurant.all.sorted(by: \.name, both).sorted(by: \.name),
                [7, 10, 5, 4, 6, 9, 8, 1, 2, 3, 11, 12])
            Answer(
                Restaurant.all.sorted(by: \.name, both).sorted(by: \.seats, .descending),
                [7, 10, 5, 4, 6, 9, 8, 1, 2, 3, 12, 11])
            Answer(
                Restaurant.all.sorted(by: \.isOpen).sorted(by: \.name, .caseInsensitive, .descending),
                [3, 5, 7, 12, 11, 6, 2, 1, 9, 8, 4, 10])
            Answer(
                Restaurant.all.sorted(by: \.note, .caseInsensitive)
                    .sorted(by: \.note, .caseInsensitive, .descending),
                byNote)
        }
        ConformanceCase(
            "Text of related items is ordered without regard to case", proves: 7, 8, 17, answersOf: .library
        ) {
            Answer(Book.all.sorted(by: \.author.name, .caseInsensitive), [10, 20, 30, 40, 60, 50])
            Answer(
                Book.all.sorted(by: \.editor.name, .caseInsensitive, .descending).limit(4), [40, 10, 30, 60])
            Answer(
                Book.all.sorted(by: \.shelf.room, .descending).sorted(by: \.title, both),
                [50, 30, 10, 40, 20, 60])
        }
        ConformanceCase(
            "Text comes before or after another one without regard to case", proves: 7,
            answersOf: .restaurants
        ) {
            [
                (test(1, .less, "TRATTORIA ROMA"), [4, 5, 7, 8, 9, 10]),
                (test(1, .greaterOrEqual, "TRATTORIA ROMA"), [1, 2, 3, 6, 11, 12]),
                (!test(8, .greater, "CASH ONLY"), [1, 2, 3, 5, 6, 7, 11, 12]),
                (test(8, .lessOrEqual, "CASH ONLY"), [2, 3, 6]),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase("An order without regard to case sorts thousands of items", proves: 7, 8) { world in
            let store = try world.open(Restaurant.self)
            // Each name in two forms, in the opposite order of the identifiers.
            try store.writeSync { accessor in
                try accessor.insert(
                    contentsOf: (1...3000).map { number in
                        Restaurant(number, name: (number % 2 == 0 ? "n" : "N") + String(9999 - number / 2))
                    })
            }
            let names = Restaurant.all.sorted(by: \.name, .caseInsensitive)

            try expect(names.limit(4), gives: [3000, 2998, 2999, 2996], in: store)
            try expect(names.offset(2997), gives: [2, 3, 1], in: store)
            try expect(names.sorted(by: \.id, .descending).limit(3), gives: [3000, 2999, 2998], in: store)
            try store.writeSync { accessor in
                try accessor.mutableRestaurant(7).name = "N0"
                try expect(try accessor.ids(for: names.limit(2)).map(\.rawValue), equals: [7, 3000])
            }
        }
        ConformanceCase("A list follows an order without regard to case", proves: 7, 8, 21) { world in
            let store = try world.open(Restaurant.self)
            try await store.writeAsync { accessor in
                try accessor.insert(contentsOf: [
                    Restaurant(1, name: "b"), Restaurant(2, name: "A"), Restaurant(3, name: "C"),
                ])
            }
            var lists = ObservedLists(
                store.list(Restaurant.all.sorted(by: \.name, .caseInsensitive)), of: store)
            try await lists.expectFirst([[2, 1, 3]])

            try await lists.expect("move 0.2→0.1, update 0.1→0.2", [[2, 3, 1]]) {
                try $0.mutableRestaurant(1).name = "D"
            }
            try await lists.expect("insert 0.1", [[2, 4, 3, 1]]) {
                _ = try $0.insert(Restaurant(4, name: "a"))
            }
        }
        ConformanceCase("Sections differ in case where the order does not", proves: 7, 8) { world in
            let store = try world.open(Restaurant.self)
            try store.writeSync { accessor in
                try accessor.insert(
                    contentsOf: ["a", "B", "A", "b", "a"].enumerated().map { Restaurant(Int64($0), name: $1) }
                )
            }

            let list = try store.read { accessor in
                try accessor.list(
                    for: Restaurant.all.sorted(by: \.name, .caseInsensitive), sectionedBy: .by(\.name))
            }

            try expect(list.sections.map(\.name), equals: ["A", "a", "B", "b"])
            try expect(list.sections.map { $0.map(\.id.rawValue) }, equals: [[2], [0, 4], [1], [3]])
        }
    }

    private static func test(_ column: Int, _ kind: TextTest.Kind, _ text: String) -> Filter<Restaurant> {
        Filter(.text(column: column, TextTest(kind, text, .caseInsensitive)))
    }
}
