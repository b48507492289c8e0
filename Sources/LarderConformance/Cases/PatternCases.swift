import Larder

/// Patterns and tests without diacritics find the same text on every engine.
enum PatternCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "LIKE fits the whole text, with * and ? as wild cards", proves: 7, answersOf: .restaurants
        ) {
            [
                (.like(\.name, "Trattoria*"), [1]),
                (.like(\.name, "trattoria*", .caseInsensitive), [1, 2]),
                (.like(\.name, "*roma"), [2]), (.like(\.name, "*o?a*"), [1, 2]),
                (.like(\.name, "T*R*a"), [1]), (.like(\.name, "T*R*b"), []),
                (.like(\.name, "Trattoria"), []),
                (.like(\.name, ""), [7]), (.like(\.name, "*"), Fixture.restaurants()),
                (.like(\.name, "?*"), Fixture.restaurants(except: 7)), (.like(\.name, "Caf? No?l"), [4]),
                (.like(\.name, "Cafe? Noe?l"), [5]), (.like(\.name, #"*\*"#), [10]),
                (.like(\.name, #"100\% Vegan_Bar?"#), [10]), (.like(\.name, "100% Vegan_Bar\\?"), []),
                (.like(\.name, "stra\u{DF}*", .caseInsensitive), [8, 9]),
                (.like(\.name, "*ss?nk*e", .caseInsensitive), [8, 9]), (.like(\.name, "*\u{1F363}"), [6]),
                (.like(\.name, "?toro ?"), [6]), (.like(\.name, "*a*a*"), [1, 2, 10]),
                (.like(\.name, "**Roma**"), [1]), (.like(\.city, "B*n"), [8, 9, 10]),
                (.like(\.city, "Rom?") && \.seats > 30, [1]),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase("A pattern is false for nil, its NOT true", proves: 6, 7, answersOf: .restaurants) {
            [
                (.like(\.note, "*"), [2, 3, 4, 6, 8, 9, 10]), (!.like(\.note, "*"), [1, 5, 7, 11, 12]),
                (.like(\.note, "C*y"), [2]), (!.like(\.note, "C*y"), Fixture.restaurants(except: 2)),
                (!.like(\.note, "*only"), Fixture.restaurants(except: 2)),
                (.matches(\.note, ".*"), [2, 3, 4, 6, 8, 9, 10]),
                (.matches(\.note, "C.*y"), [2]),
                (!.matches(\.note, "C.*y"), Fixture.restaurants(except: 2)),
                (!(.matches(\.note, "[CS].*") || \.seats < 60), [3, 9, 10]),
                (.like(\.slug, "roma*"), [1, 2]), (!.like(\.slug, "roma*") && \.seats > 60, [3, 10]),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase(
            "Ignoring diacritics finds text with and without them", proves: 7, answersOf: .restaurants
        ) {
            let plain: TextMatching = .diacriticInsensitive

            [
                (.equals(\.name, "Cafe Noel", plain), [4, 5]), (.equals(\.name, "cafe noel", plain), []),
                (.equals(\.name, "cafe noel", both), [4, 5]),
                (.equals(\.name, Fixture.composed, plain), [4, 5]),
                (.contains(\.name, "No\u{EB}", plain), [4, 5]), (.contains(\.name, "lowen", both), [3]),
                (.hasPrefix(\.name, "Otoro", plain), [6]), (.hasPrefix(\.name, "otoro", plain), []),
                (.hasSuffix(\.name, "kuche", both), [8, 9]), (.equals(\.note, "etoile", both), [4]),
                (.like(\.name, "caf? n*l", both), [4, 5]),
                (.matches(\.name, "caf[e\u{E8}] no.l", both), [4, 5]),
                (.equals(\.name, "\u{3C3}\u{3B9}\u{3C3}\u{3C5}\u{3C6}\u{3BF}\u{3C3}", both), [11, 12]),
                (!.contains(\.note, "e", plain), [1, 2, 3, 4, 5, 7, 8, 11, 12]),
                (.contains(\.name, "", plain), Fixture.restaurants()),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase("A regular expression fits the whole text", proves: 7, answersOf: .restaurants) {
            [
                (.matches(\.name, "Trattoria Roma"), [1]), (.matches(\.name, "Trattoria"), []),
                (.matches(\.name, "(?i)trattoria roma"), [1, 2]),
                (.matches(\.name, "[Tt]ratt\\w+ .*"), [1, 2]), (.matches(\.name, ""), [7]),
                (.matches(\.name, "\\d{2,3}%.*"), [10]), (.matches(\.name, "\\d{1,2}%.*"), []),
                (.matches(\.name, ".*(roma|Roma)"), [1, 2]),
                (.matches(\.name, "\\w+ \\w+"), [1, 2, 3, 4, 5]),
                (.matches(\.name, "^Caf(\u{E9}|e\u{301}) No.{1,2}l$"), [4, 5]),
                (.matches(\.name, "[^a-zA-Z]*"), [7, 11, 12]),
                (.matches(\.name, "stra\u{DF}enk\u{FC}che", .caseInsensitive), [8, 9]),
                (.matches(\.name, "[A-Z]+.*", .caseInsensitive), [1, 2, 3, 4, 5, 8, 9]),
                (.matches(\.name, ".*\\bRoma\\b.*"), [1]), (.matches(\.name, ".*\\Boma"), [1, 2]),
                (.matches(\.note, "bar\\x00counter"), [6]), (.matches(\.note, ".*['\"].*\\\\"), [10]),
                (.matches(\.slug, "[a-z]+(-\\d)?"), [1, 2, 4, 5, 6, 8, 10, 11]),
                (.matches(\.slug, "(?:roma|noel)-2"), [2, 5]),
                (.matches(\.slug, "(ro|ma|no|el)*"), [1, 4]),
                (!.matches(\.slug, "[^s].*"), [3, 7, 8, 11, 12]),
            ] as [(Filter<Restaurant>, [Int64])]
        }
        ConformanceCase(
            "A mistake in a pattern is named, and the store works on", proves: 10, asking: .restaurants
        ) { accessor in
            let patterns = [
                "(ab": "\"(\"", "ab)": "\")\"", "a**": "\"**\"", "*a": "\"*\"", "a{3": "\"{3\"",
                "[b": "\"[\"",
                "[z-a]": "\"z-a\"", "a{5,2}": "\"{5,2}\"", "\\q": "\"\\q\"", "(?=a)": "\"(?=\"",
                "(a)\\1": "\"\\1\"", "a\\": "\"\\\"", "x{2000}": "\"{2000}\"",
                "\\u{110000}": "\"\\u{110000}\"",
            ]

            for (pattern, part) in patterns {
                let request = Restaurant.where(.matches(\.name, pattern))
                let error = try expectError(.invalidRequest) { try request.validate() }
                try expect(error.message.contains(part), "\(part) in \(error.message)")
                try expect(error.attribute, equals: "name")
                try expectError(.invalidRequest) { _ = try accessor.items(for: request) }
                try expectError(.invalidRequest) { _ = try accessor.countItems(for: request) }
            }
            let repeated = "((a{100}){100}){100}"
            try expectError(.invalidRequest) {
                _ = try accessor.items(for: Restaurant.where(.matches(\.name, repeated)))
            }
            let long = String(repeating: "a", count: 1001)
            try expectError(.invalidRequest) {
                _ = try accessor.items(for: Restaurant.where(.matches(\.name, long)))
            }
            try expectError(.invalidRequest) {
                _ = try accessor.items(for: Restaurant.where(.like(\.name, long)))
            }
            try expectError(.invalidRequest) {
                _ = try accessor.items(for: Restaurant.where(.like(\.name, "a\\")))
            }
            try expect(Restaurant.where(.matches(\.name, "Z.*")), gives: [3], in: accessor)
        }
        ConformanceCase("A hostile pattern on a long text is answered", proves: 7, 10) { world in
            let store = try world.open(Restaurant.self)
            let text = String(repeating: "a", count: 2_000)
            try store.writeSync {
                try $0.insert(contentsOf: [Restaurant(1, name: text), Restaurant(2, name: "ab")])
            }

            for pattern in ["(a*)*b", "(a|a)*b", "(a|aa)+b", "a*a*a*a*a*b", "(a?){50}a{50}b|(a*)*b"] {
                try expect(Restaurant.where(.matches(\.name, pattern)), gives: [2], in: store)
            }
            try expect(Restaurant.where(.matches(\.name, "((a?){20}a*)*")), gives: [1], in: store)
            try expect(Restaurant.where(.like(\.name, "*a*a*a*a*a*b")), gives: [Int64](), in: store)
        }
        ConformanceCase("A pattern finds what an index would", proves: 7, 13, answersOf: .restaurants) {
            for (pattern, expression) in [
                ("B*l", "B.*l"), ("Be*n", "Be.*n"), ("Rom?", "Rom."), ("B*", "B+.*"),
            ] {
                let expected = Fixture.restaurants.filter { restaurant in
                    switch pattern {
                    case "B*l": restaurant.city == "Basel"
                    case "Be*n": restaurant.city == "Berlin"
                    case "Rom?": restaurant.city == "Rome"
                    default: restaurant.city.hasPrefix("B")
                    }
                }.map(\.id.rawValue)
                Answer(Restaurant.where(.like(\.city, pattern)), expected)
                Answer(Restaurant.where(.matches(\.city, expression)), expected)
                Answer(
                    Restaurant.where(.like(\.city, pattern)).sorted(by: \.seats, .descending).limit(2),
                    Fixture.restaurants.filter { expected.contains($0.id.rawValue) }
                        .sorted { ($0.seats, $0.id.rawValue) > ($1.seats, $1.id.rawValue) }.prefix(2)
                        .map { AnyItemID.itemID($0.id.rawValue) })
            }
        }
        // Patterns of few letters, compared with a search that tries everything.
        ConformanceCase("Patterns agree with a search one letter at a time", proves: 7) { world in
            let seed = ConformanceSeed.value
            var random = RandomLibrary(seed: seed)
            let store = try world.open(Restaurant.self)
            let letters = ["a", "b", "A", "\u{E9}", "e", "\u{DF}"]
            let texts = (0..<60).map { _ in
                (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    letters.randomElement(using: &random) ?? ""
                }
                .joined()
            }
            try store.writeSync { accessor in
                for (index, text) in texts.enumerated() {
                    try accessor.insert(Restaurant(Int64(index + 1), name: text))
                }
            }
            for _ in 0..<40 {
                let signs = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                    (letters + ["*", "?", "*", "?"]).randomElement(using: &random) ?? "*"
                }
                let pattern = signs.joined()
                let expression = signs.map { $0 == "*" ? ".*" : ($0 == "?" ? "." : $0) }.joined()
                let expected = texts.enumerated().filter { _, text in
                    fits(Array(pattern.unicodeScalars)[...], Array(text.unicodeScalars)[...])
                }.map { Int64($0.offset + 1) }
                do {
                    try expect(Restaurant.where(.like(\.name, pattern)), gives: expected, in: store)
                    try expect(Restaurant.where(.matches(\.name, expression)), gives: expected, in: store)
                    let others = (1...Int64(texts.count)).filter { !expected.contains($0) }
                    try expect(Restaurant.where(!.matches(\.name, expression)), gives: others, in: store)
                } catch {
                    throw ConformanceFailure.seeded(error, seed)
                }
            }
        }
    }

    private static let both: TextMatching = [.caseInsensitive, .diacriticInsensitive]

    private static func fits(
        _ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>
    ) -> Bool {
        guard let sign = pattern.first else { return text.isEmpty }
        switch sign {
        case "*":
            return fits(pattern.dropFirst(), text) || !text.isEmpty && fits(pattern, text.dropFirst())
        case "?": return !text.isEmpty && fits(pattern.dropFirst(), text.dropFirst())
        default: return text.first == sign && fits(pattern.dropFirst(), text.dropFirst())
        }
    }
}
