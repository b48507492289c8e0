import Larder

/// Steps that give the name of an attribute to another one, whose values need not keep the rules of that name.
enum StepRenamingCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Values that come under the name of a unique attribute must be unique", proves: 11, 12
        ) { world in
            let changes: [(step: EntityMapping, type: any DataStoreItem.Type, value: String)] = [
                (Keep("Part").renaming("label", to: "code"), Versioned<Coded>.self, "x"),
                // The attribute under the old name is new.
                (Keep("Part").renaming("code", to: "label"), Versioned<Defaulted>.self, "none"),
            ]
            let parts = [Part(1, .text("a"), .text("x")), Part(2, .text("b"), .text("x"))]
            let store = try HistoryCases.open(world, history(Part.self))
            try store.writeSync { try $0.insert(contentsOf: parts) }
            let before = try HistoryCases.stored(world, store)

            for (step, type, value) in changes {
                let refused = try world.makeStore(storing: history(Part.self, type, step))
                let error = try expectError(.uniqueViolation) { try refused.setup() }

                try expect(
                    error.message,
                    equals: """
                        The items 1 and 2 of Part have the same code "\(value)", which has to be unique.
                        """)
                try expect(error.itemType, equals: "Part")
                try expect(error.attribute, equals: "code")
                try expect(error.identifier, equals: .integer(1))
                try expect(try HistoryCases.stored(world, store), equals: before)
            }
            let again = try HistoryCases.open(world, history(Part.self))
            try again.writeSync { try $0.update(Part(2, .text("b"), .text("y"))) }
            let today = try HistoryCases.open(world, history(Part.self, changes[0].type, changes[0].step))
            try expect(
                try today.items(Versioned<Coded>.all),
                equals: [Versioned<Coded>(1, .text("x")), Versioned<Coded>(2, .text("y"))])
        }
        ConformanceCase(
            "References that come under the name of a one-to-one reference must be one-to-one",
            proves: 12, 15
        ) { world in
            let step = Keep("Badge").renaming("lender", to: "holder")
            let first: [any DataStoreItem.Type] = [Owner.self, Badge.self]
            let second: [any DataStoreItem.Type] = [Versioned<LaterOwner>.self, Versioned<LaterBadge>.self]
            let badges = [Badge(1, .integer(1), .integer(2)), Badge(2, .null, .integer(2))]
            let store = try HistoryCases.open(world, history(first))
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Owner(1), Owner(2)])
                try accessor.insert(contentsOf: badges)
            }
            let before = try HistoryCases.stored(world, store)

            let refused = try world.makeStore(storing: history(first, second, step))
            let error = try expectError(.uniqueViolation) { try refused.setup() }

            try expect(
                error.message,
                equals: "Badge 1 and Badge 2 both refer by holder to Owner 2, which only one may.")
            try expect(error.itemType, equals: "Badge")
            try expect(error.attribute, equals: "holder")
            try expect(error.identifier, equals: .integer(2))
            try expect(try HistoryCases.stored(world, store), equals: before)
            let again = try HistoryCases.open(world, history(first))
            try again.writeSync { try $0.update(Badge(2, .null, .integer(1))) }
            let today = try HistoryCases.open(world, history(first, second, step))
            try expect(
                try today.items(Versioned<LaterBadge>.all),
                equals: [Versioned<LaterBadge>(1, .integer(2)), Versioned<LaterBadge>(2, .integer(1))])
        }
        ConformanceCase(
            "A reference that takes the name of a renamed one is a new one", proves: 12, 15
        ) { world in
            typealias Later = Versioned<OrderOfWaiter>
            let step = Keep("Order").renaming("cook", to: "chef")
            let first: [any DataStoreItem.Type] = [Cook.self, Order.self]
            let store = try HistoryCases.open(world, history(first))
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Cook(1), Cook(2)])
                try accessor.insert(contentsOf: [Order(1, .integer(1)), Order(2, .integer(2))])
            }
            let before = try HistoryCases.stored(world, store)

            let refused = try world.makeStore(
                storing: history(first, [Cook.self, Versioned<OrderOfCooks>.self], step))
            let error = try expectError(.targetNotFound) { try refused.setup() }

            try expect(error.message, equals: "Order 1 refers by cook to Cook 9, which does not exist.")
            try expect(try HistoryCases.stored(world, store), equals: before)
            let today = try HistoryCases.open(
                world, history(first, [Cook.self, Versioned<Waiter>.self, Later.self], step))
            try expect(
                try today.items(Later.all),
                equals: [Later(1, .integer(1), .null), Later(2, .integer(2), .null)])
        }
    }

    private static func history(
        _ first: any DataStoreItem.Type, _ second: (any DataStoreItem.Type)? = nil,
        _ step: EntityMapping? = nil
    ) -> SchemaHistory {
        history([first], second.map { [$0] } ?? [], step)
    }

    /// The first version, or both and the step between them.
    private static func history(
        _ first: [any DataStoreItem.Type], _ second: [any DataStoreItem.Type] = [],
        _ mapping: EntityMapping? = nil
    ) -> SchemaHistory {
        let version = SchemaVersion("1", storing: first)
        guard let mapping else { return SchemaHistory([version]) }
        return SchemaHistory(
            [version, SchemaVersion("2", storing: second)],
            steps: [SchemaStep(from: "1", to: "2") { mapping }])
    }

    // MARK: Unique values

    private typealias Part = Versioned<Labelled>

    private enum Labelled: ItemVersion {
        static let schema = EntitySchema(
            "Part",
            attributes: [
                .attribute("id", Int64.self), .attribute("code", String.self),
                .attribute("label", String.self),
            ], indexes: [.unique("code")])
    }

    private enum Coded: ItemVersion {
        static let schema = EntitySchema(
            "Part", attributes: [.attribute("id", Int64.self), .attribute("code", String.self)],
            indexes: [.unique("code")])
    }

    private enum Defaulted: ItemVersion {
        static let schema = EntitySchema(
            "Part",
            attributes: [
                .attribute("id", Int64.self), .attribute("code", String.self, default: "none"),
                .attribute("label", String.self),
            ], indexes: [.unique("code")])
    }

    // MARK: References

    private typealias Owner = Versioned<FirstOwner>
    private typealias Badge = Versioned<FirstBadge>

    private enum FirstOwner: ItemVersion {
        static let schema = EntitySchema(
            "Owner", attributes: [.attribute("id", Int64.self)],
            relationships: [
                .relationship(
                    "badge", ToOneInverse<Badge>.self, of: Owner.self,
                    inverse: Attribute<Badge, ToOne<Owner>?>(indexedColumn: 1))
            ])
    }

    private enum FirstBadge: ItemVersion {
        static let schema = EntitySchema(
            "Badge",
            attributes: [
                .attribute("id", Int64.self), .attribute("holder", ToOne<Owner>?.self),
                .attribute("lender", ToOne<Owner>?.self),
            ])
    }

    private enum LaterOwner: ItemVersion {
        static let schema = EntitySchema(
            "Owner", attributes: [.attribute("id", Int64.self)],
            relationships: [
                .relationship(
                    "badge", ToOneInverse<Versioned<LaterBadge>>.self, of: Versioned<LaterOwner>.self,
                    inverse: Attribute<Versioned<LaterBadge>, ToOne<Versioned<LaterOwner>>?>(
                        indexedColumn: 1))
            ])
    }

    private enum LaterBadge: ItemVersion {
        static let schema = EntitySchema(
            "Badge",
            attributes: [
                .attribute("id", Int64.self), .attribute("holder", ToOne<Versioned<LaterOwner>>?.self),
            ])
    }

    private typealias Cook = Versioned<CookItem>
    private typealias Order = Versioned<FirstOrder>

    private enum CookItem: ItemVersion {
        static let schema = EntitySchema("Cook", attributes: [.attribute("id", Int64.self)])
    }

    private enum Waiter: ItemVersion {
        static let schema = EntitySchema("Waiter", attributes: [.attribute("id", Int64.self)])
    }

    private enum FirstOrder: ItemVersion {
        static let schema = EntitySchema(
            "Order",
            attributes: [.attribute("id", Int64.self), .attribute("cook", ToOne<Cook>?.self)])
    }

    private enum OrderOfWaiter: ItemVersion {
        static let schema = EntitySchema(
            "Order",
            attributes: [
                .attribute("id", Int64.self), .attribute("chef", ToOne<Cook>?.self),
                .attribute("cook", ToOne<Versioned<Waiter>>?.self),
            ])
    }

    private enum OrderOfCooks: ItemVersion {
        static let schema = EntitySchema(
            "Order",
            attributes: [
                .attribute("id", Int64.self), .attribute("chef", ToOne<Cook>?.self),
                .attribute("cook", ToOne<Cook>?.self, default: ToOne<Cook>(id: 9)),
            ])
    }
}
