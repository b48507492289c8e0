/// Answers compared with the cookbook's; each function throws on the first difference.
extension GraphContender {
    /// Everything that is stored, read from both ends of each relationship.
    func check(holds cookbook: Cookbook) throws {
        var families: [RecipeFamily] = []
        try self.families(after: [0], limit: cookbook.recipes.count + 1) { families = $0.map(\.family) }
        try Self.compare(families, cookbook.families, asked: "all recipes with their ingredients")
        try checkTags(cookbook.tagIDs, ofRecipes: cookbook.recipes.map(\.id))
        let tags = cookbook.tags.prefix(3).map(\.id)
        try Self.compare(
            try recipes(ofTags: tags), tags.map(cookbook.recipes(ofTag:)), asked: "recipes of tags")
        guard try countIngredients() == cookbook.ingredients.count else {
            throw WrongAnswer(
                asked: "number of ingredients", expected: cookbook.ingredients.count,
                found: try countIngredients())
        }
    }

    func checkTags(_ tags: [[Int64]], ofRecipes ids: [Int64]) throws {
        var found: [[Int64]] = []
        try self.tags(ofRecipes: ids) { found.append($0) }
        try Self.compare(found, tags, asked: "tags of recipes")
    }

    func recipes(ofTags ids: [Int64]) throws -> [[Int64]] {
        var found: [[Int64]] = []
        try recipes(ofTags: ids) { found.append($0) }
        return found
    }

    /// Compares one answer for each question.
    static func compare<Answer: Equatable>(_ found: [Answer], _ expected: [Answer], asked: String) throws {
        guard found.count == expected.count else {
            throw WrongAnswer(asked: asked, expected: "\(expected.count) answers", found: "\(found.count)")
        }
        for (answer, right) in zip(found, expected) where answer != right {
            throw WrongAnswer(asked: asked, expected: right, found: answer)
        }
    }
}
