import Larder

/// Attributes become references, and relationships change, over items that are stored already.
enum GraphSchemaCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "An attribute that holds identifiers becomes a reference, and its rows stay", proves: 12, 15
        ) { world in
            try store(rows, in: world)

            let indexed = try world.reopen(Versioned<Cook>.self, Versioned<Order>.self)
            try expect(try indexed.items(Versioned<Order>.all), equals: items(Order.self, rows))
            let unindexed = try world.reopen(Versioned<Cook>.self, Versioned<UnindexedOrder>.self)
            try expect(
                try unindexed.items(Versioned<UnindexedOrder>.all), equals: items(UnindexedOrder.self, rows))
            let built = try world.reopen(Versioned<Cook>.self, Versioned<Order>.self)

            try expect(try built.items(Versioned<Order>.all), equals: items(Order.self, rows))
        }
        ConformanceCase(
            "A value that leads nowhere cannot become a reference; the first item is named", proves: 3, 12,
            15
        ) { world in
            // The one with the smaller identifier comes later in the order of the values.
            let rows = rows + [(5, "Jam", 9), (6, "Ale", 8)]
            let types: [any DataStoreItem.Type] = [Versioned<Cook>.self, Versioned<Order>.self]
            try store(rows, in: world)

            try expectRefused(
                .targetNotFound, types, item: 5,
                message: "Order 5 refers by cook to Cook 9, which does not exist.", rows, in: world)
            try expectRefused(
                .targetNotFound, [Versioned<Chef>.self, Versioned<OrderOfChef>.self], item: 5,
                message: "Order 5 refers by cook to Cook 9, which does not exist.", rows, in: world)
            let store = try world.reopen(Versioned<Cook>.self, Versioned<LooseOrder>.self)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Versioned<Cook>(9, .text("Cy"))])
                _ = try accessor.delete(id: 6, of: Versioned<LooseOrder>.self)
            }
            let corrected = try world.reopen(Versioned<Cook>.self, Versioned<Order>.self)

            try expect(
                try corrected.items(Versioned<Order>.all), equals: items(Order.self, Array(rows.prefix(5))))
        }
        ConformanceCase(
            "A reference to a type that is new leads nowhere", proves: 3, 12, 15
        ) { world in
            let store = try world.open(Versioned<LooseOrder>.self)
            try store.writeSync { try $0.insert(contentsOf: items(LooseOrder.self, rows)) }
            try world.closeAll()

            try expectRefused(
                .targetNotFound, [Versioned<Order>.self, Versioned<Cook>.self], item: 1,
                message: "Order 1 refers by cook to Cook 1, which does not exist.", rows, in: world)
        }
        ConformanceCase(
            "A reference that two items share cannot become one-to-one", proves: 3, 12, 15
        ) { world in
            try store(rows, in: world)

            try expectRefused(
                .uniqueViolation, [Versioned<LonelyCook>.self, Versioned<OnlyOrder>.self], item: 4,
                message: "Order 1 and Order 4 both refer by cook to Cook 1, which only one may.", rows,
                in: world)
            let store = try world.reopen(Versioned<Cook>.self, Versioned<LooseOrder>.self)
            try store.writeSync { _ = try $0.delete(id: 4, of: Versioned<LooseOrder>.self) }
            let single = try world.reopen(Versioned<LonelyCook>.self, Versioned<OnlyOrder>.self)

            try expect(
                try single.items(Versioned<OnlyOrder>.all),
                equals: items(OnlyOrder.self, Array(rows.prefix(3))))
        }
        ConformanceCase(
            "A new inverse and another delete rule change no row", proves: 12, 15
        ) { world in
            try store(rows, in: world)

            _ = try world.reopen(Versioned<Cook>.self, Versioned<Order>.self)
            let inverse = try world.reopen(Versioned<Chef>.self, Versioned<OrderOfChef>.self)
            try expect(try inverse.items(Versioned<OrderOfChef>.all), equals: items(OrderOfChef.self, rows))
            let none = try world.reopen(Versioned<Cook>.self, Versioned<LooseOrder>.self)

            try expect(try none.items(Versioned<LooseOrder>.all), equals: items(LooseOrder.self, rows))
        }
        ConformanceCase(
            "Items keep their references in a store that is opened again", proves: 12, 15
        ) { world in
            let people = [Person(1, "Ada"), Person(2, "Bo", mentor: 1)]
            let books = [Book(1, "Cakes", by: 2), Book(2, "Soups", by: 2, editedBy: 1)]
            let store = try world.makeStore(storing: Library.types)
            try store.setup()
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: people)
                try accessor.insert(contentsOf: [Passport("P1", number: 7, holder: 1)])
                try accessor.insert(contentsOf: books)
            }
            try world.closeAll()
            let again = try world.makeStore(storing: Library.types)
            try again.setup()

            try expect(try again.items(Person.all), equals: people)
            try expect(try again.items(Book.all), equals: books)
            try expect(try again.items(Passport.all).map(\.holder), equals: [ToOne(id: ItemID(rawValue: 1))])
        }
    }

    private static func orders(_ cook: AttributeSchema, _ indexes: [IndexDeclaration] = []) -> EntitySchema {
        EntitySchema(
            "Order",
            attributes: [.attribute("id", Int64.self), .attribute("title", String.self), cook],
            indexes: indexes)
    }

    private static func cooks(_ relationships: [RelationshipDeclaration]) -> EntitySchema {
        EntitySchema(
            "Cook", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)],
            relationships: relationships)
    }

    private enum Cook: ItemVersion {
        static let schema = cooks([])
    }

    private enum LooseOrder: ItemVersion {
        static let schema = orders(.attribute("cook", Int64?.self), [.index("cook")])
    }

    private enum UnindexedOrder: ItemVersion {
        static let schema = orders(.attribute("cook", Int64?.self))
    }

    private enum Order: ItemVersion {
        static let schema = orders(.attribute("cook", ToOne<Versioned<Cook>>?.self))
    }

    private enum Chef: ItemVersion {
        static let schema = cooks([
            .relationship(
                "orders", ToMany<Versioned<OrderOfChef>>.self, of: Versioned<Chef>.self,
                inverse: Attribute<Versioned<OrderOfChef>, ToOne<Versioned<Chef>>?>(indexedColumn: 2),
                deleteRule: .cascade)
        ])
    }

    private enum OrderOfChef: ItemVersion {
        static let schema = orders(.attribute("cook", ToOne<Versioned<Chef>>?.self))
    }

    /// Any value of the references to it is allowed.
    private enum Ghost: ItemVersion {
        static let schema = cooks([
            .relationship(
                "orders", ToMany<Versioned<OrderOfGhost>>.self, of: Versioned<Ghost>.self,
                inverse: Attribute<Versioned<OrderOfGhost>, ToOne<Versioned<Ghost>>>(indexedColumn: 2),
                deleteRule: .noAction)
        ])
    }

    private enum OrderOfGhost: ItemVersion {
        static let schema = orders(.attribute("cook", ToOne<Versioned<Ghost>>.self))
    }

    private enum LonelyCook: ItemVersion {
        static let schema = cooks([
            .relationship(
                "order", ToOneInverse<Versioned<OnlyOrder>>.self, of: Versioned<LonelyCook>.self,
                inverse: Attribute<Versioned<OnlyOrder>, ToOne<Versioned<LonelyCook>>?>(indexedColumn: 2))
        ])
    }

    private enum OnlyOrder: ItemVersion {
        static let schema = orders(.attribute("cook", ToOne<Versioned<LonelyCook>>?.self))
    }

    private typealias Row = (id: Int64, title: String, cook: Int64?)

    private static let rows: [Row] = [(1, "Soup", 1), (2, "Cake", 2), (3, "Tea", nil), (4, "Pie", 1)]

    private static func items<Version: ItemVersion>(
        _ version: Version.Type, _ rows: [Row]
    ) -> [Versioned<Version>] {
        rows.map { Versioned($0.id, .text($0.title), $0.cook.map { .integer($0) } ?? .null) }
    }

    /// Stores two cooks, and orders whose cooks nothing checks.
    private static func store(_ rows: [Row], in world: ConformanceWorld) throws {
        let store = try world.open(Versioned<Cook>.self, Versioned<LooseOrder>.self)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [Versioned<Cook>(1, .text("Ada")), Versioned(2, .text("Bo"))])
            try accessor.insert(contentsOf: items(LooseOrder.self, rows))
        }
        try world.closeAll()
    }

    private static func expectRefused(
        _ code: DataStoreError.Code, _ types: [any DataStoreItem.Type], item: Int64, message: String,
        _ rows: [Row], in world: ConformanceWorld, file: StaticString = #fileID, line: Int = #line
    ) throws {
        let store = try world.makeStore(storing: types)
        let error = try expectError(code, file: file, line: line) { try store.setup() }
        try expect(error.message, equals: message, file: file, line: line)
        try expect(error.itemType, equals: "Order", file: file, line: line)
        try expect(error.attribute, equals: "cook", file: file, line: line)
        try expect(error.identifier, equals: .integer(item), file: file, line: line)
        let before = try world.reopen(Versioned<Cook>.self, Versioned<LooseOrder>.self)
        try expect(
            try before.items(Versioned<LooseOrder>.all), equals: items(LooseOrder.self, rows), file: file,
            line: line)
        try world.closeAll()
    }
}
