import Larder

/// Filters, orders and requests are put together from parts.
enum CombiningCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A request takes further items by or", proves: 6, answersOf: .restaurants) {
            let rome = Restaurant.where(\.city == "Rome")

            Answer(rome.or(\.seats == 12), [1, 2, 4, 5])
            Answer(rome.or(\.seats == 12).filter(\.rating > 4), [1, 2, 4])
            Answer(rome.filter(\.seats > 30).or(\.seats == 12), [1, 4, 5])
            Answer(Restaurant.all.or(\.seats == 12), Fixture.restaurants())
            Answer(Restaurant.where(.always(false)).or(\.seats == 12), [4, 5])
            Answer(rome.sorted(by: \.seats).limit(2).or(\.seats == 12), [4, 5])
        }
        ConformanceCase("Filters are joined if there are any", proves: 6, answersOf: .restaurants) {
            let rome: Filter<Restaurant> = \.city == "Rome"
            let small: Filter<Restaurant>? = \.seats < 30
            let none: Filter<Restaurant>? = nil

            Answer(Restaurant.where(rome &&? small), [2])
            Answer(Restaurant.where(rome &&? none), [1, 2])
            Answer(Restaurant.where(none &&? rome), [1, 2])
            Answer(Restaurant.where(small &&? rome), [2])
            Answer(Restaurant.where(rome ||? small), [1, 2, 4, 5, 6, 7])
            Answer(Restaurant.where(rome ||? none), [1, 2])
            Answer(Restaurant.where(none ||? rome), [1, 2])
        }
        ConformanceCase("Lists of filters are joined by AND and by OR", proves: 6, answersOf: .restaurants) {
            let filters: [Filter<Restaurant>] = [\.city == "Rome", \.seats < 30, \.rating > 4]

            Answer(Restaurant.where(filters.combinedByAnd()), [2])
            Answer(Restaurant.where(filters.combinedByOr()), [1, 2, 4, 5, 6, 7, 9])
            Answer(Restaurant.where(filters.prefix(1).combinedByOr()), [1, 2])
            Answer(Restaurant.where([].combinedByAnd()), Fixture.restaurants())
            Answer(Restaurant.where([].combinedByOr()), [])
            let many = (0..<2000).map { number -> Filter<Restaurant> in \.seats == number }
            Answer(Restaurant.where(many.combinedByOr()), Fixture.restaurants())
        }
        ConformanceCase("Orders are values that are added and replaced", proves: 8, answersOf: .restaurants) {
            let berlin = Restaurant.where(\.city == "Berlin")
            let bySeats = ItemOrder<Restaurant>(\.seats)
            let byRating: ItemOrder<Restaurant> = .by(\.rating, .descending)

            Answer(berlin.sorted(by: bySeats), [8, 9, 10])
            Answer(berlin.sorted(by: bySeats + byRating), [9, 8, 10])
            Answer(berlin.sorted(by: byRating + bySeats), [9, 10, 8])
            Answer(berlin.sorted(by: \.seats).sorted(by: byRating), [9, 8, 10])
            Answer(berlin.sorted(by: \.seats).replacingOrder(by: byRating), [9, 10, 8])
            Answer(berlin.sorted(by: \.seats, .descending).replacingOrder(by: .none), [8, 9, 10])
            Answer(berlin.sorted(by: bySeats.reversed), [10, 9, 8])
        }
        ConformanceCase("Requests are added", proves: 6, 8, answersOf: .restaurants) {
            let rome = Restaurant.where(\.city == "Rome" || \.city == "Paris")
            let small = Restaurant.where(\.seats < 30).sorted(by: \.seats, .descending)

            Answer(rome + small, [2, 5, 4])
            Answer(small + rome.sorted(by: \.rating), [2, 5, 4])
            Answer(rome.sorted(by: \.rating) + small, [5, 2, 4])
            Answer(rome.limit(1) + small, [2])
            Answer(rome.limit(1) + small.limit(2), [2, 5])
            Answer(rome + ItemOrder(\.rating), [5, 1, 2, 4])
            Answer(rome + (\.seats == 12), [4, 5])
        }
        ConformanceCase("Requests of equal parts are equal", proves: 6, 8) { _ in
            let rome = Restaurant.where(\.city == "Rome")
            let small = Restaurant.where(\.seats < 30).sorted(by: \.seats, .descending)
            try expect(rome.or(\.isOpen), equals: rome.or(\.isOpen == true))
            var request = rome
            request += small
            try expect(request == rome + small, "a request that was added to")

            let none: Filter<Restaurant>? = nil
            let both: Filter<Restaurant>? = none &&? none
            try expect(both == nil, "two missing filters give nil")
            try expect((none ||? none) == nil, "two missing filters give nil")

            let bySeats = ItemOrder<Restaurant>(\.seats)
            let byRating: ItemOrder<Restaurant> = .by(\.rating, .descending)
            var order = bySeats
            order += byRating
            try expect(order == bySeats + byRating, "an order that was added to")
            try expect(order != byRating + bySeats, "the order of the terms matters")
            try expect(rome.sorted(by: order).order == order, "the order of a request")
        }
        ConformanceCase(
            "Requests for texts of other bytes are other requests", proves: 7, asking: .restaurants
        ) { accessor in
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
                try expect(first, gives: [4], in: accessor)
                try expect(second, gives: [5], in: accessor)
            }
        }
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
            // The order of its chapters is not the order of their identifiers.
            let chapters = SmallLibrary.chapters
            let swapped = Book(70, "Eta", by: 4, year: 1990, chapters: [chapters[2], chapters[0]])
            try store.writeSync { try $0.insert(contentsOf: [swapped]) }
            let eta = try require(try store.read { try $0.item(id: 70, of: Book.self) })
            try expect(try store.items(titled + eta.chapters.request).map(\.title), equals: ["End", "Intro"])
            try expect(try store.items(eta.chapters.request + titled).map(\.title), equals: ["End", "Intro"])
            try expect(try store.items(delta.chapters.request + gamma.chapters.request), equals: [])
        }
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
        }
    }
}
