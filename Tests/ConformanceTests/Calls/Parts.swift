import Larder

/// A part with unique values, a reference and links: all that makes a change look at other rows.
struct Part: DataStoreItem, Equatable {
    let id: Int64
    var name: String
    var box: ToOne<Box>
    /// Unique in its box.
    var place: Int
    var weight: Int
    var marks: ToMany<Mark>

    init(_ id: Int64, name: String? = nil, weight: Int? = nil, marks: ToMany<Mark> = .notGiven) {
        self.id = id
        self.name = name ?? "part \(id)"
        box = ToOne(id: id % Box.count)
        place = Int(id)
        self.weight = weight ?? Int(id) + 20_000
        self.marks = marks
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Part, Int64>(column: 0)
        let name = Attribute<Part, String>(column: 1)
        let box = Attribute<Part, ToOne<Box>>(indexedColumn: 2)
        let place = Attribute<Part, Int>(column: 3)
        let weight = Attribute<Part, Int>(column: 4)
        let marks = RelationshipAttribute<Part, ToMany<Mark>>(number: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Part",
        attributes: [
            .attribute("id", Int64.self), .attribute("name", String.self),
            .attribute("box", ToOne<Box>.self), .attribute("place", Int.self),
            .attribute("weight", Int.self),
        ],
        indexes: [.unique("name"), .unique("box", "place")],
        relationships: [.relationship("marks", ToMany<Mark>.self)])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        box = try row.value(at: 2)
        place = try row.value(at: 3)
        weight = try row.value(at: 4)
        marks = try row.value(atRelationship: 0, of: Part.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(box, at: 2)
        try row.set(place, at: 3)
        try row.set(weight, at: 4)
        try row.set(marks, atRelationship: 0)
    }
}

/// What parts are in.
struct Box: DataStoreItem, Equatable {
    let id: Int64
    var room: Int
    var parts: ToMany<Part>

    /// More than the groups that one plan finds by an index.
    static let count: Int64 = 100

    init(_ id: Int64) {
        self.id = id
        room = Int(id % 7)
        parts = .notGiven
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Box, Int64>(column: 0)
        let room = Attribute<Box, Int>(column: 1)
        let parts = RelationshipAttribute<Box, ToMany<Part>>(number: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Box", attributes: [.attribute("id", Int64.self), .attribute("room", Int.self)],
        relationships: [
            .relationship(
                "parts", ToMany<Part>.self, of: Box.self, inverse: Part.attributes.box,
                deleteRule: .cascade)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        room = try row.value(at: 1)
        parts = try row.value(atRelationship: 0, of: Box.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(room, at: 1)
        try row.set(parts, atRelationship: 0)
    }
}

/// A mark of any number of parts, in an order that the app decides.
struct Mark: DataStoreItem, Equatable {
    let id: Int64
    var text: String
    var parts: ToMany<Part>
    var steps: OrderedToMany<Part>

    init(_ id: Int64) {
        self.id = id
        text = "mark \(id)"
        (parts, steps) = (.notGiven, .notGiven)
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Mark, Int64>(column: 0)
        let text = Attribute<Mark, String>(column: 1)
        let parts = RelationshipAttribute<Mark, ToMany<Part>>(number: 0)
        let steps = RelationshipAttribute<Mark, OrderedToMany<Part>>(number: 1)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Mark",
        attributes: [.attribute("id", Int64.self), .attribute("text", String.self)],
        indexes: [.unique("text")],
        relationships: [
            .relationship("parts", ToMany<Part>.self, of: Mark.self, inverse: Part.attributes.marks),
            .relationship("steps", OrderedToMany<Part>.self),
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        text = try row.value(at: 1)
        parts = try row.value(atRelationship: 0, of: Mark.self)
        steps = try row.value(atRelationship: 1, of: Mark.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(text, at: 1)
        try row.set(parts, atRelationship: 0)
        try row.set(steps, atRelationship: 1)
    }
}

/// A crate whose loads stay without it.
struct Crate: DataStoreItem {
    let id: Int64
    var loads: ToMany<Load> = .notGiven

    init(_ id: Int64) {
        self.id = id
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Crate, Int64>(column: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Crate", attributes: [.attribute("id", Int64.self)],
        relationships: [
            .relationship("loads", ToMany<Load>.self, of: Crate.self, inverse: Load.attributes.crate)
        ])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        loads = try row.value(atRelationship: 0, of: Crate.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(loads, atRelationship: 0)
    }
}

/// A load of a crate, or of none.
struct Load: DataStoreItem {
    let id: Int64
    var crate: ToOne<Crate>?

    init(_ id: Int64, in crate: Int64) {
        self.id = id
        self.crate = ToOne(id: crate)
    }

    struct Attributes: StoredAttributes {
        let id = Attribute<Load, Int64>(column: 0)
        let crate = Attribute<Load, ToOne<Crate>?>(indexedColumn: 1)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Load", attributes: [.attribute("id", Int64.self), .attribute("crate", ToOne<Crate>?.self)])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        crate = try row.value(at: 1)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(crate, at: 1)
    }
}

/// A part as an import gets it.
struct PartSource {
    let id: Int64
    let name: String
    let marks: [String]

    static func of(_ parts: [Part]) -> [PartSource] {
        parts.map { PartSource(id: $0.id, name: $0.name, marks: ["mark 1", "mark 2"]) }
    }

    static let map = map(.replace)
    static let adding = map(.add)

    private static func map(_ marks: ImportedItems) -> ImportMap<Part, PartSource> {
        ImportMap(by: \.id, from: \.id) {
            Import(\.name) { $0.name }
            Import(\.box) { ToOne(id: $0.id % Box.count) }
            Import(\.place) { Int($0.id) }
            Import(\.weight) { _ in 3 }
            Import(\.marks, by: \.text, from: \.marks, marks)
        }
    }
}
