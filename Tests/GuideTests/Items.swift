import Foundation
import Larder

@StoredItem
struct Recipe: Equatable {
    var name: String
    @Indexed var rating: Double = 0
    @Unique var slug: String
    var cookedAt: Date?
}

@StoredItem
struct Ingredient: Equatable {
    var name: String
    @Indexed var recipe: ItemID<Recipe>
}
