import Larder

/// The course as which a dish is eaten.
enum Course: String, AttributeValue, CaseIterable {
    case starter, main, dessert
}

/// An item with a compound index and compound uniqueness.
struct Dish: DataStoreItem, Equatable {
    let id: ItemID<Dish>
    /// The restaurant that serves it; unique together with ``name`` unless it is nil.
    var restaurant: ItemID<Restaurant>?
    var name: String
    var course: Course
    var cents: Int

    init(
        _ id: Int64, at restaurant: Int64? = nil, name: String = "", course: Course = .main, cents: Int = 0
    ) {
        self.id = ItemID(rawValue: id)
        self.restaurant = restaurant.map { ItemID(rawValue: $0) }
        self.name = name
        self.course = course
        self.cents = cents
    }

    struct Attributes: Sendable {
        let id = Attribute<Dish, ItemID<Dish>>(column: 0)
        let restaurant = Attribute<Dish, ItemID<Restaurant>?>(column: 1)
        let name = Attribute<Dish, String>(column: 2)
        let course = Attribute<Dish, Course>(column: 3)
        let cents = Attribute<Dish, Int>(column: 4)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Dish",
        attributes: [
            .attribute("id", ItemID<Dish>.self),
            .attribute("restaurant", ItemID<Restaurant>?.self),
            .attribute("name", String.self),
            .attribute("course", Course.self),
            .attribute("cents", Int.self),
        ],
        indexes: [.unique("restaurant", "name"), .index("course", "cents")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        restaurant = try row.value(at: 1)
        name = try row.value(at: 2)
        course = try row.value(at: 3)
        cents = try row.value(at: 4)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(restaurant, at: 1)
        try row.set(name, at: 2)
        try row.set(course, at: 3)
        try row.set(cents, at: 4)
    }
}
