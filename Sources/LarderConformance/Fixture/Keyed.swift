import Larder

/// An item with an identifier of any kind.
struct Keyed<ID: ItemIdentifier>: DataStoreItem, Equatable {
    let id: ID
    var label: String?
    var rank: Int

    init(_ id: ID, label: String? = nil, rank: Int = 0) {
        self.id = id
        self.label = label
        self.rank = rank
    }

    struct Attributes: Sendable {
        let id = Attribute<Keyed, ID>(column: 0)
        let label = Attribute<Keyed, String?>(column: 1)
        let rank = Attribute<Keyed, Int>(column: 2)
    }

    static var attributes: Attributes { Attributes() }

    static var schema: EntitySchema {
        EntitySchema(
            "Keyed by \(ID.self)",
            attributes: [
                .attribute("id", ID.self),
                .attribute("label", String?.self),
                .attribute("rank", Int.self),
            ],
            indexes: [.unique("label"), .index("rank")])
    }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        label = try row.value(at: 1)
        rank = try row.value(at: 2)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(label, at: 1)
        try row.set(rank, at: 2)
    }
}
