import Larder

/// A town, whose name is its own, and so is its code if it has one.
struct Town: DataStoreItem {
    let id: Int64
    var name: String
    var code: String?
    var houses: ToMany<House>

    init(_ id: Int64, _ name: String, code: String? = nil) {
        self.id = id
        self.name = name
        self.code = code
        houses = .notGiven
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Town, Int64>(column: 0)
        let name = Attribute<Town, String>(indexedColumn: 1)
        let code = Attribute<Town, String?>(indexedColumn: 2)
        let houses = RelationshipAttribute<Town, ToMany<House>>(number: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Town",
        attributes: [
            .attribute("id", Int64.self), .attribute("name", String.self), .attribute("code", String?.self),
        ],
        indexes: [.unique("name"), .unique("code")],
        relationships: [
            .relationship(
                "houses", ToMany<House>.self, of: Town.self, inverse: House.attributes.town,
                deleteRule: .cascade)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        code = try row.value(at: 2)
        houses = try row.value(atRelationship: 0, of: Town.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(code, at: 2)
        try row.set(houses, atRelationship: 0)
    }
}

/// A house, which is always in a town, and may have a neighbor.
struct House: DataStoreItem {
    let id: Int64
    var number: Int
    var town: ToOne<Town>
    var neighbor: ToOne<House>?
    var isSold: Bool

    init(
        _ id: Int64, number: Int, in town: Int64, beside neighbor: Int64? = nil, isSold: Bool = false
    ) {
        self.id = id
        self.number = number
        self.town = ToOne(id: town)
        self.neighbor = neighbor.map { ToOne(id: $0) }
        self.isSold = isSold
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<House, Int64>(column: 0)
        let number = Attribute<House, Int>(column: 1)
        let town = Attribute<House, ToOne<Town>>(indexedColumn: 2)
        let neighbor = Attribute<House, ToOne<House>?>(indexedColumn: 3)
        let isSold = Attribute<House, Bool>(column: 4)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "House",
        attributes: [
            .attribute("id", Int64.self), .attribute("number", Int.self),
            .attribute("town", ToOne<Town>.self), .attribute("neighbor", ToOne<House>?.self),
            .attribute("isSold", Bool.self),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        number = try row.value(at: 1)
        town = try row.value(at: 2)
        neighbor = try row.value(at: 3)
        isSold = try row.value(at: 4)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(number, at: 1)
        try row.set(town, at: 2)
        try row.set(neighbor, at: 3)
        try row.set(isSold, at: 4)
    }
}
