import struct Foundation.URL
import Larder

/// Text is its UTF-8 bytes, unless case is ignored on purpose.
enum TextCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Text is equal when its bytes are, not when it looks the same", proves: 7, answersOf: .restaurants
        ) {
            [
                (\.name == Fixture.composed, [4]), (\.name == Fixture.decomposed, [5]),
                (\.name != Fixture.composed, Fixture.restaurants(except: 4)),
                (.isIn(\.name, [Fixture.composed, Fixture.decomposed]), [4, 5]),
                (\.slug == "strasse", [8]), (\.slug == "Strasse", [9]), (\.city == "rome", []),
                (\.city == "Rome ", []), (\.city == "Rom", []), (\.name == "", [7]),
                (\.name < Fixture.composed, [5, 7, 10]), (\.name >= "\u{14C}", [6, 11, 12]),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase("contains, hasPrefix and hasSuffix compare bytes", proves: 7, answersOf: .restaurants)
        {
            [
                (.contains(\.name, "a"), [1, 2, 4, 5, 8, 10]), (.contains(\.name, "e\u{301}"), [5]),
                (.contains(\.name, "\u{E9}"), [4]), (.contains(\.name, "Cafe"), [5]),
                (.contains(\.name, "\u{1F363}"), [6]), (.hasPrefix(\.name, "Cafe"), [5]),
                (.hasPrefix(\.name, "Caf"), [4, 5]), (.hasPrefix(\.name, "T"), [1]),
                (.hasPrefix(\.name, "Trattoria Roma!"), []), (.hasSuffix(\.name, "roma"), [2]),
                (.hasSuffix(\.name, "l"), [4, 5]), (.hasSuffix(\.name, "\u{308}l"), [5]),
                (.hasSuffix(\.name, "Trattoria Roma"), [1]), (.contains(\.name, "enk"), [8]),
                (!.contains(\.name, "a"), [3, 6, 7, 9, 11, 12]),
                (!.hasPrefix(\.city, "B"), [1, 2, 4, 5, 6, 11, 12]),
                (.hasPrefix(\.city, "B") && .hasSuffix(\.city, "n"), [8, 9, 10]),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase(
            "Signs that are wild cards elsewhere stand for themselves", proves: 7, answersOf: .restaurants
        ) {
            [
                (.contains(\.name, "%"), [10]), (.contains(\.name, "_"), [10]),
                (.contains(\.name, "*"), [10]),
                (.hasPrefix(\.name, "100%"), [10]), (.hasPrefix(\.name, "%"), []),
                (.hasSuffix(\.name, "*"), [10]),
                (.hasSuffix(\.name, "%"), []), (.contains(\.name, "?"), []),
                (.contains(\.name, "T%a"), []),
                (.contains(\.name, "[T]"), []), (.contains(\.name, "."), []),
                (.contains(\.name, "VEGAN_", .caseInsensitive), [10]),
                (.contains(\.name, "VEGAN%", .caseInsensitive), []),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase("Quotes and backslashes in values are only text", proves: 7, answersOf: .restaurants)
        {
            [
                (\.note == "Quote ' and \" and \\", [10]), (.contains(\.note, "'"), [10]),
                (.contains(\.note, "\""), [10]), (.hasSuffix(\.note, "\\"), [10]),
                (\.name == "' OR 1=1 --", []), (\.name == "x'; DROP TABLE Restaurant; --", []),
                (.isIn(\.name, ["'", "\"", "''"]), []), (.contains(\.name, "?1"), []),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase("Case is told apart unless asked otherwise", proves: 7, answersOf: .restaurants) {
            [
                (.contains(\.name, "trattoria"), [2]), (.contains(\.name, "trattoria", .exact), [2]),
                (.contains(\.name, "trattoria", .caseInsensitive), [1, 2]),
                (.hasPrefix(\.name, "TRATT", .caseInsensitive), [1, 2]),
                (.hasSuffix(\.name, "ROMA", .caseInsensitive), [1, 2]),
                (.equals(\.name, "TRATTORIA ROMA", .caseInsensitive), [1, 2]),
                (.equals(\.name, "TRATTORIA ROMA", .exact), []),
                (.equals(\.name, "Trattoria Roma", .exact), [1]),
                (!.equals(\.city, "BERLIN", .caseInsensitive), Fixture.restaurants(except: 8, 9, 10)),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase(
            "Ignoring case works beyond ASCII, and for one letter against two", proves: 7,
            answersOf: .restaurants
        ) {
            [
                (.equals(\.name, "strassenk\u{FC}che", .caseInsensitive), [8, 9]),
                (.contains(\.name, "STRA\u{DF}", .caseInsensitive), [8, 9]),
                (.contains(\.name, "K\u{DC}CHE", .caseInsensitive), [8, 9]),
                (.contains(\.note, "\u{E9}toile", .caseInsensitive), [4]),
                (.equals(\.note, "strasse", .caseInsensitive), [8, 9]),
                (
                    .equals(
                        \.name, "\u{3A3}\u{3AF}\u{3C3}\u{3C5}\u{3C6}\u{3BF}\u{3C3}", .caseInsensitive),
                    [11, 12]
                ),
                (.hasSuffix(\.name, "\u{3A3}", .caseInsensitive), [11, 12]),
                (.hasPrefix(\.name, "\u{14D}TORO", .caseInsensitive), [6]),
                (.contains(\.name, "\u{212A}\u{FC}", .caseInsensitive), [8, 9]),
                (.contains(\.name, "l\u{D6}wen", .caseInsensitive), [3]),
                (.contains(\.name, "\u{1F363}", .caseInsensitive), [6]),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase(
            "Ignoring case does not ignore accents or their composition", proves: 7, answersOf: .restaurants
        ) {
            [
                (.contains(\.name, "CAF\u{C9}", .caseInsensitive), [4]),
                (.contains(\.name, "CAFE\u{301}", .caseInsensitive), [5]),
                (.contains(\.name, "cafe", .caseInsensitive), [5]),
                (.contains(\.name, "lowen", .caseInsensitive), []),
                (.equals(\.name, "Sisyphos", .caseInsensitive), []),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase(
            "Empty text is contained in all text and not in nil", proves: 6, 7, answersOf: .restaurants
        ) {
            let all = Fixture.restaurants()
            let noted: [Int64] = [2, 3, 4, 6, 8, 9, 10]

            [
                (.contains(\.name, ""), all), (.hasPrefix(\.name, ""), all),
                (.hasSuffix(\.name, ""), all),
                (.contains(\.name, "", .caseInsensitive), all), (.contains(\.note, ""), noted),
                (.hasPrefix(\.note, ""), noted), (.hasSuffix(\.note, "", .caseInsensitive), noted),
                (!.contains(\.note, ""), [1, 5, 7, 11, 12]), (.equals(\.note, "", .caseInsensitive), [3]),
                (.equals(\.name, "", .exact), [7]),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase("NUL is a character like any other", proves: 7, 9) { world in
            let store = try world.openFilled()

            try expect(
                [
                    (.contains(\.note, "\u{0}"), [6]), (\.note == "bar\u{0}counter", [6]),
                    (\.note == "bar", []),
                    (\.note == "bar\u{0}", []), (.hasPrefix(\.note, "bar\u{0}c"), [6]),
                    (.hasSuffix(\.note, "counter"), [6]),
                    (.contains(\.note, "R\u{0}COUNT", .caseInsensitive), [6]),
                    (.isIn(\.note, ["bar", "bar\u{0}counter"]), [6]), (\.note > "bar" && \.note < "bas", [6]),
                ] as [(Filter<Restaurant>, [Int64])], in: store)
            try expect(text: try store.restaurant(6)?.note, equals: "bar\u{0}counter")
        }
        ConformanceCase("A text filter is false for nil, its NOT true", proves: 6, 7, answersOf: .restaurants)
        {
            [
                (.hasPrefix(\.note, "S"), [8]),
                (!.hasPrefix(\.note, "S"), Fixture.restaurants(except: 8)),
                (.contains(\.slug, "roma"), [1, 2]),
                (!.contains(\.slug, "roma"), Fixture.restaurants(except: 1, 2)),
                (.hasSuffix(\.slug, "ROMA", .caseInsensitive), [1]),
                (!.hasSuffix(\.slug, "ROMA", .caseInsensitive), Fixture.restaurants(except: 1)),
                (.hasPrefix(\.slug, "noel") && \.note == nil, [5]),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase(
            "A prefix finds what begins with it up to the last scalar", proves: 7
        ) { world in
            let store = try world.open(Keyed<Int64>.self)
            let labels = [
                "a", "a\u{7F}", "a\u{80}", "a\u{FFFF}", "a\u{10FFFF}", "a\u{10FFFF}b", "b", "\u{10FFFF}",
            ]
            try store.writeSync { accessor in
                for (id, label) in labels.enumerated() { try accessor.insert(Keyed(Int64(id), label: label)) }
            }

            try expect(
                [
                    (.hasPrefix(\.label, "a"), [0, 1, 2, 3, 4, 5]),
                    (.hasPrefix(\.label, "a\u{10FFFF}"), [4, 5]),
                    (.hasPrefix(\.label, "a\u{FFFF}"), [3]), (.hasPrefix(\.label, "\u{10FFFF}"), [7]),
                    (\.label > "a\u{10FFFF}", [5, 6, 7]),
                ] as [(Filter<Keyed<Int64>>, [Int64])], in: store)
            try expect(Keyed<Int64>.all.sorted(by: \.label), gives: Array(0...7), in: store)
        }
        ConformanceCase("Text is ordered by its UTF-8 bytes", proves: 7, 8, answersOf: .restaurants) {
            let byName: [Int64] = [7, 10, 5, 4, 9, 8, 1, 3, 2, 6, 11, 12]

            Answer(Restaurant.all.sorted(by: \.name), byName)
            Answer(Restaurant.all.sorted(by: \.name, .descending), byName.reversed())
        }
        ConformanceCase(
            "Long text that differs in its last byte is told apart", proves: 7, 10
        ) { world in
            let store = try world.open(Keyed<Int64>.self)
            let base = String(repeating: "x", count: 20_000)
            try store.writeSync { accessor in
                for (id, end) in ["c", "a", "b", "", "aa"].enumerated() {
                    try accessor.insert(Keyed(Int64(id), label: base + end))
                }
            }

            for (id, end) in ["c", "a", "b", "", "aa"].enumerated() {
                try expect(Keyed<Int64>.where(\.label == base + end), gives: [Int64(id)], in: store)
            }
            try expect(Keyed<Int64>.where(\.label == base + "d"), gives: [Int64](), in: store)
            try expect(Keyed<Int64>.where(\.label >= base + "aa"), gives: [0, 2, 4], in: store)
            try expect(Keyed<Int64>.where(\.label < base + "aa"), gives: [1, 3], in: store)
            try expect(Keyed<Int64>.all.sorted(by: \.label), gives: [3, 1, 4, 2, 0], in: store)
            try expect(Keyed<Int64>.all.sorted(by: \.label, .descending), gives: [0, 2, 4, 1, 3], in: store)
            try expectError(.uniqueViolation, writingTo: store) {
                try $0.insert(Keyed<Int64>(9, label: base + "b"))
            }
        }
        ConformanceCase(
            "Text of growing length with one beginning is kept in order", proves: 7, 10
        ) { world in
            let store = try world.open(Keyed<Int64>.self)
            let lengths = [
                0, 1, 7, 8, 9, 15, 16, 63, 64, 127, 128, 200, 255, 256, 257, 400, 511, 512, 1_024, 4_096,
            ]
            try store.writeSync { accessor in
                for (id, length) in lengths.enumerated().reversed() {
                    try accessor.insert(Keyed(Int64(id), label: String(repeating: "\u{E9}", count: length)))
                }
            }

            try expect(Keyed<Int64>.all.sorted(by: \.label), gives: Array(0..<20), in: store)
            for (id, length) in lengths.enumerated() {
                let label = String(repeating: "\u{E9}", count: length)
                try expect(Keyed<Int64>.where(\.label == label), gives: [Int64(id)], in: store)
                try expect(Keyed<Int64>.where(\.label < label), gives: Array(0..<Int64(id)), in: store)
                try expect(
                    Keyed<Int64>.where(.hasPrefix(\.label, label)), gives: Array(Int64(id)..<20), in: store)
            }
        }
        ConformanceCase("Addresses can be searched like text", proves: 7) { world in
            let store = try world.open(Holder<URL>.self)
            let texts = ["https://example.com/Menu?x=1", "file:///menus/today", "https://example.org/"]
            try store.writeSync { accessor in
                for (id, text) in texts.enumerated() {
                    let url = try require(URL(string: text))
                    try accessor.insert(Holder(Int64(id), url, optional: id == 0 ? nil : url))
                }
            }

            try expect(
                [
                    (.hasPrefix(\.plain, "https://"), [0, 2]), (.contains(\.indexed, "example.org"), [2]),
                    (.contains(\.plain, "MENU", .caseInsensitive), [0, 1]),
                    (.hasSuffix(\.optional, "/"), [2]),
                    (!.hasPrefix(\.optionalIndexed, "file"), [0, 2]),
                ] as [(Filter<Holder<URL>>, [Int64])], in: store)
        }
    }
}
