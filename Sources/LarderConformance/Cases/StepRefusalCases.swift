import Larder

/// Steps that cannot be taken, after which the store is exactly what it was.
enum StepRefusalCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A step that throws in the middle changes nothing, and names the item", proves: 12
        ) { world in
            try Fixture.store(in: world)

            let error = try expectError(.migrationFailed) {
                _ = try StepCases.open(
                    world, StepCases.second,
                    by: SchemaStep(from: "1", to: "2") {
                        Transform("Recipe") { old, new in
                            _ = try new.make()
                            if try old.id == .integer(3) { throw OwnError(number: 4) }
                        }
                    })
            }

            try expect(error.itemType, equals: "Recipe")
            try expect(error.identifier, equals: .integer(3))
            try expect(error.underlying?.message, equals: "OwnError(number: 4)")
            try Fixture.expectUnchanged(world)
        }
        ConformanceCase(
            "A step to values that clash changes nothing, and names the items", proves: 11, 12
        ) { world in
            try Fixture.store(in: world)

            let error = try expectError(.uniqueViolation) {
                _ = try StepCases.open(
                    world, StepCases.second,
                    by: SchemaStep(from: "1", to: "2") {
                        Transform("Recipe") { _, new in
                            let recipe = try new.make()
                            recipe["title"] = .value("Same")
                            recipe["hours"] = .value(1.0)
                            recipe["author"] = .value("x")
                        }
                    })
            }

            try expect(error.itemType, equals: "Recipe")
            try expect(error.attribute, equals: "title")
            try expect(error.identifier, equals: .integer(1))
            try Fixture.expectUnchanged(world)
        }
        ConformanceCase(
            "A step that leaves a reference without its item changes nothing", proves: 12, 15
        ) { world in
            try Fixture.store(in: world)

            let error = try expectError(.targetNotFound) {
                _ = try StepCases.open(
                    world, Fixture.first,
                    by: SchemaStep(from: "1", to: "2") {
                        Transform("Kind") { old, new in
                            if try old["name", as: String.self] == "Soup" { _ = try new.make() }
                        }
                    })
            }

            try expect(error.itemType, equals: "Recipe")
            try expect(error.attribute, equals: "kind")
            try expect(error.identifier, equals: .integer(2))
            try Fixture.expectUnchanged(world)
        }
        ConformanceCase("A second step that throws undoes the first", proves: 12) { world in
            try Fixture.store(in: world)
            let store = try world.makeStore(
                storing: Fixture.first,
                migration: MigrationPlan { _ throws(DataStoreError) in
                    [
                        MigrationPlan.Stage(
                            StepCases.transform, from: try StoreSchema(storing: Fixture.first),
                            to: try StoreSchema(storing: StepCases.second)),
                        MigrationPlan.Stage(
                            SchemaStep(from: "2", to: "3") {
                                Transform("Recipe") { _, _ in throw OwnError() }
                            }, from: try StoreSchema(storing: StepCases.second),
                            to: try StoreSchema(storing: Fixture.first)),
                    ]
                })

            let error = try expectError(.migrationFailed) { try store.setup() }

            try expect(error.message, equals: "The step 2 → 3 failed at Recipe 1: OwnError(number: 1)")
            try Fixture.expectUnchanged(world)
        }
        ConformanceCase("A cancelled step changes nothing", proves: 12) { world in
            try Fixture.store(in: world)
            let plan = MigrationPlan.through(
                [Fixture.first, StepCases.second],
                by: [
                    SchemaStep(from: "1", to: "2") {
                        Transform("Recipe") { old, new in
                            let recipe = try new.make()
                            recipe["title"] = try old["name"]
                            recipe["hours"] = .value(0.0)
                            recipe["author"] = .value("")
                            withUnsafeCurrentTask { $0?.cancel() }
                        }
                    }
                ])
            let store = try world.makeStore(storing: StepCases.second, migration: plan)

            try await expectError(.cancelled) { try await Task { try store.setup() }.value }

            try Fixture.expectUnchanged(world)
        }
        ConformanceCase(
            "A step whose closure throws a cancellation is cancelled, and not failed", proves: 12
        ) { world in
            try Fixture.store(in: world)
            let steps = [
                SchemaStep(from: "1", to: "2") { Transform("Recipe") { _, _ in throw CancellationError() } },
                SchemaStep(from: "1", to: "2") { Keep("Recipe") }.before { _ in throw CancellationError() },
            ]

            for step in steps {
                try expectError(.cancelled) { _ = try StepCases.open(world, Fixture.first, by: step) }
                try Fixture.expectUnchanged(world)
            }
        }
        ConformanceCase(
            "A required attribute that a step has no value for names the fill", proves: 12
        ) { world in
            try Fixture.store(in: world)
            enum Recipe: TaggedVersion {
                typealias Tag = StepFixture.Tag
                static let schema = EntitySchema(
                    "Recipe", attributes: [.attribute("id", Int64.self)],
                    relationships: [.relationship("tags", ToMany<Tag>.self)])
            }
            let types: [any DataStoreItem.Type] = [
                Versioned<CodedKind>.self, Fixture.Tag.self, Tagged<Recipe>.self, Fixture.Draft.self,
            ]

            for step in [
                SchemaStep(from: "1", to: "2"), SchemaStep(from: "1", to: "2") { Keep("Kind") },
            ] {
                let error = try expectError(.schemaMismatch) {
                    _ = try StepCases.open(world, types, by: step)
                }
                try expect(error.attribute, equals: "code")
                let fill = #"SchemaStep(from: "1", to: "2") { Keep("Kind").fill("code") { … } }."#
                try expect(error.advice.hasSuffix(fill), error.advice)
            }
            try Fixture.expectUnchanged(world)
        }
        ConformanceCase(
            "A required attribute without a value is named with its fill, and nothing has changed", proves: 12
        ) { world in
            try Fixture.store(in: world)

            let error = try expectError(.invalidValue) {
                _ = try StepCases.open(
                    world, StepCases.second,
                    by: SchemaStep(from: "1", to: "2") {
                        Transform("Recipe") { old, new in
                            let recipe = try new.make()
                            recipe["title"] = try old["name"]
                            recipe["hours"] = .value(1.0)
                        }
                    })
            }

            try expect(
                error.message, equals: "The step gives Recipe.author no value, and version 2 requires one.")
            let advice = #"Assign it in the mapping, or write fill("author")."#
            try expect(error.advice.hasPrefix(advice), error.advice)
            try expect(error.identifier, equals: .integer(3))
            try Fixture.expectUnchanged(world)
        }
        ConformanceCase(
            "Links that cannot stay do not go unless others are made", proves: 12, 15
        ) { world in
            try Fixture.store(in: world)
            let types: [any DataStoreItem.Type] = [
                Fixture.Kind.self, Fixture.Tag.self, Tagged<DraftedRecipe>.self, Fixture.Draft.self,
            ]

            let error = try expectError(.schemaMismatch) {
                _ = try StepCases.open(
                    world, types,
                    by: SchemaStep(from: "1", to: "2") {
                        Transform("Recipe") { _, new in _ = try new.make() }
                    })
            }

            try expect(error.itemType, equals: "Recipe")
            try expect(error.attribute, equals: "tags")
            try Fixture.expectUnchanged(world)
            let store = try StepCases.open(
                world, types,
                by: SchemaStep(from: "1", to: "2") {
                    Transform("Recipe") { old, new in
                        try new.make().setLinks("tags", to: Array(old.identifiers("tags").prefix(1)))
                    }
                })
            try Fixture.expectLinks([1: [1], 2: [2], 5: [1]], of: Tagged<DraftedRecipe>.self, in: store)
        }
        ConformanceCase(
            "Values, names and rows that do not fit are named, and nothing has changed", proves: 12
        ) { world in
            try Fixture.store(in: world)

            try refuse(.unknownAttribute, "title", world) { old, _ in _ = try old["title"] }
            try refuse(.unknownAttribute, "name", world) { old, new in
                try new.make()["name"] = try old["name"]
            }
            try refuse(.wrongType, "name", world) { old, _ in _ = try old["name", as: Int.self] }
            try refuse(.undecodable, "author", world) { old, _ in
                _ = try old["author", as: String.self]
            }
            try refuse(.wrongType, "hours", world) { old, new in
                try new.make()["hours"] = try old["name"]
            }
            try refuse(.invalidValue, "hours", world) { _, new in
                try new.make()["hours"] = .value(Double.nan)
            }
            try refuse(.wrongType, "id", world) { _, new in _ = try new.make(id: .string("x")) }
            try refuse(.unknownItemType, nil, world) { _, new in _ = try new.make("Kind") }
            try refuse(.unknownItemType, nil, world) { old, _ in
                _ = try old.source.row("Nothing", at: .integer(1))
            }
            try refuse(.unknownAttribute, "author", world) { _, new in
                try new.make().setLinks("author", to: [])
            }
            try refuse(.duplicateIdentifier, nil, world) { _, new in
                let recipe = try new.make(id: .integer(1))
                recipe["title"] = .value("x")
                recipe["hours"] = .value(1.0)
                recipe["author"] = .value("x")
            }
            let kept = Locked<SourceRowBox?>(nil)
            try refuse(.accessorExpired, nil, world) { old, _ in
                if let row = kept.withLock({ $0 })?.row { _ = try row["name"] }
                kept.withLock { $0 = SourceRowBox(row: old) }
            }
            kept.withLock { $0 = nil }
            try Fixture.expectUnchanged(world)
        }
        ConformanceCase(
            "Mappings that do not fit their versions are refused before anything runs", proves: 12
        ) { world in
            try Fixture.store(in: world)

            try expect(
                try refused(world) { Transform("Recipie") { _, _ in } },
                equals: [
                    "The step 1 → 2 names \"Recipie\", and version 1 has no type of this name:",
                    "    Transform(\"Recipie\")", "              ^^^^^^^^^",
                ])
            try expect(
                try refused(world) { Rename("Kind", to: "Sort") },
                equals: [
                    "The step 1 → 2 names \"Sort\", and version 2 has no type of this name:",
                    "    Rename(\"Kind\", to: \"Sort\")", "                       ^^^^^^",
                ])
            try expect(
                try refused(world) {
                    Delete("Draft")
                    Keep("Draft")
                },
                equals: [
                    "The step 1 → 2 names \"Draft\" in two mappings:", "    Delete(\"Draft\")",
                    "           ^^^^^^^", "    Keep(\"Draft\")", "         ^^^^^^^",
                ])
            try expect(
                try refused(world) { Keep("Kind").fill("code") { _ in 1 } }.first,
                equals: "The step 1 → 2 names Kind.code, and version 2 has no attribute of this name:")
            try expect(
                try refused(world) { Keep("Kind").renaming("label", to: "name") }.first,
                equals: "The step 1 → 2 names Kind.label, and version 1 has no attribute of this name:")
            try expect(
                try refused(world) { Keep("Kind").renaming("name", to: "name").renaming("name", to: "id") }
                    .first,
                equals: "The step 1 → 2 gives Kind.name two names:")
            try expect(
                try refused(world) { Keep("Kind").fill("name") { _ in 1 } }.first,
                equals: """
                    The step 1 → 2 fills Kind.name, which version 2 stores as string, with values stored as int64:
                    """)
            try expect(
                try refused(world) { Rename("Draft", to: "Kind") }.first,
                equals: "The step 1 → 2 gives a type the name \"Kind\", which another one has:")
            try expect(
                try refused(world) {
                    Join("Recipe", "Kind", by: "kind", into: "Recipe") { _, _, _ in }
                    Rename("Draft", to: "Kind")
                }.first,
                equals: "The step 1 → 2 gives a type the name \"Kind\", which another one has:")
            try expect(
                try refused(world) { Join("Recipe", "Kind", by: "name", into: "Recipe") { _, _, _ in } }
                    .first,
                equals: """
                    The step 1 → 2 joins by Recipe.name, which version 1 stores as string, rows that are \
                    identified by a int64:
                    """)
            try Fixture.expectUnchanged(world)
        }
    }

    private typealias Fixture = StepFixture

    private enum CodedKind: ItemVersion {
        static let schema = EntitySchema(
            "Kind", attributes: [.attribute("id", Int64.self), .attribute("code", String.self)])
    }

    /// The tags of a recipe lead to drafts.
    private enum DraftedRecipe: TaggedVersion {
        typealias Tag = StepFixture.Draft
        static let schema = EntitySchema(
            "Recipe", attributes: [.attribute("id", Int64.self)],
            relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    /// The message of the refused step between these versions.
    private static func refused(
        _ world: ConformanceWorld, _ types: [any DataStoreItem.Type] = StepCases.second, line: Int = #line,
        @EntityMappingBuilder _ mappings: () -> [EntityMapping]
    ) throws -> [String] {
        let step = SchemaStep(from: "1", to: "2", mappings: mappings)
        return try expectError(.invalidSchema, line: line) {
            _ = try StepCases.open(world, types, by: step)
        }.messageLines
    }

    /// Fails unless a transform of recipes with this body is refused.
    private static func refuse(
        _ code: DataStoreError.Code, _ attribute: String?, _ world: ConformanceWorld, line: Int = #line,
        _ body: @escaping @Sendable (SourceRow, Destination) throws -> Void
    ) throws {
        let error = try expectError(code, line: line) {
            _ = try StepCases.open(
                world, StepCases.second, by: SchemaStep(from: "1", to: "2") { Transform("Recipe", body) })
        }
        try expect(error.attribute, equals: attribute, line: line)
    }

    /// A row that a closure keeps against the rule.
    private struct SourceRowBox: @unchecked Sendable {
        // reason: used by the thread of the opening only.
        let row: SourceRow
    }
}
