import Foundation
import Larder
import LarderMemory
import Testing

/// The code of "Steps between versions" in the migration guide.
struct StepGuideTests {
    private enum First {
        @StoredItem("Draft") struct Draft { var text: String }
        @StoredItem("Person") struct Person { var name: String }
        @StoredItem("Tag") struct Tag { var word: String }
        @StoredItem("Recipe")
        struct Recipe {
            var name: String
            var hours: Double
            var isHidden: Bool
            var person: ToOne<Person>?
            var labels: ToMany<Tag>
        }
    }

    private enum Second {
        @StoredItem("Author") struct Author { var name: String }
        @StoredItem("Tag")
        struct Tag {
            var word: String
            var uuid: UUID
        }
        @StoredItem("Recipe")
        struct Recipe {
            var title: String
            var minutes: Double
            var person: ToOne<Author>?
            var tags: ToMany<Tag>
        }
    }

    @Test func `a step between two versions`() throws {
        let storage = MemoryStorage()
        let old = MemoryDataStore(
            storing: [First.Draft.self, First.Person.self, First.Tag.self, First.Recipe.self], in: storage)
        try old.setup()
        let ada = First.Person(name: "Ada")
        try old.writeSync { accessor in
            try accessor.insert(ada)
            try accessor.insert(First.Draft(text: "x"))
            let tag = First.Tag(word: "quick")
            try accessor.insert(tag)
            let recipe = First.Recipe(name: "Toast", hours: 0.25, isHidden: false, person: ToOne(ada))
            try accessor.insert(recipe).labels.add(ids: [tag.id])
            try accessor.insert(First.Recipe(name: "Secret", hours: 1, isHidden: true, person: nil))
        }
        try old.tearDown()

        let step = SchemaStep(from: "1", to: "2") {
            Delete("Draft")
            Rename("Person", to: "Author")
            Keep("Tag").fill("uuid") { _ in UUID() }
            Transform("Recipe") { old, new in
                guard try old["isHidden", as: Bool.self] == false else { return }
                let recipe = try new.make()
                recipe["title"] = try old["name"]
                try recipe.set("minutes", to: old["hours", as: Double.self] * 60)
                try recipe.setLinks("tags", to: old.identifiers("labels"))
            }
        }

        let types: [any DataStoreItem.Type] = [Second.Author.self, Second.Tag.self, Second.Recipe.self]
        var options = DataStoreOptions()
        options.migration = MigrationPlan { _ throws(DataStoreError) in
            [MigrationPlan.Stage(step, to: try StoreSchema(storing: types))]
        }
        let new = MemoryDataStore(storing: types, in: storage, storeOptions: options)
        try new.setup()
        try new.read { accessor in
            let recipe = try #require(try accessor.firstItem(for: Second.Recipe.all))
            #expect(recipe.title == "Toast")
            #expect(recipe.minutes == 15)
            #expect(try accessor.item(recipe.person)?.name == "Ada")
            #expect(try accessor.items(recipe.tags).map(\.word) == ["quick"])
            #expect(try accessor.countItems(for: Second.Recipe.all) == 1)
        }
        try new.tearDown()
    }
}
