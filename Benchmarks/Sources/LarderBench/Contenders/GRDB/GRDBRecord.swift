import GRDB

/// A form of the restaurant that GRDB's record API stores.
protocol GRDBRecord: RestaurantRecord, FetchableRecord, PersistableRecord, Sendable {
    mutating func mirror()
}
