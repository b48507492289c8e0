import Larder
import struct Foundation.Locale

/// Orders of text by the rules of a language.
enum LocalizedOrderCases {
    private static let german: TextCollation = .localized(Locale(identifier: "de_DE"))

    private static let words = [
        "äpfel", "Zebra", "apfel", "Ñandu", "Apfel", "nube", "oz", "Äpfel", "item 10", "item 9",
    ]

    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Text is ordered as a language orders it", proves: 8, answersOf: .restaurants) {
            // Without the one that differs from another in its "ß" alone.
            let names = Restaurant.where(\.slug != "strasse").sorted(by: \.name, german)
            let byName: [Int64] = [7, 10, 5, 4, 6, 9, 2, 1, 3, 12, 11]

            Answer(names, byName)
            Answer(names.offset(4).limit(3), [6, 9, 2])
            Answer(names.limit(0), [])
            Answer(names.offset(10), [11])
            Answer(
                Restaurant.where(\.slug != "strasse").sorted(by: \.name, german, .descending),
                byName.reversed())
            Answer(Restaurant.where(\.rating == 4.5).sorted(by: \.name, german).limit(2), [6, 2])
            // nil first, and empty text next.
            Answer(
                Restaurant.where(\.slug != "Strasse").sorted(by: \.note, german),
                [1, 5, 7, 11, 12, 3, 6, 2, 4, 10, 8])
            // The next attribute decides among equal texts.
            Answer(
                Restaurant.all.sorted(by: \.city, german).sorted(by: \.seats, .descending),
                [12, 11, 3, 7, 10, 9, 8, 6, 5, 4, 1, 2])
            Answer(
                Restaurant.all.sorted(by: \.isOpen).sorted(by: \.city, german).limit(5), [3, 7, 5, 11, 12])
        }
        ConformanceCase(
            "Text of related items is ordered as a language orders it", proves: 8, 17, answersOf: .library
        ) {
            Answer(Book.all.sorted(by: \.author.name, german), [10, 20, 30, 40, 60, 50])
            Answer(Book.all.sorted(by: \.editor.name, german, .descending).limit(4), [40, 10, 30, 60])
            Answer(
                Book.all.sorted(by: \.shelf.room, .descending).sorted(by: \.title, german),
                [50, 30, 10, 40, 20, 60])
        }
        ConformanceCase("Each language has its own order", proves: 8) { world in
            let store = try world.open(Restaurant.self)
            try store.writeSync { accessor in
                try accessor.insert(
                    contentsOf: words.enumerated().map { Restaurant(Int64($0) + 1, name: $1) })
            }
            func order(_ locale: String, comparingNumbers: Bool = false) -> DataStoreRequest<Restaurant> {
                Restaurant.all.sorted(
                    by: \.name, .localized(Locale(identifier: locale), comparingNumbers: comparingNumbers))
            }

            try expect(order("de_DE"), gives: [3, 5, 1, 8, 9, 10, 4, 6, 7, 2], in: store)
            try expect(order("sv_SE"), gives: [3, 5, 9, 10, 4, 6, 7, 2, 1, 8], in: store)
            try expect(order("es_ES"), gives: [3, 5, 1, 8, 9, 10, 6, 4, 7, 2], in: store)
            try expect(
                order("de_DE", comparingNumbers: true), gives: [3, 5, 1, 8, 10, 9, 4, 6, 7, 2], in: store)
            // By their bytes.
            try expect(Restaurant.all.sorted(by: \.name), gives: [5, 2, 3, 9, 10, 6, 7, 8, 4, 1], in: store)
        }
        ConformanceCase(
            "Orders of one text by bytes, without case and by a language do not mix", proves: 8, 17
        ) { world in
            let store = try world.openSmallLibrary()
            try store.writeSync { accessor in
                try accessor.update(Person.where(\.name == "Ada"), .set(\.name, to: "äda"))
            }
            let byBytes = Book.all.sorted(by: \.author.name)
            let byFolded = Book.all.sorted(by: \.author.name, .caseInsensitive)
            let byLanguage = Book.all.sorted(by: \.author.name, german)
            try expect(byLanguage == Book.all.sorted(by: \.author.name, german), "equal requests")
            try expect(byLanguage != byBytes, "another request")

            // Each shape of a plan twice, as engines may keep what they have made for it.
            for _ in 0..<2 {
                try expect(byBytes, gives: [30, 40, 60, 50, 10, 20], in: store)
                try expect(byFolded, gives: [30, 40, 60, 50, 10, 20], in: store)
                try expect(byLanguage, gives: [10, 20, 30, 40, 60, 50], in: store)
                try expect(byBytes.limit(2), gives: [30, 40], in: store)
                try expect(byLanguage.limit(2), gives: [10, 20], in: store)
            }
            try expect(
                "\(byLanguage.limit(2))",
                equals: "Book order author.name[de_DE] ascending, id ascending limit 2")
            let lines = try store.read { try $0.explain(byLanguage.limit(2)) }
            try expect(
                lines.contains("sort by author.name[de_DE] ascending, top 2"),
                "a line for the order in \(lines)")
        }
        ConformanceCase("The order of a language sorts thousands of items", proves: 4, 8) { world in
            let store = try world.open(Restaurant.self)
            try store.writeSync { accessor in
                try accessor.insert(
                    contentsOf: (1...3000 as ClosedRange<Int64>).map { number in
                        Restaurant(number, name: ["äpfel", "Zebra", "apfel"][Int(number % 3)])
                    })
            }
            let names = Restaurant.all.sorted(by: \.name, german)

            try expect(names.limit(3), gives: [2, 5, 8], in: store)
            try expect(names.offset(999).limit(2), gives: [2999, 3], in: store)
            try expect(names.offset(2999), gives: [2998], in: store)
            try expect(names.sorted(by: \.id, .descending).limit(2), gives: [2999, 2996], in: store)
            try store.writeSync { accessor in
                try accessor.mutableRestaurant(7).name = "Aal"
                try expect(try accessor.ids(for: names.limit(2)).map(\.rawValue), equals: [7, 2])
                try expect(try accessor.update(names.limit(2), .set(\.seats, to: 7)), equals: 2)
            }
            try expect(Restaurant.where(\.seats == 7), gives: [2, 7], in: store)
        }
        ConformanceCase("A list follows the order of a language, and has sections", proves: 8, 21) { world in
            let store = try world.open(Restaurant.self)
            try await store.writeAsync { accessor in
                try accessor.insert(contentsOf: [
                    Restaurant(1, name: "b"), Restaurant(2, name: "Ä"), Restaurant(3, name: "C"),
                ])
            }
            let names = Restaurant.all.sorted(by: \.name, german)
            var lists = ObservedLists(store.list(names), of: store)
            try await lists.expectFirst([[2, 1, 3]])

            try await lists.expect("move 0.2→0.1, update 0.1→0.2", [[2, 3, 1]]) {
                try $0.mutableRestaurant(1).name = "D"
            }
            try await lists.expect("insert 0.0", [[4, 2, 3, 1]]) {
                _ = try $0.insert(Restaurant(4, name: "a"))
            }
            let list = try store.read { try $0.list(for: names, sectionedBy: .by(\.name)) }
            try expect(list.sections.map(\.name), equals: ["a", "Ä", "C", "D"])
        }
        ConformanceCase("No page follows an item in the order of a language", proves: 8) { world in
            let store = try world.openWithRestaurants()
            let names = Restaurant.all.sorted(by: \.seats).sorted(by: \.name, german)

            try store.read { accessor in
                try expectError(.invalidRequest) { _ = try accessor.page(of: names, size: 5) }
                try expectError(.invalidRequest) {
                    _ = try accessor.page(of: names, after: Fixture.restaurant(1), size: 5)
                }
                try expectError(.invalidRequest) {
                    _ = try accessor.page(of: names, before: Fixture.restaurant(1), size: 5)
                }
                let page = try accessor.page(2, of: names, size: 4)
                try expect(page.items.map(\.id.rawValue), equals: [2, 12, 11, 1])
            }
        }
    }
}
