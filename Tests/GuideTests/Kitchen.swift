import Larder
import LarderMemory

/// The item types of "Relationships" in the migration guide, and a store of them.
enum Kitchen {
    @StoredItem
    struct Recipe {
        var name: String
        var kind: ToOne<Kind>?
        @Relationship(deleteRule: .cascade, inverse: \Ingredient.recipe)
        var ingredients: ToMany<Ingredient>
        var tags: ToMany<Tag>
        @Relationship(deleteRule: .cascade)
        var steps: OrderedToMany<Step>
        @Relationship(deleteRule: .cascade, inverse: \Source.recipe)
        var source: ToOneInverse<Source>
    }

    @StoredItem
    struct Ingredient {
        var name: String
        var grams: Double
        var recipe: ToOne<Recipe>
    }

    @StoredItem
    struct Kind {
        @Unique var name: String
        @Relationship(deleteRule: .deny, inverse: \Recipe.kind)
        var recipes: ToMany<Recipe>
    }

    @StoredItem
    struct Tag {
        @Unique var label: String
        @Relationship(inverse: \Recipe.tags)
        var recipes: ToMany<Recipe>
    }

    @StoredItem
    struct Step {
        var text: String
    }

    @StoredItem
    struct Source {
        var title: String
        var recipe: ToOne<Recipe>
    }

    static let types: [any DataStoreItem.Type] = [
        Recipe.self, Ingredient.self, Kind.self, Tag.self, Step.self, Source.self,
    ]

    static func makeEmptyStore() throws -> any DataStore {
        let store = MemoryDataStore(storing: types)
        try store.setup()
        return store
    }

    /// A store with a cake and a salad.
    static func makeStore() throws -> any DataStore {
        let store = try makeEmptyStore()
        try store.writeSync { accessor in
            let dessert = try accessor.insert(Kind(name: "Dessert"))
            let (sweet, fast) = (Tag(label: "sweet"), Tag(label: "fast"))
            try accessor.insert(contentsOf: [sweet, fast])
            let steps = ["Mix", "Bake", "Serve"].map { Step(text: $0) }
            try accessor.insert(contentsOf: steps)
            let cake = try accessor.insert(
                Recipe(name: "Cake", kind: ToOne(dessert), tags: [sweet], steps: OrderedToMany(steps)))
            let salad = try accessor.insert(Recipe(name: "Salad", tags: [fast]))
            try accessor.insert(contentsOf: [
                Ingredient(name: "Flour", grams: 200, recipe: ToOne(cake)),
                Ingredient(name: "Egg", grams: 60, recipe: ToOne(cake)),
                Ingredient(name: "Egg", grams: 30, recipe: ToOne(salad)),
            ])
            try accessor.insert(Source(title: "Grandmother", recipe: ToOne(cake)))
        }
        return store
    }
}

extension DataStoreReadAccessor {
    /// The labels of a recipe's tags, in the order of the alphabet.
    func labels(of recipe: Kitchen.Recipe) throws -> [String] {
        try items(for: recipe.tags.request.sorted(by: \.label)).map(\.label)
    }

    /// The texts of a recipe's steps.
    func steps(of recipe: Kitchen.Recipe) throws -> [String] {
        try items(recipe.steps).map(\.text)
    }
}
