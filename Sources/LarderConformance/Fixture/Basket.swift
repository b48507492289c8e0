import struct Foundation.Date
import struct Foundation.Decimal
import Larder

/// An item whose attributes are collections, stored as JSON without a wrapper type.
struct Basket: DataStoreItem, Equatable {
    let id: Int64
    var names: [String] = []
    var courses: Set<Course> = []
    var counts: [String: Int] = [:]
    var levels: [Level: [Double]] = [:]
    var dates: [Date?]? = nil
    var prices: [Int: Set<Decimal>] = [:]

    struct Attributes: StoredAttributes {
        let id = Attribute<Basket, Int64>(column: 0)
        let names = Attribute<Basket, [String]>(column: 1)
        let courses = Attribute<Basket, Set<Course>>(column: 2)
        let counts = Attribute<Basket, [String: Int]>(column: 3)
        let levels = Attribute<Basket, [Level: [Double]]>(column: 4)
        let dates = Attribute<Basket, [Date?]?>(column: 5)
        let prices = Attribute<Basket, [Int: Set<Decimal>]>(column: 6)
    }

    static let attributes = Attributes()
    static let schema = BasketAsStored.schema

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(names, at: 1)
        try row.set(courses, at: 2)
        try row.set(counts, at: 3)
        try row.set(levels, at: 4)
        try row.set(dates, at: 5)
        try row.set(prices, at: 6)
    }
}

extension Basket {
    init(row: borrowing RowReader) throws(DataStoreError) {
        try self.init(
            id: row.value(at: 0), names: row.value(at: 1), courses: row.value(at: 2),
            counts: row.value(at: 3), levels: row.value(at: 4), dates: row.value(at: 5),
            prices: row.value(at: 6))
    }
}

/// The same item with the JSON as text.
enum BasketAsStored: ItemVersion {
    static let schema = EntitySchema(
        "Basket",
        attributes: [
            .attribute("id", Int64.self), .attribute("names", [String].self),
            .attribute("courses", Set<Course>.self), .attribute("counts", [String: Int].self),
            .attribute("levels", [Level: [Double]].self), .attribute("dates", [Date?]?.self),
            .attribute("prices", [Int: Set<Decimal>].self, default: [:]),
        ])
}
