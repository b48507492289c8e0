import Larder

/// Values whose stored form the app does not fully know: enums of later versions, JSON of other programs.
enum StoredFormCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "An unknown enum value is undecodable, and the error says where", proves: 9
        ) { world in
            try storeMeals(in: world)
            let store = try world.reopen(Meal<Strict>.self)

            let error = try expectError(.undecodable) { _ = try store.item(2, of: Meal<Strict>.self) }
            try expect(error.itemType, equals: "Meal")
            try expect(error.attribute, equals: "course")
            try expect(error.identifier, equals: .integer(2))
            try expect(error.message.contains("brunch"), "the raw value in the message: \(error.message)")
            let other = try expectError(.undecodable) { _ = try store.item(3, of: Meal<Strict>.self) }
            try expect(other.attribute, equals: "level")
            try expect(other.message.contains("77"), "the raw value in the message: \(other.message)")
            try expectError(.undecodable) { _ = try store.items(Meal<Strict>.all) }
            try expectError(.undecodable) {
                _ = try store.read { try $0.values(for: Meal<Strict>.all, \.price, \.course) }
            }
            _ = try world.reopen(Versioned<MealAsStored>.self)
        }
        ConformanceCase(
            "An unknown enum value harms no other item and no other question", proves: 9
        ) { world in
            try storeMeals(in: world)
            let store = try world.reopen(Meal<Strict>.self)
            typealias Item = Meal<Strict>

            try expect(
                try store.item(1, of: Item.self), equals: Meal(1, course: .starter, level: .hard, price: 5))
            try expect(try store.count(Item.all), equals: 4)
            try expect(try store.ids(Item.all), equals: [.integer(1), .integer(2), .integer(3), .integer(4)])
            try expect(try store.ids(Item.where(\.course != .main)), equals: [.integer(1), .integer(2)])
            try expect(
                try store.items(Item.where(\.level == .medium)), equals: [Meal(4, level: .medium, price: 9)])
            let prices: [Int] = try store.read { try $0.values(for: Item.all, \.price) }
            try expect(prices, equals: [5, 7, 9, 9])
            var walked: [Int64] = []
            try expectError(.undecodable) {
                try store.read { try $0.forEachItem(for: Item.all) { walked.append($0.id) } }
            }
            try expect(walked, equals: [1])
            _ = try world.reopen(Versioned<MealAsStored>.self)
        }
        ConformanceCase(
            "An item that cannot be decoded can still be deleted and updated", proves: 9
        ) { world in
            try storeMeals(in: world)
            let store = try world.reopen(Meal<Strict>.self)
            typealias Item = Meal<Strict>

            try store.writeSync { accessor in
                try expectError(.undecodable) { _ = try accessor.mutableItem(id: 2, of: Item.self) }
                // An import that cannot return its handles has changed nothing.
                let map = ImportMap<Item, Int64>(by: \.id, from: \.self) { Import(\.price) { _ in 100 } }
                try expectError(.undecodable) { _ = try accessor.importItem(from: 2, using: map) }
                try expectError(.undecodable) {
                    _ = try accessor.importMutableItems(from: [1, 2] as [Int64], using: map)
                }
                try expect(try accessor.update(Item.where(\.price < 9), .set(\.price, to: 1)), equals: 2)
                try expect(try accessor.delete(id: 3, of: Item.self), equals: true)
            }

            let raw = try world.reopen(Versioned<MealAsStored>.self)
            try expect(
                try raw.items(Versioned<MealAsStored>.all),
                equals: [
                    Versioned(1, .text("starter"), .integer(300), .integer(1)),
                    Versioned(2, .text("brunch"), .null, .integer(1)),
                    Versioned(4, .text("main"), .integer(0), .integer(9)),
                ])
        }
        ConformanceCase(
            "A fallback stands for an unknown enum value and leaves it stored", proves: 9
        ) { world in
            try storeMeals(in: world)
            let store = try world.reopen(Meal<Lenient>.self)

            try expect(try store.item(2, of: Meal<Lenient>.self), equals: Meal(2, course: .main, price: 7))
            try store.writeSync { accessor in
                let brunch = try require(try accessor.mutableItem(id: 2, of: Meal<Lenient>.self))
                brunch.price = 8
                brunch.course = .main
            }

            let raw = try world.reopen(Versioned<MealAsStored>.self)
            try expect(
                try raw.item(2, of: Versioned<MealAsStored>.self),
                equals: Versioned(2, .text("brunch"), .null, .integer(8)))
        }
        ConformanceCase("A fallback never stands for a value that is set by name", proves: 3, 9) { world in
            try storeMeals(in: world)
            let store = try world.reopen(Meal<Lenient>.self)
            try store.writeSync { accessor in
                for id in [1, 2] as [Int64] {
                    let meal = try require(try accessor.mutableItem(id: id, of: Meal<Lenient>.self))
                    let error = try expectError(.wrongType) { try meal.setValue("brunch", forKey: "course") }
                    try expect([error.itemType, error.attribute], equals: ["Meal", "course"])
                    try expect(error.message.contains("brunch"), "the value in the message: \(error.message)")
                    meal.price = 8
                }
                let last = try require(try accessor.mutableItem(id: 4, of: Meal<Lenient>.self))
                try last.setValue("dessert", forKey: "course")
            }

            let raw = try world.reopen(Versioned<MealAsStored>.self)
            try expect(
                try raw.items(Versioned<MealAsStored>.all),
                equals: [
                    Versioned(1, .text("starter"), .integer(300), .integer(8)),
                    Versioned(2, .text("brunch"), .null, .integer(8)),
                    Versioned(3, .text("main"), .integer(77), .integer(9)),
                    Versioned(4, .text("dessert"), .integer(0), .integer(9)),
                ])
        }
        ConformanceCase("A fallback never stands for a value of a policy", proves: 9, 19) { world in
            try storeMeals(in: world)
            let store = try world.reopen(Meal<Lenient>.self)
            let child = try store.makeChildDataStore()
            func set(_ course: Course, in store: any DataStore) throws {
                try store.writeSync { accessor in
                    try require(try accessor.mutableItem(id: 1, of: Meal<Lenient>.self)).course = course
                }
            }
            try set(.main, in: child)
            try set(.dessert, in: store)
            func courses() throws -> [Course] {
                try store.items(Meal<Lenient>.where(\.id == 1)).map(\.course)
            }

            let error = try expectError(.wrongType) {
                try store.merge(child, policy: .resolve { _ in .value("brunch") })
            }
            try expect([error.itemType, error.attribute], equals: ["Meal", "course"])
            try expect(error.identifier, equals: .integer(1))
            try expect(try courses(), equals: [.dessert])
            try store.merge(child, policy: .resolve { _ in .value("starter") })
            try expect(try courses(), equals: [.starter])
            _ = try world.reopen(Versioned<MealAsStored>.self)
        }
        ConformanceCase("A fallback is for whole items, and not for single values", proves: 9, 20) { world in
            try storeMeals(in: world)
            let store = try world.reopen(Meal<Lenient>.self)
            let brunch = Meal<Lenient>.where(\.id == 2)

            try expect(try store.items(brunch).map(\.course), equals: [.main])
            try store.read { accessor in
                try expectError(.undecodable) { _ = try accessor.values(for: brunch, \.price, \.course) }
                try expectError(.undecodable) { _ = try accessor.distinctValues(for: brunch, \.course) }
                try expectError(.undecodable) { _ = try accessor.groups(for: brunch.grouped(by: \.course)) }
                try expectError(.undecodable) { _ = try accessor.minimum(\.course, for: brunch) }
                try expectError(.undecodable) { _ = try accessor.maximum(\.course, for: brunch) }
                // Values are counted as they are stored.
                try expect(try accessor.countDistinct(\.course, for: Meal<Lenient>.all), equals: 3)
            }
            _ = try world.reopen(Versioned<MealAsStored>.self)
        }
        ConformanceCase("Values stored as JSON come back equal", proves: 9) { world in
            let store = try world.open(Profile.self)
            try store.writeSync { accessor in
                try accessor.insert(Profile(1, tags: tags))
                try accessor.insert(Profile(2, tags: Tags(words: [], weights: [:]), note: "none"))
            }

            let again = try world.reopen(Profile.self)
            try expect(
                try again.items(Profile.all),
                equals: [
                    Profile(1, tags: tags), Profile(2, tags: Tags(words: [], weights: [:]), note: "none"),
                ])
            let selected: [Tags] = try again.read { try $0.values(for: Profile.all, \.tags) }
            try expect(selected.first, equals: tags)
        }
        ConformanceCase("JSON that means the same keeps its stored form", proves: 9) { world in
            try storeForeign(in: world)
            let store = try world.reopen(Profile.self)
            try expect(try store.item(1, of: Profile.self), equals: Profile(1, tags: same))

            try store.writeSync { accessor in
                let profile = try require(try accessor.mutableItem(id: 1, of: Profile.self))
                profile.note = "changed"
                profile.tags = same
                try expect(try accessor.update(Profile.all, .set(\.tags, to: same)), equals: 0)
                try accessor.upsert(Profile(1, tags: same, note: "again"))
                profile.tags.words.insert("new")
                profile.tags.words.remove("new")
            }

            let raw = try world.reopen(Versioned<ProfileAsStored>.self)
            try expect(
                try raw.items(Versioned<ProfileAsStored>.all),
                equals: [Versioned(1, .text(foreign), .text("again"))])
        }
        ConformanceCase("JSON that means something else is stored again", proves: 9) { world in
            try storeForeign(in: world)
            let store = try world.reopen(Profile.self)

            try store.writeSync { accessor in
                let profile = try require(try accessor.mutableItem(id: 1, of: Profile.self))
                profile.tags.weights["c"] = 3
            }

            let raw = try world.reopen(Versioned<ProfileAsStored>.self)
            let text = try require(try raw.item(1, of: Versioned<ProfileAsStored>.self)?.values.first)
            try expect(text != .text(foreign), "other bytes than \(foreign)")
            let again = try world.reopen(Profile.self)
            try expect(
                try again.item(1, of: Profile.self)?.tags,
                equals: Tags(words: ["m", "z", "a"], weights: ["a": 1, "b": 2, "c": 3]))
        }
        ConformanceCase("JSON that does not decode is undecodable", proves: 9) { world in
            let first = try world.open(Versioned<ProfileAsStored>.self)
            try first.writeSync {
                try $0.insert(Versioned<ProfileAsStored>(5, .text(#"{"words": 3}"#), .null))
            }
            let store = try world.reopen(Profile.self)

            let error = try expectError(.undecodable) { _ = try store.items(Profile.all) }
            try expect(error.attribute, equals: "tags")
            try expect(error.identifier, equals: .integer(5))
            _ = try world.reopen(Versioned<ProfileAsStored>.self)
        }
    }

    /// Stores meals as a later version of the app would.
    static func storeMeals(in world: ConformanceWorld) throws {
        let store = try world.open(Versioned<MealAsStored>.self)
        try store.writeSync { accessor in
            try accessor.insert(Versioned<MealAsStored>(1, .text("starter"), .integer(300), .integer(5)))
            try accessor.insert(Versioned<MealAsStored>(2, .text("brunch"), .null, .integer(7)))
            try accessor.insert(Versioned<MealAsStored>(3, .text("main"), .integer(77), .integer(9)))
            try accessor.insert(Versioned<MealAsStored>(4, .text("main"), .integer(0), .integer(9)))
        }
    }

    private static let tags = Tags(
        words: ["z", "a", "m", "\u{E9}", ""], weights: ["b": 2, "a": 1, "": .min])

    /// JSON as another encoder might have written it.
    private static let foreign = #"{ "weights" : {"b":2,"a":1}, "words": ["z","a","m"] }"#
    private static let same = Tags(words: ["m", "z", "a"], weights: ["a": 1, "b": 2])

    private static func storeForeign(in world: ConformanceWorld) throws {
        let store = try world.open(Versioned<ProfileAsStored>.self)
        try store.writeSync { try $0.insert(Versioned<ProfileAsStored>(1, .text(foreign), .null)) }
    }
}
