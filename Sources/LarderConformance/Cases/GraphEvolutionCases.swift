import Larder

/// Relationships that are renamed, and item types that are left out, over items that are stored already.
enum GraphEvolutionCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Links stay when their relationship, and the type of the app, get another name", proves: 12, 15
        ) { world in
            try storeBooks(in: world)

            try expectMarks(try world.reopen(RenamedBook.self, RenamedLabel.self))
            let store = try world.reopen(RenamedBook.self, RenamedLabel.self)
            try expectMarks(store)

            // The rules follow the new name.
            try store.writeSync { accessor in
                _ = try accessor.delete(id: "blue", of: RenamedLabel.self)
                let book = try require(try accessor.mutableItem(id: 1, of: RenamedBook.self))
                try expect(try book.marks.ids(), equals: ["red"])
            }
        }
        ConformanceCase(
            "A relationship that takes the old name has no links yet", proves: 12, 15
        ) { world in
            try storeBooks(in: world)

            try expectMarks(try world.reopen(RenamedBook.self, RenamedLabel.self))
            // Without an original name, `labels` is a new relationship, and `marks` is gone with its links.
            let store = try world.reopen(LaterBook.self, EarlyLabel.self)

            try store.writeSync { accessor in
                let book = try require(try accessor.mutableItem(id: 1, of: LaterBook.self))
                try expect(try book.labels.ids(), equals: [])
                try expect(try book.labels.add(id: "green"), "added")
            }
            let again = try world.reopen(RenamedBook.self, RenamedLabel.self)
            try again.writeSync { accessor in
                let book = try require(try accessor.mutableItem(id: 1, of: RenamedBook.self))
                try expect(try book.marks.ids(), equals: ["green"])
            }
        }
        ConformanceCase(
            "Links that the current version keeps are not dropped on the way to a store's own version",
            proves: 12, 15
        ) { world in
            // The store says that it is of version 1, and has labels already, as version 2 has.
            let early = SchemaVersion("1", storing: [LaterBook.self, EarlyLabel.self])
            let store = try HistoryCases.open(world, SchemaHistory([early]))
            try store.writeSync { accessor in
                try accessor.insert(EarlyLabel(id: "red"))
                try accessor.insert(LaterBook(id: 1)).labels.add(id: "red")
            }
            let before = try HistoryCases.stored(world, store)
            let history = SchemaHistory([
                SchemaVersion("1", storing: [EarlyBook.self, EarlyLabel.self]),
                SchemaVersion("2", storing: [LaterBook.self, EarlyLabel.self]),
            ])

            let today = try world.makeStore(storing: history)
            let error = try expectError(.schemaMismatch) { try today.setup() }

            try expect(error.itemType, equals: "GrowingBook")
            try expect(error.attribute, equals: "labels")
            try expect(error.message.contains("of version 1 of the schema"), error.message)
            try expect(try HistoryCases.stored(world, store), equals: before)
        }
        ConformanceCase(
            "References stay when their ToOne gets another name", proves: 12, 15
        ) { world in
            try storeOrders(in: world)

            let store = try world.reopen(Versioned<Chef>.self, Versioned<OrderOfChef>.self)
            try expect(
                try store.items(Versioned<OrderOfChef>.all),
                equals: orders(of: OrderOfChef.self, cooks: [1, 2, nil]))
            try store.writeSync { _ = try $0.delete(id: 1, of: Versioned<Chef>.self) }

            try expect(
                try store.items(Versioned<OrderOfChef>.all),
                equals: orders(of: OrderOfChef.self, cooks: [nil, 2, nil]))
        }
        ConformanceCase(
            "A reference does not become another kind of relationship under its name", proves: 12, 15
        ) { world in
            try storeOrders(in: world)
            let refused: [(types: [any DataStoreItem.Type], message: String)] = [
                (
                    [Versioned<Cook>.self, Versioned<OrderOfMany>.self],
                    "Order.cook is stored as a ToOne, not as a ToMany"
                ),
                (
                    [Versioned<OrderedCook>.self, Versioned<ShownOrder>.self],
                    "Order.cook is stored as a ToOne of its own, not as the inverse of Cook.order"
                ),
            ]

            for (types, message) in refused {
                let store = try world.makeStore(storing: types)
                let error = try expectError(.schemaMismatch) { try store.setup() }

                try expect(error.differences.map(\.kind), equals: [.relationshipType])
                try expect(error.differences.map(\.message), equals: [message])
                let again = try world.reopen(Versioned<Cook>.self, Versioned<Order>.self)
                try expect(
                    try again.items(Versioned<Order>.all), equals: orders(of: Order.self, cooks: [1, 2, nil]))
                try world.closeAll()
            }
            // Under another name, the reference stays.
            let store = try world.reopen(Versioned<Cook>.self, Versioned<OrderOfBoth>.self)
            try expect(
                try store.items(Versioned<OrderOfBoth>.all),
                equals: orders(of: OrderOfBoth.self, cooks: [1, 2, nil]))
        }
        ConformanceCase(
            "References are not dropped when the end that shows them becomes one of its own", proves: 12, 15
        ) { world in
            try storeOrders(in: world)
            _ = try world.reopen(Versioned<Chef>.self, Versioned<OrderOfChef>.self)
            try world.closeAll()

            let store = try world.makeStore(Versioned<OwningCook>.self, Versioned<BareOrder>.self)
            let error = try expectError(.schemaMismatch) { try store.setup() }

            try expect(error.differences.map(\.kind), equals: [.relationshipType])
            try expect(
                error.differences.map(\.message),
                equals: ["Cook.orders is stored as the inverse of Order.chef, not as a ToMany of its own"])
            let again = try world.reopen(Versioned<Chef>.self, Versioned<OrderOfChef>.self)
            try expect(
                try again.items(Versioned<OrderOfChef>.all),
                equals: orders(of: OrderOfChef.self, cooks: [1, 2, nil]))
        }
        ConformanceCase(
            "A reference does not lead to items of another type by itself", proves: 12, 15
        ) { world in
            try storeOrders(in: world)
            // Waiters have the identifiers of cooks.
            let both = try world.reopen(
                Versioned<Cook>.self, Versioned<Waiter>.self, Versioned<Order>.self)
            try both.writeSync { try $0.insert(contentsOf: [Versioned<Waiter>(1), Versioned(2)]) }
            try world.closeAll()

            let store = try world.makeStore(
                Versioned<Cook>.self, Versioned<Waiter>.self, Versioned<OrderOfWaiter>.self)
            let error = try expectError(.schemaMismatch) { try store.setup() }

            try expect(error.differences.map(\.kind), equals: [.relationshipType])
            try expect(
                error.differences.map(\.message),
                equals: ["Order.cook is stored as a reference to Cook, not to Waiter"])
            let again = try world.reopen(
                Versioned<Cook>.self, Versioned<Waiter>.self, Versioned<Order>.self)
            try expect(
                try again.items(Versioned<Order>.all), equals: orders(of: Order.self, cooks: [1, 2, nil]))
        }
        ConformanceCase(
            "An item type cannot be opened without one whose links lead to it", proves: 12, 15, 16
        ) { world in
            try storeBooks(in: world)

            try expectRefused(EarlyLabel.self, without: "GrowingBook", "labels", in: world)

            // The other way nothing leads out: the links go with the property.
            _ = try world.reopen(EarlyBook.self)
            let alone = try world.reopen(EarlyLabel.self)
            try alone.writeSync { _ = try $0.delete(id: "red", of: EarlyLabel.self) }
            let both = try world.reopen(LaterBook.self, EarlyLabel.self)

            try both.writeSync { accessor in
                let book = try require(try accessor.mutableItem(id: 1, of: LaterBook.self))
                try expect(try book.labels.ids(), equals: [])
            }
        }
        ConformanceCase(
            "An item type cannot be opened without one whose references lead to it", proves: 12, 15, 16
        ) { world in
            try storeOrders(in: world)

            try expectRefused(Versioned<Cook>.self, without: "Order", "cook", in: world)

            _ = try world.reopen(Versioned<LooseOrder>.self)
            let alone = try world.reopen(Versioned<Cook>.self)
            try alone.writeSync { _ = try $0.delete(id: 1, of: Versioned<Cook>.self) }
            try world.closeAll()
            let both = try world.makeStore(Versioned<Cook>.self, Versioned<Order>.self)
            let error = try expectError(.targetNotFound) { try both.setup() }

            try expect(
                error.message, equals: "Order 1 refers by cook to Cook 1, which does not exist.")
            try world.closeAll()
        }
    }

    // MARK: Names

    /// Stores two books, of which the first has two labels, and the second one of them.
    private static func storeBooks(in world: ConformanceWorld) throws {
        let store = try world.open(LaterBook.self, EarlyLabel.self)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: ["blue", "green", "red"].map { EarlyLabel(id: $0) })
            for (id, labels) in [(1, ["blue", "red"]), (2, ["red"])] {
                try accessor.insert(LaterBook(id: Int64(id))).labels.add(ids: labels)
            }
        }
        try world.closeAll()
    }

    private static func expectMarks(_ store: any DataStore, line: Int = #line) throws {
        try store.writeSync { accessor in
            for (id, labels) in [(1, ["blue", "red"]), (2, ["red"])] {
                let book = try require(try accessor.mutableItem(id: Int64(id), of: RenamedBook.self))
                try expect(try book.marks.ids(), equals: labels, "marks of book \(id)", line: line)
            }
            let red = try require(try accessor.mutableItem(id: "red", of: RenamedLabel.self))
            try expect(try red.books.ids(), equals: [1, 2], line: line)
        }
    }

    private static func orders(
        _ reference: AttributeSchema, _ relationships: RelationshipDeclaration...
    ) -> EntitySchema {
        EntitySchema(
            "Order", attributes: [.attribute("id", Int64.self), reference], relationships: relationships)
    }

    private static func cook(_ relationships: RelationshipDeclaration...) -> EntitySchema {
        EntitySchema(
            "Cook", attributes: [.attribute("id", Int64.self)], relationships: relationships)
    }

    private enum Cook: ItemVersion {
        static let schema = cook()
    }

    private enum Order: ItemVersion {
        static let schema = orders(.attribute("cook", ToOne<Versioned<Cook>>?.self))
    }

    private enum LooseOrder: ItemVersion {
        static let schema = orders(.attribute("cook", Int64?.self))
    }

    private enum Chef: ItemVersion {
        static let schema = cook(
            .relationship(
                "orders", ToMany<Versioned<OrderOfChef>>.self, of: Versioned<Chef>.self,
                inverse: Attribute<Versioned<OrderOfChef>, ToOne<Versioned<Chef>>?>(indexedColumn: 1)))
    }

    private enum OrderOfChef: ItemVersion {
        static let schema = orders(
            .attribute("chef", ToOne<Versioned<Chef>>?.self, originalName: "cook"))
    }

    private enum OwningCook: ItemVersion {
        static let schema = cook(.relationship("orders", ToMany<Versioned<BareOrder>>.self))
    }

    private enum BareOrder: ItemVersion {
        static let schema = EntitySchema("Order", attributes: [.attribute("id", Int64.self)])
    }

    private enum OrderOfMany: ItemVersion {
        static let schema = EntitySchema(
            "Order", attributes: [.attribute("id", Int64.self)],
            relationships: [.relationship("cook", ToMany<Versioned<Cook>>.self)])
    }

    private enum OrderOfBoth: ItemVersion {
        static let schema = orders(
            .attribute("chef", ToOne<Versioned<Cook>>?.self, originalName: "cook"),
            .relationship("cook", ToMany<Versioned<Cook>>.self))
    }

    private enum Waiter: ItemVersion {
        static let schema = EntitySchema("Waiter", attributes: [.attribute("id", Int64.self)])
    }

    private enum OrderOfWaiter: ItemVersion {
        static let schema = orders(.attribute("cook", ToOne<Versioned<Waiter>>?.self))
    }

    private enum OrderedCook: ItemVersion {
        static let schema = EntitySchema(
            "Cook",
            attributes: [
                .attribute("id", Int64.self), .attribute("order", ToOne<Versioned<ShownOrder>>?.self),
            ])
    }

    private enum ShownOrder: ItemVersion {
        static let schema = EntitySchema(
            "Order", attributes: [.attribute("id", Int64.self)],
            relationships: [
                .relationship(
                    "cook", ToOneInverse<Versioned<OrderedCook>>.self, of: Versioned<ShownOrder>.self,
                    inverse: Attribute<Versioned<OrderedCook>, ToOne<Versioned<ShownOrder>>?>(
                        indexedColumn: 1))
            ])
    }

    /// Stores two cooks, and three orders of which two have one.
    private static func storeOrders(in world: ConformanceWorld) throws {
        let store = try world.open(Versioned<Cook>.self, Versioned<Order>.self)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Versioned<Cook>(1), Versioned(2)])
            try accessor.insert(contentsOf: orders(of: Order.self, cooks: [1, 2, nil]))
        }
        try world.closeAll()
    }

    private static func orders<Version: ItemVersion>(
        of version: Version.Type, cooks: [Int64?]
    ) -> [Versioned<Version>] {
        cooks.enumerated().map { position, cook in
            Versioned(Int64(position) + 1, cook.map { .integer($0) } ?? .null)
        }
    }

    // MARK: Types that are left out

    private static func expectRefused(
        _ type: any DataStoreItem.Type, without other: String, _ relationship: String,
        in world: ConformanceWorld
    ) throws {
        let store = try world.makeStore(type)
        let error = try expectError(.schemaMismatch) { try store.setup() }
        try expect(error.differences.map(\.kind), equals: [.undeclaredType])
        try expect(
            error.differences.map(\.message),
            equals: [
                "\(other).\(relationship) leads to \(type.schema.name), and \(other) is not among the store's "
                    + "types"
            ])
        try expect(
            error.differences.map(\.advice),
            equals: [
                """
                Add the type that is stored as \(other). To give it up, open the store once with \(other) \
                declared without \(relationship).
                """
            ])
        try world.closeAll()
    }
}
