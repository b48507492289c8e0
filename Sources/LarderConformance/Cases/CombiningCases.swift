import Larder

/// Filters, orders and requests are put together from parts.
enum CombiningCases {
    static let all: [ConformanceCase] = [
        ConformanceCase("A request takes further items by or", proves: 6) { world in
            let store = try world.openFilled()
            let rome = Restaurant.where(\.city == "Rome")

            try expect(rome.or(\.seats == 12), gives: [1, 2, 4, 5], in: store)
            try expect(rome.or(\.seats == 12).filter(\.rating > 4), gives: [1, 2, 4], in: store)
            try expect(rome.filter(\.seats > 30).or(\.seats == 12), gives: [1, 4, 5], in: store)
            try expect(Restaurant.all.or(\.seats == 12), gives: Fixture.restaurants(), in: store)
            try expect(Restaurant.where(.always(false)).or(\.seats == 12), gives: [4, 5], in: store)
            try expect(rome.sorted(by: \.seats).limit(2).or(\.seats == 12), gives: [4, 5], in: store)
            try expect(rome.or(\.isOpen), equals: rome.or(\.isOpen == true))
        },
        ConformanceCase("Filters are joined if there are any", proves: 6) { world in
            let store = try world.openFilled()
            let rome: Filter<Restaurant> = \.city == "Rome"
            let small: Filter<Restaurant>? = \.seats < 30
            let none: Filter<Restaurant>? = nil

            try expect(Restaurant.where(rome &&? small), gives: [2], in: store)
            try expect(Restaurant.where(rome &&? none), gives: [1, 2], in: store)
            try expect(Restaurant.where(none &&? rome), gives: [1, 2], in: store)
            try expect(Restaurant.where(small &&? rome), gives: [2], in: store)
            try expect(Restaurant.where(rome ||? small), gives: [1, 2, 4, 5, 6, 7], in: store)
            try expect(Restaurant.where(rome ||? none), gives: [1, 2], in: store)
            try expect(Restaurant.where(none ||? rome), gives: [1, 2], in: store)
            let both: Filter<Restaurant>? = none &&? none
            try expect(both == nil, "two missing filters give nil")
            try expect((none ||? none) == nil, "two missing filters give nil")
        },
        ConformanceCase("Lists of filters are joined by AND and by OR", proves: 6) { world in
            let store = try world.openFilled()
            let filters: [Filter<Restaurant>] = [\.city == "Rome", \.seats < 30, \.rating > 4]

            try expect(Restaurant.where(filters.combinedByAnd()), gives: [2], in: store)
            try expect(Restaurant.where(filters.combinedByOr()), gives: [1, 2, 4, 5, 6, 7, 9], in: store)
            try expect(Restaurant.where(filters.prefix(1).combinedByOr()), gives: [1, 2], in: store)
            try expect(Restaurant.where([].combinedByAnd()), gives: Fixture.restaurants(), in: store)
            try expect(Restaurant.where([].combinedByOr()), gives: [Int64](), in: store)
            let many = (0..<2000).map { number -> Filter<Restaurant> in \.seats == number }
            try expect(Restaurant.where(many.combinedByOr()), gives: Fixture.restaurants(), in: store)
        },
        ConformanceCase("Orders are values that are added and replaced", proves: 8) { world in
            let store = try world.openFilled()
            let berlin = Restaurant.where(\.city == "Berlin")
            let bySeats = ItemOrder<Restaurant>(\.seats)
            let byRating: ItemOrder<Restaurant> = .by(\.rating, .descending)

            try expect(berlin.sorted(by: bySeats), gives: [8, 9, 10], in: store)
            try expect(berlin.sorted(by: bySeats + byRating), gives: [9, 8, 10], in: store)
            try expect(berlin.sorted(by: byRating + bySeats), gives: [9, 10, 8], in: store)
            try expect(berlin.sorted(by: \.seats).sorted(by: byRating), gives: [9, 8, 10], in: store)
            try expect(berlin.sorted(by: \.seats).replacingOrder(by: byRating), gives: [9, 10, 8], in: store)
            try expect(
                berlin.sorted(by: \.seats, .descending).replacingOrder(by: .none), gives: [8, 9, 10],
                in: store)
            try expect(berlin.sorted(by: bySeats.reversed), gives: [10, 9, 8], in: store)
            var order = bySeats
            order += byRating
            try expect(order == bySeats + byRating, "an order that was added to")
            try expect(order != byRating + bySeats, "the order of the terms matters")
            try expect(berlin.sorted(by: order).order == order, "the order of a request")
        },
        ConformanceCase("Requests are added", proves: 6, 8) { world in
            let store = try world.openFilled()
            let rome = Restaurant.where(\.city == "Rome" || \.city == "Paris")
            let small = Restaurant.where(\.seats < 30).sorted(by: \.seats, .descending)

            try expect(rome + small, gives: [2, 5, 4], in: store)
            try expect(small + rome.sorted(by: \.rating), gives: [2, 5, 4], in: store)
            try expect(rome.sorted(by: \.rating) + small, gives: [5, 2, 4], in: store)
            try expect(rome.limit(1) + small, gives: [2], in: store)
            try expect(rome.limit(1) + small.limit(2), gives: [2, 5], in: store)
            try expect(rome + ItemOrder(\.rating), gives: [5, 1, 2, 4], in: store)
            try expect(rome + (\.seats == 12), gives: [4, 5], in: store)
            var request = rome
            request += small
            try expect(request == rome + small, "a request that was added to")
        },
        ConformanceCase("Requests for texts of other bytes are other requests", proves: 7) { world in
            let store = try world.openFilled()
            // Equal for Swift, and not by their bytes.
            let (composed, decomposed) = ("Caf\u{E9} No\u{EB}l", "Cafe\u{301} Noe\u{308}l")
            let makes: [(String) -> Filter<Restaurant>] = [
                { \.name == $0 }, { .isIn(\.name, [$0, "x"]) }, { .contains(\.name, $0) },
                { .like(\.name, $0) },
                { .equals(\.name, $0, .caseInsensitive) }, { .matches(\.name, $0) },
                { .between(\.name, $0...$0) },
            ]

            for make in makes {
                let (first, second) = (Restaurant.where(make(composed)), Restaurant.where(make(decomposed)))
                try expect(first != second, "other bytes than \(second)")
                try expect(Set([first, second, first]).count, equals: 2)
                try expect(first, gives: [4], in: store)
                try expect(second, gives: [5], in: store)
            }
        },
        ConformanceCase(
            "Requests for the items of relationships keep their owners when they are added", proves: 6, 15
        ) { world in
            let store = try world.openSmallLibrary()
            let people = try store.items(Person.all)
            let (ada, cy) = (people[0].books.request, people[2].books.request)
            let red = try require(try store.read { try $0.item(id: "red", of: Label.self) }).books.request
            let late = Book.where(\.year >= 2000)
            let labelled = late.prefetching(\.labels)

            try expect(ada + labelled, gives: [20], in: store)
            try expect(labelled + ada, gives: [20], in: store)
            try expect(ada + late, gives: [20], in: store)
            try expect(ada + ada, gives: [10, 20], in: store)
            try expect(ada + ada == ada, "the same owner twice is one owner")
            try expect(ada + cy, gives: [Int64](), in: store)
            try expect(cy + red, gives: [40], in: store)
            try expect(red + cy.prefetching(\.author), gives: [40], in: store)
            try expect(red.limit(2) + late, gives: [20, 40], in: store)
            for request in [
                labelled + cy, cy + labelled, labelled + red.limit(1), cy.prefetching(\.labels) + late,
            ] {
                let books = try store.items(request)
                try expect(
                    books.first?.labels.items == nil, equals: false, "the labels of \(books.map(\.id))")
            }
            try expect(
                try store.items(labelled + cy.prefetching(\.author)).map { $0.labels.items == nil },
                equals: [true, true])

            let delta = try require(try store.read { try $0.item(id: 40, of: Book.self) })
            let gamma = try require(try store.read { try $0.item(id: 30, of: Book.self) })
            let titled = Chapter.where(\.title != "")
            try expect(try store.items(titled + gamma.chapters.request).map(\.title), equals: ["Egg", "End"])
            try expect(try store.items(gamma.chapters.request + titled).map(\.title), equals: ["Egg", "End"])
            try expect(try store.items(delta.chapters.request + gamma.chapters.request), equals: [])
        },
        ConformanceCase(
            "A deletion by a sum of requests spares the items of others", proves: 3, 15
        ) { world in
            let store = try world.openSmallLibrary()
            let ada = try require(try store.items(Person.all).first)
            let late = Book.where(\.year >= 2000).prefetching(\.labels)

            try expect(try store.writeSync { try $0.deleteItems(for: ada.books.request + late) }, equals: 1)
            try expect(Book.all, gives: [10, 30, 40, 50, 60], in: store)
            var request = Book.where(\.year < 2000).prefetching(\.labels)
            request = ada.books.request + request
            try expect(try store.writeSync { try $0.deleteItems(for: request) }, equals: 1)
            try expect(Book.all, gives: [30, 40, 50, 60], in: store)
        },
    ]
}
