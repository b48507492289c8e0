import Foundation
import GRDB

/// The record that most of GRDB's users write: `Codable`, and nothing by hand.
struct CodableRestaurant: Codable {
    let id: Int64
    var name: String
    var city: String
    var rating: Double
    var reviews: Int64
    var isOpen: Bool
    /// A number, as with the other contenders: GRDB's own form of a date is text, which is slower.
    var openedAt: Double
    var note: String?
}

extension CodableRestaurant: GRDBRecord {
    static var databaseTableName: String { RestaurantTable.name }

    init(_ restaurant: Restaurant) {
        id = restaurant.id
        name = restaurant.name
        city = restaurant.city
        rating = restaurant.rating
        reviews = restaurant.reviews
        isOpen = restaurant.isOpen
        openedAt = restaurant.openedAt.timeIntervalSinceReferenceDate
        note = restaurant.note
    }

    var restaurant: Restaurant {
        Restaurant(
            id: id, name: name, city: city, rating: rating, reviews: reviews, isOpen: isOpen,
            openedAt: Date(timeIntervalSinceReferenceDate: openedAt), note: note)
    }

    mutating func mirror() {
        rating = Restaurant.highestRating - rating
        reviews = Restaurant.mostReviews - reviews
    }
}
