/// Reads recipes in random order, and adds or removes one tag of each, all in one write transaction.
struct ChangeLink: GraphWorkload {
    enum Change {
        case add
        case remove
    }

    let change: Change

    var name: String { change == .add ? "graph-link" : "graph-unlink" }
    var title: String { change == .add ? "read a recipe, add one tag" : "read a recipe, remove one tag" }
    var targets: [Target] { .line(sqlite: 1.3, lmdb: 1.3) }

    private var tag: Int64 { CookbookGenerator.unusedTag }

    func operations(items: Int) -> ClosedRange<Int> { min(items, 20)...min(items, 10_000) }

    func check<Store: GraphContender>(_ store: Store, _ load: GraphLoad) throws {
        let recipes = load.recipes
        let tags = recipes.map { load.cookbook.tagIDs[Int($0) - 1] }
        try store.link(recipes: recipes, with: tag)
        try store.checkTags(tags.map { $0 + [tag] }, ofRecipes: recipes)
        try Store.compare(try store.recipes(ofTags: [tag]), [recipes.sorted()], asked: "recipes of a new tag")
        try store.unlink(recipes: recipes, from: tag)
        try store.checkTags(tags, ofRecipes: recipes)
        try Store.compare(try store.recipes(ofTags: [tag]), [[]], asked: "recipes of a removed tag")
    }

    func sample<Store: GraphContender>(_ store: Store, _ load: GraphLoad) throws -> Double {
        let recipes = load.recipes
        let adding = try load.nanosecondsPerOperation { try store.link(recipes: recipes, with: tag) }
        let removing = try load.nanosecondsPerOperation { try store.unlink(recipes: recipes, from: tag) }
        return change == .add ? adding : removing
    }
}
