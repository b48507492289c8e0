import Larder
import LarderMemory
import Testing

/// The code of "Moving objects with relationships" in the migration guide, and the rules that it states.
struct KitchenMoveTests {
    private typealias Recipe = Kitchen.Recipe

    private static let old = OldKitchen(
        kinds: ["k1": "Dessert"], tags: ["t1": "sweet", "t2": "fast"],
        steps: ["s1": "Mix", "s2": "Bake"],
        recipes: [
            OldKitchen.Recipe(
                oldID: "r1", name: "Cake", kind: "k1", tags: ["t1", "t2"], steps: ["s2", "s1"]),
            OldKitchen.Recipe(oldID: "r2", name: "Salad"),
        ],
        ingredients: [
            OldKitchen.Ingredient(name: "Egg", grams: 60, recipe: "r1"),
            OldKitchen.Ingredient(name: "Salt", grams: 1, recipe: nil),
        ])

    @Test func `objects are taken over once, with what they refer to`() throws {
        let store = try Kitchen.makeEmptyStore()

        let orphans = try Kitchen.move(Self.old, into: store)
        _ = try Kitchen.move(Self.old, into: store)

        #expect(orphans.map(\.name) == ["Salt"])
        try store.read { accessor in
            let recipes = try accessor.items(for: Recipe.all)
            #expect(recipes.map(\.name) == ["Cake", "Salad"])
            #expect(try recipes.map { try accessor.item($0.kind)?.name } == ["Dessert", nil])
            #expect(try recipes.map { try accessor.labels(of: $0) } == [["fast", "sweet"], []])
            #expect(try recipes.map { try accessor.steps(of: $0) } == [["Bake", "Mix"], []])
            #expect(try recipes.map { try accessor.countItems($0.ingredients) } == [1, 0])
        }
    }

    @Test func `items that are read and inserted again bring no links by themselves`() throws {
        let (old, new) = (try Kitchen.makeStore(), try Kitchen.makeEmptyStore())
        let other = try Kitchen.makeEmptyStore()

        try old.read { source in
            for (store, withLinks) in [(new, true), (other, false)] {
                try store.writeSync { target in
                    try target.insert(contentsOf: source.items(for: Kitchen.Kind.all))
                    try target.insert(contentsOf: source.items(for: Kitchen.Tag.all))
                    try target.insert(contentsOf: source.items(for: Kitchen.Step.all))
                    if withLinks {
                        try Kitchen.copyRecipes(from: source, to: target)
                    } else {
                        try target.insert(contentsOf: source.items(for: Recipe.all))
                    }
                    try target.insert(contentsOf: source.items(for: Kitchen.Ingredient.all))
                }
            }
        }

        func show(_ store: any DataStore) throws -> [String] {
            try store.read { accessor in
                try accessor.items(for: Recipe.all).map { recipe in
                    let count = try accessor.countItems(recipe.ingredients)
                    return try "\(count) \(accessor.labels(of: recipe)) \(accessor.steps(of: recipe))"
                }
            }
        }
        #expect(try show(old) == [#"2 ["sweet"] ["Mix", "Bake", "Serve"]"#, #"1 ["fast"] []"#])
        #expect(try show(new) == show(old))
        #expect(try show(other) == ["2 [] []", "1 [] []"])
    }

    @StoredItem
    struct Folder {
        var name: String
        var parent: ToOne<Folder>?
        @Relationship(deleteRule: .cascade, inverse: \Folder.parent) var children: ToMany<Folder>
    }

    @Test func `references within one call may lead forward, those between calls may not`() throws {
        let store = MemoryDataStore(storing: [Folder.self])
        try store.setup()
        let root = Folder(name: "root")
        let children = (0..<2_000).map { Folder(name: "\($0)", parent: ToOne(root)) }

        let error = #expect(throws: DataStoreError.self) {
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: children)
                try accessor.insert(root)
            }
        }
        try store.writeSync { try $0.insert(contentsOf: children + [root]) }

        #expect(error?.code == .targetNotFound)
        #expect(try store.read { try $0.countItems(for: Folder.where(\.parent == ToOne(root))) } == 2_000)
    }

    @StoredItem
    struct Team {
        var name: String
        var captain: ToOne<Player>?
        @Relationship(deleteRule: .cascade, inverse: \Player.team) var players: ToMany<Player>
    }

    @StoredItem
    struct Player {
        var name: String
        var team: ToOne<Team>
    }

    @Test func `two types that refer to each other`() throws {
        let store = MemoryDataStore(storing: [Team.self, Player.self])
        try store.setup()
        let team = Team(name: "Red")
        let ada = Player(name: "Ada", team: ToOne(team))

        try store.writeSync { accessor in
            try accessor.insert(team)
            try accessor.insert(ada)
            try accessor.mutableVersion(of: team)?.captain = ToOne(ada)
        }

        let teams = try store.read { try $0.items(for: Team.where(\.captain.name == "Ada")) }
        #expect(teams.map(\.name) == ["Red"])
        #expect(try store.writeSync { try $0.delete(team) })
        #expect(try store.read { try $0.countItems(for: Player.all) } == 0)
    }
}
