import Foundation
import GRDB

/// A record by hand, decoded by index: the fastest form that GRDB's record API has.
extension Restaurant: GRDBRecord {
    static var databaseTableName: String { RestaurantTable.name }

    init(row: Row) {
        self.init(
            id: row[0], name: row[1], city: row[2], rating: row[3], reviews: row[4], isOpen: row[5],
            openedAt: Date(timeIntervalSinceReferenceDate: row[6]), note: row[7])
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = name
        container["city"] = city
        container["rating"] = rating
        container["reviews"] = reviews
        container["isOpen"] = isOpen
        container["openedAt"] = openedAt.timeIntervalSinceReferenceDate
        container["note"] = note
    }
}
