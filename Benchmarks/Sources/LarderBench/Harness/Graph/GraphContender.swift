/// One storage layer with recipes, their kinds, ingredients and tags: made in a folder of its own.
///
/// As with ``Contender``, whole loops are asked for, and what is found goes to `visit`. Every store refuses a
/// reference or link to what it does not hold, and can go from each end of a relationship to the other.
protocol GraphContender: GraphReading, GraphWriting {
    /// *Rule:* nothing is called afterwards.
    func close() throws
}

/// Each call is one write transaction.
protocol GraphWriting: AnyObject, SendableMetatype {
    /// A cookbook in the layer's own form.
    associatedtype Form

    /// Converts outside the timed part.
    static func form(of cookbook: Cookbook) -> Form

    func insert(_ cookbook: Form) throws

    /// Reads each recipe, and links it with a tag that it does not have.
    func link(recipes: [Int64], with tag: Int64) throws

    /// Reads each recipe, and removes a tag of it.
    func unlink(recipes: [Int64], from tag: Int64) throws

    /// Deletes a recipe with its ingredients and links.
    func delete(recipe: Int64) throws
}

/// Each call is one read transaction; recipes come in the order of their identifiers where no other is named.
protocol GraphReading: AnyObject {
    associatedtype Record: RecipeRecord
    associatedtype Family: FamilyRecord

    /// The recipes after each identifier, at most so many, each with its ingredients.
    func families(after ids: [Int64], limit: Int, visit: ([Family]) -> Void) throws

    /// The recipes with an ingredient of each name in turn.
    func recipes(withIngredients names: [String], visit: ([Record]) -> Void) throws

    /// The recipes of each kind in turn, by its name.
    func recipes(ofKinds names: [String], visit: ([Record]) -> Void) throws

    /// The recipes with more ingredients than each number in turn.
    func recipes(withMoreIngredientsThan counts: [Int], visit: ([Record]) -> Void) throws

    /// Each page in turn of all recipes by the names of their kinds, ties by identifier.
    func recipesByKind(on pages: [Page], visit: ([Record]) -> Void) throws

    /// The tags of each recipe in turn, ascending; asked outside the timed part.
    func tags(ofRecipes ids: [Int64], visit: ([Int64]) -> Void) throws

    /// The recipes of each tag in turn, ascending; asked outside the timed part.
    func recipes(ofTags ids: [Int64], visit: ([Int64]) -> Void) throws

    /// Asked outside the timed part.
    func countIngredients() throws -> Int
}
