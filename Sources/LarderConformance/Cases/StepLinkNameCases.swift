import Larder

/// Steps over relationships that have, or had, the name of another one.
enum StepLinkNameCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "Links under the original name of a relationship go if the store has links under its own name",
            proves: 12, 15
        ) { world in
            let types: [any DataStoreItem.Type] = [Fixture.Tag.self, Tagged<Both>.self]
            try StepEndCases.fill(world, with: types) { accessor in
                try accessor.insert(contentsOf: Fixture.tags)
                try accessor.insert(Tagged<Both>(1)).tags.add(ids: [1, 2])
                try accessor.insert(Tagged<Both>(2))
            }

            let store = try StepEndCases.open(
                world, types, [Fixture.Tag.self, Tagged<LabelsAlone>.self], by: step)

            try expect(try store.items(Tagged<LabelsAlone>.all).map(\.id), equals: [1, 2])
            try Fixture.expectLinks([:], of: Tagged<LabelsAlone>.self, in: store)
        }
        ConformanceCase(
            "Links stay under their own name if it is the original name of another relationship",
            proves: 12, 15
        ) { world in
            let types: [any DataStoreItem.Type] = [Fixture.Tag.self, Tagged<TagsAlone>.self]
            func open(_ type: any DataStoreItem.Type) throws -> any DataStore {
                try StepEndCases.fill(world, with: types) { accessor in
                    try accessor.insert(contentsOf: Fixture.tags)
                    try accessor.insert(Tagged<TagsAlone>(1)).tags.add(ids: [1, 2])
                }
                return try StepEndCases.open(world, types, [Fixture.Tag.self, type], by: step)
            }

            let tagged = try open(Tagged<TagsBesideLabels>.self)
            try Fixture.expectLinks([1: [1, 2]], of: Tagged<TagsBesideLabels>.self, in: tagged)
            try tagged.destroy()
            let labelled = try open(Tagged<LabelsBesideTags>.self)
            try Fixture.expectLinks([:], of: Tagged<LabelsBesideTags>.self, in: labelled)
        }
        ConformanceCase(
            "Links do not lead to other items if a split gives the name of their type to those",
            proves: 12, 15
        ) { world in
            let first: [any DataStoreItem.Type] = [
                Fixture.Tag.self, Fixture.Kind.self, Tagged<TagsAlone>.self,
            ]
            let second: [any DataStoreItem.Type] = first + [Versioned<Label>.self]
            try StepEndCases.fill(world, with: first) { accessor in
                try accessor.insert(contentsOf: Fixture.tags)
                try accessor.insert(contentsOf: Fixture.kinds)
                try accessor.insert(Tagged<TagsAlone>(1)).tags.add(ids: [1, 3])
            }
            func step(besides mapping: EntityMapping?) -> SchemaStep {
                SchemaStep(from: "1", to: "2") {
                    Split("Tag", into: "Kind", "Label") { _, new in _ = try new.make() }
                    Transform("Kind", to: "Tag") { _, new in _ = try new.make() }
                    if let mapping { mapping }
                }
            }

            let error = try expectError(.schemaMismatch) {
                _ = try StepEndCases.open(world, first, second, by: step(besides: nil))
            }

            try expect(
                error.differences.map(\.message),
                equals: ["Recipe.tags is stored as links to the former Tag, not to Tag"])
            try expect(
                error.differences.map(\.advice),
                equals: ["Call setLinks(\"tags\", to:) in a Transform for Recipe."])
            let linking = Transform("Recipe") { _, new in
                try new.make().setLinks("tags", to: [.integer(2)])
            }.entityMapping
            let store = try StepEndCases.open(world, first, second, by: step(besides: linking))
            try expect(
                try store.items(Fixture.Tag.all).map(\.values), equals: [[.text("Soup")], [.text("Cake")]])
            try Fixture.expectLinks([1: [2]], of: Tagged<TagsAlone>.self, in: store)
        }
    }

    private typealias Fixture = StepFixture

    private static let step = SchemaStep(from: "1", to: "2") {
        Transform("Recipe") { _, new in _ = try new.make() }
    }

    /// In each version, `Tagged` reads the first relationship.
    private enum Both: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = recipes([
            .relationship("tags", ToMany<Tag>.self), .relationship("labels", ToMany<Tag>.self),
        ])
    }

    private enum TagsAlone: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = recipes([.relationship("tags", ToMany<Tag>.self)])
    }

    private enum LabelsAlone: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = recipes([.relationship("labels", ToMany<Tag>.self, originalName: "tags")])
    }

    private enum TagsBesideLabels: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = recipes([
            .relationship("tags", ToMany<Tag>.self),
            .relationship("labels", ToMany<Tag>.self, originalName: "tags"),
        ])
    }

    private enum LabelsBesideTags: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = recipes([
            .relationship("labels", ToMany<Tag>.self, originalName: "tags"),
            .relationship("tags", ToMany<Tag>.self),
        ])
    }

    private enum Label: ItemVersion {
        static let schema = EntitySchema(
            "Label", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)])
    }

    private static func recipes(_ relationships: [RelationshipDeclaration]) -> EntitySchema {
        EntitySchema(
            "Recipe", attributes: [.attribute("id", Int64.self)], relationships: relationships)
    }
}
