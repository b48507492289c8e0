import Foundation
import Larder
import LarderText

/// Predicates and sort descriptors of Foundation become filters and orders that mean the same.
enum PredicateCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A predicate passes the items that it passes in Swift", proves: 6, 7) { world in
            guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return }
            let store = try world.openFilled()
            func check(_ predicate: Predicate<Restaurant>, _ expected: [Int64]? = nil, line: Int = #line)
                throws
            {
                let passing = try Fixture.restaurants.filter { try predicate.evaluate($0) }.map(\.id.rawValue)
                if let expected { try expect(passing, equals: expected, "\(predicate)", line: line) }
                let filter = try Filter<Restaurant>(readFromTextOf: predicate, line: line)
                try expect(Restaurant.where(filter), gives: passing, in: store, line: line)
                try expect(
                    Restaurant.where(!filter), gives: Fixture.restaurants().filter { !passing.contains($0) },
                    in: store, line: line)
                try expect(Restaurant.all.filter(predicate), gives: passing, in: store, line: line)
            }

            try check(#Predicate { $0.rating > 4 && $0.name.contains("o") }, [1, 2, 4, 6])
            try check(#Predicate { $0.rating > 3 || !$0.isOpen })
            try check(#Predicate { $0.slug == nil }, [3, 7, 12])
            try check(#Predicate { $0.slug != nil })
            try check(#Predicate { $0.slug == "roma" }, [1])
            try check(#Predicate { $0.slug != "roma" })
            try check(#Predicate { $0.slug == $0.note }, [7, 12])
            try check(#Predicate { $0.name == $0.city })
            try check(#Predicate { $0.seats * 2 > 80 }, [3, 8, 9, 10])
            try check(#Predicate { -$0.seats < -60 })
            try check(#Predicate { $0.seats % 25 == 0 && $0.seats / 25 > 0 }, [2, 10])
            try check(#Predicate { $0.rating / 2 > 2.2 })
            try check(#Predicate { ($0.slug ?? "none") == "none" }, [3, 7, 12])
            try check(#Predicate { ($0.slug ?? "none") < "o" })
            try check(#Predicate { ($0.note ?? "xyz").starts(with: "x") }, [1, 5, 7, 11, 12])
            try check(#Predicate { $0.note?.isEmpty == true }, [3])
            try check(#Predicate { $0.note?.isEmpty != true })
            try check(#Predicate { $0.note?.isEmpty ?? true }, [1, 3, 5, 7, 11, 12])
            try check(#Predicate { $0.note?.contains("a") == true })
            try check(#Predicate { $0.note?.contains("a") ?? false })
            try check(#Predicate { $0.note.flatMap { $0.contains("a") ? 1 : 2 } == 2 })
            try check(#Predicate { $0.isOpen ? $0.seats > 30 : $0.rating == 0 })
            try check(#Predicate { ($0.isOpen ? $0.seats : 0) > 30 })
            try check(#Predicate { ($0.isOpen ? $0.seats : $0.seats * 2) + 1 == 25 }, [5])
            try check(#Predicate { (12...40).contains($0.seats) })
            try check(#Predicate { (12..<40).contains($0.seats) })
            try check(#Predicate { (0...$0.seats).contains(20) })
            try check(#Predicate { $0.isOpen == ($0.seats > 30) })
            try check(#Predicate { $0.isOpen != ($0.seats > 30) })
            try check(#Predicate { $0.name.isEmpty }, [7])
            try check(#Predicate { $0.name.contains("") && $0.name.starts(with: "Tr") }, [1])
            try check(
                #Predicate { restaurant in
                    if let slug = restaurant.slug { slug == "roma" } else { restaurant.seats == 0 }
                }, [1, 7])
            try check(#Predicate { _ in true }, Fixture.restaurants())
        }
        ConformanceCase("A predicate may lead through relationships", proves: 6, 17) { world in
            guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return }
            let store = try world.openSmallLibrary()
            let everything = Book.all.prefetching(\.author, \.editor, \.shelf, \.labels, \.chapters)
            let books = try store.items(everything)
            func check(_ predicate: Predicate<Book>, _ expected: [Int64], line: Int = #line) throws {
                let passing = try books.filter { try predicate.evaluate($0) }.map(\.id)
                try expect(passing, equals: expected, "\(predicate)", line: line)
                try checkInStore(predicate, expected, line: line)
            }
            func checkInStore(_ predicate: Predicate<Book>, _ expected: [Int64], line: Int = #line) throws {
                let filter = try Filter<Book>(readFromTextOf: predicate, line: line)
                try expect(Book.where(predicate), gives: expected, in: store, line: line)
                try expect(
                    Book.where(!filter), gives: books.map(\.id).filter { !expected.contains($0) }, in: store,
                    line: line)
            }
            let ada = ItemID<Person>(rawValue: 1)

            try check(#Predicate { $0.author.item?.name == "Ada" }, [10, 20])
            try check(#Predicate { $0.author.item!.name != "Ada" }, [30, 40, 50, 60])
            try check(#Predicate { $0.author.id == ada }, [10, 20])
            try check(#Predicate { $0.editor?.id == ada }, [30])
            try check(#Predicate { $0.editor?.item?.name == "Bob" }, [10])
            try check(#Predicate { $0.editor?.item?.name != "Bob" }, [20, 30, 40, 50, 60])
            try check(#Predicate { $0.editor == nil }, [20, 50, 60])
            try check(#Predicate { $0.author.item?.name == $0.editor?.item?.name }, [40])
            try check(#Predicate { ($0.shelf?.item?.room ?? "none") == "none" }, [20, 60])
            try check(#Predicate { $0.labels.items!.contains { $0.id == "red" } }, [10, 20, 40])
            try check(#Predicate { $0.labels.items?.contains { $0.id == "red" } == true }, [10, 20, 40])
            try check(#Predicate { $0.labels.items!.allSatisfy { $0.rank < 2 } }, [20, 30, 60])
            try check(#Predicate { $0.labels.items?.allSatisfy { $0.rank < 2 } == true }, [20, 30, 60])
            try check(#Predicate { $0.labels.items!.isEmpty }, [30, 60])
            try check(#Predicate { $0.labels.items!.count > 1 }, [10, 40])
            try check(#Predicate { 1 == $0.labels.items!.count }, [20, 50])
            try check(#Predicate { $0.labels.items!.filter { $0.rank > 1 }.isEmpty }, [20, 30, 60])
            try check(
                #Predicate { $0.labels.items!.filter { $0.rank > 1 }.contains { $0.id == "blue" } }, [40, 50])
            try check(
                #Predicate { $0.chapters.items!.contains { $0.title == "Egg" } && $0.year > 1990 }, [30])
            try check(
                #Predicate { book in book.labels.items!.contains { $0.id.contains("e") } && book.year < 2000
                },
                [10, 50])
            // The people were not read with their books, so that Swift has another answer.
            try checkInStore(
                #Predicate { $0.editor?.item?.books.items!.contains { $0.year > 1990 } == true },
                [10, 30, 40])
            try checkInStore(
                #Predicate { $0.editor?.item?.books.items!.allSatisfy { $0.year > 2000 } == true }, [40])
            try checkInStore(
                #Predicate { $0.author.item?.books.items?.isEmpty == false }, [10, 20, 30, 40, 50, 60])
            try checkInStore(#Predicate { $0.author.item?.books.items?.count == 2 }, [10, 20, 40, 60])
            try checkInStore(
                #Predicate { ($0.editor?.item?.books.items?.count ?? 0) == 0 }, [20, 50, 60])
        }
        ConformanceCase("A predicate may hold captured values that may be nil", proves: 6) { world in
            guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return }
            let store = try world.openFilled()
            func check(_ predicate: Predicate<Restaurant>, line: Int = #line) throws {
                let passing = try Fixture.restaurants.filter { try predicate.evaluate($0) }.map(\.id.rawValue)
                try expect(Restaurant.where(predicate), gives: passing, in: store, line: line)
                let filter = try Filter<Restaurant>(readFromTextOf: predicate, line: line)
                try expect(Restaurant.where(filter), gives: passing, in: store, line: line)
            }

            for search in ["o", nil] as [String?] {
                try check(#Predicate { search == nil || $0.name.contains(search!) })
                try check(#Predicate { search == "" || $0.name.contains(search ?? "") })
                try check(#Predicate { item in if let search { item.name.contains(search) } else { true } })
                try check(#Predicate { item in search.flatMap { item.name.contains($0) } ?? true })
                try check(#Predicate { $0.name.contains(search ?? "") })
                try check(#Predicate { $0.slug == search || $0.note.flatMap { $0 } == search })
            }
            for seats in [[12, 30], nil] as [[Int]?] {
                try check(#Predicate { seats == nil || seats!.contains($0.seats) })
                try check(#Predicate { (seats ?? [0]).contains($0.seats) })
            }
            for range in [12...40, nil] as [ClosedRange<Int>?] {
                try check(#Predicate { range == nil || range!.contains($0.seats) })
            }
            let all = CapturedMode.all
            for mode in [nil, .open, .all] as [CapturedMode?] {
                try check(#Predicate { mode == all || $0.rating > 3 })
                try check(
                    #Predicate { item in
                        if let mode { mode == all && item.rating > 3 } else { true }
                    })
                try check(
                    #Predicate { item in
                        if let mode { mode != all && item.rating > 3 } else { false }
                    })
                try check(
                    #Predicate { item in
                        if let mode { mode < all || item.rating > 3 } else { true }
                    })
            }
            for isExact in [true, false] {
                try check(#Predicate { $0.name.starts(with: isExact ? "Tr" : "T") })
                try check(#Predicate { isExact ? $0.seats > 20 : $0.rating > 4 })
            }
        }
        ConformanceCase("A predicate may hold captured values of all kinds", proves: 6) { world in
            guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return }
            let store = try world.openFilled()
            func check(_ predicate: Predicate<Restaurant>, line: Int = #line) throws {
                let passing = try Fixture.restaurants.filter { try predicate.evaluate($0) }.map(\.id.rawValue)
                try expect(passing.isEmpty, equals: false, "\(predicate) passes something", line: line)
                try expect(Restaurant.where(predicate), gives: passing, in: store, line: line)
                let filter = try Filter<Restaurant>(readFromTextOf: predicate, line: line)
                try expect(Restaurant.where(filter), gives: passing, in: store, line: line)
            }
            let (cities, seats) = (["Rome", "Paris"], Set([12, 60]))
            let (day, opened, id) = (Fixture.day(0), Date?.some(Fixture.day(1.5)), Fixture.restaurant(3).id)
            let (range, words, numbers, a, b) = (12..<61, ["roma", "Cash"], ["a": 12], 5.0, 2.0)
            let missing: String? = nil
            let (mode, all, sameWords) = (CapturedMode.open, CapturedMode.all, words)

            try check(#Predicate { mode == all || $0.rating > 3 })
            try check(#Predicate { mode != all && $0.rating > 3 })
            try check(#Predicate { mode < all && words == sameWords && $0.rating > 3 })
            try check(#Predicate { mode >= all || $0.rating > 3 })
            try check(#Predicate { $0.rating > 3 && a / b > 2.2 })
            try check(#Predicate { cities.contains($0.city) })
            try check(#Predicate { !cities.contains($0.city) })
            try check(#Predicate { seats.contains($0.seats) })
            try check(#Predicate { seats.contains($0.seats * 5) || seats.contains($0.seats) })
            try check(#Predicate { $0.openedAt == day })
            try check(#Predicate { $0.openedAt == opened })
            try check(#Predicate { ($0.openedAt ?? day) > day })
            try check(#Predicate { $0.id == id })
            try check(#Predicate { $0.slug == missing })
            try check(#Predicate { $0.slug != missing })
            try check(#Predicate { range.contains($0.seats) })
            try check(#Predicate { restaurant in words.contains { restaurant.name.contains($0) } })
            try check(#Predicate { restaurant in words.allSatisfy { restaurant.name != $0 } })
            try check(#Predicate { $0.seats == numbers["a", default: 3] })
            try check(#Predicate { $0.seats > words.count * 20 })
            try check(#Predicate { $0.city == cities[0] })
        }
        ConformanceCase(
            "A predicate that cannot be answered is refused with its part", proves: 10
        ) { world in
            guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return }
            let store = try world.openFilled()
            func check(_ predicate: Predicate<Restaurant>, _ part: String, line: Int = #line) throws {
                let error = try expectError(.invalidRequest, line: line) {
                    _ = try Filter<Restaurant>(predicate)
                }
                try expect(error.message.contains(part), "\(part) in \(error.message)", line: line)
                let request = Restaurant.where(predicate)
                let later = try expectError(.invalidRequest, line: line) { try request.validate() }
                try expect(later.message.contains(part), "\(part) in \(later.message)", line: line)
                try expectError(.invalidRequest, line: line) { _ = try store.items(request) }
                try expectError(.invalidRequest, line: line) {
                    _ = try store.count(request.sorted(by: \.name))
                }
            }
            let pattern = "a"

            try check(#Predicate { $0.rating > 3 && $0.shortName == "x" }, "$0.(computed String)")
            try check(#Predicate { $0.name.count > 3 }, "$0.name.count")
            try check(#Predicate { $0.name.contains(/a+/) }, "$0.name.contains(a regular expression)")
            try check(#Predicate { pattern.contains($0.name) }, "\"a\".contains($0.name)")
            try check(#Predicate { $0.name.first == nil }, "$0.name.(computed Optional<Character>)")
            let energy = 1
            let error = try expectError(.invalidRequest) {
                _ = try Filter<Everything>(#Predicate { $0.nutrition.energy == energy })
            }
            try expect(error.message.contains("$0.nutrition.energy"), "the part in \(error.message)")
            try expectError(.invalidRequest) {
                try Everything.where(#Predicate { $0.course.rawValue == "x" }).validate()
            }
            let library = try expectError(.invalidRequest) {
                _ = try Filter<Book>(
                    #Predicate { book in book.labels.items!.contains { $0.id == book.title } })
            }
            try expect(library.message.contains("outside of it"), "the reason in \(library.message)")
            try expect(Restaurant.where(#Predicate { $0.seats == 12 }), gives: [4, 5], in: store)
        }
        ConformanceCase(
            "A condition may be compared with a truth that is nil", proves: 6, 7
        ) { world in
            guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return }
            let store = try world.open(Everything.self)
            let values = [(false, "x"), (true, ""), (nil, nil)] as [(Bool?, String?)]
            let items = (0..<9).map { number in
                var item = Everything.smallest(Int64(number))
                (item.maybeBool, item.maybeText) = (values[number / 3].0, values[number % 3].1)
                item.maybeInt = number % 3 == 0 ? nil : number
                return item
            }
            try store.writeSync { try $0.insert(contentsOf: items) }
            func check(_ predicate: Predicate<Everything>, _ expected: [Int64], line: Int = #line) throws {
                let passing = try items.filter { try predicate.evaluate($0) }.map(\.id.rawValue)
                try expect(passing, equals: expected, "\(predicate)", line: line)
                let filter = try Filter<Everything>(readFromTextOf: predicate, line: line)
                try expect(Everything.where(predicate), gives: passing, in: store, line: line)
                try expect(
                    Everything.where(!filter), gives: (0..<9).filter { !passing.contains($0) }, in: store,
                    line: line)
            }
            try check(#Predicate { $0.maybeBool == $0.maybeText?.isEmpty }, [0, 4, 8])
            try check(#Predicate { $0.maybeText?.isEmpty == $0.maybeBool }, [0, 4, 8])
            try check(#Predicate { $0.maybeBool != $0.maybeText?.isEmpty }, [1, 2, 3, 5, 6, 7])
            try check(#Predicate { $0.maybeText?.isEmpty == ($0.int >= 0 ? $0.maybeBool : nil) }, [2, 5, 8])
            try check(#Predicate { $0.maybeText?.isEmpty == $0.maybeText?.contains("x") }, [2, 5, 8])
            try check(#Predicate { ($0.maybeInt.flatMap { $0 * 2 } ?? 0) > 6 }, [4, 5, 7, 8])
        }
        ConformanceCase(
            "A predicate of conditions that are compared in a chain is refused before it grows", proves: 10
        ) { world in
            guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return }
            let store = try world.openFilled()
            func grow(
                _ condition: some StandardPredicateExpression<Bool>,
                by end: some StandardPredicateExpression<Bool>,
                times count: Int
            ) -> any StandardPredicateExpression<Bool> {
                if count == 0 { return condition }
                return grow(
                    PredicateExpressions.build_Equal(lhs: condition, rhs: end), by: end, times: count - 1)
            }
            func growOutside(
                _ condition: some StandardPredicateExpression<Bool>,
                by end: some StandardPredicateExpression<Bool>, times count: Int
            ) -> any StandardPredicateExpression<Bool> {
                if count == 0 { return condition }
                return growOutside(
                    PredicateExpressions.build_Equal(lhs: end, rhs: condition), by: end, times: count - 1)
            }
            func chain(_ count: Int, isOutside: Bool = false) -> Predicate<Restaurant> {
                Predicate { restaurant in
                    let seats = PredicateExpressions.build_KeyPath(root: restaurant, keyPath: \.seats)
                    let many = PredicateExpressions.build_Comparison(
                        lhs: seats, rhs: PredicateExpressions.build_Arg(30), op: .greaterThan)
                    return isOutside
                        ? growOutside(many, by: many, times: count) : grow(many, by: many, times: count)
                }
            }

            let passing = try Fixture.restaurants.filter { try chain(6).evaluate($0) }.map(\.id.rawValue)
            try expect(Restaurant.where(chain(6)), gives: passing, in: store)
            try expect(Restaurant.where(chain(6, isOutside: true)), gives: passing, in: store)
            for isOutside in [false, true] {
                let error = try expectError(.invalidRequest) {
                    _ = try Filter<Restaurant>(chain(40, isOutside: isOutside))
                }
                try expect(
                    error.message.contains("written out, it is more than 2000 conditions"),
                    "\(error.message)")
            }
        }
        ConformanceCase(
            "A predicate calculates with captured integers as filters do, and never stops the process",
            proves: 6, 10
        ) { world in
            guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return }
            let store = try world.openFilled()
            let (greatest, least, zero, minusOne, few) = (Int.max, Int.min, 0, -1, [1, 2])
            let (all, none) = (Fixture.restaurants(), [Int64]())
            func check(_ predicate: Predicate<Restaurant>, _ expected: [Int64], line: Int = #line) throws {
                try expect(Restaurant.where(predicate), gives: expected, in: store, line: line)
                _ = try Filter<Restaurant>(readFromTextOf: predicate, line: line)
            }

            try check(#Predicate { $0.seats < greatest + 1 }, none)
            try check(#Predicate { $0.seats != greatest + 1 }, all)
            try check(#Predicate { $0.seats < least - 1 || $0.seats < greatest * 2 }, none)
            try check(#Predicate { $0.seats < -least }, none)
            try check(#Predicate { $0.seats < (greatest + 1) - 1 }, none)
            try check(#Predicate { $0.seats < greatest + zero - 1 }, all)
            try check(#Predicate { $0.seats == 24 / zero || $0.seats == 24 % zero }, none)
            try check(#Predicate { $0.seats == 12 + least % minusOne }, [4, 5])
            try check(#Predicate { $0.seats == few.count * 6 }, [4, 5])
            try check(#Predicate { $0.seats == -(zero - few.count) * 6 }, [4, 5])
            try check(#Predicate { greatest + 1 < 0 || $0.seats == 12 }, [4, 5])
            try check(#Predicate { few.contains($0.seats / (few.count * 6)) && $0.seats < 13 }, [4, 5])
            try check(#Predicate { (greatest...least + zero).contains($0.seats) }, none)
            let error = try expectError(.invalidRequest) {
                try Restaurant.where(#Predicate { $0.seats == few[greatest + 1] }).validate()
            }
            try expect(error.message.contains("could stop the process"), "\(error.message)")
            try expectError(.invalidRequest) {
                try Restaurant.where(#Predicate { $0.seats == few[zero..<least].count }).validate()
            }
            let sibling = try world.sibling()
            let library = try sibling.openSmallLibrary()
            try expect(
                Book.where(#Predicate { $0.labels.items!.count > few.count - 1 }), gives: [10, 40],
                in: library)
        }
        ConformanceCase("Sort descriptors become an order", proves: 8) { world in
            guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return }
            let store = try world.openFilled()
            let berlin = Restaurant.where(\.city == "Berlin")

            try expect(
                berlin.sorted(by: [SortDescriptor(\.rating, order: .reverse)]), gives: [9, 10, 8], in: store)
            try expect(
                berlin.sorted(by: [SortDescriptor(\.seats), SortDescriptor(\.rating, order: .reverse)]),
                gives: [9, 8, 10], in: store)
            try expect(
                Restaurant.all.sorted(by: [
                    SortDescriptor(\.openedAt), SortDescriptor(\.seats, order: .reverse),
                ])
                .limit(3),
                gives: [10, 12, 2], in: store)
            try expect(
                Restaurant.all.sorted(by: [SortDescriptor(\.name, comparator: .lexical)]).limit(3),
                gives: [7, 10, 5], in: store)
            try expect(
                try ItemOrder([SortDescriptor(\.seats), SortDescriptor(\.rating, order: .reverse)])
                    == ItemOrder<Restaurant>(\.seats) + .by(\.rating, .descending), "the same order")
            for text in [
                Restaurant.all.sorted(by: [SortDescriptor(\.name)]),
                Restaurant.all.sorted(by: [SortDescriptor(\.note)]),
            ] {
                let error = try expectError(.invalidRequest) { _ = try store.items(text) }
                try expect(error.message.contains("the comparator .lexical"), "\(error)")
            }
            // On some platforms, the descriptor has another comparator by itself.
            let descriptors: [SortDescriptor<Restaurant>] = [SortDescriptor(\.name)]
            let refusal = try expectError(.invalidRequest) { _ = try ItemOrder(descriptors) }
            try expect(
                refusal.message, equals: "The sort descriptor sorts name without the comparator .lexical.")
            try expect(
                refusal.advice,
                equals: "Give the descriptor that comparator, or sort by the text with .localized().")
            let computed = Restaurant.all.sorted(by: [
                SortDescriptor(\Restaurant.shortName, comparator: .lexical)
            ]
            )
            let error = try expectError(.invalidRequest) { try computed.validate() }
            try expect(error.message.contains("not a stored attribute of Restaurant"), "\(error.message)")
            try expectError(.invalidRequest) { _ = try store.items(computed) }
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension Filter {
    /// The filter of a predicate, read from its text.
    fileprivate init(readFromTextOf predicate: Predicate<Item>, line: Int) throws {
        self = try Filter<Item>(text: try Filter<Item>(predicate).text)
        try expect(text, equals: try Filter<Item>(predicate).text, "a filter read from its text", line: line)
    }
}

extension Restaurant {
    /// A property that is not stored.
    fileprivate var shortName: String { String(name.prefix(1)) }
}

/// A type of values that no store compares.
private enum CapturedMode: Int, Codable, Comparable {
    case open, all

    static func < (left: CapturedMode, right: CapturedMode) -> Bool { left.rawValue < right.rawValue }
}
