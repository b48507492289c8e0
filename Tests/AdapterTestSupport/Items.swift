import Larder

import struct Foundation.Data
import struct Foundation.Date
import struct Foundation.Decimal
import struct Foundation.URL
import struct Foundation.UUID

/// The usual item of these tests: an index, a unique attribute, and something that may be nil.
struct Recipe: DataStoreItem, Equatable {
    let id: Int64
    var name: String
    var rating: Double
    var slug: String
    var note: String?

    struct Attributes: Sendable {}
    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Recipe",
        attributes: [
            .attribute("id", Int64.self), .attribute("name", String.self), .attribute("rating", Double.self),
            .attribute("slug", String.self), .attribute("note", String?.self),
        ],
        indexes: [.index("rating"), .unique("slug")])

    enum Column {
        static let id = 0
        static let name = 1
        static let rating = 2
        static let slug = 3
        static let note = 4
    }

    init(_ id: Int64, name: String? = nil, rating: Double = 0, slug: String? = nil, note: String? = nil) {
        self.id = id
        self.name = name ?? "Recipe \(id)"
        self.rating = rating
        self.slug = slug ?? "recipe-\(id)"
        self.note = note
    }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        rating = try row.value(at: 2)
        slug = try row.value(at: 3)
        note = try row.value(at: 4)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(rating, at: 2)
        try row.set(slug, at: 3)
        try row.set(note, at: 4)
    }
}

/// An item whose identifier is text.
struct Tag: DataStoreItem, Equatable {
    let id: String
    var weight: Int

    struct Attributes: Sendable {}
    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Tag", attributes: [.attribute("id", String.self), .attribute("weight", Int.self)],
        indexes: [.index("weight")])

    init(_ id: String, weight: Int = 0) {
        self.id = id
        self.weight = weight
    }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        weight = try row.value(at: 1)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(weight, at: 1)
    }
}

/// An item with an attribute of each type that may be nil, and a `UUID` for its identifier.
struct Sample: DataStoreItem, Equatable {
    let id: UUID
    var flag: Bool?
    var tiny: Int8?
    var large: Int64?
    var unsigned: UInt64?
    var single: Float?
    var real: Double?
    var text: String?
    var data: Data?
    var date: Date?
    var uuid: UUID?
    var url: URL?
    var decimal: Decimal?
    var json: Nutrition?

    struct Nutrition: CodableAttribute {
        var energy: Int
    }

    struct Attributes: Sendable {}
    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Sample",
        attributes: [
            .attribute("id", UUID.self), .attribute("flag", Bool?.self), .attribute("tiny", Int8?.self),
            .attribute("large", Int64?.self), .attribute("unsigned", UInt64?.self),
            .attribute("single", Float?.self), .attribute("real", Double?.self),
            .attribute("text", String?.self), .attribute("data", Data?.self), .attribute("date", Date?.self),
            .attribute("uuid", UUID?.self), .attribute("url", URL?.self),
            .attribute("decimal", Decimal?.self),
            .attribute("json", Nutrition?.self),
        ],
        indexes: [.index("large"), .index("unsigned"), .index("text")])

    init(id: UUID = UUID()) {
        self.id = id
    }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        flag = try row.value(at: 1)
        tiny = try row.value(at: 2)
        large = try row.value(at: 3)
        unsigned = try row.value(at: 4)
        single = try row.value(at: 5)
        real = try row.value(at: 6)
        text = try row.value(at: 7)
        data = try row.value(at: 8)
        date = try row.value(at: 9)
        uuid = try row.value(at: 10)
        url = try row.value(at: 11)
        decimal = try row.value(at: 12)
        json = try row.value(at: 13)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(flag, at: 1)
        try row.set(tiny, at: 2)
        try row.set(large, at: 3)
        try row.set(unsigned, at: 4)
        try row.set(single, at: 5)
        try row.set(real, at: 6)
        try row.set(text, at: 7)
        try row.set(data, at: 8)
        try row.set(date, at: 9)
        try row.set(uuid, at: 10)
        try row.set(url, at: 11)
        try row.set(decimal, at: 12)
        try row.set(json, at: 13)
    }
}
