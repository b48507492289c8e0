import Foundation
import Larder

/// An item with most kinds of values; the command knows it by what the store says only.
struct Recipe: DataStoreItem {
    let id: ItemID<Recipe>
    var name: String
    var rating: Double?
    var cookedAt: Date?
    var photo: Data
    var views: Int64
    var price: Decimal
    var isVegan: Bool

    init(
        _ id: Int64, _ name: String, rating: Double? = nil, cookedAt: Date? = nil, photo: Data = Data(),
        views: Int64 = 0, price: Decimal = 0, isVegan: Bool = false
    ) {
        self.id = ItemID(rawValue: id)
        self.name = name
        self.rating = rating
        self.cookedAt = cookedAt
        self.photo = photo
        self.views = views
        self.price = price
        self.isVegan = isVegan
    }

    struct Attributes: Sendable {
        let id = Attribute<Recipe, ItemID<Recipe>>(column: 0)
        let name = Attribute<Recipe, String>(column: 1)
        let rating = Attribute<Recipe, Double?>(column: 2)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Recipe",
        attributes: [
            .attribute("id", ItemID<Recipe>.self), .attribute("name", String.self),
            .attribute("rating", Double?.self), .attribute("cookedAt", Date?.self),
            .attribute("photo", Data.self), .attribute("views", Int64.self),
            .attribute("price", Decimal.self), .attribute("isVegan", Bool.self),
        ],
        indexes: [.unique("name"), .index("rating")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        rating = try row.value(at: 2)
        cookedAt = try row.value(at: 3)
        photo = try row.value(at: 4)
        views = try row.value(at: 5)
        price = try row.value(at: 6)
        isVegan = try row.value(at: 7)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(rating, at: 2)
        try row.set(cookedAt, at: 3)
        try row.set(photo, at: 4)
        try row.set(views, at: 5)
        try row.set(price, at: 6)
        try row.set(isVegan, at: 7)
    }
}

extension Recipe {
    /// Three that show what is particular to values: nil, the largest integer, a new line, a comma.
    static let samples = [
        Recipe(
            1, "Cake, \"the\" one", rating: 4.5, cookedAt: Date(timeIntervalSinceReferenceDate: 0.5),
            photo: Data([0, 255]), views: .max, price: Decimal(string: "12.50") ?? 0, isVegan: true),
        Recipe(2, "Toast\nwith 蜂蜜"), Recipe(3, "Soup", rating: 3, views: 7),
    ]
}
