import struct Foundation.UUID
import Larder
import LarderText

/// Steps in which types come, go, get other names, and are split and joined.
enum StepTypeCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A type gets another name with its attributes, references and links", proves: 12, 15
        ) { world in
            try Fixture.store(in: world)

            let store = try StepCases.open(
                world,
                [Versioned<Category>.self, Versioned<Label>.self, Tagged<Dish>.self, Fixture.Draft.self],
                by: SchemaStep(from: "1", to: "2") {
                    Rename("Kind", to: "Category").renaming("name", to: "title")
                    Rename("Tag", to: "Label")
                    Rename("Recipe", to: "Meal")
                })

            try expect(
                try store.items(Versioned<Category>.all),
                equals: [Versioned<Category>(1, .text("Soup")), Versioned<Category>(2, .text("Cake"))])
            try expect(
                try store.items(Versioned<Label>.all).map(\.values), equals: Fixture.tags.map(\.values))
            try expect(
                try store.items(Tagged<Dish>.all),
                equals: Fixture.recipes.map { Tagged<Dish>($0.id, $0.values[0], $0.values[3]) })
            try Fixture.expectLinks(Fixture.links, of: Tagged<Dish>.self, in: store)
            try expect(
                try DataStoreRequest<Versioned<Category>>(filter: #"title == "Cake""#), gives: [2], in: store)
        }
        ConformanceCase(
            "A type that the app calls by another name keeps its rows, references and links", proves: 12, 15
        ) { world in
            try Fixture.store(in: world)

            for _ in 0..<2 {
                let store = try world.reopen(
                    Versioned<Sort>.self, Versioned<Mark>.self, Tagged<Cooked>.self, Fixture.Draft.self)

                try expect(
                    try store.items(Versioned<Sort>.all).map(\.values), equals: Fixture.kinds.map(\.values))
                try expect(
                    try store.items(Versioned<Mark>.all).map(\.values), equals: Fixture.tags.map(\.values))
                try expect(
                    try store.items(Tagged<Cooked>.all),
                    equals: Fixture.recipes.map { Tagged<Cooked>($0.id, $0.values[0], $0.values[3]) })
                try Fixture.expectLinks(Fixture.links, of: Tagged<Cooked>.self, in: store)
                try expect(
                    try DataStoreRequest<Tagged<Cooked>>(filter: #"title == "Tart""#), gives: [5], in: store)
            }
        }
        ConformanceCase("A type goes with its rows, and another comes", proves: 12) { world in
            try Fixture.store(in: world)

            let store = try StepCases.open(
                world,
                [Fixture.Kind.self, Fixture.Tag.self, Fixture.Recipe.self, Versioned<Note>.self],
                by: SchemaStep(from: "1", to: "2") {
                    Delete("Draft")
                    Insert("Note") { old, new in
                        let note = try new.make(id: .integer(7))
                        note["text"] = .value("\(try old.count(of: "Draft")) drafts")
                    }
                    Insert("Kind") { _, new in
                        let kind = try new.make(id: .integer(9))
                        kind["name"] = .value("Bread")
                    }
                })

            try expect(try store.items(Versioned<Note>.all), equals: [Versioned<Note>(7, .text("2 drafts"))])
            try expect(
                try store.items(Fixture.Kind.all), equals: Fixture.kinds + [Fixture.Kind(9, .text("Bread"))])
            try world.closeAll()
            let stored = try require(try store.coordinator.adapter.storedSchema())
            try expect(stored.entity(named: "Draft"), equals: nil)
            try expect(stored.entities.allSatisfy { !$0.name.contains("~") }, "no type under an interim name")
        }
        ConformanceCase(
            "References to a deleted type lead to a new one that is made in its place", proves: 12, 15
        ) { world in
            try Fixture.store(in: world)
            let types: [any DataStoreItem.Type] = [
                Versioned<Category>.self, Fixture.Tag.self, Tagged<CategoryRecipe>.self, Fixture.Draft.self,
            ]
            func step(moving distance: Int64) -> SchemaStep {
                SchemaStep(from: "1", to: "2") {
                    Delete("Kind")
                    Insert("Category") { old, new in
                        try old.forEachRow(of: "Kind") { kind in
                            guard case .integer(let id) = try kind.id else { return }
                            let category = try new.make(id: .integer(id + distance))
                            category["title"] = try kind["name"]
                        }
                    }
                }
            }

            let error = try expectError(.targetNotFound) {
                _ = try StepCases.open(world, types, by: step(moving: 10))
            }

            try expect(
                error.message, equals: "Recipe 1 refers by kind to Category 1, which does not exist.")
            try Fixture.expectUnchanged(world)
            let store = try StepCases.open(world, types, by: step(moving: 0))
            try expect(
                try store.items(Versioned<Category>.all),
                equals: [Versioned<Category>(1, .text("Soup")), Versioned<Category>(2, .text("Cake"))])
            try expect(
                try store.items(Tagged<CategoryRecipe>.all).map(\.values),
                equals: [[.integer(1)], [.integer(2)], [.null], [.integer(2)]])
            try Fixture.expectLinks(Fixture.links, of: Tagged<CategoryRecipe>.self, in: store)
        }
        ConformanceCase("A row is split into rows of two types", proves: 12, 15) { world in
            try Fixture.store(in: world)

            let store = try StepCases.open(
                world,
                [
                    Fixture.Kind.self, Fixture.Tag.self, Tagged<SplitRecipe>.self, AuthorItem.self,
                    Fixture.Draft.self,
                ],
                by: SchemaStep(from: "1", to: "2") {
                    Split("Recipe", into: "Recipe", "Author") { old, new in
                        let recipe = try new.make()
                        guard let name = try old["author", as: String?.self] else { return }
                        recipe["by"] = .value(name)
                        if try new.contains("Author", id: .string(name)) { return }
                        let author = try new.make("Author", id: .string(name))
                        try author.set(
                            "recipes",
                            to: old.source.rows(of: "Recipe", where: "author", equals: old["author"]).count)
                    }
                })

            try expect(
                try store.items(AuthorItem.all),
                equals: [AuthorItem(id: "Ada", recipes: 2), AuthorItem(id: "Bob", recipes: 1)])
            try expect(
                try store.items(Tagged<SplitRecipe>.all),
                equals: [
                    Tagged<SplitRecipe>(1, .text("Leek"), .text("Ada"), .integer(1)),
                    Tagged<SplitRecipe>(2, .text("Pie"), .text("Bob"), .integer(2)),
                    Tagged<SplitRecipe>(3, .text("Toast"), .null, .null),
                    Tagged<SplitRecipe>(5, .text("Tart"), .text("Ada"), .integer(2)),
                ])
            try Fixture.expectLinks(Fixture.links, of: Tagged<SplitRecipe>.self, in: store)
        }
        ConformanceCase("Rows of two types are joined into one", proves: 12, 15) { world in
            try Fixture.store(in: world)

            let store = try StepCases.open(
                world, [Fixture.Tag.self, Tagged<JoinedRecipe>.self, Fixture.Draft.self],
                by: SchemaStep(from: "1", to: "2") {
                    Join("Recipe", "Kind", by: "kind", into: "Recipe") { recipe, kind, new in
                        let joined = try new.make()
                        joined["kind"] = try kind?["name"] ?? nil
                    }
                })

            try expect(
                try store.items(Tagged<JoinedRecipe>.all),
                equals: [
                    Tagged<JoinedRecipe>(1, .text("Leek"), .text("Soup")),
                    Tagged<JoinedRecipe>(2, .text("Pie"), .text("Cake")),
                    Tagged<JoinedRecipe>(3, .text("Toast"), .null),
                    Tagged<JoinedRecipe>(5, .text("Tart"), .text("Cake")),
                ])
            try Fixture.expectLinks(Fixture.links, of: Tagged<JoinedRecipe>.self, in: store)
            try world.closeAll()
            let stored = try require(try store.coordinator.adapter.storedSchema())
            try expect(stored.entity(named: "Kind"), equals: nil)
        }
        ConformanceCase("More rows than a batch has are joined, and larger ones", proves: 12) { world in
            let ids = (1...600).map { Int64($0) }
            // The first texts are larger than a batch may be.
            let (large, small) = (String(repeating: "x", count: 80_000), "xyz")
            func text(_ id: Int64) -> String { id % 2 == 1 ? "" : id < 130 ? large : small }
            let first = try world.open(storing: Fixture.first)
            try first.writeSync { accessor in
                try accessor.insert(contentsOf: ids.map { Fixture.Tag($0, .text("tag \($0)")) })
                for id in ids where !text(id).isEmpty {
                    try accessor.insert(Fixture.Draft(id, .text(text(id))))
                }
            }
            try world.closeAll()

            let store = try StepCases.open(
                world, [Fixture.Kind.self, Fixture.Tag.self, Fixture.Recipe.self],
                by: SchemaStep(from: "1", to: "2") {
                    Join("Tag", "Draft", into: "Tag") { tag, draft, new in
                        let text = try draft?["text", as: String.self] ?? ""
                        let id = try tag.id
                        try new.make()["name"] = .value("\(id): \(text.utf8.count)")
                    }
                })

            try expect(
                try store.items(Fixture.Tag.all).map(\.values),
                equals: ids.map { [.text("\($0): \(text($0).utf8.count)")] })
        }
        ConformanceCase("Rows of two types come together in one", proves: 12) { world in
            try Fixture.store(in: world)

            let store = try StepCases.open(
                world, [Fixture.Kind.self, Fixture.Tag.self, Fixture.Recipe.self, Versioned<Note>.self],
                by: SchemaStep(from: "1", to: "2") {
                    Transform("Draft", to: "Note") { _, new in _ = try new.make() }
                    Insert("Note") { old, new in
                        try old.forEachRow(of: "Tag") { tag in
                            guard case .integer(let number) = try tag.id else { return }
                            let note = try new.make(id: .integer(number + 10))
                            note["text"] = try tag["name"]
                        }
                    }
                })

            try expect(
                try store.items(Versioned<Note>.all),
                equals: [
                    Versioned<Note>(1, .text("x")), Versioned<Note>(2, .text("y")),
                    Versioned<Note>(11, .text("quick")), Versioned<Note>(12, .text("sweet")),
                    Versioned<Note>(13, .text("vegan")),
                ])
        }
        ConformanceCase("A step asks for identifiers that no row has", proves: 12) { world in
            try Fixture.store(in: world)

            let store = try StepCases.open(
                world,
                [
                    Fixture.Kind.self, Fixture.Tag.self, Fixture.Recipe.self, Fixture.Draft.self,
                    Keyed<UUID>.self,
                ],
                by: SchemaStep(from: "1", to: "2") {
                    Insert(Keyed<UUID>.schema.name) { _, new in
                        for text in ["a", "b"] {
                            let id = try new.newIdentifier(of: Keyed<UUID>.schema.name)
                            let item = try new.make(id: id)
                            try item.set("label", to: text)
                            try item.set("rank", to: 0)
                        }
                        try expectError(.unknownItemType) { _ = try new.newIdentifier(of: "None") }
                    }
                    Insert("Kind") { _, new in
                        try expectError(.unsupported) { _ = try new.newIdentifier(of: "Kind") }
                    }
                })

            try expect(try store.items(Keyed<UUID>.all.sorted(by: \.label)).map(\.label), equals: ["a", "b"])
        }
    }

    private typealias Fixture = StepFixture

    // MARK: Rename, delete, insert

    private enum Category: ItemVersion {
        static let schema = EntitySchema(
            "Category", attributes: [.attribute("id", Int64.self), .attribute("title", String.self)],
            indexes: [.index("title")])
    }

    private enum Label: ItemVersion {
        static let schema = EntitySchema(
            "Label", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)],
            indexes: [.unique("name")])
    }

    private enum Dish: TaggedVersion {
        typealias Tag = Versioned<Label>
        static let schema = EntitySchema(
            "Meal",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self),
                .attribute("kind", ToOne<Versioned<Category>>?.self),
            ],
            indexes: [.index("name")],
            relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    private enum CategoryRecipe: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = EntitySchema(
            "Recipe",
            attributes: [
                .attribute("id", Int64.self), .attribute("kind", ToOne<Versioned<Category>>?.self),
            ], relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    private enum Sort: ItemVersion {
        static let schema = EntitySchema(
            "Sort", originalName: "Kind",
            attributes: [.attribute("id", Int64.self), .attribute("name", String.self)])
    }

    private enum Mark: ItemVersion {
        static let schema = EntitySchema(
            "Mark", originalName: "Tag",
            attributes: [.attribute("id", Int64.self), .attribute("name", String.self)],
            indexes: [.unique("name")])
    }

    private enum Cooked: TaggedVersion {
        typealias Tag = Versioned<Mark>
        static let schema = EntitySchema(
            "Cooked", originalName: "Recipe",
            attributes: [
                .attribute("id", Int64.self), .attribute("title", String.self, originalName: "name"),
                .attribute("kind", ToOne<Versioned<Sort>>?.self),
            ],
            indexes: [.index("title")],
            relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    private enum Note: ItemVersion {
        static let schema = EntitySchema(
            "Note", attributes: [.attribute("id", Int64.self), .attribute("text", String.self)])
    }

    // MARK: Split and join

    private enum Author: ItemVersion {
        static let schema = EntitySchema(
            "Author", attributes: [.attribute("id", String.self), .attribute("recipes", Int.self)])
    }

    private struct AuthorItem: DataStoreItem, Equatable {
        let id: String
        let recipes: Int

        struct Attributes: Sendable {
            let id = Attribute<AuthorItem, String>(column: 0)
        }

        static let attributes = Attributes()
        static let schema = Author.schema

        init(id: String, recipes: Int) {
            self.id = id
            self.recipes = recipes
        }

        init(row: borrowing RowReader) throws(DataStoreError) {
            id = try row.value(at: 0)
            recipes = try row.value(at: 1)
        }

        func encode(to row: inout RowWriter) throws(DataStoreError) {
            try row.set(id, at: 0)
            try row.set(recipes, at: 1)
        }
    }

    private enum SplitRecipe: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = EntitySchema(
            "Recipe",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self),
                .attribute("by", ToOne<AuthorItem>?.self),
                .attribute("kind", ToOne<StepFixture.Kind>?.self),
            ], relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    private enum JoinedRecipe: TaggedVersion {
        typealias Tag = StepFixture.Tag
        static let schema = EntitySchema(
            "Recipe",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self),
                .attribute("kind", String?.self),
            ], relationships: [.relationship("tags", ToMany<Tag>.self)])
    }
}
