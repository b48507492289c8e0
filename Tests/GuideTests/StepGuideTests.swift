import Foundation
import Larder
import LarderMemory
import Testing

/// The first version of a cookbook.
enum FirstEdition {
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

/// The second version of a cookbook.
enum SecondEdition {
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

/// The code of "Mappings of a step" in the migration guide.
struct StepGuideTests {
    @Test func `a step between two versions`() throws {
        let storage = MemoryStorage()
        let old = MemoryDataStore(
            storing: [
                FirstEdition.Draft.self, FirstEdition.Person.self, FirstEdition.Tag.self,
                FirstEdition.Recipe.self,
            ], in: storage)
        try old.setup()
        let ada = FirstEdition.Person(name: "Ada")
        try old.writeSync { accessor in
            try accessor.insert(ada)
            try accessor.insert(FirstEdition.Draft(text: "x"))
            let tag = FirstEdition.Tag(word: "quick")
            try accessor.insert(tag)
            let recipe = FirstEdition.Recipe(name: "Toast", hours: 0.25, isHidden: false, person: ToOne(ada))
            try accessor.insert(recipe).labels.add(ids: [tag.id])
            try accessor.insert(FirstEdition.Recipe(name: "Secret", hours: 1, isHidden: true, person: nil))
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

        let types: [any DataStoreItem.Type] = [
            SecondEdition.Author.self, SecondEdition.Tag.self, SecondEdition.Recipe.self,
        ]
        var options = DataStoreOptions()
        options.migration = MigrationPlan { _ throws(DataStoreError) in
            [MigrationPlan.Stage(step, to: try StoreSchema(storing: types))]
        }
        let new = MemoryDataStore(storing: types, in: storage, storeOptions: options)
        try new.setup()
        try new.read { accessor in
            let recipe = try #require(try accessor.firstItem(for: SecondEdition.Recipe.all))
            #expect(recipe.title == "Toast")
            #expect(recipe.minutes == 15)
            #expect(try accessor.item(recipe.person)?.name == "Ada")
            #expect(try accessor.items(recipe.tags).map(\.word) == ["quick"])
            #expect(try accessor.countItems(for: SecondEdition.Recipe.all) == 1)
        }
        try new.tearDown()
    }
}
