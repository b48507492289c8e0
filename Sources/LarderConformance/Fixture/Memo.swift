import struct Foundation.Date
import Larder

/// An item with times of its insertion, change and deletion, and a unique text.
struct Memo: DataStoreItem, Equatable {
    let id: Int64
    var text: String
    var slug: String?
    var stars: Int
    var createdAt: Date
    var updatedAt: Date
    var deletedAt: Date?

    init(_ id: Int64, _ text: String = "", slug: String? = nil, stars: Int = 0) {
        self.id = id
        self.text = text
        self.slug = slug
        self.stars = stars
        createdAt = Date(timeIntervalSinceReferenceDate: 0)
        updatedAt = Date(timeIntervalSinceReferenceDate: 0)
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Memo, Int64>(column: 0)
        let text = Attribute<Memo, String>(column: 1)
        let slug = Attribute<Memo, String?>(indexedColumn: 2)
        let stars = Attribute<Memo, Int>(column: 3)
        let createdAt = Attribute<Memo, Date>(column: 4)
        let updatedAt = Attribute<Memo, Date>(column: 5)
        let deletedAt = Attribute<Memo, Date?>(column: 6)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Memo",
        attributes: [
            .attribute("id", Int64.self), .attribute("text", String.self), .attribute("slug", String?.self),
            .attribute("stars", Int.self), .attribute("createdAt", Date.self),
            .attribute("updatedAt", Date.self), .attribute("deletedAt", Date?.self),
        ],
        indexes: [.unique("slug")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        text = try row.value(at: 1)
        slug = try row.value(at: 2)
        stars = try row.value(at: 3)
        createdAt = try row.value(at: 4)
        updatedAt = try row.value(at: 5)
        deletedAt = try row.value(at: 6)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(text, at: 1)
        try row.set(slug, at: 2)
        try row.set(stars, at: 3)
        try row.set(createdAt, at: 4)
        try row.set(updatedAt, at: 5)
        try row.set(deletedAt, at: 6)
    }
}

extension Memo: SoftDeletable {
    static var deletionDate: AttributePath<Memo, Date?> { \.deletedAt }
}
