import Foundation
import Larder
import LarderText

/// Indexes and item types come and go from version to version of an app, alone or many changes at once.
enum SchemaChangeCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("An index can be added to stored items", proves: 12) { world in
            try world.storeMenus()
            let store = try world.reopen(Versioned<MoreIndexes>.self)
            typealias Item = Versioned<MoreIndexes>

            try expect(try DataStoreRequest<Item>(filter: #"note == "sweet""#), gives: [2], in: store)
            try expect(try DataStoreRequest<Item>(filter: "note == nil"), gives: [1], in: store)
            try expect(try DataStoreRequest<Item>(filter: nil, sort: "note"), gives: [1, 3, 4, 2], in: store)
            try expect(
                try DataStoreRequest<Item>(filter: #"weight == 1 AND title > "A""#), gives: [2], in: store)
            try store.writeSync { accessor in
                try accessor.insert(Item(5, .text("x"), .integer(1), .text("sweet"), .real(1)))
                try accessor.delete(id: 2, of: Item.self)
            }
            try expect(try DataStoreRequest<Item>(filter: #"note == "sweet""#), gives: [5], in: store)
        }
        ConformanceCase("An index can be dropped", proves: 12) { world in
            try world.storeMenus()
            let store = try world.reopen(Versioned<NoIndexes>.self)
            typealias Item = Versioned<NoIndexes>
            try expect(try DataStoreRequest<Item>(filter: #"title == "Soup""#), gives: [1, 3], in: store)
            try store.writeSync { accessor in
                try accessor.insert(Item(5, .text("Soup"), .integer(1), .null, .real(0)))
                try accessor.delete(id: 1, of: Item.self)
            }

            // The index comes back with the changes made meanwhile.
            let again = try world.reopen(Menu.Original.self)
            try expect(
                try DataStoreRequest<Menu.Original>(filter: #"title == "Soup""#), gives: [3, 5], in: again)
            try expect(
                try DataStoreRequest<Menu.Original>(filter: nil, sort: "price"), gives: [2, 4, 5, 3],
                in: again)
        }
        ConformanceCase(
            "Uniqueness can be added if it holds, and holds from then on", proves: 11, 12
        ) { world in
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
        ConformanceCase("Attributes can be declared in another order", proves: 12) { world in
            try world.storeMenus()
            let store = try world.reopen(Versioned<Reordered>.self)
            typealias Item = Versioned<Reordered>

            try expect(
                try store.items(Item.all),
                equals: Menu.items.map { Item($0.id, values: $0.values.reversed()) })
            try store.writeSync {
                _ = try $0.insert(Item(5, .real(1), .text("n"), .integer(3), .text("Soup")))
            }
            try expect(try DataStoreRequest<Item>(filter: #"title == "Soup""#), gives: [1, 3, 5], in: store)
            let again = try world.reopen(Menu.Original.self)
            try expect(
                try again.items(Menu.Original.all),
                equals: Menu.items + [Menu.Original(5, .text("Soup"), .integer(3), .text("n"), .real(1))])
        }
        ConformanceCase("Many changes at once are made together", proves: 12) { world in
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
        ConformanceCase("Changes reach hundreds of stored items", proves: 12) { world in
            let old = try world.open(Menu.Original.self)
            let items = (1...700).map {
                Menu.Original($0, .text("Menu \($0)"), .integer($0 % 50), .null, .real(0))
            }
            try old.writeSync { try $0.insert(contentsOf: items) }
            let store = try world.reopen(Versioned<AllAtOnceButUnique>.self)
            typealias Item = Versioned<AllAtOnceButUnique>

            try expect(try store.count(Item.all), equals: 700)
            try expect(
                try DataStoreRequest<Item>(filter: "cents == 7").limit(3), gives: [7, 57, 107], in: store)
            try expect(try store.count(try DataStoreRequest<Item>(filter: "stars == 3")), equals: 700)
            try expect(
                try store.item(699, of: Item.self),
                equals: Item(699, .integer(3), .integer(49), .text("Menu 699")))
        }
        ConformanceCase("A new type begins empty beside the old ones", proves: 12) { world in
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
        ConformanceCase("A type the app no longer names stays unchanged", proves: 12) { world in
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
    }

    private enum MoreIndexes: ItemVersion {
        static let schema = EntitySchema(
            "Menu", attributes: Menu.OriginalMenu.schema.attributes,
            indexes: [.index("title"), .index("price"), .index("note"), .index("weight", "title")])
    }

    private enum NoIndexes: ItemVersion {
        static let schema = EntitySchema("Menu", attributes: Menu.OriginalMenu.schema.attributes)
    }

    private enum UniquePrice: ItemVersion {
        static let schema = EntitySchema(
            "Menu", attributes: Menu.OriginalMenu.schema.attributes,
            indexes: [.index("title"), .unique("price"), .unique("note"), .unique("title", "weight")])
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
}
