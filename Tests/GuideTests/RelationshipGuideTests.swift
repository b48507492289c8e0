import Larder
import LarderText
import Testing

@testable import func AdapterTestSupport.code

/// The code of "Relationships" in the migration guide.
struct RelationshipGuideTests {
    private typealias Recipe = Kitchen.Recipe
    private typealias Ingredient = Kitchen.Ingredient
    private typealias Kind = Kitchen.Kind
    private typealias Tag = Kitchen.Tag
    private typealias Step = Kitchen.Step
    private typealias Source = Kitchen.Source

    @Test func `a recipe with all that belongs to it`() throws {
        let store = try Kitchen.makeEmptyStore()

        try store.writeSync { accessor in
            let dessert = try accessor.insert(Kind(name: "Dessert"))
            let sweet = try accessor.insert(Tag(label: "sweet"))
            let steps = ["Mix", "Bake"].map { Step(text: $0) }
            try accessor.insert(contentsOf: steps)

            let cake = try accessor.insert(
                Recipe(
                    name: "Cake", kind: ToOne(dessert), tags: [sweet.item], steps: OrderedToMany(steps)))
            try accessor.insert(contentsOf: [
                Ingredient(name: "Flour", grams: 200, recipe: ToOne(cake)),
                Ingredient(name: "Egg", grams: 60, recipe: ToOne(cake)),
            ])
        }

        try store.read { accessor throws in
            let cake = try #require(try accessor.firstItem(for: Recipe.all))
            #expect(try accessor.item(cake.kind)?.name == "Dessert")
            #expect(try accessor.items(cake.ingredients).map(\.name) == ["Flour", "Egg"])
            #expect(try accessor.labels(of: cake) == ["sweet"])
            #expect(try accessor.steps(of: cake) == ["Mix", "Bake"])
            #expect(try accessor.item(cake.source) == nil)
        }
    }

    @Test func `adding, removing and setting`() throws {
        let store = try Kitchen.makeStore()

        try store.writeSync { accessor in
            let cake = try accessor.firstMutableItem(for: Recipe.where(\.name == "Cake"))
            let salad = try accessor.firstMutableItem(for: Recipe.where(\.name == "Salad"))
            let fast = try accessor.firstItem(for: Tag.where(\.label == "fast"))
            guard let cake, let salad, let fast else { return }

            try cake.tags.add(fast)
            try salad.tags.removeAll()
            cake.kind = nil

            // The other side, with the same effect as setting the egg's recipe.
            let eggs = try accessor.items(cake.ingredients, where: \.name == "Egg")
            try salad.ingredients.add(contentsOf: eggs)
        }

        try store.read { accessor in
            let recipes = try accessor.items(for: Recipe.all.sorted(by: \.name))
            #expect(try recipes.map { try accessor.labels(of: $0) } == [["fast", "sweet"], []])
            #expect(recipes.map { $0.kind == nil } == [true, true])
            #expect(
                try recipes.map { try accessor.items($0.ingredients).map(\.grams) } == [[200], [60, 30]])
        }
    }

    @Test func `a value that was read leaves the links as they are, and an empty list removes them`() throws {
        let store = try Kitchen.makeStore()
        var cake = try #require(try store.read { try $0.firstItem(for: Recipe.where(\.name == "Cake")) })

        cake.name = "Pie"
        try store.writeSync { try $0.update(cake) }

        try store.read { accessor throws in
            let pie = try #require(try accessor.item(id: cake.id))
            #expect(pie.name == "Pie")
            #expect(try accessor.labels(of: pie) == ["sweet"])
        }
        cake.tags = []
        try store.writeSync { try $0.update(cake) }
        try store.read { accessor throws in
            let pie = try #require(try accessor.item(id: cake.id))
            #expect(try accessor.labels(of: pie) == [])
            #expect(try accessor.countItems(for: Tag.where(.none(\.recipes))) == 1)
        }
    }

    @Test func `an item that needs its owner cannot be removed from it`() throws {
        let store = try Kitchen.makeStore()

        try store.writeSync { accessor throws in
            let cake = try #require(try accessor.firstMutableItem(for: Recipe.where(\.name == "Cake")))
            let error = #expect(throws: DataStoreError.self) { try cake.ingredients.removeAll() }
            #expect(error?.code == .invalidValue)
        }

        #expect(try store.read { try $0.countItems(for: Ingredient.all) } == 3)
    }

    @Test func `an item that is not stored cannot be added`() throws {
        let store = try Kitchen.makeStore()

        try store.writeSync { accessor in
            let cake = try #require(try accessor.firstMutableItem(for: Recipe.where(\.name == "Cake")))
            let link = #expect(throws: DataStoreError.self) { try cake.tags.add(Tag(label: "new")) }
            let reference = #expect(throws: DataStoreError.self) {
                try cake.ingredients.add(Ingredient(name: "Salt", grams: 1, recipe: ToOne(cake)))
            }
            #expect(link?.code == .targetNotFound)
            #expect(reference?.code == .itemNotFound)
        }
    }

    @Test func `reading with what belongs to the items`() throws {
        let store = try Kitchen.makeStore()
        var shown: [String] = []
        func show(_ name: String, _ kind: String?, _ ingredients: [String]) {
            shown.append("\(name), \(kind ?? "-"), \(ingredients)")
        }

        let request = Recipe.all.sorted(by: \.kind.name).sorted(by: \.name)
            .prefetching(\.kind, \.ingredients)
        let recipes = try store.read { try $0.items(for: request) }
        for recipe in recipes {
            show(recipe.name, recipe.kind?.item?.name, recipe.ingredients.items?.map(\.name) ?? [])
        }

        #expect(shown == [#"Salad, -, ["Egg"]"#, #"Cake, Dessert, ["Flour", "Egg"]"#])
        #expect(recipes.map { $0.tags.items == nil } == [true, true])
    }

    @Test func `one item and what belongs to it`() throws {
        let store = try Kitchen.makeStore()
        let id = try #require(try store.read { try $0.firstItem(for: Recipe.where(\.name == "Cake")) }).id

        let (heavy, source, count) = try store.read { accessor in
            guard let cake = try accessor.item(id: id) else { throw EditError.changedMeanwhile }
            let heavy = try accessor.items(cake.ingredients, where: \.grams > 100)
            let source = try accessor.item(cake.source)
            let count = try accessor.countItems(cake.steps)
            return (heavy, source, count)
        }

        #expect(heavy.map(\.name) == ["Flour"])
        #expect(source?.title == "Grandmother")
        #expect(count == 3)
    }

    @Test func `lists of their own order and length`() throws {
        let store = try Kitchen.makeStore()

        let heaviest = Recipe.all.prefetching(\.ingredients) { ingredients in
            ingredients.sorted(by: \.grams, .descending).limit(1)
        }

        let recipes = try store.read { try $0.items(for: heaviest) }
        #expect(recipes.map { $0.ingredients.items?.map(\.name) ?? [] } == [["Flour"], ["Egg"]])

        let salad = try store.read {
            try $0.firstItem(for: Recipe.where(\.name == "Salad").prefetching(\.steps))
        }
        #expect(salad?.steps.items?.map(\.text) == [])
    }

    @Test func `each filter of the table, in Swift and as text`() throws {
        let store = try Kitchen.makeStore()
        let filters: [(Filter<Recipe>, String, [String])] = [
            (\.kind.name == "Dessert", #"kind.name == "Dessert""#, ["Cake"]),
            (.any(\.ingredients, \.name == "Egg"), #"ANY ingredients.name == "Egg""#, ["Cake", "Salad"]),
            (.all(\.ingredients, \.grams > 20), "ALL ingredients.grams > 20", ["Cake", "Salad"]),
            (.none(\.ingredients, \.name == "Flour"), #"NONE ingredients.name == "Flour""#, ["Salad"]),
            (\.ingredients.count > 1, "ingredients.@count > 1", ["Cake"]),
            (.none(\.steps), "steps.@count == 0", ["Salad"]),
            (
                .any(\.ingredients, \.name == "Egg" && \.grams > 50),
                #"ANY ingredients (name == "Egg" AND grams > 50)"#, ["Cake"]
            ),
            (
                .any(\.tags, .any(\.recipes, \.name == "Cake")),
                #"ANY tags (ANY recipes.name == "Cake")"#, ["Cake"]
            ),
            (\.source.title == "Grandmother", #"source.title == "Grandmother""#, ["Cake"]),
            (\.kind.name != "Dessert", #"kind.name != "Dessert""#, ["Salad"]),
            (.any(\.kind.recipes, \.name == "Cake"), #"ANY kind.recipes.name == "Cake""#, ["Cake"]),
            (\.kind.recipes.count > 0, "kind.recipes.@count > 0", ["Cake"]),
        ]

        for (filter, text, names) in filters {
            let found = try store.read { try $0.items(for: Recipe.where(filter)) }
            #expect(found.map(\.name) == names, "\(text)")
            #expect(
                try store.read { try $0.items(for: Recipe.where(try Filter(text: text))) }.map(\.name)
                    == names, "\(text)")
        }
    }

    @Test(arguments: [
        (#"ANY tags.recipes.name == "Cake""#, DataStoreError.Code.wrongType),
        ("kind == %@", .invalidText),
        ("SUBQUERY(ingredients, $i, $i.grams > 50).@count > 1", .unknownAttribute),
    ])
    func `what text filters do not read`(_ text: String, _ code: DataStoreError.Code) {
        let error = #expect(throws: DataStoreError.self) { try Filter<Recipe>(text: text) }

        #expect(error?.code == code)
    }

    @Test func `relationships of relationships are read too`() throws {
        let store = try Kitchen.makeStore()

        let request = Recipe.where(\.name == "Cake").prefetching(\.tags) { $0.prefetching(\.recipes) }
        let cake = try #require(try store.read { try $0.firstItem(for: request) })

        #expect(cake.tags.items?.map { $0.recipes.items?.map(\.name) ?? [] } == [["Cake"]])
    }

    @Test func `a to-one is compared with an item`() throws {
        let store = try Kitchen.makeStore()
        let dessert = try #require(try store.read { try $0.firstItem(for: Kind.all) })

        let desserts = Recipe.where(\.kind == ToOne(dessert))

        #expect(try store.read { try $0.items(for: desserts) }.map(\.name) == ["Cake"])
        #expect(try store.read { try $0.items(for: Recipe.where(\.kind == nil)) }.map(\.name) == ["Salad"])
    }

    @Test func `a count of some of the related items is taken from the other side`() throws {
        let store = try Kitchen.makeStore()

        // SUBQUERY(ingredients, $i, $i.grams > 50).@count > 1
        let found = try store.read { accessor in
            let heavy = Ingredient.where(\.grams > 50).grouped(by: \.recipe).having(.count > 1)
            let ids = try accessor.groups(for: heavy).map(\.id)
            return try accessor.items(for: Recipe.where(.isIn(\.id, ids)))
        }

        #expect(found.map(\.name) == ["Cake"])
    }

    @Test func `deleting by the rules`() throws {
        let store = try Kitchen.makeStore()

        do {
            try store.writeSync { try $0.deleteItems(for: Kind.where(\.name == "Dessert")) }
        } catch DataStoreError.Code.deletionDenied {
            // the error names the kind, and a recipe that still has it
        }
        #expect(try store.read { try $0.countItems(for: Kind.all) } == 1)

        try store.writeSync { accessor in
            // Its ingredients, its steps and its source go with it; its kind and its tags stay.
            try accessor.deleteItems(for: Recipe.where(\.name == "Cake"))
            try accessor.deleteItems(for: Kind.where(\.name == "Dessert"))
        }

        try store.read { accessor throws in
            #expect(try accessor.items(for: Recipe.all).map(\.name) == ["Salad"])
            #expect(try accessor.items(for: Ingredient.all).map(\.grams) == [30])
            #expect(try accessor.countItems(for: Step.all) == 0)
            #expect(try accessor.countItems(for: Source.all) == 0)
            #expect(try accessor.countItems(for: Kind.all) == 0)
            #expect(try accessor.countItems(for: Tag.all) == 2)
        }
    }

    @Test func `the other calls of the tables`() throws {
        let store = try Kitchen.makeStore()
        let tags = try store.read { try $0.items(for: Tag.all.sorted(by: \.label)) }
        let (fast, sweet) = (tags[0], tags[1])

        try store.writeSync { accessor in
            let cake = try #require(try accessor.firstMutableItem(for: Recipe.where(\.name == "Cake")))
            let salad = try #require(try accessor.firstMutableItem(for: Recipe.where(\.name == "Salad")))
            let egg = try #require(try accessor.firstMutableItem(for: Ingredient.where(\.grams == 30)))
            let dessert = try #require(try accessor.firstItem(for: Kind.all))
            cake.tags = [sweet, fast]
            try salad.tags.replace(by: [sweet])
            salad.kind = ToOne(dessert)
            egg.recipe = ToOne(cake)
            try cake.tags.remove(sweet)
            #expect(try accessor.items(for: cake.ingredients.request.filter(\.grams > 100)).count == 1)
            #expect(code { try accessor.delete(dessert) } == .deletionDenied)
        }

        try store.read { accessor throws in
            let recipes = try accessor.items(for: Recipe.all.sorted(by: \.name))
            #expect(try recipes.map { try accessor.labels(of: $0) } == [["fast"], ["sweet"]])
            #expect(try recipes.map { try accessor.countItems($0.ingredients) } == [3, 0])
            #expect(recipes.map { $0.kind != nil } == [true, true])
        }
        try store.writeSync { accessor in
            let deleted = try accessor.deleteAllItems(of: Recipe.self)
            let ingredients = try accessor.countItems(for: Ingredient.all)
            let tags = try accessor.countItems(for: Tag.all)
            #expect([deleted, ingredients, tags] == [2, 0, 2])
        }
    }

    @Test func `a step of two recipes goes with the first`() throws {
        let store = try Kitchen.makeStore()
        try store.writeSync { accessor in
            let mix = try accessor.firstItem(for: Step.where(\.text == "Mix"))
            let salad = try accessor.firstMutableItem(for: Recipe.where(\.name == "Salad"))
            try salad?.steps.add(#require(mix))
        }

        try store.writeSync { try $0.deleteItems(for: Recipe.where(\.name == "Cake")) }

        #expect(try store.read { try $0.countItems(for: Step.all) } == 0)
    }

    @Test func `the order of steps`() throws {
        let store = try Kitchen.makeStore()

        try store.writeSync { accessor throws in
            let cake = try #require(try accessor.firstMutableItem(for: Recipe.where(\.name == "Cake")))
            let taste = try accessor.insert(Step(text: "Taste"))
            try cake.steps.insert(taste, at: 1)  // Mix, Taste, Bake, Serve
            try cake.steps.move(from: 3, to: 0)  // Serve, Mix, Taste, Bake
            try cake.steps.remove(taste)  // Serve, Mix, Bake; the step itself stays in the store
        }

        try store.read { accessor throws in
            let cake = try #require(try accessor.firstItem(for: Recipe.where(\.name == "Cake")))
            #expect(try accessor.steps(of: cake) == ["Serve", "Mix", "Bake"])
            #expect(try accessor.items(for: Step.where(.contains(\.text, "Taste"))).count == 1)
        }
    }

    @Test(arguments: [(0, 3, [1, 2, 0]), (2, 0, [2, 0, 1]), (0, 2, [1, 0, 2]), (1, 1, [0, 1, 2])])
    func `a list that is moved in the manner of onMove`(
        _ source: Int, _ destination: Int, _ expected: [Int]
    ) throws {
        let store = try Kitchen.makeStore()

        try store.writeSync { accessor throws in
            let cake = try #require(try accessor.firstMutableItem(for: Recipe.where(\.name == "Cake")))
            try cake.steps.move(from: source, to: destination > source ? destination - 1 : destination)
        }

        try store.read { accessor throws in
            let cake = try #require(try accessor.firstItem(for: Recipe.where(\.name == "Cake")))
            #expect(try accessor.steps(of: cake) == expected.map { ["Mix", "Bake", "Serve"][$0] })
        }
    }

    @Test func `values and handles of deleted items`() throws {
        let store = try Kitchen.makeStore()
        let cake = try #require(try store.read { try $0.firstItem(for: Recipe.where(\.name == "Cake")) })
        let flour = try #require(
            try store.read { try $0.firstItem(for: Ingredient.where(\.name == "Flour")) })
        try store.writeSync { try $0.delete(cake) }

        #expect(cake.name == "Cake")
        try store.read { accessor throws in
            #expect(try accessor.item(flour.recipe) == nil)
            #expect(try accessor.items(cake.ingredients).isEmpty)
        }
        let update = #expect(throws: DataStoreError.self) {
            try store.writeSync { try $0.update(cake) }
        }
        let upsert = #expect(throws: DataStoreError.self) {
            try store.writeSync { try $0.upsert(flour) }
        }
        #expect(update?.code == .itemNotFound)
        #expect(upsert?.code == .targetNotFound)
    }
}
