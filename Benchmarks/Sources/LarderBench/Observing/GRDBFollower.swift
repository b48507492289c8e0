import Foundation
import GRDB

/// Requests followed by GRDB's `ValueObservation`, each with duplicates removed, as Larder does by itself.
struct GRDBFollower: Follower {
    private let pool: DatabasePool

    init(in folder: URL, _ data: Dataset) throws {
        pool = try DatabasePool(path: RestaurantTable.file(in: folder))
        let restaurants = data.restaurants
        try pool.write { database in
            for statement in RestaurantTable.creation(isIndexed: true) {
                try database.execute(sql: statement)
            }
            for restaurant in restaurants { try restaurant.insert(database) }
        }
    }

    func follow(name: String, _ take: @escaping @Sendable ([Restaurant]) -> Void) -> Task<Void, Never> {
        let observation = ValueObservation.tracking { database in
            try Restaurant.filter(Column("name") == name).fetchAll(database)
        }.removeDuplicates()
        return Task { [pool] in
            do {
                for try await restaurants in observation.values(in: pool) { take(restaurants) }
            } catch {
                reportProgress("An observation has failed: \(error)")
            }
        }
    }

    func setReviews(_ reviews: Int64, of ids: [Int64]) throws {
        try pool.write { database in
            for id in ids {
                guard var restaurant = try Restaurant.fetchOne(database, key: id) else { continue }
                restaurant.reviews = reviews
                try restaurant.update(database, columns: ["reviews"])
            }
        }
    }

    func close() throws { try pool.close() }
}
