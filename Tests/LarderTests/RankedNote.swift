import Larder

/// An item of two columns.
struct RankedNote: DataStoreItem {
    let id: Int64
    var rank: Int64

    struct Attributes: Sendable {
        let id = Attribute<RankedNote, Int64>(column: 0)
        let rank = Attribute<RankedNote, Int64>(column: 1)
    }
    static let attributes = Attributes()
    static let schema = EntitySchema(
        "RankedNote", attributes: [.attribute("id", Int64.self), .attribute("rank", Int64.self)])

    init(_ id: Int64) {
        self.id = id
        rank = id
    }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        rank = try row.value(at: 1)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(rank, at: 1)
    }
}

/// An item of one column.
struct NumberedItem: DataStoreItem {
    let id: Int64

    struct Attributes: Sendable {
        let id = Attribute<NumberedItem, Int64>(column: 0)
    }
    static let attributes = Attributes()
    static let schema = EntitySchema("NumberedItem", attributes: [.attribute("id", Int64.self)])

    init(_ id: Int64) { self.id = id }

    init(row: borrowing RowReader) throws(DataStoreError) { id = try row.value(at: 0) }

    func encode(to row: inout RowWriter) throws(DataStoreError) { try row.set(id, at: 0) }
}

/// An item of another type than what a test observes.
typealias Bystander = NumberedItem
