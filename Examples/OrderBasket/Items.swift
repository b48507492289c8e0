import Larder

/// Something that can be ordered; its name is its identifier.
@StoredItem
struct Product: Equatable {
    let id: String
    /// In cents.
    var price: Int
    @Relationship(deleteRule: .deny, inverse: \Line.product)
    var lines: ToMany<Line>
}

/// An ordered product.
///
/// Its identifier equals the product's, so that both sides of a merge mean the same line.
@StoredItem
struct Line: Equatable {
    let id: String
    var product: ToOne<Product>
    var quantity: Int
    var note: String?
}

/// The item types of the store.
let itemTypes: [any DataStoreItem.Type] = [Product.self, Line.self]

/// The products of a new store.
let products = [
    Product(id: "bread", price: 420), Product(id: "coffee", price: 1290), Product(id: "tea", price: 350),
]
