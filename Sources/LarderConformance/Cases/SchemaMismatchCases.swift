import Foundation
import Larder
import LarderText

/// Changes that would lose something are refused, and the store does not change.
enum SchemaMismatchCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A new required attribute without default is refused", proves: 12
        ) { world in
            try world.storeMenus()
            try expectRefused(Required.self, naming: "Menu.rating", in: world)
        }
        ConformanceCase("An attribute cannot be narrowed or change its type", proves: 12) { world in
            try world.storeMenus()
            try expectRefused(Narrowed.self, naming: "Menu.price", "int32", "int16", in: world)
            try expectRefused(TextPrice.self, naming: "Menu.price", "int32", "string", in: world)
            try expectRefused(UnsignedPrice.self, naming: "Menu.price", "uint32", in: world)
            try expectRefused(RealPrice.self, naming: "Menu.price", "double", in: world)
        }
        ConformanceCase("An optional attribute cannot become required", proves: 12) { world in
            try world.storeMenus()
            try expectRefused(RequiredNote.self, naming: "Menu.note", in: world)
        }
        ConformanceCase("The type of an identifier cannot change", proves: 12) { world in
            let old = try world.open(Keyed<Int64>.self)
            try old.writeSync { _ = try $0.insert(Keyed<Int64>(1, label: "one")) }
            try world.closeAll()
            let store = try world.makeStore(SameNameKeyed.self)

            let error = try expectError(.schemaMismatch) { try store.setup() }

            try expect(error.message.contains("Keyed by Int64.id"), "the attribute in: \(error)")
            try expect(error.differences.map(\.kind), equals: [.identifierType])
            try expect(
                error.advice,
                equals: "Declare Keyed by Int64.id as Int again, or store the items under a new item type.")
            let again = try world.reopen(Keyed<Int64>.self)
            try expect(try again.items(Keyed<Int64>.all), equals: [Keyed(1, label: "one")])
        }
        ConformanceCase("A mismatch names everything that differs", proves: 12) { world in
            try world.storeMenus()
            try expectRefused(
                Everywhere.self, naming: "Menu.title", "Menu.price", "Menu.note", "Menu.rating", in: world)
        }
        ConformanceCase("A mismatch gives a remedy for each difference", proves: 12) { world in
            try world.storeMenus()
            let store = try world.makeStore(Versioned<Everywhere>.self, Dish.self)

            let error = try expectError(.schemaMismatch) { try store.setup() }

            try expect(
                error.differences.map(\.kind),
                equals: [.attributeType, .attributeType, .storedAsOptional, .missingDefault])
            try expect(error.differences.map(\.attribute), equals: ["title", "price", "note", "rating"])
            try expect(error.differences.map(\.itemType), equals: ["Menu", "Menu", "Menu", "Menu"])
            try expect(
                error.differences.map(\.advice),
                equals: [
                    "Declare Menu.title as String again, and give the new type to a property of another name.",
                    "Declare Menu.price as Int32 again, and give the new type to a property of another name.",
                    "Make Menu.note optional.",
                    "Give Menu.rating a default value or make it optional; if Menu.rating was called weight before, "
                        + "mark it @Attribute(originalName: \"weight\").",
                ])
            try expect(error.advice, equals: error.differences.map(\.advice).joined(separator: " "))
        }
        ConformanceCase(
            "A mismatch with a store that was changed advises an update too", proves: 12
        ) { world in
            try world.storeMenus()
            _ = try world.reopen(Versioned<Later>.self, Dish.self)
            try world.closeAll()
            let store = try world.makeStore(Menu.Original.self, Dish.self)

            let error = try expectError(.schemaMismatch) { try store.setup() }

            try expect(error.differences.map(\.kind), equals: [.missingDefault])
            try expect(
                error.advice,
                equals: """
                    Give Menu.title a default value or make it optional; if Menu.title was called heading before, \
                    mark it @Attribute(originalName: "heading"). If a newer version of the app has changed the \
                    store, update the app.
                    """)
            let later = try world.reopen(Versioned<Later>.self, Dish.self)
            try expect(
                try later.items(Versioned<Later>.all).map(\.values), equals: Menu.items.map(\.values))
        }
        ConformanceCase(
            "A mismatch in one type changes no type", proves: 3, 12
        ) { world in
            try world.storeMenus()
            let store = try world.makeStore(
                Versioned<GoodChange>.self, Keyed<Int>.self, Versioned<BadDish>.self)

            try expect(
                try expectError(.schemaMismatch) { try store.setup() }.message.contains("Dish.cents"),
                "Dish.cents")

            let original = try world.reopen(Menu.Original.self, Dish.self)
            try expect(try original.items(Menu.Original.all), equals: Menu.items)
            try expect(try original.items(Dish.all), equals: Fixture.dishes)
        }
        ConformanceCase("Types that differ only in case are two types", proves: 13) { world in
            try world.storeMenus()
            let store = try world.reopen(Versioned<Upper>.self, Menu.Original.self, Versioned<Lower>.self)
            try store.writeSync { accessor in
                try accessor.insert(Versioned<Lower>(1, .integer(7)))
                try accessor.insert(contentsOf: [
                    Versioned<Upper>(1, .integer(1)), Versioned<Upper>(2, .integer(0)),
                ])
                try accessor.deleteItems(
                    for: try DataStoreRequest<Menu.Original>(filter: #"title == "Soup""#))
            }

            let again = try world.reopen(Versioned<Lower>.self, Versioned<Upper>.self, Menu.Original.self)
            try expect(Menu.Original.all, gives: [2, 4], in: again)
            try expect(try again.items(Versioned<Lower>.all), equals: [Versioned(1, .integer(7))])
            try expect(try DataStoreRequest<Versioned<Upper>>(filter: "TITLE == true"), gives: [1], in: again)
        }
        ConformanceCase(
            "Attributes that differ only in case are kept apart through changes", proves: 12
        ) { world in
            let old = try world.open(Versioned<CasedOne>.self)
            try old.writeSync { _ = try $0.insert(Versioned<CasedOne>(1, .text("first"), .integer(9))) }
            let store = try world.reopen(Versioned<CasedTwo>.self)
            typealias Item = Versioned<CasedTwo>
            try expect(
                try store.items(Item.all),
                equals: [Item(1, .null, .text("first"), .integer(9), .null, .text("x"))])
            try store.writeSync { accessor in
                try accessor.insert(Item(2, .text("first"), .text("second"), .null, .integer(1), .text("Y")))
            }

            let again = try world.reopen(Versioned<CasedTwo>.self)
            try expect(try DataStoreRequest<Item>(filter: #"name == "first""#), gives: [1], in: again)
            try expect(try DataStoreRequest<Item>(filter: #"Name == "first""#), gives: [2], in: again)
            try expect(try DataStoreRequest<Item>(filter: #"NAME == "x""#), gives: [1], in: again)
            try expect(try DataStoreRequest<Item>(filter: "ID == 9 AND Id == nil"), gives: [1], in: again)
        }
        ConformanceCase("Odd names of types and attributes are only names", proves: 13) { world in
            let store = try world.open(
                Versioned<OddOne>.self, Versioned<OddTwo>.self, Versioned<OddThree>.self,
                Versioned<LongOne>.self, Versioned<LongTwo>.self)
            let odd = Versioned<OddOne>(
                5, .integer(77), .null, .text("oid"), .text("select"), .integer(3), .text("two"), .integer(1),
                .integer(4),
                .integer(6), .integer(7))
            try store.writeSync { accessor in
                try accessor.insert(odd)
                try accessor.insert(Versioned<OddTwo>(1, .integer(2)))
                try accessor.insert(Versioned<OddThree>(1, .integer(3)))
                try accessor.insert(Versioned<LongOne>(1, .integer(4)))
                try accessor.insert(Versioned<LongTwo>(1, .integer(5)))
            }

            let again = try world.reopen(
                Versioned<LongTwo>.self, Versioned<OddThree>.self, Versioned<OddOne>.self,
                Versioned<OddTwo>.self, Versioned<LongOne>.self)
            try expect(try again.items(Versioned<OddOne>.all), equals: [odd])
            for filter in [
                "rowid == 77", "`select` == \"select\"", "`two words` == \"two\" AND `select` >= \"a\"",
                "`a\"b'c``d]e` == 3", "`\u{1F363}\u{E9}` == true", "`e\u{301}` == 4", "_rowid_ == nil",
                "\(longName) == 6", "\(longName.dropLast())_ == 7",
            ] {
                try expect(try DataStoreRequest<Versioned<OddOne>>(filter: filter), gives: [5], in: again)
            }
            try expect(try DataStoreRequest<Versioned<OddTwo>>(filter: "`?1` > 1"), gives: [1], in: again)
            try expect(try again.items(Versioned<OddThree>.all), equals: [Versioned(1, .integer(3))])
            try expect(try again.items(Versioned<LongOne>.all), equals: [Versioned(1, .integer(4))])
            try expect(try again.items(Versioned<LongTwo>.all), equals: [Versioned(1, .integer(5))])
        }
    }

    /// Opens the menus as another version, which must be refused, and checks that they have not changed.
    private static func expectRefused<Version: ItemVersion>(
        _ version: Version.Type, naming parts: String..., in world: ConformanceWorld,
        file: StaticString = #fileID, line: Int = #line
    ) throws {
        try world.closeAll()
        let store = try world.makeStore(Versioned<Version>.self, Dish.self)
        let error = try expectError(.schemaMismatch, file: file, line: line) { try store.setup() }
        for part in parts {
            let text = error.message + " " + (error.attribute ?? "")
            try expect(text.contains(part), "\(part) in: \(error)", file: file, line: line)
        }
        try expectError(.notSetUp, file: file, line: line) { try store.read { _ in } }
        let original = try world.reopen(Menu.Original.self, Dish.self)
        try expect(try original.items(Menu.Original.all), equals: Menu.items, file: file, line: line)
        try expect(try original.items(Dish.all), equals: Fixture.dishes, file: file, line: line)
        let soups = try original.ids(try DataStoreRequest<Menu.Original>(filter: #"title == "Soup""#))
        try expect(soups, equals: [.integer(1), .integer(3)], file: file, line: line)
    }

    private enum Required: ItemVersion {
        static let schema = EntitySchema(
            "Menu", attributes: Menu.OriginalMenu.schema.attributes + [.attribute("rating", Double.self)])
    }

    private enum Narrowed: ItemVersion {
        static let schema = menu(price: .attribute("price", Int16.self))
    }

    private enum TextPrice: ItemVersion {
        static let schema = menu(price: .attribute("price", String.self))
    }

    private enum UnsignedPrice: ItemVersion {
        static let schema = menu(price: .attribute("price", UInt32.self))
    }

    private enum RealPrice: ItemVersion {
        static let schema = menu(price: .attribute("price", Double.self))
    }

    private static func menu(price: AttributeSchema) -> EntitySchema {
        EntitySchema(
            "Menu",
            attributes: [
                .attribute("id", Int64.self), .attribute("title", String.self), price,
                .attribute("note", String?.self), .attribute("weight", Float.self),
            ])
    }

    private enum RequiredNote: ItemVersion {
        static let schema = EntitySchema(
            "Menu",
            attributes: [
                .attribute("id", Int64.self), .attribute("title", String.self),
                .attribute("price", Int32.self),
                .attribute("note", String.self, default: "none"), .attribute("weight", Float.self),
            ])
    }

    /// Stored under the name of `Keyed<Int64>`, with another kind of identifier.
    private struct SameNameKeyed: DataStoreItem {
        let id: String

        struct Attributes: Sendable {
            let id = Attribute<SameNameKeyed, String>(column: 0)
        }

        static let attributes = Attributes()
        static let schema = EntitySchema("Keyed by Int64", attributes: [.attribute("id", String.self)])

        init(row: borrowing RowReader) throws(DataStoreError) {
            id = try row.value(at: 0)
        }

        func encode(to row: inout RowWriter) throws(DataStoreError) {
            try row.set(id, at: 0)
        }
    }

    private enum Everywhere: ItemVersion {
        static let schema = EntitySchema(
            "Menu",
            attributes: [
                .attribute("id", Int64.self), .attribute("title", Int.self), .attribute("price", Int8.self),
                .attribute("note", String.self), .attribute("rating", Double.self),
            ])
    }

    /// The title has another name.
    private enum Later: ItemVersion {
        static let schema = EntitySchema(
            "Menu",
            attributes: [
                .attribute("id", Int64.self), .attribute("heading", String.self, originalName: "title"),
                .attribute("price", Int32.self), .attribute("note", String?.self),
                .attribute("weight", Float.self),
            ])
    }

    private enum GoodChange: ItemVersion {
        static let schema = EntitySchema(
            "Menu",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self, originalName: "title"),
                .attribute("price", Int64.self),
            ])
    }

    private enum BadDish: ItemVersion {
        static let schema = EntitySchema(
            "Dish", attributes: Dish.schema.attributes.dropLast() + [.attribute("cents", Int8.self)])
    }

    private enum Lower: ItemVersion {
        static let schema = EntitySchema(
            "menu", attributes: [.attribute("id", Int64.self), .attribute("title", Int.self)],
            indexes: [.index("title")])
    }

    private enum Upper: ItemVersion {
        static let schema = EntitySchema(
            "MENU", attributes: [.attribute("id", Int64.self), .attribute("TITLE", Bool.self)],
            indexes: [.index("TITLE")])
    }

    private enum CasedOne: ItemVersion {
        static let schema = EntitySchema(
            "Cased",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self), .attribute("ID", Int?.self),
            ],
            indexes: [.unique("name")])
    }

    private enum CasedTwo: ItemVersion {
        static let schema = EntitySchema(
            "Cased",
            attributes: [
                .attribute("id", Int64.self), .attribute("Name", String?.self),
                .attribute("name", String.self),
                .attribute("ID", Int?.self), .attribute("Id", Int?.self),
                .attribute("NAME", String.self, default: "x"),
            ],
            indexes: [.unique("name"), .index("Name"), .index("NAME"), .index("ID")])
    }

    /// A name of 200 bytes, as long as one may be; a server cuts names to far less.
    private static let longName = String(repeating: "long", count: 50)

    /// Two types, whose names are as long as they may be, and differ in the last byte.
    private enum LongOne: ItemVersion {
        static let schema = EntitySchema(
            longName.prefix(99) + "1",
            attributes: [.attribute("id", Int64.self), .attribute("one", Int.self)], indexes: [.index("one")])
    }

    private enum LongTwo: ItemVersion {
        static let schema = EntitySchema(
            longName.prefix(99) + "2",
            attributes: [.attribute("id", Int64.self), .attribute("one", Int.self)], indexes: [.index("one")])
    }

    private enum OddOne: ItemVersion {
        static let schema = EntitySchema(
            "sqlite_master",
            attributes: [
                .attribute("id", Int64.self), .attribute("rowid", Int.self), .attribute("_rowid_", Int?.self),
                .attribute("oid", String.self), .attribute("select", String.self),
                .attribute("a\"b'c`d]e", Int.self),
                .attribute("two words", String.self), .attribute("\u{1F363}\u{E9}", Bool.self),
                .attribute("e\u{301}", Int.self), .attribute(longName, Int.self),
                .attribute(longName.dropLast() + "_", Int.self),
            ],
            indexes: [
                .index(longName), .unique(longName.dropLast() + "_"),
                .unique("rowid"), .index("two words", "select"), .index("a\"b'c`d]e"),
                .index("\u{1F363}\u{E9}"),
            ])
    }

    private enum OddTwo: ItemVersion {
        static let schema = EntitySchema(
            "table; DROP TABLE \"x\" --",
            attributes: [.attribute("id", Int64.self), .attribute("?1", Int.self)],
            indexes: [.index("?1")])
    }

    private enum OddThree: ItemVersion {
        static let schema = EntitySchema(
            "../\u{E9}\\%00", attributes: [.attribute("id", Int64.self), .attribute("--", Int.self)])
    }
}
