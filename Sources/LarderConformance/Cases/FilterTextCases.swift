import Foundation
import Larder
import LarderText

/// Texts with patterns, calculations and arguments mean what the typed filters mean.
enum FilterTextCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("A text may have patterns, flags and calculations", proves: 6, 7) { world in
            let store = try world.openFilled()
            let texts: [(String, [Int64])] = [
                ("name LIKE[c] 'tratt*'", [1, 2]), ("name LIKE 'Zum L?wen'", [3]),
                ("NOT note LIKE[cd] '*etoile*'", Fixture.restaurants(except: 4)),
                ("name ==[cd] 'CAFE NOEL'", [4, 5]),
                ("name !=[d] 'Cafe Noel'", Fixture.restaurants(except: 4, 5)),
                ("name CONTAINS[dc] 'LOWEN'", [3]), ("name BEGINSWITH[d] 'Oto'", [6]),
                ("name ENDSWITH[cd] 'KUCHE'", [8, 9]),
                (#"name MATCHES "\\d+%.*" OR slug MATCHES 'roma(-\\d)?'"#, [1, 2, 10]),
                ("name < city", [4, 5, 7, 10]), ("slug == note", [7, 12]),
                (
                    "NOT name < city AND seats > 30",
                    [1, 3, 8, 9]
                ),
                ("seats * 2 > 80", [3, 8, 9, 10]), ("(seats + 2) * 3 == 42", [4, 5]),
                ("100 - seats < 50 AND isOpen == true", [8, 9, 10]), ("-seats < -60", [3, 10]),
                ("60 < seats * 2 - 20", [3, 8, 9, 10]), ("seats % 25 == 0", [2, 7, 10]),
                ("rating * seats > 180", [3, 9, 10]), ("seats / 2 >= rating + 26", [3, 8, 10]),
                ("((seats > 60) OR (seats + 1) == 13)", [3, 4, 5, 10]),
                ("seats * 2 == nil", []), ("NOT nil == seats * 2 AND seats > 60", [3, 10]),
            ]

            for (text, expected) in texts {
                let filter = try Filter<Restaurant>(text: text)
                try expect(Restaurant.where(filter), gives: expected, in: store)
                try expect(try Filter<Restaurant>(text: filter.text) == filter, "\(filter.text) comes back")
            }
            let library = try world.openElsewhere(
                Person.self, Passport.self, Book.self, Label.self, Shelf.self, Chapter.self)
            try library.writeSync(SmallLibrary.fill)
            let filter = try Filter<Book>(text: "author.name < editor.name OR author (name == mentor.name)")
            try expect(Book.where(filter), gives: [10, 50], in: library)
            try expect(try Filter<Book>(text: filter.text) == filter, "\(filter.text) comes back")
            let constant = try Filter<Book>(text: "editor (1 + 1 == 2) AND NOT shelf (2 < 1 + 1)")
            try expect(Book.where(constant), gives: [10, 20, 30, 40, 50, 60], in: library)
        }
        ConformanceCase("Arguments take the places of %@ and %K", proves: 6, 7, asking: .restaurants) {
            accessor in
            func expect(
                _ text: String, _ arguments: [(any AttributeStorable)?], gives expected: [Int64]
            ) throws {
                let filter = try Filter<Restaurant>(text: text, arguments: arguments)
                try LarderConformance.expect(Restaurant.where(filter), gives: expected, in: accessor)
            }

            try expect("rating > %@ AND name LIKE[cd] %@", [4, "caf*"], gives: [4])
            try expect("name == %@", ["' OR name != '"], gives: [])
            try expect("note == %@", [#"Quote ' and " and \"#], gives: [10])
            try expect("%K IN %@ AND seats < %@", ["city", ["Rome", "Paris"], 30], gives: [2, 4, 5])
            try expect("seats IN %@", [Set([12, 8])], gives: [4, 5, 6])
            try expect("openedAt == %@ OR slug == %@", [Fixture.day(1.5), nil], gives: [3, 4, 7, 12])
            try expect(
                "isOpen == %@ AND rating BETWEEN %@ AND %@", [true, 4.0, 4.5], gives: [1, 2, 6, 11, 12])
            try expect("id == %@", [ItemID<Restaurant>(rawValue: 5)], gives: [5])
            try expect("seats * %@ > %@", [2, 80], gives: [3, 8, 9, 10])
            try expect("%@ < seats", [60], gives: [3, 10])
            try expect("rating == %@", [Double.infinity], gives: [9])
            try expect("seats == %@", [Int8(12)], gives: [4, 5])
            try LarderConformance.expect(
                try Restaurant.all.filter(text: "city == %@", arguments: ["Rome"]), gives: [1, 2],
                in: accessor)
        }
        ConformanceCase("Wrong arguments are refused with their place", proves: 10) { world in
            func refused(
                _ text: String, _ arguments: [(any AttributeStorable)?], _ code: DataStoreError.Code,
                _ column: Int
            ) throws {
                let error = try expectError(code) {
                    _ = try Filter<Restaurant>(text: text, arguments: arguments)
                }
                try expect(
                    error.message.contains("column \(column):"), "column \(column) in \(error.message)")
            }

            try refused("rating > %@ AND name == %@", [4], .invalidText, 25)
            try refused("rating > %@", [], .invalidText, 10)
            try refused("rating > %@", [4, 5], .invalidText, 12)
            try refused("rating > %@", ["4"], .wrongType, 10)
            try refused("seats == %@", [4.5], .wrongType, 10)
            try refused("name == %@", [4], .wrongType, 9)
            try refused("name == %@", [["a"]], .invalidText, 9)
            try refused("seats IN %@", [4], .invalidText, 10)
            try refused("%K == 4", ["seat"], .unknownAttribute, 1)
            try refused("%K == 4", [4], .invalidText, 1)
            try refused("rating > %@", [Double.nan], .invalidValue, 10)
            let error = try expectError(.invalidText) { _ = try Filter<Restaurant>(text: "rating > %@") }
            try expect(error.message.contains("column 10:"), "the place in \(error.message)")
        }
    }
}
