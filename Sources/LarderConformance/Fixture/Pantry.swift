import Larder

/// A pantry with links to racks and jars, which do not show it.
struct Pantry: DataStoreItem {
    let id: Int64
    var racks: ToMany<Rack>
    var jars: ToMany<Jar>

    init(_ id: Int64, racks: [Int64]) {
        self.id = id
        self.racks = ToMany(ids: racks)
        jars = .notGiven
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Pantry, Int64>(column: 0)
        let racks = RelationshipAttribute<Pantry, ToMany<Rack>>(number: 0)
        let jars = RelationshipAttribute<Pantry, ToMany<Jar>>(number: 1)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Pantry", attributes: [.attribute("id", Int64.self)],
        relationships: [
            .relationship("racks", ToMany<Rack>.self, inverse: nil),
            .relationship("jars", ToMany<Jar>.self, inverse: nil),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        racks = try row.value(atRelationship: 0, of: Pantry.self)
        jars = try row.value(atRelationship: 1, of: Pantry.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(racks, atRelationship: 0)
        try row.set(jars, atRelationship: 1)
    }
}

/// A rack, whose code no other one has, and which takes its jars with it.
struct Rack: DataStoreItem {
    let id: Int64
    var code: Int64
    var jars: ToMany<Jar> = .notGiven

    init(_ id: Int64, code: Int64) {
        (self.id, self.code) = (id, code)
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Rack, Int64>(column: 0)
        let code = Attribute<Rack, Int64>(column: 1)
        let jars = RelationshipAttribute<Rack, ToMany<Jar>>(number: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Rack", attributes: [.attribute("id", Int64.self), .attribute("code", Int64.self)],
        indexes: [.unique("code")],
        relationships: [
            .relationship(
                "jars", ToMany<Jar>.self, of: Rack.self, inverse: Jar.attributes.rack, deleteRule: .cascade)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        code = try row.value(at: 1)
        jars = try row.value(atRelationship: 0, of: Rack.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(code, at: 1)
        try row.set(jars, atRelationship: 0)
    }
}

/// A jar, which is always on a rack, and whose label no other one has.
struct Jar: DataStoreItem {
    let id: Int64
    var label: Int64
    var rack: ToOne<Rack>
    var next: ToOne<Jar>?

    init(_ id: Int64, label: Int64, on rack: Int64, next: Int64? = nil) {
        self.id = id
        self.label = label
        self.rack = ToOne(id: rack)
        self.next = next.map { ToOne(id: $0) }
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Jar, Int64>(column: 0)
        let label = Attribute<Jar, Int64>(column: 1)
        let rack = Attribute<Jar, ToOne<Rack>>(indexedColumn: 2)
        let next = Attribute<Jar, ToOne<Jar>?>(indexedColumn: 3)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Jar",
        attributes: [
            .attribute("id", Int64.self), .attribute("label", Int64.self),
            .attribute("rack", ToOne<Rack>.self), .attribute("next", ToOne<Jar>?.self),
        ], indexes: [.unique("label")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        label = try row.value(at: 1)
        rack = try row.value(at: 2)
        next = try row.value(at: 3)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(label, at: 1)
        try row.set(rack, at: 2)
        try row.set(next, at: 3)
    }
}

/// A wagon, whose number no other one has, and which alone is the previous one of the next.
struct Wagon: DataStoreItem {
    let id: Int64
    var number: Int64
    var next: ToOne<Wagon>?
    var previous: ToOneInverse<Wagon> = .notGiven

    init(_ id: Int64, _ number: Int64) {
        (self.id, self.number) = (id, number)
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Wagon, Int64>(column: 0)
        let number = Attribute<Wagon, Int64>(column: 1)
        let next = Attribute<Wagon, ToOne<Wagon>?>(indexedColumn: 2)
        let previous = RelationshipAttribute<Wagon, ToOneInverse<Wagon>>(number: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Wagon",
        attributes: [
            .attribute("id", Int64.self), .attribute("number", Int64.self),
            .attribute("next", ToOne<Wagon>?.self),
        ], indexes: [.unique("number")],
        relationships: [
            .relationship(
                "previous", ToOneInverse<Wagon>.self, of: Wagon.self, inverse: Wagon.attributes.next)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        number = try row.value(at: 1)
        next = try row.value(at: 2)
        previous = try row.value(atRelationship: 0, of: Wagon.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(number, at: 1)
        try row.set(next, at: 2)
        try row.set(previous, atRelationship: 0)
    }
}
