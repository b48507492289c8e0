import Foundation
import Larder

/// Arrays, sets and dictionaries are attributes, stored as JSON that is the same for equal values.
enum CollectionCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Arrays, sets and dictionaries come back equal", proves: 9) { world in
            let store = try world.open(Basket.self)
            try store.writeSync { try $0.insert(contentsOf: [Basket(id: 1), full]) }

            let again = try world.reopen(Basket.self)
            try expect(try again.items(Basket.all), equals: [Basket(id: 1), full])
            let names: [[String]] = try again.read { try $0.values(for: Basket.all, \.names) }
            try expect(names, equals: [[], ["b", "a", "", "\u{E9}", "a\u{0}\"/"]])
            try expect(Basket.where(\.id == 2), gives: [2], in: again)
        }
        ConformanceCase("Collections are stored in one order, whatever theirs is", proves: 9) { world in
            let store = try world.open(Basket.self)
            try store.writeSync { try $0.insert(contentsOf: [Basket(id: 1), full]) }

            let raw = try world.reopen(Versioned<BasketAsStored>.self)
            try expect(
                try raw.items(Versioned<BasketAsStored>.all),
                equals: [
                    Versioned(
                        1, .text("[]"), .text("[]"), .text("{}"), .text("[]"), .null, .text("{}")),
                    Versioned(
                        2, .text(#"["b","a","","é","a\u0000\"/"]"#), .text(#"["dessert","main","starter"]"#),
                        .text(#"{"":0,"a":-9223372036854775808,"b":9223372036854775807,"é/":1}"#),
                        .text("[-1,[],0,[1],300,[0.1,-1.5e+300]]"), .text("[0.1,null]"),
                        .text(#"{"-2":[],"10":[0.1,3],"9":[7]}"#)),
                ])
        }
        ConformanceCase("A collection is changed in place through a handle", proves: 4, 9) { world in
            let store = try world.open(Basket.self)
            try store.writeSync { accessor in
                let basket = try accessor.insert(full)
                basket.names.append("last")
                basket.counts["a"] = nil
                try accessor.update(Basket.all, .set(\.courses, to: [.main]))
            }

            var expected = full
            expected.names.append("last")
            expected.counts["a"] = nil
            expected.courses = [.main]
            try expect(try store.items(Basket.all), equals: [expected])
        }
        ConformanceCase("A collection with NaN in it is refused", proves: 9) { world in
            let store = try world.open(Basket.self)

            let error = try expectError(.invalidValue) {
                try store.writeSync { _ = try $0.insert(Basket(id: 1, levels: [.easy: [.nan]])) }
            }

            try expect(error.attribute, equals: "levels")
            try expect(try store.count(Basket.all), equals: 0)
        }
        ConformanceCase("A decimal number that is NaN is refused inside JSON too", proves: 9) { world in
            let store = try world.open(Basket.self)

            let error = try expectError(.invalidValue, writingTo: store) {
                try $0.insert(Basket(id: 1, prices: [1: [2, .nan]]))
            }

            try expect(error.attribute, equals: "prices")
            try expect(try store.count(Basket.all), equals: 0)
            try expectError(.invalidValue) { _ = try Constant(encoding: Weight(grams: .nan)) }
            try expect(try Constant(encoding: Weight(grams: 2)), equals: .text(#"{"grams":2}"#))
        }
        ConformanceCase("A URL relative to a base is refused inside collections too", proves: 9) { _ in
            let relative = try require(
                URL(string: "menu.html", relativeTo: URL(string: "https://example.com/a/")))
            let absolute = relative.absoluteURL

            try expectError(.invalidValue) { _ = try Constant(encoding: [absolute, relative]) }
            try expectError(.invalidValue) { _ = try Constant(encoding: [nil, [relative]] as [[URL]?]) }
            try expectError(.invalidValue) { _ = try Constant(encoding: Set([relative])) }
            try expectError(.invalidValue) { _ = try Constant(encoding: ["menu": relative]) }
            try expectError(.invalidValue) { _ = try Constant(encoding: [relative: 1]) }
            try expect(
                try Constant(encoding: [absolute, nil] as [URL?]),
                equals: .text(#"["https://example.com/a/menu.html",null]"#))
        }
    }

    private struct Weight: CodableAttribute {
        var grams: Decimal
    }

    private static let full = Basket(
        id: 2, names: ["b", "a", "", "\u{E9}", "a\u{0}\"/"], courses: [.dessert, .starter, .main],
        counts: ["b": .max, "a": .min, "": 0, "\u{E9}/": 1],
        levels: [.hard: [0.1, -1.5e300], .easy: [], .medium: [1]],
        dates: [Date(timeIntervalSinceReferenceDate: 0.1), nil],
        prices: [10: [Decimal(string: "0.1") ?? 0, 3], -2: [], 9: [7]])
}
