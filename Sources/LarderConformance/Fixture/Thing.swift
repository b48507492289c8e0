import Larder

/// An item of one of three types, whose identifiers are of different kinds.
enum Thing: ItemUnion, Equatable {
    case number(Keyed<Int64>)
    case word(Keyed<String>)
    case memo(Memo)

    static let members: [UnionMember<Thing>] = [
        .type(Keyed<Int64>.self, named: "Number: %", Thing.number), .type(Keyed<String>.self, Thing.word),
        .type(Memo.self, Thing.memo),
    ]

    struct Attributes: Sendable {
        let rank = UnionAttribute<Thing, Int>(
            Keyed<Int64>.attributes.rank, Keyed<String>.attributes.rank, Memo.attributes.stars)
        let label = UnionAttribute<Thing, String?>(
            Memo.attributes.slug, Keyed<Int64>.attributes.label, Keyed<String>.attributes.label)
        /// Names no attribute of ``Memo``.
        let incomplete = UnionAttribute<Thing, Int>(
            Keyed<Int64>.attributes.rank, Keyed<String>.attributes.rank)
    }

    static let attributes = Attributes()

    var item: any DataStoreItem {
        switch self {
        case .number(let item): item
        case .word(let item): item
        case .memo(let item): item
        }
    }
}

/// An item that refers to any other.
struct Pin: DataStoreItem, Equatable {
    let id: Int64
    var subject: ToAny<Thing>?

    init(_ id: Int64, to subject: ToAny<Thing>? = nil) {
        self.id = id
        self.subject = subject
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Pin, Int64>(column: 0)
        let subject = Attribute<Pin, ToAny<Thing>?>(indexedColumn: 1)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Pin",
        attributes: [.attribute("id", Int64.self), .attribute("subject", ToAny<Thing>?.self)],
        indexes: [.index("subject")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        subject = try row.value(at: 1)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(subject, at: 1)
    }
}
