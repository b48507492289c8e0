import Larder

import struct Foundation.Date

/// A number that is stored as it is, even NaN.
struct RawNumber: AttributeStorable {
    static let attributeType = AttributeType.double
    let value: Double

    static func decode(_ cell: Cell) -> RawNumber? { RawNumber(value: cell.real) }

    func encode(in arena: RowArena) throws(DataStoreError) -> Cell { .real(value) }
}

/// An item whose date and rating may be stored as NaN, as another tool stores it.
struct Visit: DataStoreItem {
    let id: Int64
    let seconds: RawNumber
    let rating: RawNumber

    struct Attributes: StoredAttributes {
        let id = Attribute<Visit, Int64>(column: 0)
        let date = Attribute<Visit, Date>(column: 1)
        let rating = Attribute<Visit, Double>(column: 2)
    }

    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Visit",
        attributes: [
            .attribute("id", Int64.self), .attribute("date", Date.self), .attribute("rating", Double.self),
        ])

    init(_ id: Int64, _ number: Double) {
        self.id = id
        (seconds, rating) = (RawNumber(value: number), RawNumber(value: number))
    }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        seconds = try row.value(at: 1)
        rating = try row.value(at: 2)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(seconds, at: 1)
        try row.set(rating, at: 2)
    }
}
