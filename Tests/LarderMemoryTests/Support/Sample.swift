import Foundation
import Larder
@testable import AdapterTestSupport

/// An item with an attribute of nearly every kind, and indexes of every kind.
struct Sample: DataStoreItem, Equatable {
    let id: Int64
    var name: String
    var title: String?
    var rating: Double
    var score: Double?
    var count: Int
    var flag: Bool
    var big: UInt64?
    var token: UUID
    var day: Date?
    var price: Decimal
    var small: Int8?
    var notes: Data?

    struct Attributes: Sendable {
        let id = Attribute<Sample, Int64>(column: 0)
        let name = Attribute<Sample, String>(column: 1)
        let title = Attribute<Sample, String?>(column: 2)
        let rating = Attribute<Sample, Double>(column: 3)
        let score = Attribute<Sample, Double?>(column: 4)
        let count = Attribute<Sample, Int>(column: 5)
        let flag = Attribute<Sample, Bool>(column: 6)
        let big = Attribute<Sample, UInt64?>(column: 7)
        let token = Attribute<Sample, UUID>(column: 8)
        let day = Attribute<Sample, Date?>(column: 9)
        let price = Attribute<Sample, Decimal>(column: 10)
        let small = Attribute<Sample, Int8?>(column: 11)
        let notes = Attribute<Sample, Data?>(column: 12)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Sample",
        attributes: [
            .attribute("id", Int64.self), .attribute("name", String.self),
            .attribute("title", String?.self), .attribute("rating", Double.self),
            .attribute("score", Double?.self), .attribute("count", Int.self),
            .attribute("flag", Bool.self), .attribute("big", UInt64?.self),
            .attribute("token", UUID.self), .attribute("day", Date?.self),
            .attribute("price", Decimal.self), .attribute("small", Int8?.self),
            .attribute("notes", Data?.self),
        ],
        indexes: [
            .index("name"), .index("rating"), .index("flag", "count"), .unique("token"),
            .index("title", "name"), .index("big"), .index("small", "flag", "count"),
        ])
}

extension Sample {
    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        title = try row.value(at: 2)
        rating = try row.value(at: 3)
        score = try row.value(at: 4)
        count = try row.value(at: 5)
        flag = try row.value(at: 6)
        big = try row.value(at: 7)
        token = try row.value(at: 8)
        day = try row.value(at: 9)
        price = try row.value(at: 10)
        small = try row.value(at: 11)
        notes = try row.value(at: 12)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(title, at: 2)
        try row.set(rating, at: 3)
        try row.set(score, at: 4)
        try row.set(count, at: 5)
        try row.set(flag, at: 6)
        try row.set(big, at: 7)
        try row.set(token, at: 8)
        try row.set(day, at: 9)
        try row.set(price, at: 10)
        try row.set(small, at: 11)
        try row.set(notes, at: 12)
    }

    /// An item of values that often meet: few names, few numbers, and their extremes.
    static func random(_ id: Int64, using random: inout Seed) -> Sample {
        func pick<Value>(_ values: [Value]) -> Value {
            values[Int.random(in: 0..<values.count, using: &random)]
        }
        return Sample(
            id: id, name: pick(names), title: pick(names.map(Optional.some) + [nil, nil]),
            rating: pick(numbers), score: pick(numbers.map(Optional.some) + [nil]),
            count: pick([-1, 0, 1, 2, 3, .max, .min]), flag: pick([true, false]),
            big: pick([0, 1, 1 << 63, .max, nil]), token: token(of: id),
            day: pick([Date(timeIntervalSinceReferenceDate: 0), .distantPast, nil]),
            price: Decimal(pick([-10, -9, 0, 2, 10, 100])) / 10, small: pick([.min, 0, 5, .max, nil]),
            notes: pick([Data(), Data([0]), Data([0, 1]), Data([255]), nil]))
    }

    static func token(of id: Int64) -> UUID {
        UUID(
            uuidString: (id < 0 ? "8" : "0") + "0000000-0000-4000-8000-"
                + String(format: "%012d", Int(id.magnitude % 1_000_000_000))) ?? UUID()
    }

    static let names: [String] = [
        "", "\0", "a", "a\0b", "aa", "Ab", "é", "e\u{301}", "straße", "STRASSE",
        String(repeating: "long ", count: 99),
        String(repeating: "long ", count: 99) + "x",
        // Behind what any index keeps.
        String(repeating: "long ", count: 120) + "a",
        String(repeating: "long ", count: 120) + "b",
        String(repeating: "long ", count: 120) + "b\0",
    ]

    static let numbers: [Double] = [-.infinity, -1.5, 0, .leastNonzeroMagnitude, 2, 2.5, .infinity]
}
