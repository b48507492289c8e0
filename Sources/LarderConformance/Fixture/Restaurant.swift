import struct Foundation.Date
import Larder

/// An item with attributes for all kinds of requests.
struct Restaurant: DataStoreItem, Equatable {
    let id: ItemID<Restaurant>
    var name: String
    var city: String
    var rating: Double
    var slug: String?
    var seats: Int
    var openedAt: Date?
    var isOpen: Bool
    var note: String?

    init(
        _ id: Int64, name: String = "", city: String = "", rating: Double = 0, slug: String? = nil,
        seats: Int = 0, openedAt: Date? = nil, isOpen: Bool = true, note: String? = nil
    ) {
        self.id = ItemID(rawValue: id)
        self.name = name
        self.city = city
        self.rating = rating
        self.slug = slug
        self.seats = seats
        self.openedAt = openedAt
        self.isOpen = isOpen
        self.note = note
    }

    struct Attributes: Sendable {
        let id = Attribute<Restaurant, ItemID<Restaurant>>(column: 0)
        let name = Attribute<Restaurant, String>(column: 1)
        let city = Attribute<Restaurant, String>(column: 2)
        let rating = Attribute<Restaurant, Double>(column: 3)
        let slug = Attribute<Restaurant, String?>(column: 4)
        let seats = Attribute<Restaurant, Int>(column: 5)
        let openedAt = Attribute<Restaurant, Date?>(column: 6)
        let isOpen = Attribute<Restaurant, Bool>(column: 7)
        let note = Attribute<Restaurant, String?>(column: 8)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Restaurant",
        attributes: [
            .attribute("id", ItemID<Restaurant>.self),
            .attribute("name", String.self),
            .attribute("city", String.self),
            .attribute("rating", Double.self, default: 0),
            .attribute("slug", String?.self),
            .attribute("seats", Int.self, default: 0),
            .attribute("openedAt", Date?.self),
            .attribute("isOpen", Bool.self, default: true),
            .attribute("note", String?.self),
        ],
        indexes: [.index("city"), .index("rating"), .unique("slug"), .index("openedAt")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        city = try row.value(at: 2)
        rating = try row.value(at: 3)
        slug = try row.value(at: 4)
        seats = try row.value(at: 5)
        openedAt = try row.value(at: 6)
        isOpen = try row.value(at: 7)
        note = try row.value(at: 8)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(city, at: 2)
        try row.set(rating, at: 3)
        try row.set(slug, at: 4)
        try row.set(seats, at: 5)
        try row.set(openedAt, at: 6)
        try row.set(isOpen, at: 7)
        try row.set(note, at: 8)
    }
}
