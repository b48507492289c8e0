/// Recipes with all that belongs to them, and the right answers to what is asked of them.
final class Cookbook {
    let kinds: [RecipeKind]
    let tags: [Tag]
    /// Their identifiers ascend from 1 without a gap.
    let recipes: [Recipe]
    /// In the order of their recipes, their identifiers ascending.
    let ingredients: [Ingredient]
    /// The identifiers of each recipe's tags, ascending.
    let tagIDs: [[Int64]]
    /// As many identifiers of recipes as there are recipes, in no order; none comes twice.
    let shuffledIDs: [Int64]
    private var formsByType: [ObjectIdentifier: Any] = [:]

    init(
        kinds: [RecipeKind], tags: [Tag], recipes: [Recipe], ingredients: [Ingredient], tagIDs: [[Int64]],
        shuffledIDs: [Int64]
    ) {
        self.kinds = kinds
        self.tags = tags
        self.recipes = recipes
        self.ingredients = ingredients
        self.tagIDs = tagIDs
        self.shuffledIDs = shuffledIDs
    }

    /// The cookbook in a contender's own form, made once per type.
    func form<Form>(_ make: (Cookbook) -> Form) -> Form {
        let key = ObjectIdentifier(Form.self)
        if let known = formsByType[key] as? Form { return known }
        let made = make(self)
        formsByType[key] = made
        return made
    }

    /// All recipes with their ingredients.
    private(set) lazy var families: [RecipeFamily] = {
        let groups = Dictionary(grouping: ingredients, by: \.recipe)
        return recipes.map { RecipeFamily(recipe: $0, ingredients: groups[$0.id] ?? []) }
    }()

    func recipes(withIngredient name: String) -> [Recipe] {
        families.filter { $0.ingredients.contains { $0.name == name } }.map(\.recipe)
    }

    func recipes(ofKind name: String) -> [Recipe] {
        let ids = Set(kinds.filter { $0.name == name }.map(\.id))
        return recipes.filter { ids.contains($0.kind) }
    }

    func recipes(withMoreIngredientsThan count: Int) -> [Recipe] {
        families.filter { $0.ingredients.count > count }.map(\.recipe)
    }

    func recipesByKind() -> [Recipe] {
        let names = Dictionary(uniqueKeysWithValues: kinds.map { ($0.id, $0.name) })
        return recipes.map { (name: names[$0.kind] ?? "", recipe: $0) }
            .sorted { ($0.name, $0.recipe.id) < ($1.name, $1.recipe.id) }.map(\.recipe)
    }

    func recipes(ofTag id: Int64) -> [Int64] {
        recipes.filter { tagIDs[Int($0.id) - 1].contains(id) }.map(\.id)
    }
}
