import Larder

/// Larder as its users use it, on any of its engines, with relationships.
final class LarderGraphContender: GraphContender {
    typealias Record = LarderRecipe
    typealias Family = LarderRecipe

    private let store: any DataStore
    private let asksInBatches: Bool

    /// - Parameter asksInBatches: True if one call reads or links many recipes, as in an app on a server.
    init(
        asksInBatches: Bool = false, _ makeStore: ([any DataStoreItem.Type]) -> any DataStore
    ) throws {
        self.asksInBatches = asksInBatches
        store = makeStore([
            LarderRecipe.self, LarderKind.self, LarderIngredient.self, LarderTag.self,
        ])
        try store.setup()
    }

    func close() throws {
        try store.tearDown()
    }

    /// The items of a cookbook, each recipe with its tags.
    struct Form {
        let kinds: [LarderKind]
        let tags: [LarderTag]
        let recipes: [LarderRecipe]
        let ingredients: [LarderIngredient]
    }

    static func form(of cookbook: Cookbook) -> Form {
        func tag(_ id: Int64) -> LarderTag { LarderTag(id: id, label: "", recipes: []) }
        return Form(
            kinds: cookbook.kinds.map { LarderKind(id: $0.id, name: $0.name, recipes: []) },
            tags: cookbook.tags.map { LarderTag(id: $0.id, label: $0.label, recipes: []) },
            recipes: zip(cookbook.recipes, cookbook.tagIDs).map { recipe, tags in
                LarderRecipe(recipe, tags: ToMany(tags.map(tag)))
            },
            ingredients: cookbook.ingredients.map { LarderIngredient($0) })
    }
}

extension LarderGraphContender {
    func insert(_ cookbook: Form) throws {
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: cookbook.kinds)
            try accessor.insert(contentsOf: cookbook.tags)
            try accessor.insert(contentsOf: cookbook.recipes)
            try accessor.insert(contentsOf: cookbook.ingredients)
        }
    }

    func link(recipes: [Int64], with tag: Int64) throws {
        try store.writeSync { accessor in
            if asksInBatches {
                try Self.link(recipes, with: tag, accessor)
                return
            }
            for id in recipes {
                try accessor.mutableItem(id: id, of: LarderRecipe.self)?.tags.add(id: tag)
            }
        }
    }

    func unlink(recipes: [Int64], from tag: Int64) throws {
        try store.writeSync { accessor in
            if asksInBatches {
                try Self.unlink(recipes, from: tag, accessor)
                return
            }
            for id in recipes {
                try accessor.mutableItem(id: id, of: LarderRecipe.self)?.tags.remove(id: tag)
            }
        }
    }

    func delete(recipe: Int64) throws {
        try store.writeSync { _ = try $0.delete(id: recipe, of: LarderRecipe.self) }
    }

    private static func link(
        _ recipes: [Int64], with tag: Int64, _ accessor: DataStoreReadWriteAccessor
    ) throws {
        let found = try read(recipes, accessor)
        guard let owner = try accessor.mutableItem(id: tag, of: LarderTag.self) else { return }
        try owner.recipes.add(ids: found)
    }

    private static func unlink(
        _ recipes: [Int64], from tag: Int64, _ accessor: DataStoreReadWriteAccessor
    ) throws {
        let found = Set(try read(recipes, accessor))
        guard let owner = try accessor.mutableItem(id: tag, of: LarderTag.self) else { return }
        let linked: [Int64] = try owner.recipes.ids()
        let kept: [Int64] = linked.filter { !found.contains($0) }
        try owner.recipes.replace(byIDs: kept)
    }

    /// Reads recipes, and returns the identifiers of those that exist.
    private static func read(
        _ recipes: [Int64], _ accessor: DataStoreReadWriteAccessor
    ) throws -> [Int64] {
        var found: [Int64] = []
        found.reserveCapacity(recipes.count)
        for handle in try accessor.mutableItems(ids: recipes, of: LarderRecipe.self) {
            if let handle { found.append(handle.id) }
        }
        return found
    }
}

extension LarderGraphContender {
    func families(after ids: [Int64], limit: Int, visit: ([LarderRecipe]) -> Void) throws {
        try store.read { accessor in
            for id in ids {
                let recipes = LarderRecipe.where(\.id > id).sorted(by: \.id).limit(limit)
                visit(try accessor.items(for: recipes.prefetching(\.ingredients)))
            }
        }
    }

    func recipes(withIngredients names: [String], visit: ([LarderRecipe]) -> Void) throws {
        try store.read { accessor in
            for name in names {
                let request = LarderRecipe.where(.any(\.ingredients, \.name == name)).sorted(by: \.id)
                visit(try accessor.items(for: request))
            }
        }
    }

    func recipes(ofKinds names: [String], visit: ([LarderRecipe]) -> Void) throws {
        try store.read { accessor in
            for name in names {
                let request = LarderRecipe.where(\.kind.name == name).sorted(by: \.id)
                visit(try accessor.items(for: request))
            }
        }
    }

    func recipes(withMoreIngredientsThan counts: [Int], visit: ([LarderRecipe]) -> Void) throws {
        try store.read { accessor in
            for count in counts {
                let request = LarderRecipe.where(\.ingredients.count > count).sorted(by: \.id)
                visit(try accessor.items(for: request))
            }
        }
    }

    func recipesByKind(on pages: [Page], visit: ([LarderRecipe]) -> Void) throws {
        try store.read { accessor in
            for page in pages {
                let request = LarderRecipe.all.sorted(by: \.kind.name).offset(page.offset).limit(page.limit)
                visit(try accessor.items(for: request))
            }
        }
    }

    func tags(ofRecipes ids: [Int64], visit: ([Int64]) -> Void) throws {
        try store.read { accessor in
            for id in ids {
                let recipe = try accessor.item(id: id, of: LarderRecipe.self)
                visit(try recipe.map { try accessor.items($0.tags).map(\.id) } ?? [])
            }
        }
    }

    func recipes(ofTags ids: [Int64], visit: ([Int64]) -> Void) throws {
        try store.read { accessor in
            for id in ids {
                let tag = try accessor.item(id: id, of: LarderTag.self)
                visit(try tag.map { try accessor.items($0.recipes).map(\.id) } ?? [])
            }
        }
    }

    func countIngredients() throws -> Int {
        try store.read { try $0.countItems(for: LarderIngredient.all) }
    }
}
