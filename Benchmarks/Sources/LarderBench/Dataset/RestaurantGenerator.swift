import Foundation

/// Makes the same restaurants from the same seed: ids ascend from 1, names come in no order.
struct RestaurantGenerator {
    private static let kinds = ["Trattoria", "Osteria", "Brasserie", "Gasthaus", "Steakhouse", "Tea House"]
    private static let cities = [
        "Zürich", "Amsterdam", "Copenhagen", "Lisbon", "Valparaíso", "Edinburgh", "San Diego", "Ljubljana",
    ]
    /// Every sixteenth restaurant shares its predecessor's name, so that a lookup may find two.
    private static let sharedNameStride: Int64 = 16

    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func restaurants(count: Int) -> [Restaurant] {
        restaurants(ids: 1...Int64(count))
    }

    mutating func restaurants(ids: ClosedRange<Int64>) -> [Restaurant] {
        var made: [Restaurant] = []
        made.reserveCapacity(ids.count)
        for id in ids {
            var restaurant = restaurant(id: id)
            if id % Self.sharedNameStride == 0, let previous = made.last {
                restaurant.name = previous.name
            }
            made.append(restaurant)
        }
        return made
    }

    /// A text that no generated restaurant has as its name.
    static func unknownName(_ number: Int) -> String {
        "Nowhere \(number)"
    }

    private mutating func restaurant(id: Int64) -> Restaurant {
        let kind = Self.kinds[Int.random(in: 0..<Self.kinds.count, using: &random)]
        let city = Self.cities[Int.random(in: 0..<Self.cities.count, using: &random)]
        let openedAt = Double.random(in: -600_000_000..<780_000_000, using: &random)
        return Restaurant(
            id: id,
            name: "\(kind) \(scrambled(id))",
            city: city,
            rating: Double.random(in: 0..<5, using: &random),
            reviews: Int64.random(in: 0..<10_000, using: &random),
            isOpen: Bool.random(using: &random),
            openedAt: Date(timeIntervalSinceReferenceDate: openedAt),
            note: Bool.random(using: &random) ? "Ask for the table by the window, \(scrambled(id))" : nil
        )
    }

    /// Eight digits that differ for all ids below ninety million and do not ascend with them.
    private func scrambled(_ id: Int64) -> Int64 {
        10_000_000 + (id &* 2_654_435_761) % 90_000_000
    }
}
