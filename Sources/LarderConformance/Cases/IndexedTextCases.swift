import Larder

/// Texts that no engine's index can hold whole.
enum IndexedTextCases {
    static let all: [ConformanceCase] = [
        ConformanceCase(
            "Texts too long for an index are found and sorted by all of their bytes", proves: 7, 8, 10,
            answersOf: .longNames
        ) {
            Answer(Restaurant.all.sorted(by: \.city), [5, 3, 1, 6, 2, 4])
            Answer(Restaurant.all.sorted(by: \.city, .descending), [4, 2, 6, 1, 3, 5])
            Answer(Restaurant.all.sorted(by: \.slug), [4, 5, 3, 1, 2, 6])
            Answer(Restaurant.where(\.city == LongText.first), [1, 6])
            Answer(Restaurant.where(\.city != LongText.first), [2, 3, 4, 5])
            Answer(Restaurant.where(\.city > LongText.base), [1, 2, 4, 6])
            Answer(Restaurant.where(\.city <= LongText.first), [1, 3, 5, 6])
            Answer(Restaurant.where(\.city >= LongText.second).sorted(by: \.city), [2, 4])
            Answer(Restaurant.where(.hasPrefix(\.city, LongText.base)), [1, 2, 3, 6])
            Answer(Restaurant.where(.hasPrefix(\.city, LongText.second)), [2])
            Answer(Restaurant.where(.hasPrefix(\.city, "")), [1, 2, 3, 4, 5, 6])
            Answer(Restaurant.where(.isIn(\.city, [LongText.second, LongText.other, "x"])), [2, 4])
            Answer(Restaurant.where(!.isIn(\.city, [LongText.second, LongText.other])), [1, 3, 5, 6])
            Answer(Restaurant.where(\.slug == nil), [4, 5])
            Answer(Restaurant.where(\.slug == LongText.second), [2])
            Answer(Restaurant.where(\.slug < LongText.second).sorted(by: \.slug, .descending), [1, 3])
        },
        ConformanceCase("Texts too long for an index are unique by all of their bytes", proves: 10, 11) {
            world in
            let store = try world.open(Restaurant.self)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: LongText.restaurants)
                let error = try expectError(.uniqueViolation) {
                    try accessor.insert(Restaurant(10, slug: LongText.first))
                }
                try expect(error.identifier, equals: .integer(1))
                try accessor.insert(Restaurant(11, slug: LongText.base + "c"))
            }
            try store.writeSync { accessor in
                let (first, second) = (try accessor.mutableRestaurant(1), try accessor.mutableRestaurant(2))
                (first.slug, second.slug) = (second.slug, first.slug)
            }

            try expect(Restaurant.where(\.slug == LongText.first), gives: [2], in: store)
            try expect(Restaurant.where(\.slug == LongText.second), gives: [1], in: store)
            try expect(Restaurant.where(\.slug == LongText.base + "c"), gives: [11], in: store)
        },
    ]
}

/// Texts of 10,000 characters that do not compress.
enum LongText {
    static let base = text(from: "m", seed: 1)
    static let first = base + "a"
    static let second = base + "b"
    static let other = text(from: "z", seed: 2)

    static let restaurants = [
        Restaurant(1, city: first, slug: first), Restaurant(2, city: second, slug: second),
        Restaurant(3, city: base, slug: base), Restaurant(4, city: other), Restaurant(5, city: ""),
        Restaurant(6, city: first, slug: other),
    ]

    private static func text(from start: String, seed: UInt64) -> String {
        var generator = SplitMix64(state: seed)
        let scalars = (0..<9999).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0x21...0x2FFF, using: &generator))
        }
        return scalars.reduce(into: start) { $0.unicodeScalars.append($1) }
    }
}
