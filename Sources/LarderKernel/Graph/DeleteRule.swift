/// The effect of a deletion on the items at the other end of a relationship.
///
///     @StoredItem
///     struct Recipe {
///         @Relationship(deleteRule: .cascade, inverse: \Ingredient.recipe)
///         var ingredients: ToMany<Ingredient>
///     }
///     @StoredItem
///     struct Ingredient {
///         var recipe: ToOne<Recipe>
///     }
public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
    /// They stay, and no longer refer to it.
    case nullify
    /// They are deleted too.
    case cascade
    /// The deletion is refused while there are any that are not deleted with it.
    case deny
    /// They do not change, and may refer to an item that does not exist.
    case noAction
}
