import Larder

/// Attributes become unique over items that are stored already.
enum UniquenessChangeCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Uniqueness over duplicates is refused, naming the first two items", proves: 11, 12
        ) { world in
            let items = Menu.items + more
            let message = #"The items 1 and 3 of Menu have the same title "Soup", which has to be unique."#
            try store(items, in: world)

            try expectRefused(
                UniqueTitle.self, items, attribute: "title", identifier: .integer(1), message: message,
                in: world)
            try expectRefused(
                UniqueTitleAndRating.self, items, attribute: "title", identifier: .integer(1),
                message: message,
                in: world)
        }
        ConformanceCase(
            "Uniqueness of several attributes over duplicates is refused", proves: 11, 12
        ) { world in
            let items = Menu.items + more
            try store(items, in: world)

            try expectRefused(
                UniquePair.self, items, attribute: "title, price", identifier: .integer(1),
                message:
                    "The items 1 and 6 of Menu have the same title \"Soup\" and price 500, which has to be unique.",
                in: world)
        }
        ConformanceCase(
            "Uniqueness over duplicates of texts too long for an index is refused", proves: 11, 12
        ) { world in
            let long = String(repeating: "x", count: 600)
            let items = ["3", "2", "1", "2", "3"].enumerated().map { position, end in
                Menu.Original(
                    Int64(position + 1), .text(long + end), .integer(Int64(position)), .null, .real(0))
            }
            let shown = String(repeating: "x", count: 40) + "…"
            try store(items, in: world)

            try expectRefused(
                UniqueTitle.self, items, attribute: "title", identifier: .integer(1),
                message:
                    "The items 1 and 5 of Menu have the same title \"\(shown)\", which has to be unique.",
                in: world)
        }
        ConformanceCase(
            "Uniqueness over items of text identifiers names them in their order", proves: 7, 11, 12
        ) { world in
            let store = try world.open(Keyed<String>.self)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: ["\u{E9}", "e\u{301}", "b", "B"].map { Keyed($0, rank: 7) })
            }
            try world.closeAll()

            let changed = try world.makeStore(UniqueRank.self)
            let error = try expectError(.uniqueViolation) { try changed.setup() }

            try expect(error.identifier, equals: .string("B"))
            try expect(
                error.message,
                equals: "The items B and b of Keyed by String have the same rank 7, which has to be unique.")
            try expect(try world.reopen(Keyed<String>.self).count(Keyed<String>.all), equals: 4)
        }
        ConformanceCase(
            "An attribute can become unique once no two items share a value", proves: 11, 12
        ) { world in
            try world.storeMenus()
            let store = try world.reopen(Menu.Original.self, Dish.self)
            try store.writeSync { accessor in
                let soup = try require(try accessor.mutableItem(id: 3, of: Menu.Original.self))
                soup.values[0] = .text("Other soup")
            }

            let unique = try world.reopen(Versioned<UniqueTitleAndRating>.self, Dish.self)

            try expect(try unique.count(Versioned<UniqueTitleAndRating>.all), equals: 4)
        }
        ConformanceCase("Values that are nil can become unique", proves: 11, 12) { world in
            try store(Menu.items + more, in: world)

            let unique = try world.reopen(Versioned<UniqueNote>.self, Dish.self)

            try expect(try unique.count(Versioned<UniqueNote>.all), equals: 6)
        }
    }

    private static func menu(
        _ indexes: [IndexDeclaration], adding attributes: [AttributeSchema] = []
    ) -> EntitySchema {
        EntitySchema(
            "Menu", attributes: Menu.OriginalMenu.schema.attributes + attributes, indexes: indexes)
    }

    private enum UniqueTitle: ItemVersion {
        static let schema = menu([.unique("title"), .index("price")])
    }

    /// The rows are rewritten too.
    private enum UniqueTitleAndRating: ItemVersion {
        static let schema = menu(
            [.unique("title"), .index("price")], adding: [.attribute("rating", Double.self, default: 1)])
    }

    private enum UniquePair: ItemVersion {
        static let schema = menu([.index("title"), .unique("title", "price")])
    }

    private enum UniqueNote: ItemVersion {
        static let schema = menu([.unique("note"), .unique("note", "title")])
    }

    /// Two groups of equal titles; the clash of the smaller identifiers comes later in the order of titles.
    private static let more: [Menu.Original] = [
        Menu.Original(5, .text(""), .integer(0), .null, .real(0)),
        Menu.Original(6, .text("Soup"), .integer(500), .null, .real(0)),
    ]

    /// Stores items, opens them as another version, which must be refused, and checks that they have not
    /// changed.
    private static func expectRefused<Version: ItemVersion>(
        _ version: Version.Type, _ items: [Menu.Original], attribute: String, identifier: AnyItemID,
        message: String, in world: ConformanceWorld, file: StaticString = #fileID, line: Int = #line
    ) throws {
        try world.closeAll()
        let store = try world.makeStore(Versioned<Version>.self, Dish.self)
        let error = try expectError(.uniqueViolation, file: file, line: line) { try store.setup() }
        try expect(error.message, equals: message, file: file, line: line)
        try expect(error.itemType, equals: "Menu", file: file, line: line)
        try expect(error.attribute, equals: attribute, file: file, line: line)
        try expect(error.identifier, equals: identifier, file: file, line: line)
        let original = try world.reopen(Menu.Original.self, Dish.self)
        try expect(try original.items(Menu.Original.all), equals: items, file: file, line: line)
    }

    private static func store(_ items: [Menu.Original], in world: ConformanceWorld) throws {
        let store = try world.open(Menu.Original.self, Dish.self)
        try store.writeSync { try $0.insert(contentsOf: items) }
        try world.closeAll()
    }

    /// `Keyed<String>` with an index that has become unique.
    private struct UniqueRank: DataStoreItem {
        let item: Keyed<String>
        var id: String { item.id }

        struct Attributes: Sendable {}
        static var attributes: Attributes { Attributes() }
        static var schema: EntitySchema {
            EntitySchema(
                Keyed<String>.schema.name, attributes: Keyed<String>.schema.attributes,
                indexes: [.unique("rank")])
        }

        init(row: borrowing RowReader) throws(DataStoreError) { item = try Keyed(row: row) }

        func encode(to row: inout RowWriter) throws(DataStoreError) { try item.encode(to: &row) }
    }
}
