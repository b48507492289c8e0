import Foundation
import Larder
import LarderText

/// Item types change from version to version of an app, and the stored items with them.
enum SchemaChangeCases {
    static let all = [
        ConformanceCase(
            "A new attribute gets its default in the items stored before", proves: 12, run: addWithDefault),
        ConformanceCase(
            "A new optional attribute is nil in the items stored before", proves: 12, run: addOptional),
        ConformanceCase("A dropped attribute is gone, and does not come back", proves: 12, run: drop),
        ConformanceCase("A renamed attribute keeps its values", proves: 12, run: rename),
        ConformanceCase("An attribute can be renamed again and again", proves: 12, run: renameTwice),
        ConformanceCase("A required attribute can become optional", proves: 12, run: makeOptional),
        ConformanceCase("An attribute can be widened", proves: 9, 12, run: widen),
        ConformanceCase(
            "Every widening keeps the extreme values and their order", proves: 9, 12, run: widenExtremes),
        ConformanceCase("An index can be added to stored items", proves: 12, run: addIndex),
        ConformanceCase("An index can be dropped", proves: 12, run: dropIndex),
        ConformanceCase(
            "Uniqueness can be added where it holds, and holds from then on", proves: 11, 12, run: addUnique),
        ConformanceCase("Attributes can be declared in another order", proves: 12, run: reorder),
        ConformanceCase("Many changes at once are made together", proves: 12, run: manyAtOnce),
        ConformanceCase("Changes reach hundreds of stored items", proves: 12, run: manyItems),
        ConformanceCase("A new type begins empty beside the old ones", proves: 12, run: newType),
        ConformanceCase("A type the app no longer names is left alone", proves: 12, run: unnamedType),
        ConformanceCase("An app may go back to the version before", proves: 12, run: back),
    ]

    private enum WithDefault: ItemVersion {
        static let schema = EntitySchema(
            "Menu",
            attributes: Menu.OriginalMenu.schema.attributes + [
                .attribute("rating", Double.self, default: 2.5),
                .attribute("course", Course.self, default: .main),
                .attribute("slug", String?.self, default: "none"),
            ],
            indexes: [.index("title"), .index("price"), .index("rating")])
    }

    private static func addWithDefault(_ world: ConformanceWorld) throws {
        try world.storeMenus()
        let store = try world.reopen(Versioned<WithDefault>.self, Dish.self)
        typealias Item = Versioned<WithDefault>

        let expected = Menu.items.map {
            Item($0.id, values: $0.values + [.real(2.5), .text("main"), .text("none")])
        }
        try expect(try store.items(Item.all), equals: expected)
        try store.writeSync { accessor in
            let handle = try require(try accessor.mutableItem(id: 2, of: Item.self))
            handle.values[4] = .real(5)
        }
        try expect(try DataStoreRequest<Item>(filter: "rating == 2.5"), gives: [1, 3, 4], in: store)
        try expect(
            try DataStoreRequest<Item>(filter: nil, sort: "rating DESC"), gives: [2, 4, 3, 1], in: store)
        try expect(try store.items(Dish.all), equals: Fixture.dishes)
    }

    private enum WithOptional: ItemVersion {
        static let schema = EntitySchema(
            "Menu",
            attributes: Menu.OriginalMenu.schema.attributes + [
                .attribute("photo", Data?.self), .attribute("servedAt", Date?.self),
                .attribute("tags", Tags?.self),
            ],
            indexes: [.index("title"), .index("price"), .index("servedAt")])
    }

    private static func addOptional(_ world: ConformanceWorld) throws {
        try world.storeMenus()
        let store = try world.reopen(Versioned<WithOptional>.self, Dish.self)
        typealias Item = Versioned<WithOptional>

        try expect(
            try store.items(Item.all),
            equals: Menu.items.map { Item($0.id, values: $0.values + [.null, .null, .null]) })
        try store.writeSync { accessor in
            let handle = try require(try accessor.mutableItem(id: 1, of: Item.self))
            handle.values[4] = .blob([1, 2])
            handle.values[5] = .real(77)
        }
        try expect(try DataStoreRequest<Item>(filter: "servedAt == nil"), gives: [2, 3, 4], in: store)
        try expect(try store.item(1, of: Item.self)?.values[4], equals: .blob([1, 2]))
    }

    private enum WithoutNote: ItemVersion {
        static let schema = EntitySchema(
            "Menu",
            attributes: [
                .attribute("id", Int64.self), .attribute("title", String.self),
                .attribute("weight", Float.self),
            ],
            indexes: [.index("title")])
    }

    private static func drop(_ world: ConformanceWorld) throws {
        try world.storeMenus()
        let store = try world.reopen(Versioned<WithoutNote>.self)
        typealias Item = Versioned<WithoutNote>

        try expect(
            try store.items(Item.all), equals: Menu.items.map { Item($0.id, $0.values[0], $0.values[3]) })
        try expect(try DataStoreRequest<Item>(filter: #"title == "Soup""#), gives: [1, 3], in: store)
        try store.writeSync { _ = try $0.insert(Item(5, .text("New"), .real(2))) }
        let again = try world.reopen(Versioned<Returned>.self)

        try expect(
            try again.items(Versioned<Returned>.all).map(\.values[2]),
            equals: Array(repeating: .null, count: 5))
    }

    private enum Returned: ItemVersion {
        static let schema = EntitySchema(
            "Menu", attributes: WithoutNote.schema.attributes + [.attribute("note", String?.self)],
            indexes: [.index("title")])
    }

    private enum Renamed: ItemVersion {
        static let schema = EntitySchema(
            "Menu",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self, originalName: "title"),
                .attribute("cents", Int32.self, originalName: "price"), .attribute("note", String?.self),
                .attribute("weight", Float.self),
            ],
            indexes: [.index("name"), .index("cents")])
    }

    private static func rename(_ world: ConformanceWorld) throws {
        try world.storeMenus()
        let store = try world.reopen(Versioned<Renamed>.self)
        typealias Item = Versioned<Renamed>

        try expect(try store.items(Item.all), equals: Menu.items.map { Item($0.id, values: $0.values) })
        try expect(try DataStoreRequest<Item>(filter: #"name == "Soup""#), gives: [1, 3], in: store)
        try expect(try DataStoreRequest<Item>(filter: nil, sort: "cents"), gives: [2, 4, 1, 3], in: store)
        try store.writeSync { _ = try $0.insert(Item(5, .text("Soup"), .integer(1), .null, .real(0))) }
        let again = try world.reopen(Versioned<Renamed>.self)
        try expect(try DataStoreRequest<Item>(filter: #"name == "Soup""#), gives: [1, 3, 5], in: again)
    }

    private enum RenamedAgain: ItemVersion {
        static let schema = EntitySchema(
            "Menu",
            attributes: [
                .attribute("id", Int64.self), .attribute("heading", String.self, originalName: "name"),
                .attribute("title", String?.self), .attribute("cents", Int32.self, originalName: "price"),
                .attribute("note", String?.self), .attribute("weight", Float.self),
            ],
            indexes: [.index("heading")])
    }

    private static func renameTwice(_ world: ConformanceWorld) throws {
        try world.storeMenus()
        _ = try world.reopen(Versioned<Renamed>.self)
        let store = try world.reopen(Versioned<RenamedAgain>.self)
        typealias Item = Versioned<RenamedAgain>

        // A new attribute may take the name that an old one had.
        try expect(
            try store.items(Item.all),
            equals: Menu.items.map {
                Item($0.id, $0.values[0], .null, $0.values[1], $0.values[2], $0.values[3])
            })
        try expect(try DataStoreRequest<Item>(filter: #"heading == "Soup""#), gives: [1, 3], in: store)
    }

    private enum OptionalPrice: ItemVersion {
        static let schema = EntitySchema(
            "Menu",
            attributes: [
                .attribute("id", Int64.self), .attribute("title", String?.self),
                .attribute("price", Int32?.self),
                .attribute("note", String?.self), .attribute("weight", Float?.self),
            ],
            indexes: [.index("title"), .index("price")])
    }

    private static func makeOptional(_ world: ConformanceWorld) throws {
        try world.storeMenus()
        let store = try world.reopen(Versioned<OptionalPrice>.self)
        typealias Item = Versioned<OptionalPrice>

        try expect(try store.items(Item.all), equals: Menu.items.map { Item($0.id, values: $0.values) })
        try store.writeSync { accessor in
            try accessor.insert(Item(5, .null, .null, .null, .null))
            let handle = try require(try accessor.mutableItem(id: 1, of: Item.self))
            handle.values[1] = .null
        }
        try expect(try DataStoreRequest<Item>(filter: "price == nil"), gives: [1, 5], in: store)
        try expect(try DataStoreRequest<Item>(filter: nil, sort: "title"), gives: [5, 4, 2, 1, 3], in: store)
    }

    private enum Widened: ItemVersion {
        static let schema = EntitySchema(
            "Menu",
            attributes: [
                .attribute("id", Int64.self), .attribute("title", String.self),
                .attribute("price", Int64.self),
                .attribute("note", String?.self), .attribute("weight", Double.self),
            ],
            indexes: [.index("title"), .index("price"), .index("weight")])
    }

    private static func widen(_ world: ConformanceWorld) throws {
        try world.storeMenus()
        let store = try world.reopen(Versioned<Widened>.self)
        typealias Item = Versioned<Widened>

        try expect(try store.items(Item.all), equals: Menu.items.map { Item($0.id, values: $0.values) })
        try store.writeSync {
            _ = try $0.insert(Item(5, .text("Large"), .integer(.max), .null, .real(1e300)))
        }
        try expect(try DataStoreRequest<Item>(filter: nil, sort: "price"), gives: [2, 4, 1, 3, 5], in: store)
        try expect(try DataStoreRequest<Item>(filter: "price == -900"), gives: [2], in: store)
        try expect(try DataStoreRequest<Item>(filter: "weight >= 0.25"), gives: [1, 2, 5], in: store)
    }

    private enum Narrow: ItemVersion {
        static let schema = EntitySchema(
            "Numbers",
            attributes: [
                .attribute("id", Int64.self), .attribute("a", Int8.self), .attribute("b", UInt8.self),
                .attribute("c", UInt32.self), .attribute("d", UInt8?.self), .attribute("e", URL.self),
                .attribute("f", Float.self),
            ],
            indexes: [.index("a"), .index("b"), .index("c"), .index("d"), .index("e"), .index("f")])
    }

    private enum Wide: ItemVersion {
        static let schema = EntitySchema(
            "Numbers",
            attributes: [
                .attribute("id", Int64.self), .attribute("a", Int64.self), .attribute("b", UInt64.self),
                .attribute("c", Int64.self), .attribute("d", UInt64?.self), .attribute("e", String.self),
                .attribute("f", Double.self),
            ],
            indexes: [.index("a"), .index("b"), .index("c"), .index("d"), .index("e"), .index("f")])
    }

    private static func widenExtremes(_ world: ConformanceWorld) throws {
        let old = try world.open(Versioned<Narrow>.self)
        try old.writeSync { accessor in
            try accessor.insert(
                Versioned<Narrow>(
                    1, .integer(-128), .integer(255), .integer(4_294_967_295), .null, .text("z:"),
                    .real(-.infinity)))
            try accessor.insert(
                Versioned<Narrow>(
                    2, .integer(127), .integer(0), .integer(0), .integer(255), .text("a:"), .real(0.5)))
        }
        let store = try world.reopen(Versioned<Wide>.self)
        typealias Item = Versioned<Wide>
        try store.writeSync { accessor in
            try accessor.insert(
                Item(
                    3, .integer(.min), .unsigned(.max), .integer(.max), .unsigned(.max), .text("b:"),
                    .real(0.75)))
        }

        try expect(
            try store.item(1, of: Item.self),
            equals: Item(
                1, .integer(-128), .unsigned(255), .integer(4_294_967_295), .null, .text("z:"),
                .real(-.infinity)))
        for (sort, expected) in [
            ("a", [3, 1, 2]), ("b", [2, 1, 3]), ("c", [2, 1, 3]), ("d", [1, 2, 3]), ("e", [2, 3, 1]),
            ("f", [1, 2, 3]),
        ] as [(String, [Int64])] {
            try expect(try DataStoreRequest<Item>(filter: nil, sort: sort), gives: expected, in: store)
        }
        try expect(try DataStoreRequest<Item>(filter: "b == 255"), gives: [1], in: store)
        try expect(try DataStoreRequest<Item>(filter: "b > 255"), gives: [3], in: store)
    }

    private enum MoreIndexes: ItemVersion {
        static let schema = EntitySchema(
            "Menu", attributes: Menu.OriginalMenu.schema.attributes,
            indexes: [.index("title"), .index("price"), .index("note"), .index("weight", "title")])
    }

    private static func addIndex(_ world: ConformanceWorld) throws {
        try world.storeMenus()
        let store = try world.reopen(Versioned<MoreIndexes>.self)
        typealias Item = Versioned<MoreIndexes>

        try expect(try DataStoreRequest<Item>(filter: #"note == "sweet""#), gives: [2], in: store)
        try expect(try DataStoreRequest<Item>(filter: "note == nil"), gives: [1], in: store)
        try expect(try DataStoreRequest<Item>(filter: nil, sort: "note"), gives: [1, 3, 4, 2], in: store)
        try expect(try DataStoreRequest<Item>(filter: #"weight == 1 AND title > "A""#), gives: [2], in: store)
        try store.writeSync { accessor in
            try accessor.insert(Item(5, .text("x"), .integer(1), .text("sweet"), .real(1)))
            try accessor.delete(id: 2, of: Item.self)
        }
        try expect(try DataStoreRequest<Item>(filter: #"note == "sweet""#), gives: [5], in: store)
    }

    private enum NoIndexes: ItemVersion {
        static let schema = EntitySchema("Menu", attributes: Menu.OriginalMenu.schema.attributes)
    }

    private static func dropIndex(_ world: ConformanceWorld) throws {
        try world.storeMenus()
        let store = try world.reopen(Versioned<NoIndexes>.self)
        typealias Item = Versioned<NoIndexes>
        try expect(try DataStoreRequest<Item>(filter: #"title == "Soup""#), gives: [1, 3], in: store)
        try store.writeSync { accessor in
            try accessor.insert(Item(5, .text("Soup"), .integer(1), .null, .real(0)))
            try accessor.delete(id: 1, of: Item.self)
        }

        // The index comes back with what has changed meanwhile.
        let again = try world.reopen(Menu.Original.self)
        try expect(
            try DataStoreRequest<Menu.Original>(filter: #"title == "Soup""#), gives: [3, 5], in: again)
        try expect(
            try DataStoreRequest<Menu.Original>(filter: nil, sort: "price"), gives: [2, 4, 5, 3], in: again)
    }

    private enum UniquePrice: ItemVersion {
        static let schema = EntitySchema(
            "Menu", attributes: Menu.OriginalMenu.schema.attributes,
            indexes: [.index("title"), .unique("price"), .unique("note"), .unique("title", "weight")])
    }

    private static func addUnique(_ world: ConformanceWorld) throws {
        try world.storeMenus()
        let store = try world.reopen(Versioned<UniquePrice>.self)
        typealias Item = Versioned<UniquePrice>

        let error = try expectError(.uniqueViolation, writingTo: store) {
            try $0.insert(Item(5, .text("x"), .integer(500), .null, .real(0)))
        }
        try expect(error.identifier, equals: .integer(1))
        try expectError(.uniqueViolation, writingTo: store) {
            try $0.insert(Item(5, .text("Soup"), .integer(1), .null, .real(0.25)))
        }
        try store.writeSync { _ = try $0.insert(Item(5, .text("Soup"), .integer(1), .null, .real(7))) }
        try expect(try store.count(Item.all), equals: 5)
    }

    private enum Reordered: ItemVersion {
        static let schema = EntitySchema(
            "Menu",
            attributes: [
                .attribute("id", Int64.self), .attribute("weight", Float.self),
                .attribute("note", String?.self),
                .attribute("price", Int32.self), .attribute("title", String.self),
            ],
            indexes: [.index("price"), .index("title")])
    }

    private static func reorder(_ world: ConformanceWorld) throws {
        try world.storeMenus()
        let store = try world.reopen(Versioned<Reordered>.self)
        typealias Item = Versioned<Reordered>

        try expect(
            try store.items(Item.all), equals: Menu.items.map { Item($0.id, values: $0.values.reversed()) })
        try store.writeSync { _ = try $0.insert(Item(5, .real(1), .text("n"), .integer(3), .text("Soup"))) }
        try expect(try DataStoreRequest<Item>(filter: #"title == "Soup""#), gives: [1, 3, 5], in: store)
        let again = try world.reopen(Menu.Original.self)
        try expect(
            try again.items(Menu.Original.all),
            equals: Menu.items + [Menu.Original(5, .text("Soup"), .integer(3), .text("n"), .real(1))])
    }

    private enum AllAtOnce: ItemVersion {
        static let schema = EntitySchema(
            "Menu",
            attributes: [
                .attribute("id", Int64.self), .attribute("stars", Int?.self, default: 3),
                .attribute("cents", Int64?.self, originalName: "price"),
                .attribute("name", String.self, originalName: "title"), .attribute("extra", UUID?.self),
                .attribute("weight", Double.self),
            ],
            indexes: [.index("name", "cents"), .unique("cents"), .index("stars")])
    }

    private static func manyAtOnce(_ world: ConformanceWorld) throws {
        try world.storeMenus()
        let store = try world.reopen(Versioned<AllAtOnce>.self, Keyed<String>.self)
        typealias Item = Versioned<AllAtOnce>

        try expect(
            try store.items(Item.all),
            equals: Menu.items.map {
                Item($0.id, .integer(3), $0.values[1], $0.values[0], .null, $0.values[3])
            })
        try expect(
            try DataStoreRequest<Item>(filter: #"name == "Soup" AND cents > 600"#), gives: [3], in: store)
        try expect(try DataStoreRequest<Item>(filter: "stars == 3"), gives: [1, 2, 3, 4], in: store)
        try expect(try store.count(Keyed<String>.all), equals: 0)
    }

    private static func manyItems(_ world: ConformanceWorld) throws {
        let old = try world.open(Menu.Original.self)
        let items = (1...700).map {
            Menu.Original($0, .text("Menu \($0)"), .integer($0 % 50), .null, .real(0))
        }
        try old.writeSync { try $0.insert(contentsOf: items) }
        let store = try world.reopen(Versioned<AllAtOnceButUnique>.self)
        typealias Item = Versioned<AllAtOnceButUnique>

        try expect(try store.count(Item.all), equals: 700)
        try expect(try DataStoreRequest<Item>(filter: "cents == 7").limit(3), gives: [7, 57, 107], in: store)
        try expect(try store.count(try DataStoreRequest<Item>(filter: "stars == 3")), equals: 700)
        try expect(
            try store.item(699, of: Item.self),
            equals: Item(699, .integer(3), .integer(49), .text("Menu 699")))
    }

    private enum AllAtOnceButUnique: ItemVersion {
        static let schema = EntitySchema(
            "Menu",
            attributes: [
                .attribute("id", Int64.self), .attribute("stars", Int.self, default: 3),
                .attribute("cents", Int64.self, originalName: "price"),
                .attribute("name", String.self, originalName: "title"),
            ],
            indexes: [.unique("name"), .index("cents"), .index("stars")])
    }

    private static func newType(_ world: ConformanceWorld) throws {
        try world.storeMenus()
        let store = try world.reopen(Keyed<String>.self, Menu.Original.self, Dish.self, Restaurant.self)

        try expect(try store.count(Restaurant.all), equals: 0)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: Fixture.restaurants)
            try accessor.insert(Keyed("a"))
        }
        try expect(try store.items(Menu.Original.all), equals: Menu.items)
        try expect(try store.items(Dish.all), equals: Fixture.dishes)
        try expect(try store.items(Restaurant.all), equals: Fixture.restaurants)
    }

    private static func unnamedType(_ world: ConformanceWorld) throws {
        try world.storeMenus()
        let store = try world.reopen(Dish.self)
        try expect(try store.items(Dish.all), equals: Fixture.dishes)
        try expectError(.unknownItemType) { _ = try store.items(Menu.Original.all) }
        try store.writeSync { accessor in
            try accessor.deleteAllItems(of: Dish.self)
            try accessor.insert(Dish(1, name: "Left"))
        }

        let again = try world.reopen(Dish.self, Menu.Original.self)
        try expect(try again.items(Menu.Original.all), equals: Menu.items)
        try expect(
            try DataStoreRequest<Menu.Original>(filter: #"title == "Soup""#), gives: [1, 3], in: again)
        try expect(try again.items(Dish.all), equals: [Dish(1, name: "Left")])
    }

    private static func back(_ world: ConformanceWorld) throws {
        try world.storeMenus()
        let store = try world.reopen(Versioned<WithDefault>.self)
        try store.writeSync { accessor in
            try accessor.insert(
                Versioned<WithDefault>(
                    5, .text("New"), .integer(5), .null, .real(1), .real(4), .text("dessert"), .null))
        }
        let again = try world.reopen(Menu.Original.self)

        try expect(
            try again.items(Menu.Original.all),
            equals: Menu.items + [Menu.Original(5, .text("New"), .integer(5), .null, .real(1))])
    }
}
