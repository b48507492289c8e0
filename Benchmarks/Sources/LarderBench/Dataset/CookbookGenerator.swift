/// Makes the same cookbook from the same seed.
struct CookbookGenerator {
    private static let kindCount: Int64 = 100
    /// A tag that no recipe has yet follows them.
    private static let tagCount: Int64 = 200
    private static let tagsPerRecipe = 3
    private static let dishes = [
        "Casserole", "Dumplings", "Soufflé", "Flatbread", "Chowder", "Stew", "Salad",
    ]
    private static let foods = [
        "Egg", "Flour", "Butter", "Onion", "Carrot", "Thyme", "Lentil", "Cream", "Apple", "Leek", "Basil",
        "Almond", "Garlic", "Honey", "Ginger", "Pepper", "Lemon", "Rice", "Pumpkin", "Sage",
    ]
    private static let varietyCount = 100

    /// The tag that no recipe of a cookbook has.
    static let unusedTag = tagCount + 1
    /// The most ingredients that a recipe has.
    static let mostIngredients = 15

    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// Recipes with 5 to 15 ingredients and three tags each.
    mutating func cookbook(recipeCount: Int) -> Cookbook {
        var (recipes, ingredients, tagIDs) = ([Recipe](), [Ingredient](), [[Int64]]())
        for id in 1...Int64(recipeCount) {
            recipes.append(recipe(id: id))
            for _ in 0..<Int.random(in: 5...Self.mostIngredients, using: &random) {
                ingredients.append(ingredient(id: Int64(ingredients.count) + 1, of: id))
            }
            tagIDs.append(someTags())
        }
        return Cookbook(
            kinds: Self.kinds, tags: Self.tags, recipes: recipes, ingredients: ingredients, tagIDs: tagIDs,
            shuffledIDs: recipes.map(\.id).shuffled(using: &random))
    }

    /// The kinds and tags of all cookbooks without a recipe.
    static var emptyCookbook: Cookbook {
        Cookbook(kinds: kinds, tags: tags, recipes: [], ingredients: [], tagIDs: [], shuffledIDs: [])
    }

    /// One recipe with many ingredients and three tags, for a store that has the kinds and tags.
    mutating func family(ingredientCount: Int) -> Cookbook {
        Cookbook(
            kinds: [], tags: [], recipes: [recipe(id: 1)],
            ingredients: (0..<ingredientCount).map { ingredient(id: Int64($0) + 1, of: 1) },
            tagIDs: [someTags()], shuffledIDs: [1])
    }

    /// More ingredients for that recipe.
    mutating func moreIngredients(ids: ClosedRange<Int64>) -> Cookbook {
        Cookbook(
            kinds: [], tags: [], recipes: [], ingredients: ids.map { ingredient(id: $0, of: 1) }, tagIDs: [],
            shuffledIDs: [])
    }

    static func ingredientName(_ number: Int) -> String {
        let variety = number / foods.count % varietyCount
        return "\(foods[number % foods.count]) \(variety)"
    }

    static func kindName(_ number: Int64) -> String {
        // 37 has no divisor in common with the number of kinds: no name comes twice, and they do not ascend.
        "Cuisine \(kindCount + number * 37 % kindCount)"
    }

    private static var kinds: [RecipeKind] {
        (1...kindCount).map { RecipeKind(id: $0, name: kindName($0)) }
    }

    private static var tags: [Tag] { (1...unusedTag).map { Tag(id: $0, label: "tag \($0)") } }

    private mutating func recipe(id: Int64) -> Recipe {
        let dish = Self.dishes[Int.random(in: 0..<Self.dishes.count, using: &random)]
        return Recipe(
            id: id, name: "\(dish) \(10_000_000 + id)", minutes: Int64.random(in: 5..<180, using: &random),
            kind: Int64.random(in: 1...Self.kindCount, using: &random))
    }

    private mutating func ingredient(id: Int64, of recipe: Int64) -> Ingredient {
        let number = Int.random(in: 0..<(Self.foods.count * Self.varietyCount), using: &random)
        return Ingredient(
            id: id, name: Self.ingredientName(number), amount: Double.random(in: 0..<10, using: &random),
            recipe: recipe)
    }

    private mutating func someTags() -> [Int64] {
        var tags: Set<Int64> = []
        while tags.count < Self.tagsPerRecipe {
            tags.insert(Int64.random(in: 1...Self.tagCount, using: &random))
        }
        return tags.sorted()
    }
}
