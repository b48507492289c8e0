import Larder

/// Histories over stores that have more than the declaration of their version.
enum HistoryNameCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Values and links that get new names are not dropped on the way to a store's own version",
            proves: 12, 15
        ) { world in
            // The store says that it is of version 1, which lacks a part of it.
            let early = SchemaVersion("1", storing: [Tagged<NotedRecipe>.self, Fixture.Tag.self])
            let store = try HistoryCases.open(world, SchemaHistory([early]))
            try store.writeSync { accessor in
                try accessor.insert(Fixture.Tag(1, .text("quick")))
                try accessor.insert(Tagged<NotedRecipe>(1, .text("x"))).tags.add(ids: [1])
            }
            let before = try HistoryCases.stored(world, store)

            let renaming = SchemaStep(from: "1", to: "2") { Rename("Recipe", to: "Meal") }
            let plain = Tagged<PlainRecipe>.self
            for (types, steps, lost) in [
                ([plain, Tagged<RemarkedRecipe>.self], [], "note"),
                ([Versioned<UntaggedRecipe>.self, Tagged<LabelledRecipe>.self], [], "tags"),
                ([plain, Tagged<NotedMeal>.self], [], "note"),
                ([plain, Tagged<MealAlone>.self], [renaming], "note"),
                ([Tagged<PlainMeal>.self, Tagged<MealAlone>.self], [], "note"),
                ([plain, Tagged<RemarkedRecipe>.self, Tagged<CommentedRecipe>.self], [], "note"),
                ([plain, plain, Tagged<NotedRecipe>.self], [], "note"),
            ] as [([any DataStoreItem.Type], [SchemaStep], String)] {
                let versions = types.enumerated().map { number, type in
                    SchemaVersion("\(number + 1)", storing: [type, Fixture.Tag.self])
                }
                let history = SchemaHistory(versions, steps: steps)
                let today = try world.makeStore(storing: history)
                let error = try expectError(.schemaMismatch) { try today.setup() }

                try expect(error.itemType, equals: "Recipe")
                try expect(error.attribute, equals: lost)
                try expect(error.message.contains("of version 1 of the schema"), error.message)
                let lacksLater = ObjectIdentifier(types[1]) == ObjectIdentifier(plain)
                try expect(error.advice.contains("each later version that lacks it"), equals: lacksLater)
                try expect(try HistoryCases.stored(world, store), equals: before)
            }
        }
    }

    private typealias Fixture = StepFixture

    private enum NotedRecipe: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = EntitySchema(
            "Recipe", attributes: [.attribute("id", Int64.self), .attribute("note", String?.self)],
            relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    private enum PlainRecipe: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = EntitySchema(
            "Recipe", attributes: [.attribute("id", Int64.self)],
            relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    private enum UntaggedRecipe: ItemVersion {
        static let schema = EntitySchema(
            "Recipe", attributes: [.attribute("id", Int64.self), .attribute("note", String?.self)])
    }

    private enum RemarkedRecipe: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = EntitySchema(
            "Recipe",
            attributes: [
                .attribute("id", Int64.self), .attribute("remark", String?.self, originalName: "note"),
            ], relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    private enum CommentedRecipe: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = EntitySchema(
            "Recipe",
            attributes: [
                .attribute("id", Int64.self), .attribute("comment", String?.self, originalName: "remark"),
            ], relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    private enum PlainMeal: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = EntitySchema(
            "Meal", originalName: "Recipe", attributes: [.attribute("id", Int64.self)],
            relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    private enum MealAlone: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = EntitySchema(
            "Meal", attributes: [.attribute("id", Int64.self), .attribute("note", String?.self)],
            relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    private enum LabelledRecipe: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = EntitySchema(
            "Recipe", attributes: [.attribute("id", Int64.self), .attribute("note", String?.self)],
            relationships: [.relationship("labels", ToMany<Tag>.self, originalName: "tags")])
    }

    private enum NotedMeal: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = EntitySchema(
            "Meal", originalName: "Recipe",
            attributes: [.attribute("id", Int64.self), .attribute("note", String?.self)],
            relationships: [.relationship("tags", ToMany<Tag>.self)])
    }
}
