import Foundation

/// The item that every contender stores.
struct Restaurant: Equatable, Sendable {
    let id: Int64
    var name: String
    var city: String
    var rating: Double
    var reviews: Int64
    var isOpen: Bool
    var openedAt: Date
    var note: String?
}

/// What a contender hands in and out: its own form of a restaurant, converted outside the timed part.
protocol RestaurantRecord: SendableMetatype {
    init(_ restaurant: Restaurant)
    var restaurant: Restaurant { get }
}

extension Restaurant: RestaurantRecord {
    init(_ restaurant: Restaurant) {
        self = restaurant
    }

    var restaurant: Restaurant { self }
}

extension Restaurant {
    /// The highest rating; `mirror()` takes the distance to it.
    static let highestRating = 5.0
    static let mostReviews: Int64 = 10_000

    /// Changes two attributes, one of them indexed; twice is (but for the last bit) as before.
    mutating func mirror() {
        rating = Self.highestRating - rating
        reviews = Self.mostReviews - reviews
    }
}
