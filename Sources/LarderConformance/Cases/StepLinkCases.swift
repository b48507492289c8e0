import Larder

/// The links of rows that a step makes.
enum StepLinkCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Links that cannot stay go only from rows that get others", proves: 12, 15
        ) { world in
            try Fixture.store(in: world)
            func step(keepsOthers: Bool) -> SchemaStep {
                SchemaStep(from: "1", to: "2") {
                    Transform("Recipe") { old, new in
                        // Without the first one: the next row is the one whose links would go.
                        if try !keepsOthers && old.id != .integer(2) || old.id == .integer(1) { return }
                        let recipe = try new.make()
                        if try old.id == .integer(2) { try recipe.setLinks("tags", to: [.integer(1)]) }
                    }
                }
            }
            let types: [any DataStoreItem.Type] = [
                Fixture.Kind.self, Fixture.Tag.self, Tagged<DraftedRecipe>.self, Fixture.Draft.self,
            ]

            let error = try expectError(.schemaMismatch) {
                _ = try StepCases.open(world, types, by: step(keepsOthers: true))
            }

            try expect(error.itemType, equals: "Recipe")
            try expect(error.attribute, equals: "tags")
            try expect(error.identifier, equals: .integer(5))
            try Fixture.expectUnchanged(world)
            let store = try StepCases.open(world, types, by: step(keepsOthers: false))
            try Fixture.expectLinks([2: [1]], of: Tagged<DraftedRecipe>.self, in: store)
        }
        ConformanceCase(
            "Links that one row of a call was given are not given to another that continues the old row",
            proves: 12, 15
        ) { world in
            let types: [any DataStoreItem.Type] = [
                Fixture.Kind.self, Fixture.Tag.self, Tagged<DraftedRecipe>.self, Fixture.Draft.self,
            ]
            // The row that continues the old one keeps its identifier or gets another, and is the first or the last.
            for (id, isFirst) in [(Int64(2), true), (2, false), (12, true)] {
                func step(setsOwn: Bool) -> SchemaStep {
                    SchemaStep(from: "1", to: "2") {
                        Transform("Recipe") { old, new in
                            guard try old.id == .integer(2) else { return }
                            let rows = try (isFirst ? [id, 20] : [20, id]).map {
                                try new.make(id: .integer($0))
                            }
                            for row in rows where setsOwn || row.id == .integer(20) {
                                try row.setLinks(
                                    "tags", to: [row.id == .integer(20) ? .integer(1) : .integer(2)])
                            }
                        }
                    }
                }
                try Fixture.store(in: world)
                let error = try expectError(.schemaMismatch) {
                    _ = try StepCases.open(world, types, by: step(setsOwn: false))
                }
                try expect(error.attribute, equals: "tags")
                try expect(error.identifier, equals: .integer(2))
                try Fixture.expectUnchanged(world)
                let store = try StepCases.open(world, types, by: step(setsOwn: true))
                try Fixture.expectLinks([id: [2], 20: [1]], of: Tagged<DraftedRecipe>.self, in: store)
                try store.destroy()
            }
        }
        ConformanceCase(
            "Links stay if the type that they lead to is called by another name", proves: 12, 15
        ) { world in
            for mark in [
                nil, Insert("Mark") { _, new in try new.make(id: .integer(9))["name"] = .value("new") },
            ] {
                try Fixture.store(in: world)

                let store = try StepCases.open(
                    world,
                    [Fixture.Kind.self, Versioned<Mark>.self, Tagged<MarkedRecipe>.self, Fixture.Draft.self],
                    by: SchemaStep(from: "1", to: "2") {
                        Transform("Recipe") { old, new in
                            let recipe = try new.make()
                            if try old.id == .integer(2) { try recipe.setLinks("tags", to: [.integer(3)]) }
                        }
                        if let mark { mark }
                    })

                try expect(
                    try store.items(Versioned<Mark>.all).map(\.id),
                    equals: mark == nil ? [1, 2, 3] : [1, 2, 3, 9])
                try Fixture.expectLinks(
                    [1: [1, 3], 2: [3], 5: [1, 2]], of: Tagged<MarkedRecipe>.self, in: store)
                try store.destroy()
            }
        }
        ConformanceCase(
            "Links to a type that gets other identifiers are refused with the relationship to map",
            proves: 12, 15
        ) { world in
            try Fixture.store(in: world)
            let types: [any DataStoreItem.Type] = [
                Fixture.Kind.self, NamedTag.self, Tagged<RecipeOfNamedTags>.self, Fixture.Draft.self,
            ]
            func step(_ more: EntityMapping?) -> SchemaStep {
                SchemaStep(from: "1", to: "2") {
                    Transform("Tag") { old, new in _ = try new.make(id: .string(old["name", as: String.self]))
                    }
                    if let more { more }
                }
            }

            let error = try expectError(.schemaMismatch) {
                _ = try StepCases.open(world, types, by: step(nil))
            }

            try expect(error.itemType, equals: "Recipe")
            try expect(error.attribute, equals: "tags")
            try expect(
                error.message,
                equals: """
                    The links of Recipe.tags lead to identifiers of the type int64, and version 2 identifies Tag by a \
                    string.
                    """)
            try Fixture.expectUnchanged(world)
            let mapping = Transform("Recipe") { old, new in
                let names = try old.related("tags").map { AnyItemID.string(try $0["name", as: String.self]) }
                try new.make().setLinks("tags", to: names)
            }
            let store = try StepCases.open(world, types, by: step(mapping.entityMapping))
            try store.writeSync { accessor in
                let leek = try require(try accessor.mutableItem(id: 1, of: Tagged<RecipeOfNamedTags>.self))
                try expect(try leek.tags.ids(), equals: ["quick", "vegan"])
            }
        }
        ConformanceCase(
            "Links are stored at their other end only if a step sets them there", proves: 12, 15
        ) { world in
            try Fixture.store(in: world)
            let types: [any DataStoreItem.Type] = [
                Fixture.Kind.self, Versioned<OwningTag>.self, Tagged<ShownRecipe>.self, Fixture.Draft.self,
            ]
            func step(_ mapping: EntityMapping?) -> SchemaStep {
                SchemaStep(from: "1", to: "2") {
                    if let mapping { mapping }
                }
            }
            func expectRefused(line: Int = #line, _ open: () throws -> Void) throws {
                let error = try expectError(.schemaMismatch, line: line) { try open() }
                try expect(error.differences.map(\.kind), equals: [.relationshipType], line: line)
                try expect(
                    error.differences.map(\.message),
                    equals: [
                        "Recipe.tags is stored as a ToMany of its own, not as the inverse of Tag.recipes"
                    ], line: line)
                try Fixture.expectUnchanged(world, line: line)
                try world.closeAll()
            }

            try expectRefused { try world.makeStore(storing: types).setup() }
            try expectRefused { _ = try StepCases.open(world, types, by: step(nil)) }
            let filled = Keep("Tag").fill("title") { try $0["name", as: String.self] }
            try expectRefused { _ = try StepCases.open(world, types, by: step(filled)) }
            let made = Transform("Tag") { _, new in _ = try new.make() }
            try expectRefused { _ = try StepCases.open(world, types, by: step(made.entityMapping)) }
            // A closure after the mappings sets no links.
            let closed = step(made.entityMapping).after { _ in }
            try expectRefused { _ = try StepCases.open(world, types, by: closed) }

            let mapping = Transform("Tag") { old, new in
                let id = try old.id
                var recipes: [AnyItemID] = []
                try old.source.forEachRow(of: "Recipe") { recipe in
                    if try recipe.identifiers("tags").contains(id) { recipes.append(try recipe.id) }
                }
                try new.make().setLinks("recipes", to: recipes)
            }
            let store = try StepCases.open(world, types, by: step(mapping.entityMapping))
            try Fixture.expectLinks(Fixture.links, of: Tagged<ShownRecipe>.self, in: store)
        }
        ConformanceCase(
            "Links are stored at the end that showed them only if a step sets them there", proves: 12, 15
        ) { world in
            let links: [Int64: [Int64]] = [1: [1, 2], 2: [2]]
            let types: [[any DataStoreItem.Type]] = [
                [Versioned<OwningTag>.self, Tagged<ShownRecipe>.self],
                [Versioned<PlainTag>.self, Tagged<OwningRecipe>.self],
            ]
            let first = try world.open(storing: types[0])
            try first.writeSync { accessor in
                try accessor.insert(contentsOf: [Versioned<OwningTag>(1, .null), Versioned(2, .null)])
                for id in [1, 2] as [Int64] {
                    try accessor.insert(Tagged<ShownRecipe>(id, .text("x"))).tags.add(ids: links[id] ?? [])
                }
            }
            func open(by mapping: some SchemaMapping) throws -> any DataStore {
                try world.closeAll()
                let step = SchemaStep(from: "1", to: "2") { mapping }
                let store = try world.makeStore(
                    storing: types[1], migration: MigrationPlan.through(types, by: [step]))
                try store.setup()
                return store
            }
            func expectRefused(line: Int = #line, _ open: () throws -> Void) throws {
                try world.closeAll()
                let error = try expectError(.schemaMismatch, line: line) { try open() }
                try expect(
                    error.differences.map(\.message),
                    equals: [
                        "Recipe.tags is stored as the inverse of Tag.recipes, not as a ToMany of its own"
                    ], line: line)
                try world.closeAll()
                let again = try world.open(storing: types[0])
                try Fixture.expectLinks(links, of: Tagged<ShownRecipe>.self, in: again, line: line)
            }

            try expectRefused { try world.makeStore(storing: types[1]).setup() }
            try expectRefused { _ = try open(by: Transform("Recipe") { _, new in _ = try new.make() }) }

            let store = try open(
                by: Transform("Recipe") { old, new in
                    try new.make().setLinks("tags", to: old.identifiers("tags"))
                })
            try Fixture.expectLinks(links, of: Tagged<OwningRecipe>.self, in: store)
        }
        ConformanceCase(
            "A reference is stored at its other end only if a step sets it there", proves: 12, 15
        ) { world in
            typealias Kind = Versioned<OwningKind>
            try Fixture.store(in: world)
            let types: [any DataStoreItem.Type] = [
                Kind.self, Fixture.Tag.self, Versioned<ShownByKind>.self, Fixture.Draft.self,
            ]
            func step(_ mapping: EntityMapping) -> SchemaStep {
                SchemaStep(from: "1", to: "2") { mapping }
            }

            let noted = Keep("Kind").fill("note") { try $0["name", as: String.self] }
            for refused in [step(noted), step(noted).after { _ in }] {
                let error = try expectError(.schemaMismatch) {
                    _ = try StepCases.open(world, types, by: refused)
                }

                try expect(error.differences.map(\.kind), equals: [.relationshipType])
                try expect(
                    error.differences.map(\.message),
                    equals: ["Recipe.kind is stored as a ToOne of its own, not as the inverse of Kind.recipe"]
                )
                try Fixture.expectUnchanged(world)
            }
            let filled = Keep("Kind").fill("recipe") { kind -> Int64? in
                let recipes = try kind.source.rows(
                    of: "Recipe", where: "kind", equals: .identifier(kind.id))
                guard case .integer(let id)? = try recipes.first?.id else { return nil }
                return id
            }
            let store = try StepCases.open(world, types, by: step(filled))
            try expect(
                try store.items(Kind.all),
                equals: [Kind(1, .integer(1), .null), Kind(2, .integer(2), .null)])
        }
        ConformanceCase(
            "A closure after the mappings may set a reference at its other end", proves: 12, 15
        ) { world in
            typealias Kind = Versioned<OwningKind>
            try Fixture.store(in: world)
            let types: [any DataStoreItem.Type] = [
                Kind.self, Fixture.Tag.self, Versioned<ShownByKind>.self, Fixture.Draft.self,
            ]
            let noted = Keep("Kind").fill("note") { try $0["name", as: String.self] }
            let step = SchemaStep(from: "1", to: "2") { noted }.after { accessor in
                try accessor.update("Kind", at: .integer(2)) { $0["recipe"] = .value(5 as Int64) }
            }
            let store = try StepCases.open(world, types, by: step)
            try expect(
                try store.items(Kind.all),
                equals: [Kind(1, .null, .text("Soup")), Kind(2, .integer(5), .text("Cake"))])
        }
    }

    private typealias Fixture = StepFixture

    /// The tags of a recipe lead to drafts.
    private enum DraftedRecipe: TaggedVersion {
        typealias Tag = StepFixture.Draft
        static let schema = EntitySchema(
            "Recipe", attributes: [.attribute("id", Int64.self)],
            relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    /// A tag that is identified by its name.
    private struct NamedTag: DataStoreItem {
        let id: String

        struct Attributes: Sendable {
            let id = Attribute<NamedTag, String>(column: 0)
        }

        static let attributes = Attributes()
        static let schema = EntitySchema("Tag", attributes: [.attribute("id", String.self)])

        init(row: borrowing RowReader) throws(DataStoreError) {
            id = try row.value(at: 0)
        }

        func encode(to row: inout RowWriter) throws(DataStoreError) {
            try row.set(id, at: 0)
        }
    }

    private enum RecipeOfNamedTags: TaggedVersion {
        typealias Tag = NamedTag
        static let schema = EntitySchema(
            "Recipe", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)],
            indexes: [.index("name")], relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    private enum Mark: ItemVersion {
        static let schema = EntitySchema(
            "Mark", originalName: "Tag",
            attributes: [.attribute("id", Int64.self), .attribute("name", String.self)],
            indexes: [.unique("name")])
    }

    private enum MarkedRecipe: TaggedVersion {
        typealias Tag = Versioned<Mark>
        static let schema = EntitySchema(
            "Recipe",
            attributes: [.attribute("id", Int64.self), .attribute("name", String.self)],
            relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    /// A tag that stores the links between it and its recipes.
    private enum OwningTag: ItemVersion {
        static let schema = EntitySchema(
            "Tag", attributes: [.attribute("id", Int64.self), .attribute("title", String?.self)],
            relationships: [.relationship("recipes", ToMany<Tagged<ShownRecipe>>.self)])
    }

    private enum ShownRecipe: TaggedVersion {
        typealias Tag = Versioned<OwningTag>
        static let schema = EntitySchema(
            "Recipe", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)],
            relationships: [
                .relationship(
                    "tags", ToMany<Tag>.self, of: Tagged<ShownRecipe>.self,
                    inverse: RelationshipAttribute<Tag, ToMany<Tagged<ShownRecipe>>>(number: 0))
            ])
    }

    private enum PlainTag: ItemVersion {
        static let schema = EntitySchema(
            "Tag", attributes: [.attribute("id", Int64.self), .attribute("title", String?.self)])
    }

    private enum OwningRecipe: TaggedVersion {
        typealias Tag = Versioned<PlainTag>
        static let schema = EntitySchema(
            "Recipe", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)],
            relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    /// A kind that stores the reference between it and its recipe.
    private enum OwningKind: ItemVersion {
        static let schema = EntitySchema(
            "Kind",
            attributes: [
                .attribute("id", Int64.self), .attribute("recipe", ToOne<Versioned<ShownByKind>>?.self),
                .attribute("note", String?.self),
            ])
    }

    private enum ShownByKind: ItemVersion {
        static let schema = EntitySchema(
            "Recipe", attributes: [.attribute("id", Int64.self)],
            relationships: [
                .relationship(
                    "kind", ToOneInverse<Versioned<OwningKind>>.self, of: Versioned<ShownByKind>.self,
                    inverse: Attribute<Versioned<OwningKind>, ToOne<Versioned<ShownByKind>>?>(
                        indexedColumn: 1))
            ])
    }
}
