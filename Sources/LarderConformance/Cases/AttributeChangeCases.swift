import Foundation
import Larder
import LarderText

/// Attributes come, go and change from version to version of an app, and the stored items with them.
enum AttributeChangeCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A new attribute gets its default in the items stored before", proves: 12
        ) { world in
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
        ConformanceCase(
            "A new optional attribute is nil in the items stored before", proves: 12
        ) { world in
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
        ConformanceCase("A dropped attribute is gone, and does not come back", proves: 12) { world in
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
        ConformanceCase("A renamed attribute keeps its values", proves: 12) { world in
            try world.storeMenus()
            let store = try world.reopen(Versioned<Renamed>.self)
            typealias Item = Versioned<Renamed>

            try expect(try store.items(Item.all), equals: Menu.items.map { Item($0.id, values: $0.values) })
            try expect(try DataStoreRequest<Item>(filter: #"name == "Soup""#), gives: [1, 3], in: store)
            try expect(
                try DataStoreRequest<Item>(filter: nil, sort: "cents"), gives: [2, 4, 1, 3], in: store)
            try store.writeSync { _ = try $0.insert(Item(5, .text("Soup"), .integer(1), .null, .real(0))) }
            let again = try world.reopen(Versioned<Renamed>.self)
            try expect(try DataStoreRequest<Item>(filter: #"name == "Soup""#), gives: [1, 3, 5], in: again)
        }
        ConformanceCase("An attribute can be renamed again and again", proves: 12) { world in
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
        ConformanceCase("A required attribute can become optional", proves: 12) { world in
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
            try expect(
                try DataStoreRequest<Item>(filter: nil, sort: "title"), gives: [5, 4, 2, 1, 3], in: store)
        }
        ConformanceCase("An attribute can be widened", proves: 9, 12) { world in
            try world.storeMenus()
            let store = try world.reopen(Versioned<Widened>.self)
            typealias Item = Versioned<Widened>

            try expect(try store.items(Item.all), equals: Menu.items.map { Item($0.id, values: $0.values) })
            try store.writeSync {
                _ = try $0.insert(Item(5, .text("Large"), .integer(.max), .null, .real(1e300)))
            }
            try expect(
                try DataStoreRequest<Item>(filter: nil, sort: "price"), gives: [2, 4, 1, 3, 5], in: store)
            try expect(try DataStoreRequest<Item>(filter: "price == -900"), gives: [2], in: store)
            try expect(try DataStoreRequest<Item>(filter: "weight >= 0.25"), gives: [1, 2, 5], in: store)
        }
        ConformanceCase(
            "Every widening keeps the extreme values and their order", proves: 9, 12
        ) { world in
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
        ConformanceCase(
            "A name may change in the bytes of a letter alone", proves: 7, 12
        ) { world in
            let old = try world.open(Versioned<Composed>.self)
            try old.writeSync { _ = try $0.insert(Versioned<Composed>(1, .text("Soup"), .integer(5))) }
            typealias Item = Versioned<Decomposed>
            for opening in 1...2 {
                let store = try world.reopen(Item.self)
                try store.writeSync { accessor in
                    _ = try accessor.insert(
                        Item(Int64(opening) + 1, .text("Pie"), .integer(Int64(opening))))
                }
                let soups = try DataStoreRequest<Item>(filter: "`entre\u{301}e` == \"Soup\"")
                try expect(soups, gives: [1], in: store)
                try world.closeAll()
                let stored = try require(try store.coordinator.adapter.storedSchema())
                let entity = try require(stored.entity(named: "Cafe\u{301}"))
                try expect(
                    entity.attributes.map { Array($0.name.utf8) },
                    equals: ["id", "entre\u{301}e", "price"].map { Array($0.utf8) })
                try expect(
                    entity.indexes.map { $0.attributes.map { Array($0.utf8) } },
                    equals: [[Array("entre\u{301}e".utf8)]])
                try expect(stored.generation, equals: 2, "generation")
                try expect(stored.entities.count, equals: 1)
            }
            let store = try world.reopen(Item.self)
            try expect(
                try store.items(Item.all),
                equals: [
                    Item(1, .text("Soup"), .integer(5)), Item(2, .text("Pie"), .integer(1)),
                    Item(3, .text("Pie"), .integer(2)),
                ])
        }
        ConformanceCase("An app may go back to the version before", proves: 12) { world in
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

    private enum WithOptional: ItemVersion {
        static let schema = EntitySchema(
            "Menu",
            attributes: Menu.OriginalMenu.schema.attributes + [
                .attribute("photo", Data?.self), .attribute("servedAt", Date?.self),
                .attribute("tags", Tags?.self),
            ],
            indexes: [.index("title"), .index("price"), .index("servedAt")])
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

    /// With letters of one scalar.
    private enum Composed: ItemVersion {
        static let schema = EntitySchema(
            "Caf\u{E9}",
            attributes: [
                .attribute("id", Int64.self), .attribute("entr\u{E9}e", String.self),
                .attribute("price", Int32.self),
            ],
            indexes: [.index("entr\u{E9}e")])
    }

    /// With the same letters as two scalars each.
    private enum Decomposed: ItemVersion {
        static let schema = EntitySchema(
            "Cafe\u{301}", originalName: "Caf\u{E9}",
            attributes: [
                .attribute("id", Int64.self),
                .attribute("entre\u{301}e", String.self, originalName: "entr\u{E9}e"),
                .attribute("price", Int32.self),
            ],
            indexes: [.index("entre\u{301}e")])
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
}
