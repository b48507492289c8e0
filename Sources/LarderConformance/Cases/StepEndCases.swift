import Larder

/// Steps after which references and links lead from and to the same items, or that are refused.
enum StepEndCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Links of rows that stay do not go to rows of another type that come among them", proves: 12, 15
        ) { world in
            try Fixture.store(in: world)

            let store = try StepCases.open(
                world, [Fixture.Kind.self, Fixture.Tag.self, Fixture.Recipe.self],
                by: SchemaStep(from: "1", to: "2") {
                    Transform("Draft", to: "Recipe") { old, new in
                        guard case .integer(let id) = try old.id else { return }
                        let recipe = try new.make(id: .integer(id + 10))
                        recipe["name"] = try old["text"]
                        recipe["minutes"] = .value(0 as Int32)
                    }
                })

            try expect(try store.items(Fixture.Recipe.all).map(\.id), equals: [1, 2, 3, 5, 11, 12])
            try Fixture.expectLinks(
                [1: [1, 3], 2: [2], 5: [1, 2]], of: Fixture.Recipe.self, in: store)
        }
        ConformanceCase(
            "A reference stays with its items if the names of types change hands by transforms",
            proves: 12, 15
        ) { world in
            let types: [any DataStoreItem.Type] = [Cook.self, Waiter.self, Order<FirstCook>.self]
            let swap = SchemaStep(from: "1", to: "2") {
                Transform("Cook", to: "Waiter") { _, new in _ = try new.make() }
                Transform("Waiter", to: "Cook") { _, new in _ = try new.make() }
            }
            let chain = SchemaStep(from: "1", to: "2") {
                Transform("Cook", to: "Waiter") { _, new in _ = try new.make() }
                Transform("Waiter", to: "Guest") { _, new in _ = try new.make() }
            }
            try fill(world, with: types) { accessor in
                try accessor.insert(Cook(1, .text("Ada")))
                try accessor.insert(Waiter(1, .text("Bob")))
                try accessor.insert(Order<FirstCook>(1, .integer(1)))
            }

            for (step, later, name) in [
                (swap, types, "Cook"),
                (chain, [Waiter.self, Guest.self, Order<FirstGuest>.self], "Guest"),
            ] as [(SchemaStep, [any DataStoreItem.Type], String)] {
                let error = try expectError(.schemaMismatch) { _ = try open(world, types, later, by: step) }

                try expect(
                    error.differences.map(\.message),
                    equals: ["Order.by is stored as a reference to Waiter, not to \(name)"])
            }
            let store = try open(world, types, [Cook.self, Waiter.self, Order<FirstWaiter>.self], by: swap)
            try expect(try store.items(Cook.all), equals: [Cook(1, .text("Bob"))])
            try expect(try store.items(Waiter.all), equals: [Waiter(1, .text("Ada"))])
            try expect(
                try store.items(Order<FirstWaiter>.all), equals: [Order<FirstWaiter>(1, .integer(1))])
        }
        ConformanceCase(
            "A reference does not lead from the second type of a join to the joined rows by itself",
            proves: 12, 15
        ) { world in
            let first: [any DataStoreItem.Type] = [
                Waiter.self, Versioned<ServedGuest>.self, Order<FirstWaiter>.self,
            ]
            let second: [any DataStoreItem.Type] = [Guest.self, Order<FirstGuest>.self]
            let join = Join("Guest", "Waiter", by: "waiter", into: "Guest") { _, _, new in
                _ = try new.make()
            }
            // Each guest has the identifier of the other one's waiter.
            try fill(world, with: first) { accessor in
                try accessor.insert(contentsOf: [Waiter(1, .text("Bob")), Waiter(2, .text("Eve"))])
                try accessor.insert(Versioned<ServedGuest>(1, .text("Ann"), .integer(2)))
                try accessor.insert(Versioned<ServedGuest>(2, .text("Joe"), .integer(1)))
                try accessor.insert(Order<FirstWaiter>(1, .integer(2)))
            }

            let error = try expectError(.schemaMismatch) {
                _ = try open(world, first, second, by: SchemaStep(from: "1", to: "2") { join })
            }

            try expect(
                error.differences.map(\.message),
                equals: ["Order.by is stored as a reference to Waiter, not to Guest"])
            let store = try open(
                world, first, second,
                by: SchemaStep(from: "1", to: "2") {
                    join
                    Transform("Order") { old, new in
                        let guests = try old.source.rows(of: "Guest", where: "waiter", equals: old["by"])
                        for guest in guests { try new.make()["by"] = .identifier(try guest.id) }
                    }
                })
            try expect(try store.items(Guest.all), equals: [Guest(1, .text("Ann")), Guest(2, .text("Joe"))])
            try expect(try store.items(Order<FirstGuest>.all), equals: [Order<FirstGuest>(1, .integer(1))])
        }
        ConformanceCase(
            "A reference to a type that is split leads to the first new type alone", proves: 12, 15
        ) { world in
            let first: [any DataStoreItem.Type] = [Cook.self, Order<FirstCook>.self]
            let split = SchemaStep(from: "1", to: "2") {
                Split("Cook", into: "Waiter", "Guest") { _, new in
                    _ = try new.make()
                    _ = try new.make("Guest")
                }
            }
            try fill(world, with: first) { accessor in
                try accessor.insert(Cook(1, .text("Ada")))
                try accessor.insert(Order<FirstCook>(1, .integer(1)))
            }

            let error = try expectError(.schemaMismatch) {
                _ = try open(world, first, [Waiter.self, Guest.self, Order<FirstGuest>.self], by: split)
            }

            try expect(
                error.differences.map(\.message),
                equals: ["Order.by is stored as a reference to Cook, not to Guest"])
            let store = try open(world, first, [Waiter.self, Guest.self, Order<FirstWaiter>.self], by: split)
            try expect(
                try store.items(Order<FirstWaiter>.all), equals: [Order<FirstWaiter>(1, .integer(1))])
            try expect(try store.items(Guest.all), equals: [Guest(1, .text("Ada"))])
        }
        ConformanceCase(
            "A reference stays with its items if a split or a join gives the name of their type to others",
            proves: 12, 15
        ) { world in
            let first: [any DataStoreItem.Type] = [
                Cook.self, Waiter.self, Versioned<ServedGuest>.self, Order<FirstCook>.self,
                Versioned<SaleBy<FirstWaiter>>.self,
            ]
            try fill(world, with: first) { accessor in
                try accessor.insert(Cook(1, .text("Ada")))
                try accessor.insert(contentsOf: [Waiter(1, .text("Bob")), Waiter(2, .text("Eve"))])
                try accessor.insert(Versioned<ServedGuest>(1, .text("Ann"), .integer(2)))
                try accessor.insert(Order<FirstCook>(1, .integer(1)))
                try accessor.insert(Versioned<SaleBy<FirstWaiter>>(1, .integer(1)))
            }
            let split = SchemaStep(from: "1", to: "2") {
                Delete("Guest")
                Delete("Sale")
                Split("Cook", into: "Waiter", "Host") { _, new in _ = try new.make() }
                Transform("Waiter", to: "Cook") { _, new in _ = try new.make() }
            }
            let join = SchemaStep(from: "1", to: "2") {
                Join("Guest", "Waiter", by: "waiter", into: "Waiter") { _, _, new in _ = try new.make() }
            }
            let host = Versioned<FirstHost>.self

            for (step, later, message, advice) in [
                (
                    split, [Cook.self, Waiter.self, host, Order<FirstCook>.self],
                    "Order.by is stored as a reference to the former Cook, not to Cook",
                    "Let Order.by refer to Waiter, or assign \"by\" in a Transform for Order."
                ),
                (
                    join,
                    [
                        Cook.self, Waiter.self, Order<FirstCook>.self,
                        Versioned<SaleBy<FirstWaiter>>.self,
                    ], "Sale.by is stored as a reference to the former Waiter, not to Waiter",
                    "Assign \"by\" in a Transform for Sale."
                ),
            ] as [(SchemaStep, [any DataStoreItem.Type], String, String)] {
                let error = try expectError(.schemaMismatch) { _ = try open(world, first, later, by: step) }

                try expect(error.differences.map(\.message), equals: [message])
                try expect(error.differences.map(\.advice), equals: [advice])
            }
            let later: [any DataStoreItem.Type] = [Cook.self, Waiter.self, host, Order<FirstWaiter>.self]
            let store = try open(world, first, later, by: split)
            try expect(try store.items(Waiter.all), equals: [Waiter(1, .text("Ada"))])
            try expect(
                try store.items(Order<FirstWaiter>.all), equals: [Order<FirstWaiter>(1, .integer(1))])
        }
        ConformanceCase(
            "Links of rows that become rows of a later type of a split go only if others are made",
            proves: 12, 15
        ) { world in
            let first: [any DataStoreItem.Type] = [Fixture.Tag.self, Tagged<Animal>.self]
            let second: [any DataStoreItem.Type] = [Fixture.Tag.self, Tagged<Dog>.self, Tagged<Cat>.self]
            func step(keepsLinks: Bool) -> SchemaStep {
                SchemaStep(from: "1", to: "2") {
                    Split("Animal", into: "Dog", "Cat") { old, new in
                        if try old.id == .integer(1) {
                            _ = try new.make()
                            return
                        }
                        let cat = try new.make("Cat")
                        if keepsLinks { try cat.setLinks("tags", to: old.identifiers("tags")) }
                    }
                }
            }
            try fill(world, with: first) { accessor in
                try accessor.insert(contentsOf: Fixture.tags)
                try accessor.insert(Tagged<Animal>(1)).tags.add(ids: [1, 2])
                try accessor.insert(contentsOf: [Tagged<Animal>(2), Tagged<Animal>(3)])
                try accessor.insert(Tagged<Animal>(4)).tags.add(ids: [2, 3])
            }

            let error = try expectError(.schemaMismatch) {
                _ = try open(world, first, second, by: step(keepsLinks: false))
            }

            try expect(error.itemType, equals: "Cat")
            try expect(error.attribute, equals: "tags")
            try expect(error.identifier, equals: .integer(4))
            let store = try open(world, first, second, by: step(keepsLinks: true))
            try expect(try store.items(Tagged<Cat>.all).map(\.id), equals: [2, 3, 4])
            try Fixture.expectLinks([1: [1, 2]], of: Tagged<Dog>.self, in: store)
            try Fixture.expectLinks([4: [2, 3]], of: Tagged<Cat>.self, in: store)
        }
        ConformanceCase(
            "Links stay with a row of the first type of a split if its call makes one of a later type, too",
            proves: 12, 15
        ) { world in
            let first: [any DataStoreItem.Type] = [Fixture.Tag.self, Tagged<Animal>.self]
            let second: [any DataStoreItem.Type] = [Fixture.Tag.self, Tagged<Animal>.self, Tagged<Cat>.self]
            try fill(world, with: first) { accessor in
                try accessor.insert(contentsOf: Fixture.tags)
                try accessor.insert(Tagged<Animal>(1)).tags.add(ids: [1, 2])
            }
            let split = Split("Animal", into: "Animal", "Cat") { _, new in
                _ = try new.make()
                _ = try new.make("Cat")
            }

            let store = try open(world, first, second, by: SchemaStep(from: "1", to: "2") { split })

            try expect(try store.items(Tagged<Cat>.all).map(\.id), equals: [1])
            try Fixture.expectLinks([1: [1, 2]], of: Tagged<Animal>.self, in: store)
            try Fixture.expectLinks([:], of: Tagged<Cat>.self, in: store)
        }
        ConformanceCase(
            "Links go with a row that a step drops, even if the delete rules let references stay",
            proves: 12, 15, 16
        ) { world in
            typealias Tag = Versioned<FreeTag>
            typealias Recipe = Tagged<FreeRecipe>
            let types: [any DataStoreItem.Type] = [Tag.self, Recipe.self]
            try fill(world, with: types) { accessor in
                try accessor.insert(contentsOf: [Tag(1), Tag(2), Tag(3)])
                for (id, tags) in Fixture.links {
                    try accessor.insert(Recipe(id)).tags.add(ids: tags)
                }
            }

            let store = try open(
                world, types, types,
                by: SchemaStep(from: "1", to: "2") {
                    Transform("Recipe") { old, new in
                        if try old.id != .integer(2) { _ = try new.make() }
                    }
                    Transform("Tag") { old, new in
                        if try old.id != .integer(3) { _ = try new.make() }
                    }
                })

            // New items do not get the links of those that had their identifiers.
            try store.writeSync { accessor in
                try accessor.insert(Tag(3))
                try accessor.insert(Recipe(2))
            }
            try Fixture.expectLinks([1: [1], 5: [1, 2]], of: Recipe.self, in: store)
        }
        ConformanceCase(
            "References and links lead to a row that is inserted in the place of a dropped one",
            proves: 12, 15
        ) { world in
            try Fixture.store(in: world)

            let store = try StepCases.open(
                world, Fixture.first,
                by: SchemaStep(from: "1", to: "2") {
                    for name in ["Kind", "Tag"] {
                        Transform(name) { old, new in
                            if try old.id != .integer(1) { _ = try new.make() }
                        }
                        Insert(name) { _, new in try new.make(id: .integer(1))["name"] = .value("new") }
                    }
                })

            try expect(
                try store.items(Fixture.Kind.all).map(\.values), equals: [[.text("new")], [.text("Cake")]])
            try expect(
                try store.items(Fixture.Recipe.all).map { $0.values[3] },
                equals: [.integer(1), .integer(2), .null, .integer(2)])
            try Fixture.expectLinks(
                [1: [1, 3], 2: [2], 5: [1, 2]], of: Fixture.Recipe.self, in: store)
        }
    }

    private typealias Fixture = StepFixture

    /// Stores items of the first version.
    static func fill(
        _ world: ConformanceWorld, with types: [any DataStoreItem.Type],
        _ body: (DataStoreReadWriteAccessor) throws -> Void
    ) throws {
        try world.open(storing: types).writeSync { try body($0) }
        try world.closeAll()
    }

    /// Opens a store of the first version that a step brings to the second one.
    static func open(
        _ world: ConformanceWorld, _ first: [any DataStoreItem.Type], _ second: [any DataStoreItem.Type],
        by step: SchemaStep
    ) throws -> any DataStore {
        try world.closeAll()
        let plan = MigrationPlan.through([first, second], by: [step])
        let store = try world.makeStore(storing: second, migration: plan)
        try store.setup()
        return store
    }

    // MARK: References

    private typealias Cook = Versioned<FirstCook>
    private typealias Waiter = Versioned<FirstWaiter>
    private typealias Guest = Versioned<FirstGuest>
    private typealias Order<Server: ItemVersion> = Versioned<OrderBy<Server>>

    private enum FirstCook: ItemVersion {
        static let schema = EntitySchema(
            "Cook", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)])
    }

    private enum FirstWaiter: ItemVersion {
        static let schema = EntitySchema(
            "Waiter", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)])
    }

    private enum FirstGuest: ItemVersion {
        static let schema = EntitySchema(
            "Guest", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)])
    }

    private enum FirstHost: ItemVersion {
        static let schema = EntitySchema(
            "Host", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)])
    }

    private enum ServedGuest: ItemVersion {
        static let schema = EntitySchema(
            "Guest",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self),
                .attribute("waiter", Int64.self),
            ])
    }

    /// An order that refers to an item of a type.
    private enum OrderBy<Server: ItemVersion>: ItemVersion {
        static var schema: EntitySchema {
            EntitySchema(
                "Order",
                attributes: [
                    .attribute("id", Int64.self), .attribute("by", ToOne<Versioned<Server>>?.self),
                ])
        }
    }

    private enum SaleBy<Server: ItemVersion>: ItemVersion {
        static var schema: EntitySchema {
            EntitySchema(
                "Sale",
                attributes: [
                    .attribute("id", Int64.self), .attribute("by", ToOne<Versioned<Server>>?.self),
                ])
        }
    }

    // MARK: Animals

    private enum Animal: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = EntitySchema(
            "Animal", attributes: [.attribute("id", Int64.self)],
            relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    private enum Dog: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = EntitySchema(
            "Dog", attributes: [.attribute("id", Int64.self)],
            relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    private enum Cat: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = EntitySchema(
            "Cat", attributes: [.attribute("id", Int64.self)],
            relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    // MARK: Recipes

    private enum FreeTag: ItemVersion {
        static let schema = EntitySchema(
            "Tag", attributes: [.attribute("id", Int64.self)],
            relationships: [
                .relationship(
                    "recipes", ToMany<Tagged<FreeRecipe>>.self, of: Versioned<FreeTag>.self,
                    inverse: RelationshipAttribute<Tagged<FreeRecipe>, ToMany<Versioned<FreeTag>>>(number: 0),
                    deleteRule: .noAction)
            ])
    }

    private enum FreeRecipe: TaggedVersion {
        typealias Tag = Versioned<FreeTag>
        static let schema = EntitySchema(
            "Recipe", attributes: [.attribute("id", Int64.self)],
            relationships: [.relationship("tags", ToMany<Tag>.self, deleteRule: .noAction)])
    }
}
