import Larder

/// A guest at a table, who may bring others.
struct Guest: DataStoreItem {
    let id: Int64
    var seat: Int64
    var host: ToOne<Guest>?
    var guardian: ToOne<Guest>?
    var company: ToMany<Guest> = .notGiven
    var wards: ToMany<Guest> = .notGiven
    var friends: OrderedToMany<Guest> = .notGiven

    init(id: Int64, seat: Int64, host: ToOne<Guest>? = nil, guardian: ToOne<Guest>? = nil) {
        self.id = id
        self.seat = seat
        self.host = host
        self.guardian = guardian
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Guest, Int64>(column: 0)
        let seat = Attribute<Guest, Int64>(indexedColumn: 1)
        let host = Attribute<Guest, ToOne<Guest>?>(indexedColumn: 2)
        let guardian = Attribute<Guest, ToOne<Guest>?>(indexedColumn: 3)
        let company = RelationshipAttribute<Guest, ToMany<Guest>>(number: 0)
        let wards = RelationshipAttribute<Guest, ToMany<Guest>>(number: 1)
        let friends = RelationshipAttribute<Guest, OrderedToMany<Guest>>(number: 2)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Guest",
        attributes: [
            .attribute("id", Int64.self),
            .attribute("seat", Int64.self),
            .attribute("host", ToOne<Guest>?.self),
            .attribute("guardian", ToOne<Guest>?.self),
        ],
        indexes: [.unique("seat")],
        relationships: [
            .relationship(
                "company", ToMany<Guest>.self, of: Guest.self, inverse: Guest.attributes.host,
                deleteRule: .cascade),
            .relationship(
                "wards", ToMany<Guest>.self, of: Guest.self, inverse: Guest.attributes.guardian,
                deleteRule: .deny),
            .relationship("friends", OrderedToMany<Guest>.self, inverse: nil),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        seat = try row.value(at: 1)
        host = try row.value(at: 2)
        guardian = try row.value(at: 3)
        company = try row.value(atRelationship: 0, of: Guest.self)
        wards = try row.value(atRelationship: 1, of: Guest.self)
        friends = try row.value(atRelationship: 2, of: Guest.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(seat, at: 1)
        try row.set(host, at: 2)
        try row.set(guardian, at: 3)
        try row.set(company, atRelationship: 0)
        try row.set(wards, atRelationship: 1)
        try row.set(friends, atRelationship: 2)
    }
}
