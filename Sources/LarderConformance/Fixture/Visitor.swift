import Larder

/// A visitor whose name is unique without regard to case, and whose nickname has an index without regard to case and
/// diacritics.
struct Visitor: DataStoreItem, Equatable {
    let id: ItemID<Visitor>
    var name: String
    var nickname: String?
    var table: Int

    init(_ id: Int64, _ name: String, nickname: String? = nil, table: Int = 0) {
        self.id = ItemID(rawValue: id)
        self.name = name
        self.nickname = nickname
        self.table = table
    }

    struct Attributes: Sendable {
        let id = Attribute<Visitor, ItemID<Visitor>>(column: 0)
        let name = Attribute<Visitor, String>(column: 1)
        let nickname = Attribute<Visitor, String?>(column: 2)
        let table = Attribute<Visitor, Int>(column: 3)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Visitor",
        attributes: [
            .attribute("id", ItemID<Visitor>.self), .attribute("name", String.self),
            .attribute("nickname", String?.self), .attribute("table", Int.self),
        ],
        indexes: [
            .unique("name", .caseInsensitive),
            .index("nickname", [.caseInsensitive, .diacriticInsensitive]),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        nickname = try row.value(at: 2)
        table = try row.value(at: 3)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(nickname, at: 2)
        try row.set(table, at: 3)
    }
}

extension Visitor {
    private static let long = String(repeating: "x", count: 1100)

    /// Visitors with texts of all kinds: empty, nil, with a NUL, and longer than an index may hold.
    static let all: [Visitor] = [
        Visitor(1, "Anna"), Visitor(2, "Bert", nickname: "Zo\u{EB}"),
        Visitor(3, "\u{C9}lan", nickname: "zoe"), Visitor(4, "elan", nickname: "\u{C9}CLAIR"),
        Visitor(5, "STRASSE", nickname: "eclair"), Visitor(6, "", nickname: ""),
        Visitor(7, long, nickname: long + "a"), Visitor(8, "A\u{0}b", nickname: long + "B"),
    ]
}
