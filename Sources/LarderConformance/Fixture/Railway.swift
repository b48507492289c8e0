import Larder

/// A station, whose name and whose code no other one has.
struct Station: DataStoreItem, Equatable {
    let id: Int64
    var name: String
    var code: Int
    var previous: ToOne<Station>?
    var region: ToOne<Region>?

    init(_ id: Int64, _ name: String, code: Int) {
        self.id = id
        self.name = name
        self.code = code
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Station, Int64>(column: 0)
        let name = Attribute<Station, String>(column: 1)
        let code = Attribute<Station, Int>(column: 2)
        let previous = Attribute<Station, ToOne<Station>?>(indexedColumn: 3)
        let region = Attribute<Station, ToOne<Region>?>(indexedColumn: 4)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Station",
        attributes: [
            .attribute("id", Int64.self), .attribute("name", String.self), .attribute("code", Int.self),
            .attribute("previous", ToOne<Station>?.self), .attribute("region", ToOne<Region>?.self),
        ],
        indexes: [.unique("name"), .unique("code")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        code = try row.value(at: 2)
        previous = try row.value(at: 3)
        region = try row.value(at: 4)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(code, at: 2)
        try row.set(previous, at: 3)
        try row.set(region, at: 4)
    }
}

/// A region of stations, one of which is its center.
struct Region: DataStoreItem, Equatable {
    let id: Int64
    var name: String
    var center: ToOne<Station>?

    init(_ id: Int64, _ name: String) {
        self.id = id
        self.name = name
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Region, Int64>(column: 0)
        let name = Attribute<Region, String>(column: 1)
        let center = Attribute<Region, ToOne<Station>?>(indexedColumn: 2)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Region",
        attributes: [
            .attribute("id", Int64.self), .attribute("name", String.self),
            .attribute("center", ToOne<Station>?.self),
        ],
        indexes: [.unique("name")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        center = try row.value(at: 2)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(center, at: 2)
    }
}

/// A train, which belongs to a region and starts at a station.
struct Train: DataStoreItem, Equatable {
    let id: Int64
    var region: ToOne<Region>?
    var start: ToOne<Station>?

    struct Attributes: StoredAttributes {
        let id = Attribute<Train, Int64>(column: 0)
        let region = Attribute<Train, ToOne<Region>?>(indexedColumn: 1)
        let start = Attribute<Train, ToOne<Station>?>(indexedColumn: 2)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Train",
        attributes: [
            .attribute("id", Int64.self), .attribute("region", ToOne<Region>?.self),
            .attribute("start", ToOne<Station>?.self),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        region = try row.value(at: 1)
        start = try row.value(at: 2)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(region, at: 1)
        try row.set(start, at: 2)
    }
}
