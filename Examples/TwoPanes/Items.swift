import Larder

/// A drink that a guest has ordered.
@StoredItem
struct Order: Equatable {
    let id: Int
    @Indexed var table: String
    var guest: String
    var drink: String
    /// In cents.
    var price: Int
    var isServed: Bool = false
}

/// The orders of a new store.
let firstOrders = [
    Order(id: 1, table: "garden", guest: "Ada", drink: "tea", price: 350),
    Order(id: 2, table: "window", guest: "Bo", drink: "coffee", price: 290),
    Order(id: 3, table: "garden", guest: "Cy", drink: "coffee", price: 290),
]
