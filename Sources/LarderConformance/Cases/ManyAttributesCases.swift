import Larder
import LarderText

/// Item types with so many attributes that an engine may keep them otherwise than a few.
enum ManyAttributesCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A thousand attributes that all have values come back, are found and change", proves: 8, 9, 10
        ) { world in
            let store = try world.open(Versioned<Thousand>.self)
            typealias Item = Versioned<Thousand>
            let items = (1...12).map { Item(Int64($0), values: Thousand.values($0)) }
            try store.writeSync { try $0.insert(contentsOf: items) }

            try expect(try store.items(Item.all) == items, "the items inserted")
            try expect(try store.item(7, of: Item.self) == items[6], "the item by its identifier")
            try expect(
                try DataStoreRequest<Item>(filter: #"a601 == "text 601 of item 0005""#), gives: [5], in: store
            )
            try expect(
                try DataStoreRequest<Item>(filter: "a602 > 6020", sort: "a602"), gives: [11, 12], in: store)
            try expect(
                try DataStoreRequest<Item>(filter: #"a5 >= "text 5 of item 0011""#, sort: "a5"),
                gives: [11, 12],
                in: store)
            try expect(
                try DataStoreRequest<Item>(filter: #"a9 hasSuffix "0004""#, sort: "a13"), gives: [4],
                in: store)
            try store.writeSync { accessor in
                let item = try require(try accessor.mutableItem(id: 3, of: Item.self))
                for number in [1, 5, 32, 33, 601, 602, 999] { item.values[number - 1] = .null }
                item.values[8] = .text("a longer text than the one that was there, and \u{0} in it")
                try accessor.delete(id: 4, of: Item.self)
            }
            var changed = items[2]
            for number in [1, 5, 32, 33, 601, 602, 999] { changed.values[number - 1] = .null }
            changed.values[8] = .text("a longer text than the one that was there, and \u{0} in it")
            try expect(try store.item(3, of: Item.self) == changed, "the item that was changed")
            try expect(try store.items(Item.all) == items[..<2] + [changed] + items[4...], "all items")
            try expect(try DataStoreRequest<Item>(filter: "a5 == nil"), gives: [3], in: store)
            try expect(
                try DataStoreRequest<Item>(filter: "a602 == nil || a602 < 1205", sort: "a602"),
                gives: [3, 1, 2],
                in: store)
        }
        ConformanceCase("The folded texts of indexes count among the thousand attributes", proves: 7, 10) {
            world in
            let error = try expectError(.invalidSchema) { _ = try world.open(Versioned<Overfull>.self) }
            try expect(
                error.message,
                equals: "The declaration of Overfull is wrong: "
                    + "it has more than 1000 attributes, with the folded texts of its indexes.")

            typealias Item = Versioned<Brimful>
            let store = try world.open(Item.self)
            let values = [.text("Soup")] + Array(repeating: Constant.null, count: 997)
            try store.writeSync { try $0.insert(Item(1, values: values)) }
            let again = try world.reopen(Item.self)
            try expect(try DataStoreRequest<Item>(filter: #"a1 ==[c] "SOUP""#), gives: [1], in: again)
        }
        ConformanceCase(
            "An item type grows to many attributes and shrinks again, and keeps its values", proves: 9, 12
        ) { world in
            let few = try world.open(Versioned<Few>.self)
            try few.writeSync { accessor in
                for id in 1...3 { try accessor.insert(Versioned<Few>(Int64(id), values: Few.values(id))) }
            }
            let many = try world.reopen(Versioned<Many>.self)
            try expect(
                try many.items(Versioned<Many>.all)
                    == (1...3).map { id in
                        let old = Few.values(id)
                        return Versioned<Many>(
                            Int64(id),
                            values: Array(repeating: .null, count: 500) + [
                                old[1], .unsigned(UInt64(id)), old[3],
                            ])
                    }, "the items after the type has grown")
            try many.writeSync { accessor in
                try accessor.insert(Versioned<Many>(4, values: Many.values(4)))
                let item = try require(try accessor.mutableItem(id: 2, of: Versioned<Many>.self))
                item.values[499] = .text("the five hundredth")
            }
            try expect(
                try DataStoreRequest<Versioned<Many>>(filter: #"name == "name 3""#), gives: [3], in: many)
            try expectError(.uniqueViolation) {
                try many.writeSync {
                    var values = Many.values(5)
                    values[500] = .text("name 3")
                    try $0.insert(Versioned<Many>(5, values: values))
                }
            }
            let moved = try world.reopen(Versioned<ManyMoved>.self)
            try expect(
                try moved.items(Versioned<ManyMoved>.all).map(\.values.last),
                equals: [.null, .text("the five hundredth"), .null, .text("b500 of 4")])
            try expect(
                try DataStoreRequest<Versioned<ManyMoved>>(filter: nil, sort: "name"), gives: [1, 2, 3, 4],
                in: moved)
            let again = try world.reopen(Versioned<FewAgain>.self)
            try expect(
                try again.items(Versioned<FewAgain>.all),
                equals: [
                    Versioned(1, .text("name 1"), .unsigned(1)), Versioned(2, .text("name 2"), .unsigned(2)),
                    Versioned(3, .text("name 3"), .unsigned(3)),
                    Versioned(4, .text("name 4"), .unsigned(.max)),
                ])
        }
    }

    private enum Thousand: ItemVersion {
        static let schema = EntitySchema(
            "Thousand",
            attributes: [.attribute("id", Int64.self)]
                + (1...999).map { number in
                    number % 2 == 1
                        ? .attribute("a\(number)", String?.self) : .attribute("a\(number)", Int64?.self)
                },
            indexes: [.index("a5"), .index("a602")])

        static func values(_ id: Int) -> [Constant] {
            (1...999).map { number in
                if number % 2 == 0 { return .integer(Int64(number * id)) }
                let digits = String(id)
                let zeros = String(repeating: "0", count: 4 - digits.count)
                return .text("text \(number) of item \(zeros)\(digits)")
            }
        }
    }

    /// A thousand attributes with a folded text.
    private enum Brimful: ItemVersion {
        static let schema = folding("Brimful", besides: 997)
    }

    /// A thousand attributes, and a folded text.
    private enum Overfull: ItemVersion {
        static let schema = folding("Overfull", besides: 998)
    }

    /// A type with a text that has an index without regard to case.
    private static func folding(_ name: String, besides count: Int) -> EntitySchema {
        EntitySchema(
            name,
            attributes: [.attribute("id", Int64.self), .attribute("a1", String?.self)]
                + (1...count).map { .attribute("flag\($0)", Bool?.self) },
            indexes: [.index("a1", .caseInsensitive)])
    }

    private enum Few: ItemVersion {
        static let schema = EntitySchema(
            "Grown",
            attributes: [
                .attribute("id", Int64.self), .attribute("dropped", String.self),
                .attribute("name", String.self), .attribute("count", UInt32.self),
                .attribute("weight", Double.self),
            ],
            indexes: [.index("name")])

        static func values(_ id: Int) -> [Constant] {
            [.text("dropped"), .text("name \(id)"), .integer(Int64(id)), .real(Double(id) / 4)]
        }
    }

    private enum Many: ItemVersion {
        static let schema = EntitySchema(
            "Grown",
            attributes: [.attribute("id", Int64.self)]
                + (1...500).map { .attribute("b\($0)", String?.self) }
                + [
                    .attribute("name", String.self), .attribute("count", UInt64.self),
                    .attribute("weight", Double.self),
                ],
            indexes: [.unique("name"), .index("b7")])

        static func values(_ id: Int) -> [Constant] {
            (1...500).map { .text("b\($0) of \(id)") } + [.text("name \(id)"), .unsigned(.max), .real(0.5)]
        }
    }

    /// All attributes in other places.
    private enum ManyMoved: ItemVersion {
        static let schema = EntitySchema(
            "Grown",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self),
                .attribute("count", UInt64.self),
            ] + (2...500).map { .attribute("b\($0)", String?.self) },
            indexes: [.unique("name"), .index("b7"), .index("b500")])
    }

    private enum FewAgain: ItemVersion {
        static let schema = EntitySchema(
            "Grown",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self),
                .attribute("count", UInt64.self),
            ],
            indexes: [.index("name")])
    }
}
