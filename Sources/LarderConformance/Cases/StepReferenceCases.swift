import Larder

/// References and links of steps in which identifiers move and names change hands.
enum StepReferenceCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A reference to a row that a step makes stays, even if another row had its identifier",
            proves: 12, 15
        ) { world in
            try Fixture.store(in: world)

            // 1, 2, 3 and 5 become 2, 3, 4 and 6: most new identifiers are old ones of others.
            let store = try StepCases.open(
                world, Fixture.first + [Tagged<Memo>.self],
                by: SchemaStep(from: "1", to: "2") {
                    Split("Recipe", into: "Recipe", "Memo") { old, new in
                        guard case .integer(let id) = try old.id else { return }
                        let recipe = try new.make(id: .integer(id + 1))
                        let memo = try new.make("Memo")
                        guard let made = recipe.id else { return }
                        try memo.set("made", to: made)
                        memo["before"] = .identifier(try old.id)
                        if try id == 5 && new.contains("Recipe", id: .integer(2)) {
                            memo["last"] = .identifier(.integer(2))
                        }
                        try memo.setLinks("tags", to: id == 5 ? [made] : [made, .integer(5)])
                    }
                })

            try expect(try store.items(Fixture.Recipe.all).map(\.id), equals: [2, 3, 4, 6])
            try expect(
                try store.items(Tagged<Memo>.all),
                equals: [
                    Tagged<Memo>(1, .integer(2), .integer(2), .null),
                    Tagged<Memo>(2, .integer(3), .integer(3), .null),
                    Tagged<Memo>(3, .integer(4), .integer(4), .null),
                    Tagged<Memo>(5, .integer(6), .integer(6), .integer(2)),
                ])
            try Fixture.expectLinks(
                [1: [2, 6], 2: [3, 6], 3: [4, 6], 5: [6]], of: Tagged<Memo>.self, in: store)
        }
        ConformanceCase(
            "References and links to a dropped row do not lead to one that takes its identifier",
            proves: 12, 15
        ) { world in
            try Fixture.store(in: world)
            let types: [any DataStoreItem.Type] = Fixture.first + [Versioned<Narrow>.self]
            func step(_ name: String) -> SchemaStep {
                SchemaStep(from: "1", to: "2") {
                    Transform(name) { old, new in
                        guard case .integer(let id) = try old.id, id > 1 else { return }
                        _ = try new.make(id: .integer(id - 1))
                    }
                }
            }

            let error = try expectError(.targetNotFound) {
                _ = try StepCases.open(world, types, by: step("Kind"))
            }

            try expect(
                error.message,
                equals: """
                    Recipe 1 refers by kind to Kind 1, which the step 1 → 2 drops, and another item takes its identifier.
                    """)
            try expect(error.itemType, equals: "Recipe")
            try expect(error.attribute, equals: "kind")
            try expect(error.identifier, equals: .integer(1))
            try Fixture.expectUnchanged(world)
            let store = try StepCases.open(world, types, by: step("Tag"))
            try expect(
                try store.items(Fixture.Tag.all),
                equals: [Fixture.Tag(1, .text("sweet")), Fixture.Tag(2, .text("vegan"))])
            try Fixture.expectLinks([1: [2], 2: [1], 5: [1]], of: Fixture.Recipe.self, in: store)
        }
        ConformanceCase(
            "References and links that closures lead to new identifiers stay", proves: 12, 15
        ) { world in
            try Fixture.store(in: world)

            let store = try StepCases.open(
                world, Fixture.first + [Versioned<Narrow>.self],
                by: SchemaStep(from: "1", to: "2") {
                    for name in ["Kind", "Tag"] {
                        Transform(name) { old, new in _ = try new.make(id: moved(old.id)) }
                    }
                    Transform("Recipe") { old, new in
                        let recipe = try new.make()
                        let kind = try old.reference("kind")?.id
                        try recipe.set("kind", to: kind.map { moved($0) })
                        try recipe.setLinks("tags", to: old.identifiers("tags").map { moved($0) })
                    }
                })

            try expect(
                try store.items(Fixture.Recipe.all).map { $0.values[3] },
                equals: [.integer(1001), .integer(1002), .null, .integer(1002)])
            try Fixture.expectLinks(
                [1: [1001, 1003], 2: [1002], 5: [1001, 1002]], of: Fixture.Recipe.self, in: store)
        }
        ConformanceCase(
            "Other identifiers of rows that come from several types are refused if references lead to them",
            proves: 12, 15
        ) { world in
            try Fixture.store(in: world)
            func step(moving distance: Int64) -> SchemaStep {
                SchemaStep(from: "1", to: "2") {
                    Transform("Draft", to: "Kind") { old, new in
                        guard case .integer(let id) = try old.id else { return }
                        let kind = try new.make(id: .integer(id + distance))
                        kind["name"] = try old["text"]
                    }
                    Transform("Kind") { old, new in
                        guard case .integer(let id) = try old.id else { return }
                        _ = try new.make(id: .integer(id + distance + 100))
                    }
                }
            }
            let types: [any DataStoreItem.Type] = [Fixture.Kind.self, Fixture.Tag.self, Fixture.Recipe.self]

            let error = try expectError(.migrationFailed) {
                _ = try StepCases.open(world, types, by: step(moving: 10))
            }

            try expect(error.itemType, equals: "Kind")
            try Fixture.expectUnchanged(world)
        }
        ConformanceCase(
            "An identifier that the new version's type cannot hold is refused", proves: 9, 12
        ) { world in
            try Fixture.store(in: world)
            let types: [any DataStoreItem.Type] = [
                Fixture.Kind.self, Fixture.Tag.self, Fixture.Recipe.self, Versioned<Narrow>.self,
            ]
            func step(_ base: Int64) -> SchemaStep {
                SchemaStep(from: "1", to: "2") {
                    Transform("Draft", to: "Narrow") { old, new in
                        guard case .integer(let id) = try old.id else { return }
                        _ = try new.make(id: .integer(base + id))
                    }
                }
            }

            for base in [Int64(Int32.max), Int64(Int32.min) - 3, Int64.max - 5] {
                try expectError(.wrongType) { _ = try StepCases.open(world, types, by: step(base)) }
                try Fixture.expectUnchanged(world)
            }
            let store = try StepCases.open(world, types, by: step(Int64(Int32.max) - 2))
            try expect(try store.count(Versioned<Narrow>.all), equals: 2)
        }
        ConformanceCase(
            "The rows of a join's second type stay if the new version has it", proves: 12
        ) { world in
            let join = Join("Recipe", "Kind", by: "kind", into: "Recipe") { _, kind, new in
                try new.make()["kind"] = try kind?["name"] ?? nil
            }
            let names: [Constant] = [.text("Soup"), .text("Cake"), .null, .text("Cake")]
            try Fixture.store(in: world)

            let store = try StepCases.open(
                world, [Fixture.Kind.self, Fixture.Tag.self, Tagged<JoinedRecipe>.self, Fixture.Draft.self],
                by: SchemaStep(from: "1", to: "2") {
                    join
                    Insert("Kind") { _, new in try new.make(id: .integer(9))["name"] = .value("Bread") }
                })

            try expect(
                try store.items(Fixture.Kind.all), equals: Fixture.kinds + [Fixture.Kind(9, .text("Bread"))])
            try expect(try store.items(Tagged<JoinedRecipe>.all).map { $0.values[1] }, equals: names)
            try store.destroy()
            try Fixture.store(in: world)
            let other = try StepCases.open(
                world,
                [Versioned<Sort>.self, Fixture.Tag.self, Tagged<JoinedRecipe>.self, Fixture.Draft.self],
                by: SchemaStep(from: "1", to: "2") { join })
            try expect(
                try other.items(Versioned<Sort>.all).map(\.values), equals: Fixture.kinds.map(\.values))
            try expect(try other.items(Tagged<JoinedRecipe>.all).map { $0.values[1] }, equals: names)
        }
        ConformanceCase(
            "A join into its second type leaves the joined rows only", proves: 12
        ) { world in
            try Fixture.store(in: world)

            let store = try StepCases.open(
                world, [Fixture.Kind.self, Fixture.Tag.self, Fixture.Draft.self],
                by: SchemaStep(from: "1", to: "2") {
                    Join("Recipe", "Kind", by: "kind", into: "Kind") { _, kind, new in
                        try new.make()["name"] = (try kind?["name"] ?? nil) ?? .value("none")
                    }
                })

            let names = ["Soup", "Cake", "none", "Cake"]
            let expected = zip([1, 2, 3, 5] as [Int64], names).map { Fixture.Kind($0, .text($1)) }
            try expect(try store.items(Fixture.Kind.all), equals: expected)
        }
        ConformanceCase(
            "References to a deleted type do not lead to another one that takes its name", proves: 12, 15
        ) { world in
            try refusesReferences(in: world)
            typealias Item = Tagged<RecipeOfDrafts>
            let freed = try StepCases.open(
                world, draftTypes,
                by: toDrafts {}.before { accessor in
                    for recipe in Fixture.recipes {
                        try accessor.update("Recipe", at: .integer(recipe.id)) { $0["kind"] = nil }
                    }
                })
            try expect(try freed.items(Item.all).map(\.values), equals: [[.null], [.null], [.null], [.null]])
            try expect(try freed.items(Versioned<DraftTag>.all).map(\.id), equals: [1, 2])
            try Fixture.expectLinks([:], of: Item.self, in: freed)
            try freed.destroy()

            try Fixture.store(in: world)
            let assigned = try StepCases.open(
                world, draftTypes,
                by: toDrafts {
                    Transform("Recipe") { old, new in
                        let recipe = try new.make()
                        recipe["kind"] = try old.id == .integer(1) ? .identifier(.integer(2)) : nil
                        if try old.id == .integer(5) { try recipe.setLinks("tags", to: [.integer(2)]) }
                    }
                })
            try expect(
                try assigned.items(Item.all).map(\.values),
                equals: [[.integer(2)], [.null], [.null], [.null]])
            try Fixture.expectLinks([5: [2]], of: Item.self, in: assigned)
            try assigned.destroy()

            try Fixture.store(in: world)
            let renamed = try StepCases.open(
                world, [Fixture.Kind.self, Versioned<DraftTag>.self, Tagged<RecipeOfDraftTags>.self],
                by: SchemaStep(from: "1", to: "2") {
                    Delete("Tag")
                    Rename("Draft", to: "Tag")
                })
            try expect(try renamed.items(Versioned<DraftTag>.all).map(\.id), equals: [1, 2])
            try Fixture.expectLinks([:], of: Tagged<RecipeOfDraftTags>.self, in: renamed)
        }
        ConformanceCase(
            "References to a renamed type do not lead to another one that takes its name", proves: 12, 15
        ) { world in
            try Fixture.store(in: world)

            let error = try expectError(.schemaMismatch) {
                _ = try StepCases.open(
                    world,
                    [
                        Versioned<Category>.self, Versioned<DraftKind>.self, Fixture.Tag.self,
                        Tagged<RecipeOfDraftKinds>.self,
                    ],
                    by: SchemaStep(from: "1", to: "2") {
                        Rename("Kind", to: "Category")
                        Rename("Draft", to: "Kind")
                    })
            }

            try expect(
                error.differences.map(\.message),
                equals: ["Recipe.kind is stored as a reference to Category, not to Kind"])
            try Fixture.expectUnchanged(world)
        }
        ConformanceCase(
            "A reference that leads to another type from now on is not copied to a new row", proves: 12, 15
        ) { world in
            try Fixture.store(in: world)
            typealias Item = Tagged<RecipeOfDraftKinds>
            func open(
                _ body: @escaping @Sendable (SourceRow, DestinationRow) throws -> Void
            ) throws -> any DataStore {
                try StepCases.open(
                    world,
                    [Versioned<Category>.self, Versioned<DraftKind>.self, Fixture.Tag.self, Item.self],
                    by: SchemaStep(from: "1", to: "2") {
                        Rename("Kind", to: "Category")
                        Rename("Draft", to: "Kind")
                        Transform("Recipe") { old, new in try body(old, try new.make()) }
                    })
            }

            let error = try expectError(.targetNotFound) { _ = try open { _, _ in } }

            try expect(error.itemType, equals: "Recipe")
            try expect(error.attribute, equals: "kind")
            try expect(error.identifier, equals: .integer(1))
            try Fixture.expectUnchanged(world)
            let store = try open { old, recipe in
                recipe["kind"] = try old.id == .integer(1) ? .identifier(.integer(2)) : nil
            }
            try expect(
                try store.items(Item.all).map(\.values), equals: [[.integer(2)], [.null], [.null], [.null]])
        }
    }

    private typealias Fixture = StepFixture

    // MARK: Identifiers that move

    private enum Memo: TaggedVersion {
        typealias Tag = StepFixture.Recipe
        static let schema = EntitySchema(
            "Memo",
            attributes: [
                .attribute("id", Int64.self), .attribute("made", ToOne<StepFixture.Recipe>?.self),
                .attribute("before", ToOne<StepFixture.Recipe>?.self),
                .attribute("last", ToOne<StepFixture.Recipe>?.self),
            ], relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    /// An identifier that no old row has.
    private static func moved(_ id: AnyItemID) -> AnyItemID {
        guard case .integer(let number) = id else { return id }
        return .integer(number + 1000)
    }

    private enum Narrow: ItemVersion {
        static let schema = EntitySchema(
            "Narrow", attributes: [.attribute("id", Int32.self), .attribute("text", String.self)])
    }

    // MARK: Names

    private enum JoinedRecipe: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = EntitySchema(
            "Recipe",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self),
                .attribute("kind", String?.self),
            ], relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    private enum Sort: ItemVersion {
        static let schema = EntitySchema(
            "Sort", originalName: "Kind",
            attributes: [.attribute("id", Int64.self), .attribute("name", String.self)])
    }

    private enum DraftKind: ItemVersion {
        static let schema = EntitySchema(
            "Kind", attributes: [.attribute("id", Int64.self), .attribute("text", String.self)])
    }

    private enum DraftTag: ItemVersion {
        static let schema = EntitySchema(
            "Tag", attributes: [.attribute("id", Int64.self), .attribute("text", String.self)])
    }

    private enum RecipeOfDrafts: TaggedVersion {
        typealias Tag = Versioned<DraftTag>
        static let schema = EntitySchema(
            "Recipe",
            attributes: [
                .attribute("id", Int64.self), .attribute("kind", ToOne<Versioned<DraftKind>>?.self),
            ], relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    private enum Category: ItemVersion {
        static let schema = EntitySchema(
            "Category", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)])
    }

    private enum RecipeOfDraftKinds: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = EntitySchema(
            "Recipe",
            attributes: [
                .attribute("id", Int64.self), .attribute("kind", ToOne<Versioned<DraftKind>>?.self),
            ], relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    private enum RecipeOfDraftTags: TaggedVersion {
        typealias Tag = Versioned<DraftTag>
        static let schema = EntitySchema(
            "Recipe", attributes: [.attribute("id", Int64.self)],
            relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    private static let draftTypes: [any DataStoreItem.Type] = [
        Versioned<DraftKind>.self, Versioned<DraftTag>.self, Tagged<RecipeOfDrafts>.self,
    ]

    /// A step in which drafts, which have the identifiers of kinds and tags, take their names.
    private static func toDrafts(@EntityMappingBuilder _ more: () -> [EntityMapping]) -> SchemaStep {
        let more = more()
        return SchemaStep(from: "1", to: "2") {
            Delete("Kind")
            Delete("Tag")
            Split("Draft", into: "Kind", "Tag") { _, new in
                _ = try new.make()
                _ = try new.make("Tag")
            }
            for mapping in more { mapping }
        }
    }

    private static func refusesReferences(in world: ConformanceWorld) throws {
        try Fixture.store(in: world)
        let renaming = SchemaStep(from: "1", to: "2") {
            Delete("Kind")
            Rename("Draft", to: "Kind")
            Delete("Tag")
        }
        let copying = toDrafts { Transform("Recipe") { _, new in _ = try new.make() } }
        for refused in [toDrafts {}, renaming, copying] {
            let error = try expectError(.targetNotFound) {
                _ = try StepCases.open(world, draftTypes, by: refused)
            }
            try expect(error.itemType, equals: "Recipe")
            try expect(error.attribute, equals: "kind")
            try expect(error.identifier, equals: .integer(1))
            try Fixture.expectUnchanged(world)
        }
    }
}
