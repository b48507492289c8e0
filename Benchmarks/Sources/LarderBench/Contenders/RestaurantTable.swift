import Foundation

/// The table that all contenders on SQLite share when they write SQL themselves.
enum RestaurantTable {
    static let name = "restaurant"

    /// In the order in which rows are bound and decoded.
    static let columns = ["id", "name", "city", "rating", "reviews", "isOpen", "openedAt", "note"]

    /// The statements that make an empty store.
    static func creation(isIndexed: Bool) -> [String] {
        let table = """
            CREATE TABLE restaurant (
                id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL, rating REAL NOT NULL,
                reviews INTEGER NOT NULL, isOpen INTEGER NOT NULL, openedAt REAL NOT NULL, note TEXT
            )
            """
        let indexes = ["name", "rating"].map { "CREATE INDEX restaurantBy\($0) ON restaurant(\($0))" }
        return isIndexed ? [table] + indexes : [table]
    }

    static func file(in folder: URL) -> String {
        folder.appending(path: "restaurants.sqlite").path
    }
}
