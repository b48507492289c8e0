import Foundation
import Larder

/// A restaurant as Larder stores it, with indexes on name and rating.
///
/// Conforms by hand, so that the benchmarks need not build the macro; this is what the macro would write.
struct LarderRestaurant: DataStoreItem {
    let id: Int64
    var name: String
    var city: String
    var rating: Double
    var reviews: Int64
    var isOpen: Bool
    var openedAt: Date
    var note: String?

    struct Attributes: Sendable {
        let id = Attribute<LarderRestaurant, Int64>(column: 0)
        let name = Attribute<LarderRestaurant, String>(column: 1)
        let city = Attribute<LarderRestaurant, String>(column: 2)
        let rating = Attribute<LarderRestaurant, Double>(column: 3)
        let reviews = Attribute<LarderRestaurant, Int64>(column: 4)
        let isOpen = Attribute<LarderRestaurant, Bool>(column: 5)
        let openedAt = Attribute<LarderRestaurant, Date>(column: 6)
        let note = Attribute<LarderRestaurant, String?>(column: 7)
    }

    static let attributes = Attributes()
    static let schema = makeSchema(indexes: [.index("name"), .index("rating")])

    static func makeSchema(indexes: [IndexDeclaration]) -> EntitySchema {
        EntitySchema(
            "Restaurant",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self),
                .attribute("city", String.self), .attribute("rating", Double.self),
                .attribute("reviews", Int64.self), .attribute("isOpen", Bool.self),
                .attribute("openedAt", Date.self), .attribute("note", String?.self),
            ],
            indexes: indexes)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(city, at: 2)
        try row.set(rating, at: 3)
        try row.set(reviews, at: 4)
        try row.set(isOpen, at: 5)
        try row.set(openedAt, at: 6)
        try row.set(note, at: 7)
    }
}

// Swift adds no memberwise initialiser to a struct whose body declares another.
extension LarderRestaurant {
    init(row: borrowing RowReader) throws(DataStoreError) {
        try self.init(
            id: row.value(at: 0),
            name: row.value(at: 1),
            city: row.value(at: 2),
            rating: row.value(at: 3),
            reviews: row.value(at: 4),
            isOpen: row.value(at: 5),
            openedAt: row.value(at: 6),
            note: row.value(at: 7))
    }
}

extension LarderRestaurant: LarderRecord {
    static func named(_ name: String) -> DataStoreRequest<Self> { Self.where(\.name == name) }

    static func rated(above bound: Double) -> DataStoreRequest<Self> {
        Self.where(\.rating > bound).sorted(by: \.rating)
    }

    static func byRating(_ direction: SortDirection) -> DataStoreRequest<Self> {
        Self.all.sorted(by: \.rating, direction)
    }

    static func aggregate(
        _ question: AggregateQuestion, _ accessor: DataStoreReadAccessor
    ) throws -> AggregateAnswer {
        switch question {
        case .sum: return .numbers([try accessor.sum(\.rating, for: all)])
        case .average: return .numbers([try accessor.average(\.rating, for: all) ?? 0])
        case .extremes:
            let (lowest, highest) = try accessor.aggregate(all, .minimum(\.rating), .maximum(\.rating))
            return .numbers([lowest ?? 0, highest ?? 0])
        case .names: return .names(try accessor.groups(for: all.grouped(by: \.name), .count))
        }
    }

    static func mirror(_ handle: Mutable<Self>) {
        handle.rating = Restaurant.highestRating - handle.rating
        handle.reviews = Restaurant.mostReviews - handle.reviews
    }

    init(_ restaurant: Restaurant) {
        id = restaurant.id
        name = restaurant.name
        city = restaurant.city
        rating = restaurant.rating
        reviews = restaurant.reviews
        isOpen = restaurant.isOpen
        openedAt = restaurant.openedAt
        note = restaurant.note
    }

    var restaurant: Restaurant {
        Restaurant(
            id: id, name: name, city: city, rating: rating, reviews: reviews, isOpen: isOpen,
            openedAt: openedAt, note: note)
    }
}
