import Larder

/// Somebody who grows plants; the name is unique, and the plants go with their owner.
struct Grower: DataStoreItem, Equatable {
    let id: Int64
    var name: String
    var score: Int64
    let plants: ToMany<Plant>
    let helped: ToMany<Plant>

    init(_ id: Int64, _ name: String, score: Int64) {
        (self.id, self.name, self.score) = (id, name, score)
        (plants, helped) = (.notGiven, .notGiven)
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Grower, Int64>(column: 0)
        let name = Attribute<Grower, String>(indexedColumn: 1)
        let score = Attribute<Grower, Int64>(column: 2)
        let plants = RelationshipAttribute<Grower, ToMany<Plant>>(number: 0)
        let helped = RelationshipAttribute<Grower, ToMany<Plant>>(number: 1)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Grower",
        attributes: [
            .attribute("id", Int64.self), .attribute("name", String.self), .attribute("score", Int64.self),
        ],
        indexes: [.unique("name")],
        relationships: [
            .relationship(
                "plants", ToMany<Plant>.self, of: Grower.self, inverse: Plant.attributes.owner,
                deleteRule: .cascade),
            .relationship("helped", ToMany<Plant>.self, of: Grower.self, inverse: Plant.attributes.helper),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        score = try row.value(at: 2)
        plants = try row.value(atRelationship: 0, of: Grower.self)
        helped = try row.value(atRelationship: 1, of: Grower.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(score, at: 2)
        try row.set(plants, atRelationship: 0)
        try row.set(helped, atRelationship: 1)
    }
}

/// A plant with an owner, perhaps a helper, and growers who admire it.
struct Plant: DataStoreItem, Equatable {
    let id: Int64
    var size: Int64
    var weight: Int64
    var owner: ToOne<Grower>
    var helper: ToOne<Grower>?
    let fans: ToMany<Grower>

    init(_ id: Int64, size: Int64, weight: Int64, of owner: Int64, helpedBy helper: Int64?) {
        (self.id, self.size, self.weight) = (id, size, weight)
        self.owner = ToOne(id: owner)
        self.helper = helper.map { ToOne(id: $0) }
        fans = .notGiven
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Plant, Int64>(column: 0)
        let size = Attribute<Plant, Int64>(indexedColumn: 1)
        let weight = Attribute<Plant, Int64>(column: 2)
        let owner = Attribute<Plant, ToOne<Grower>>(indexedColumn: 3)
        let helper = Attribute<Plant, ToOne<Grower>?>(indexedColumn: 4)
        let fans = RelationshipAttribute<Plant, ToMany<Grower>>(number: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Plant",
        attributes: [
            .attribute("id", Int64.self), .attribute("size", Int64.self), .attribute("weight", Int64.self),
            .attribute("owner", ToOne<Grower>.self), .attribute("helper", ToOne<Grower>?.self),
        ],
        indexes: [.index("size")],
        relationships: [.relationship("fans", ToMany<Grower>.self)])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        size = try row.value(at: 1)
        weight = try row.value(at: 2)
        owner = try row.value(at: 3)
        helper = try row.value(at: 4)
        fans = try row.value(atRelationship: 0, of: Plant.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(size, at: 1)
        try row.set(weight, at: 2)
        try row.set(owner, at: 3)
        try row.set(helper, at: 4)
        try row.set(fans, atRelationship: 0)
    }
}
