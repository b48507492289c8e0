import Larder

/// An item identified by text.
struct Named: DataStoreItem, Equatable {
    let id: String
    var rank: Int
    var label: String?

    struct Attributes: Sendable {
        let id = Attribute<Named, String>(column: 0)
        let rank = Attribute<Named, Int>(column: 1)
        let label = Attribute<Named, String?>(column: 2)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Named",
        attributes: [
            .attribute("id", String.self), .attribute("rank", Int.self), .attribute("label", String?.self),
        ],
        indexes: [.index("rank"), .unique("label", "rank")])
}

extension Named {
    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        rank = try row.value(at: 1)
        label = try row.value(at: 2)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(rank, at: 1)
        try row.set(label, at: 2)
    }
}
