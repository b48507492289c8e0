import Larder

/// Texts that no engine's index can hold whole.
enum IndexedTextCases {
    @CaseList static var all: [ConformanceCase] {
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
        }
        ConformanceCase("Texts too long for an index are unique by all of their bytes", proves: 10, 11) {
            world in
            let store = try world.open(Restaurant.self, Dish.self, Visitor.self)
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
            try expectUniqueInPairs(in: store)
            try expectUniqueWhenFolded(in: store)
        }
    }

    /// A long text is one of two attributes that are unique together.
    private static func expectUniqueInPairs(in store: any DataStore) throws {
        let (first, second) = (LongText.first, LongText.second)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [
                Dish(1, at: 1, name: first), Dish(2, at: 1, name: second), Dish(3, at: 2, name: first),
            ])
            let error = try expectError(.uniqueViolation) {
                try accessor.insert(Dish(4, at: 2, name: first))
            }
            try expect(error.identifier, equals: .integer(3))
        }

        let one = ItemID<Restaurant>(rawValue: 1)
        try expect(Dish.where(\.restaurant == one && \.name == first), gives: [1], in: store)
        try expect(
            Dish.all.sorted(by: \.restaurant, .descending).sorted(by: \.name), gives: [3, 1, 2], in: store)
    }

    /// A long text is unique, and has an index, without regard to case or diacritics.
    private static func expectUniqueWhenFolded(in store: any DataStore) throws {
        let (base, first, second) = (LongText.base, LongText.first, LongText.second)
        let both: TextMatching = [.caseInsensitive, .diacriticInsensitive]
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [
                Visitor(1, second, nickname: first), Visitor(2, first, nickname: base + "\u{C1}"),
                Visitor(3, LongText.other, nickname: second),
            ])
            let error = try expectError(.uniqueViolation) {
                try accessor.insert(Visitor(4, base + "A"))
            }
            try expect(error.identifier, equals: .integer(2))
        }

        try expect(Visitor.where(.equals(\.name, base + "B", .caseInsensitive)), gives: [1], in: store)
        try expect(Visitor.where(.equals(\.nickname, base + "A", both)), gives: [1, 2], in: store)
        try expect(Visitor.all.sorted(by: \.nickname, both, .descending), gives: [3, 2, 1], in: store)
        try expect(Visitor.all.sorted(by: \.name, .caseInsensitive), gives: [2, 1, 3], in: store)
    }
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
