import Larder
import LarderText

/// Each kind of mapping between two versions of an app's types.
enum StepCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A transform changes rows one by one and keeps identifiers, references and links",
            proves: 12, 15
        ) { world in
            try Fixture.store(in: world)
            let reports = Locked<[DataStoreProgress]>([])

            let store = try open(world, second, by: transform) { report in
                reports.withLock { $0.append(report) }
            }

            typealias Item = Tagged<Recipe2>
            try expect(try store.items(Item.all), equals: transformed)
            try Fixture.expectLinks(Fixture.links, of: Item.self, in: store)
            try expect(try DataStoreRequest<Item>(filter: #"title == "Pie""#), gives: [2], in: store)
            try expect(try DataStoreRequest<Item>(filter: #"author == "Ada""#), gives: [1, 5], in: store)
            try expect(try store.items(Fixture.Kind.all), equals: Fixture.kinds)
            try expectError(.uniqueViolation, writingTo: store) {
                try $0.insert(Item(9, .text("Pie"), .real(1), .text("x"), .null, .integer(1)))
            }
            let last = try require(reports.withLock { $0.last })
            try expect(last.fraction, equals: 1)
            try expect(last.description, equals: "1 → 2: 4 of 4")
            // A type that is there again needs no step.
            let again = try world.reopen(
                Fixture.Kind.self, Fixture.Tag.self, Item.self, Fixture.Draft.self)
            try expect(try again.items(Item.all), equals: transformed)
        }
        ConformanceCase(
            "A row that a transform leaves out goes with its links", proves: 12, 15
        ) { world in
            try Fixture.store(in: world)
            let types: [any DataStoreItem.Type] = Fixture.first

            let store = try open(
                world, types,
                by: SchemaStep(from: "1", to: "2") {
                    Transform("Tag") { old, new in
                        if try old["name", as: String.self] != "sweet" { _ = try new.make() }
                    }
                    Transform("Recipe") { old, new in
                        if try old["author"].isNil == false { _ = try new.make() }
                    }
                })

            try expect(try store.items(Fixture.Tag.all).map(\.id), equals: [1, 3])
            try expect(try store.items(Fixture.Recipe.all).map(\.id), equals: [1, 2, 5])
            try Fixture.expectLinks([1: [1, 3], 5: [1]], of: Fixture.Recipe.self, in: store)
        }
        ConformanceCase(
            "A transform gives rows other links, and the links of other rows stay", proves: 12, 15
        ) { world in
            try Fixture.store(in: world)

            let store = try open(
                world, Fixture.first,
                by: SchemaStep(from: "1", to: "2") {
                    Transform("Recipe") { old, new in
                        let recipe = try new.make()
                        let tags = try old.related("tags")
                        guard tags.count == 2 else { return }
                        let first = try tags[0].id
                        try recipe.setLinks("tags", to: [.integer(3), first, .integer(3)])
                    }
                })

            try expect(try store.items(Fixture.Recipe.all), equals: Fixture.recipes)
            try Fixture.expectLinks([1: [1, 3], 2: [2], 5: [1, 3]], of: Fixture.Recipe.self, in: store)
        }
        ConformanceCase(
            "References and links follow rows that get another identifier", proves: 12, 15
        ) { world in
            try Fixture.store(in: world)

            // The new identifiers of tags are old ones of others.
            let store = try open(
                world, Fixture.first,
                by: SchemaStep(from: "1", to: "2") {
                    Transform("Kind") { old, new in
                        guard case .integer(let id) = try old.id, id < 100 else { return }
                        _ = try new.make(id: .integer(id + 100))
                    }
                    Transform("Tag") { old, new in
                        guard case .integer(let id) = try old.id else { return }
                        _ = try new.make(id: .integer(id % 3 + 1))
                    }
                    Transform("Recipe") { old, new in
                        guard case .integer(let id) = try old.id else { return }
                        let recipe = try new.make(id: id == 5 ? .integer(50) : nil)
                        if id == 2 { try recipe.setLinks("tags", to: [.integer(1)]) }
                    }
                })

            try expect(try store.items(Fixture.Kind.all).map(\.id), equals: [101, 102])
            try expect(
                try store.items(Fixture.Tag.all).map(\.values),
                equals: [[.text("vegan")], [.text("quick")], [.text("sweet")]])
            try expect(try store.items(Fixture.Recipe.all).map(\.id), equals: [1, 2, 3, 50])
            try expect(
                try store.items(Fixture.Recipe.all).map { $0.values[3] },
                equals: [.integer(101), .integer(102), .null, .integer(102)])
            try Fixture.expectLinks([1: [1, 2], 2: [2], 50: [2, 3]], of: Fixture.Recipe.self, in: store)
        }
        ConformanceCase(
            "A type that is kept gets a new value for each row", proves: 12
        ) { world in
            try Fixture.store(in: world)
            enum Recipe: TaggedVersion {
                typealias Tag = StepFixture.Tag
                static let schema = EntitySchema(
                    "Recipe",
                    attributes: [
                        .attribute("id", Int64.self), .attribute("kind", ToOne<Versioned<Kind2>>?.self),
                    ], relationships: [.relationship("tags", ToMany<Tag>.self)])
            }

            let store = try open(
                world, [Versioned<Kind2>.self, Fixture.Tag.self, Tagged<Recipe>.self, Fixture.Draft.self],
                by: SchemaStep(from: "1", to: "2") {
                    Keep("Kind").fill("code") { old in "K\(try old.id)" }.renaming("name", to: "title")
                })

            try expect(
                try store.items(Versioned<Kind2>.all),
                equals: [
                    Versioned<Kind2>(1, .text("Soup"), .text("K1")),
                    Versioned<Kind2>(2, .text("Cake"), .text("K2")),
                ])
            try expect(
                try store.items(Tagged<Recipe>.all).map(\.values),
                equals: [[.integer(1)], [.integer(2)], [.null], [.integer(2)]])
            try Fixture.expectLinks(Fixture.links, of: Tagged<Recipe>.self, in: store)
        }
        ConformanceCase(
            "Closures before and after the mappings read and change rows", proves: 12, 15
        ) { world in
            try Fixture.store(in: world)

            let step =
                transform
                .before { accessor in
                    try expect(accessor.version, equals: "1")
                    try accessor.update("Recipe", at: .integer(1)) { $0["name"] = .value("Leek soup") }
                    try expect(try accessor.delete("Recipe", at: .integer(5)), "recipe 5")
                    try expect(try !accessor.delete("Recipe", at: .integer(5)), "no recipe 5")
                }
                .after { accessor in
                    try expect(accessor.version, equals: "2")
                    try expect(try accessor.rows.count(of: "Recipe"), equals: 3)
                    try accessor.insert("Recipe", id: .integer(8)) { recipe in
                        recipe["title"] = .value("Bread")
                        recipe["hours"] = .value(3.0)
                        recipe["author"] = .value("Eve")
                        recipe["stars"] = .value(1)
                    }
                    try accessor.update("Recipe", at: .integer(2)) { $0["stars"] = .value(5) }
                }
            let store = try open(world, second, by: step)

            typealias Item = Tagged<Recipe2>
            try expect(
                try store.items(Item.all),
                equals: [
                    Item(1, .text("Leek soup"), .real(20 / 60.0), .text("Ada"), .integer(1), .integer(3)),
                    Item(2, .text("Pie"), .real(70 / 60.0), .text("Bob"), .integer(2), .integer(5)),
                    transformed[2],
                    Item(8, .text("Bread"), .real(3), .text("Eve"), .null, .integer(1)),
                ])
            try Fixture.expectLinks([1: [1, 3], 2: [2]], of: Item.self, in: store)
        }
        ConformanceCase("Hundreds of rows take a step in batches", proves: 12) { world in
            try Fixture.store(in: world)
            let store = try world.reopen(
                Fixture.Kind.self, Fixture.Tag.self, Fixture.Recipe.self, Fixture.Draft.self)
            try store.writeSync { accessor in
                for number in 10..<800 as Range<Int64> {
                    try accessor.insert(
                        Fixture.Recipe(
                            number, .text("Recipe \(number)"), .integer(number), .text("A\(number % 7)"),
                            .integer(number % 2 + 1)))
                }
            }

            let again = try open(world, second, by: transform)

            typealias Item = Tagged<Recipe2>
            try expect(try again.count(Item.all), equals: 794)
            try expect(
                try again.items(Item.all).dropFirst(4).map(\.values),
                equals: (10..<800 as Range<Int64>).map { number in
                    [
                        .text("Recipe \(number)"), .real(Double(number) / 60), .text("A\(number % 7)"),
                        .integer(number % 2 + 1), .integer(3),
                    ]
                })
        }
        ConformanceCase("Several steps are taken in one opening", proves: 12) { world in
            try Fixture.store(in: world)
            let third: [any DataStoreItem.Type] = [
                Fixture.Tag.self, Tagged<Recipe3>.self, Fixture.Draft.self,
            ]
            let reports = Locked<[DataStoreProgress]>([])

            let plan = MigrationPlan.through(
                [Fixture.first, second, third],
                by: [
                    transform,
                    SchemaStep(from: "2", to: "3") {
                        Delete("Kind")
                        Transform("Recipe") { old, new in
                            let recipe = try new.make()
                            let stars = try old["stars", as: Int.self]
                            let kind = try old.reference("kind")?["name", as: String.self] ?? "-"
                            recipe["line"] = .value(
                                "\(try old["title", as: String.self]) \(stars) \(kind)")
                        }
                    },
                ], progress: { report in reports.withLock { $0.append(report) } })
            let store = try world.makeStore(storing: third, migration: plan)
            try store.setup()

            typealias Item = Tagged<Recipe3>
            try expect(
                try store.items(Item.all),
                equals: [
                    Item(1, .text("Leek 3 Soup")), Item(2, .text("Pie 3 Cake")), Item(3, .text("Toast 3 -")),
                    Item(5, .text("Tart 3 Cake")),
                ])
            try Fixture.expectLinks(Fixture.links, of: Item.self, in: store)
            let seen = reports.withLock { $0 }
            try expect(Set(seen.map(\.step)), equals: [1, 2])
            try expect(Set(seen.map(\.phase)), equals: ["1 → 2", "2 → 3"])
            let fractions = seen.compactMap(\.fraction)
            try expect(fractions, equals: fractions.sorted())
            try expect(fractions.last, equals: 1)
        }
    }

    private typealias Fixture = StepFixture

    /// Opens the place for types of the second version, by a step from the first.
    static func open(
        _ world: ConformanceWorld, _ types: [any DataStoreItem.Type], by step: SchemaStep,
        progress: (@Sendable (DataStoreProgress) -> Void)? = nil
    ) throws -> any DataStore {
        try world.closeAll()
        let plan = MigrationPlan.through([StepFixture.first, types], by: [step], progress: progress)
        let store = try world.makeStore(storing: types, migration: plan)
        try store.setup()
        return store
    }

    // MARK: Transform

    enum Recipe2: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = EntitySchema(
            "Recipe",
            attributes: [
                .attribute("id", Int64.self), .attribute("title", String.self),
                .attribute("hours", Double.self), .attribute("author", String.self),
                .attribute("kind", ToOne<StepFixture.Kind>?.self), .attribute("stars", Int.self, default: 3),
            ],
            indexes: [.unique("title"), .index("author", "title")],
            relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    static let second: [any DataStoreItem.Type] = [
        StepFixture.Kind.self, StepFixture.Tag.self, Tagged<Recipe2>.self, StepFixture.Draft.self,
    ]

    static let transform = SchemaStep(from: "1", to: "2") {
        Transform("Recipe") { old, new in
            let recipe = try new.make()
            recipe["title"] = try old["name"]
            try recipe.set("hours", to: Double(old["minutes", as: Int32.self]) / 60)
            try recipe.set("author", to: old["author", as: String?.self] ?? "unknown")
        }
    }

    static let transformed = [
        Tagged<Recipe2>(1, .text("Leek"), .real(20 / 60.0), .text("Ada"), .integer(1), .integer(3)),
        Tagged<Recipe2>(2, .text("Pie"), .real(70 / 60.0), .text("Bob"), .integer(2), .integer(3)),
        Tagged<Recipe2>(3, .text("Toast"), .real(5 / 60.0), .text("unknown"), .null, .integer(3)),
        Tagged<Recipe2>(5, .text("Tart"), .real(40 / 60.0), .text("Ada"), .integer(2), .integer(3)),
    ]

    private enum Kind2: ItemVersion {
        static let schema = EntitySchema(
            "Kind",
            attributes: [
                .attribute("id", Int64.self), .attribute("title", String.self),
                .attribute("code", String.self),
            ],
            indexes: [.unique("code")])
    }

    // MARK: Closures and steps

    private enum Recipe3: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = EntitySchema(
            "Recipe",
            attributes: [.attribute("id", Int64.self), .attribute("line", String.self)],
            relationships: [.relationship("tags", ToMany<Tag>.self)])
    }
}
